import JSON
import Store

extension ItemRun {
    // MARK: Reading

    private struct TransactGet: Sendable {
        let table: any ItemTable
        let key: Item
        let place: ItemPlace
        let projection: RequestedParts?
    }

    func transactGetItems() async throws(ItemFailure) -> ItemAnswer {
        let entries = try transactionEntries()
        let detail = try refusing { () throws(ItemError) in try ConsumedCapacity.detail(fields) }
        var gets: [TransactGet] = []
        for (place, entry) in entries.enumerated() { try gets.append(get(entry, place, of: entries.count)) }
        try Self.checkDistinct(gets.map { ($0.table.shape.name, $0.place) })
        return try await service.read(on: shard, until: end) { [gets, wanted] reader, budget throws(ItemFailure) in
            // All of them as they are at one moment.
            try storing { () throws(StoreError) in try reader.beginTurn() }
            defer { try? reader.endTurn() }
            let answer = ItemAnswer(try Self.answer(gets, detail, in: reader, within: budget))
            return wanted == .text ? answer.written : answer
        }
    }

    private static func answer(
        _ gets: [TransactGet], _ detail: ConsumedCapacity.Detail, in reader: Reader, within budget: CallBudget
    ) throws(ItemFailure) -> JSONObject {
        var found: [Item?] = []
        var bytes = 0
        for get in gets {
            let item = try get.table.item(at: get.place, named: get.key, in: reader, within: budget)
            bytes += item?.size ?? 0
            guard bytes <= TableLimits.transactionBytesMax else {
                throw .refused(.validation("Collective size of items to be read cannot exceed 4MB"))
            }
            found.append(item)
        }
        var responses: [JSONValue] = []
        for (get, item) in zip(gets, found) {
            try budget.spend(CallBudget.steps(writing: item?.size ?? 0))
            responses.append(item.map { ["Item": (get.projection?.project($0) ?? $0).json] } ?? .object(JSONObject()))
        }
        var answer = JSONObject([("Responses", .array(responses))])
        if detail != .none {
            var capacities: [ConsumedCapacity] = []
            for (get, item) in zip(gets, found) {
                let name = get.table.shape.name
                let place = capacities.firstIndex { $0.table == name } ?? capacities.count
                if place == capacities.count { capacities.append(ConsumedCapacity(name)) }
                capacities[place].reads += 2 * ConsumedCapacity.reading(item?.size ?? 0, isConsistent: true)
            }
            answer.set("ConsumedCapacity", to: .array(capacities.map { $0.json(detail, isOfTransaction: true) }))
        }
        return answer
    }

    private func get(_ entry: RequestFields, _ index: Int, of count: Int) throws(ItemFailure) -> TransactGet {
        let (get, name, key, projection) = try refusing { () throws(ItemError) in
            guard let get = try entry.fields("Get") else { throw ItemError.absent("transactItems") }
            guard let name = try get.text("TableName") else {
                throw ItemError.absent("transactItems.\(index + 1).member.get.tableName")
            }
            guard let key = try get.item("Key") else { throw .validation("Get Condition for key not in key list") }
            return (get, name, key, try RequestExpressions.projection(of: get))
        }
        _ = get
        let table = try table(named: try checked(name))
        do throws(ItemError) {
            return TransactGet(
                table: table, key: key, place: try table.shape.key.place(named: key), projection: projection)
        } catch {
            throw .refused(.cancelled((index, error), of: count))
        }
    }

    // MARK: Writing

    func transactWriteItems() async throws(ItemFailure) -> ItemAnswer {
        let entries = try transactionEntries()
        let (detail, metrics, token) = try refusing { () throws(ItemError) in
            (try ConsumedCapacity.detail(fields), try Self.wantsMetrics(fields), try Self.token(fields))
        }
        var writes: [ItemWrite] = []
        var fault: (place: Int, error: ItemError)?
        for (index, entry) in entries.enumerated() {
            let write = try write(entry, index)
            do throws(ItemError) { try writes.append(write()) } catch { fault = fault ?? (index, error) }
        }
        // The first part that does not fit its table has a reason; the service does not look at those behind it.
        if let fault { throw .refused(.cancelled(fault, of: entries.count)) }
        // What is asked for, without what is to be told of it.
        let request = try refusing { () throws(ItemError) in
            token == nil ? [] : try TransactionDigest.of(entries)
        }
        let outcomes = try await transact(writes, token: token, request)
        var answer = JSONObject()
        if detail != .none {
            let made = outcomes ?? writes.map { _ in ItemWrite.Outcome(old: nil, new: nil) }
            answer.set("ConsumedCapacity", to: Self.capacities(writes, made, detail, isOfTransaction: true))
        }
        if metrics { answer.set("ItemCollectionMetrics", to: Self.metrics(of: writes)) }
        return ItemAnswer(answer)
    }

    /// Makes writes together, or none of them; nil: they were made before under the token.
    ///
    /// - Parameter request: the digest of what is asked for under the token.
    func transact(
        _ writes: [ItemWrite], token: String?, _ request: [UInt8]
    ) async throws(ItemFailure) -> [ItemWrite.Outcome]? {
        try Self.checkDistinct(writes.map { ($0.table.shape.name, $0.place) })
        return try await service.write(writes, until: end) {
            writes, session, now, budget throws(ItemFailure) -> [ItemWrite.Outcome]? in
            for write in writes { write.expect(in: session) }
            for write in writes { try write.table.check(in: session) }
            if let token, try Self.isMade(token, request, in: session, now: now) { return nil }
            let outcomes = try Self.decide(writes, in: session, within: budget)
            for (write, outcome) in zip(writes, outcomes) { try write.apply(outcome, in: session, now: now) }
            if let token {
                try session.changing(
                    TableRows.transactionInsertion, [.text(token), .blob(request), .integer(now)])
            }
            return outcomes
        }
    }

    /// Decides all before anything is changed; what does not hold cancels everything, and says so of each.
    private static func decide(
        _ writes: [ItemWrite], in session: WriteSession, within budget: CallBudget
    ) throws(ItemFailure) -> [ItemWrite.Outcome] {
        var outcomes: [ItemWrite.Outcome] = []
        var reasons: [CancellationReason] = []
        // Sizes come first: what is too large is not looked at.
        var olds: [Item?] = []
        var bytes = 0
        for write in writes {
            let old = try write.table.item(at: write.place, named: write.key, in: session)
            bytes += write.size(behind: old)
            guard bytes <= TableLimits.transactionBytesMax else { throw tooLarge }
            olds.append(old)
        }
        for (write, old) in zip(writes, olds) {
            do throws(ItemFailure) {
                let outcome = try write.decided(old, within: budget)
                if case .update = write.change { bytes += outcome.new?.size ?? 0 }
                outcomes.append(outcome)
                reasons.append(.none)
            } catch .refused(let error) where error.type == "ConditionalCheckFailedException" {
                reasons.append(
                    CancellationReason(code: "ConditionalCheckFailed", message: error.message, item: error.item))
            } catch .refused(let error) where error.type == ItemError.duplicate.type {
                reasons.append(CancellationReason(code: "DuplicateItem", message: error.message))
            } catch .refused(let error) where error.type == "ValidationException" {
                reasons.append(CancellationReason(code: "ValidationError", message: error.message))
            }
        }
        guard outcomes.count == writes.count else { throw .refused(.cancelled(reasons)) }
        guard bytes <= TableLimits.transactionBytesMax else { throw tooLarge }
        return outcomes
    }

    private static let tooLarge = ItemFailure.refused(
        .validation("Collective size of items to be written cannot exceed 4MB"))

    /// Whether a transaction has been made already.
    private static func isMade(
        _ token: String, _ request: [UInt8], in session: WriteSession, now: Int64
    ) throws(ItemFailure) -> Bool {
        var made: [UInt8]?
        try session.rows(
            TableRows.transaction, [.text(token), .integer(now - TableLimits.tokenMilliseconds)]
        ) { row throws(ItemFailure) in
            made = row.blob(0)
            return false
        }
        guard let made else { return false }
        guard made == request else {
            throw .refused(
                ItemError(
                    type: "IdempotentParameterMismatchException",
                    message:
                        "The request uses the same client token as a previous, but non-identical request. Do not reuse "
                        + "a client token with different requests, unless the requests are identical"))
        }
        return true
    }

    /// Reads one write. What it gives asks whether it fits its table.
    private func write(
        _ entry: RequestFields, _ index: Int
    ) throws(ItemFailure) -> () throws(ItemError) -> ItemWrite {
        let (what, fields) = try refusing { () throws(ItemError) in
            var found: [(String, RequestFields)] = []
            for name in ["ConditionCheck", "Put", "Delete", "Update"] {
                if let fields = try entry.fields(name) { found.append((name, fields)) }
            }
            guard let one = found.first, found.count == 1 else {
                throw .validation("TransactItems can only contain one of Check, Put, Update or Delete")
            }
            return one
        }
        let member = "transactItems.\(index + 1).member.\(what.prefix(1).lowercased() + what.dropFirst())"
        func demand(_ name: String) throws(ItemFailure) {
            guard fields.has(name) else {
                throw .refused(ItemError.absent("\(member).\(name.prefix(1).lowercased() + name.dropFirst())"))
            }
        }
        try demand("TableName")
        try demand(what == "Put" ? "Item" : "Key")
        if what == "ConditionCheck" { try demand("ConditionExpression") }
        if what == "Update" { try demand("UpdateExpression") }
        let name = try tableName(fields)
        let tellsFailure = try refusing { () throws(ItemError) in try ReturnedValues.comesWithFailure(fields) }
        let (update, condition) = try refusing { () throws(ItemError) -> (Update?, Condition?) in
            guard what == "Update" else { return (nil, try RequestExpressions.condition(of: fields)) }
            let (update, condition) = try RequestExpressions.update(of: fields)
            return (update, condition)
        }
        let item = try refusing { () throws(ItemError) in
            guard let item = try fields.item(what == "Put" ? "Item" : "Key") else { throw ItemWrite.noKey }
            return item
        }
        let table = try table(named: name)
        if let empty = table.shape.key.emptyKey(of: item) { throw .refused(empty) }
        return { () throws(ItemError) in
            if what == "Put" {
                return try ItemWrite.put(item, into: table).with(condition, tellsFailure: tellsFailure)
            }
            let key = item
            let change: ItemWrite.Change =
                switch (what, update) {
                case (_, let update?): .update(update)
                case ("Delete", _): .delete
                default: .check
                }
            let write = ItemWrite(
                table: table, place: try table.shape.key.place(named: key), key: key, condition: condition,
                change: change, tellsFailure: tellsFailure)
            if let update { try RequestExpressions.check(update, keys: table.shape.key) }
            return write
        }
    }

    // MARK: What both have

    private func transactionEntries() throws(ItemFailure) -> [RequestFields] {
        try refusing { () throws(ItemError) in
            guard let entries = try fields.objects("TransactItems") else { throw ItemError.absent("transactItems") }
            guard !entries.isEmpty else {
                throw .parameter(
                    "Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1"
                )
            }
            guard entries.count <= TableLimits.transactionItemsMax else {
                throw .parameter(
                    "Value at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to "
                        + "\(TableLimits.transactionItemsMax)")
            }
            return entries
        }
    }

    static func token(_ fields: RequestFields) throws(ItemError) -> String? {
        guard let token = try fields.text("ClientRequestToken") else { return nil }
        guard token.utf8.count <= TableLimits.tokenBytesMax else {
            throw .parameter(
                "Value '\(token)' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or "
                    + "equal to \(TableLimits.tokenBytesMax)")
        }
        return token.isEmpty ? nil : token
    }

    private static func checkDistinct(_ places: [(String, ItemPlace)]) throws(ItemFailure) {
        var seen: [ByteText: Set<ItemPlace>] = [:]
        for (table, place) in places where !seen[table, default: []].insert(place).inserted {
            throw .refused(.validation("Transaction request cannot include multiple operations on one item"))
        }
    }
}

extension KeySchema {
    /// The refusal of a key that has no bytes. Transactions are refused for it, and not cancelled.
    fileprivate func emptyKey(of item: Item) -> ItemError? {
        attributes.first { item[$0.name]?.keyBytes?.isEmpty ?? false }.map(Self.emptyKey)
    }
}

extension ItemError {
    /// A transaction with a part that does not fit its table.
    fileprivate static func cancelled(_ fault: (place: Int, error: ItemError), of count: Int) -> ItemError {
        cancelled(
            (0..<count).map {
                $0 == fault.place
                    ? CancellationReason(code: "ValidationError", message: fault.error.message) : .none
            })
    }

    static func cancelled(_ reasons: [CancellationReason]) -> ItemError {
        ItemError(
            type: "TransactionCanceledException",
            message: "Transaction cancelled, please refer cancellation reasons for specific reasons ["
                + reasons.map(\.code).joined(separator: ", ") + "]", reasons: reasons)
    }
}
