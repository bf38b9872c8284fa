import Crypto
import JSON
import Store

/// Several statements of PartiQL in one call: each by itself, or all of them or none.
extension ItemRun {
    private func entries(_ name: String, max: Int) throws(ItemError) -> [RequestFields] {
        let member = name.prefix(1).lowercased() + name.dropFirst()
        guard let entries = try fields.objects(name) else { throw .absent(member) }
        guard (1...max).contains(entries.count) else {
            throw .parameter(
                "Value at '\(member)' failed to satisfy constraint: Member must have length "
                    + (entries.isEmpty ? "greater than or equal to 1" : "less than or equal to \(max)"))
        }
        return entries
    }

    private static func needsKey(_ operation: String) -> ItemError {
        .validation("Select statements within \(operation) must specify the primary key in the where clause.")
    }

    /// The one item that a SELECT names.
    private struct SingleItem: Sendable {
        let table: any ItemTable
        let key: Item
        let place: ItemPlace
        let rest: Condition?
        let parts: [DocumentPath]?

        /// The item, where the rest of the condition holds for it, and what it weighs.
        func found(in reader: Reader, within budget: CallBudget) throws(ItemFailure) -> (item: Item?, bytes: Int) {
            guard let item = try table.item(at: place, named: key, in: reader, within: budget) else { return (nil, 0) }
            let isWanted = try rest?.holds(for: item, within: budget) ?? true
            return (isWanted ? item : nil, item.size)
        }
    }

    private func single(
        _ selection: Statement.Selection, in operation: String
    ) throws(ItemFailure) -> SingleItem {
        let table = try table(named: try checked(selection.table))
        return try refusing { () throws(ItemError) in
            guard selection.index == nil,
                let (key, rest) = StatementPlan.item(selection.condition, of: table.shape.key)
            else { throw Self.needsKey(operation) }
            return SingleItem(
                table: table, key: key, place: try table.shape.key.place(named: key), rest: rest,
                parts: selection.parts)
        }
    }

    func batchExecuteStatement() async throws(ItemFailure) -> ItemAnswer {
        let (entries, detail) = try refusing { () throws(ItemError) in
            (try self.entries("Statements", max: StatementLimits.batchMax), try ConsumedCapacity.detail(fields))
        }
        var statements: [Result<Statement, ItemError>] = []
        for entry in entries {
            do throws(ItemError) { statements.append(.success(try Self.statement(entry))) } catch {
                statements.append(.failure(error))
            }
        }
        let known = statements.compactMap { try? $0.get() }
        guard known.allSatisfy(\.isReading) || known.allSatisfy({ !$0.isReading }) else {
            throw .refused(
                .validation("Batch statements must be either all read statements or all write statements"))
        }
        var responses: [JSONValue] = []
        var capacities: [JSONValue] = []
        for (entry, statement) in zip(entries, statements) {
            var response = JSONObject()
            do throws(ItemFailure) {
                let statement = try refusing { () throws(ItemError) in try statement.get() }
                let name = try checked(statement.table)
                _ = try table(named: name)
                response.set("TableName", to: .string(name))
                let (item, capacity) = try await answer(statement, entry)
                if let item { response.set("Item", to: shown(item)) }
                if detail != .none { capacities.append(capacity.json(detail)) }
            } catch .refused(let error) {
                response.set("Error", to: Self.told(error))
            }
            responses.append(.object(response))
        }
        var answer = JSONObject([("Responses", .array(responses))])
        if detail != .none { answer.set("ConsumedCapacity", to: .array(capacities)) }
        return await finished(answer)
    }

    /// Answers one statement of a batch.
    private func answer(
        _ statement: Statement, _ entry: RequestFields
    ) async throws(ItemFailure) -> (Item?, ConsumedCapacity) {
        guard case .select(let selection) = statement else {
            let tells = try refusing { () throws(ItemError) in try ReturnedValues.comesWithFailure(entry) }
            let (write, returned) = try write(statement, tellsFailure: tells)
            let outcome = try await service.write([write], until: end, Self.made).first
            var capacity = ConsumedCapacity(write.table.shape.name)
            if let outcome { capacity.addWrite(outcome.old, outcome.new, of: write.table.shape) }
            return (outcome.flatMap { Self.returned($0, of: write, returned) }, capacity)
        }
        let single = try single(selection, in: "BatchExecuteStatement")
        let isConsistent = try refusing { () throws(ItemError) in try entry.bool("ConsistentRead") ?? false }
        let item = try await service.read(on: shard, ofTurn: true, until: end) {
            reader, budget throws(ItemFailure) in
            try single.found(in: reader, within: budget).item
        }
        var capacity = ConsumedCapacity(single.table.shape.name)
        capacity.reads = ConsumedCapacity.reading(item?.size ?? 0, isConsistent: isConsistent)
        return (item.map { Self.shown($0, selection.parts) }, capacity)
    }

    /// An error as a batch tells it of one statement.
    private static func told(_ error: ItemError) -> JSONValue {
        let ending = "Exception"
        let name = error.type.hasSuffix(ending) ? String(error.type.dropLast(ending.count)) : error.type
        var told = JSONObject([
            ("Code", .string(name == "Validation" ? "ValidationError" : name)), ("Message", .string(error.message)),
        ])
        if let item = error.item { told.set("Item", to: item.json) }
        return .object(told)
    }

    func executeTransaction() async throws(ItemFailure) -> ItemAnswer {
        let (entries, detail, token) = try refusing { () throws(ItemError) in
            (
                try self.entries("TransactStatements", max: TableLimits.transactionItemsMax),
                try ConsumedCapacity.detail(fields), try Self.token(fields)
            )
        }
        var statements: [Statement] = []
        for entry in entries {
            statements.append(try refusing { () throws(ItemError) in try Self.statement(entry) })
        }
        guard statements.contains(where: { !$0.isReading }) else {
            return try await transactionRead(statements, detail)
        }
        guard statements.allSatisfy({ !$0.isReading }) else {
            throw .refused(.validation("Transaction statements must be either all read or all write statements"))
        }
        var writes: [ItemWrite] = []
        for (entry, statement) in zip(entries, statements) {
            let tells = try refusing { () throws(ItemError) in try ReturnedValues.comesWithFailure(entry) }
            writes.append(try write(statement, tellsFailure: tells).0)
        }
        let request = JSONWriter.bytes(of: .array(entries.map { JSONValue.object($0.object) }))
        let outcomes = try await transact(writes, token: token, Digest.sha256.of(request))
        var answer = JSONObject([("Responses", .array([]))])
        if detail != .none {
            let made = outcomes ?? writes.map { _ in ItemWrite.Outcome(old: nil, new: nil) }
            answer.set("ConsumedCapacity", to: Self.capacities(writes, made, detail, isOfTransaction: true))
        }
        return await finished(answer)
    }

    private func transactionRead(
        _ statements: [Statement], _ detail: ConsumedCapacity.Detail
    ) async throws(ItemFailure) -> ItemAnswer {
        var gets: [SingleItem] = []
        for case .select(let selection) in statements {
            gets.append(try single(selection, in: "ExecuteTransaction"))
        }
        let items = try await service.read(on: shard, until: end) { [gets] reader, budget throws(ItemFailure) in
            // All of them as they are at one moment.
            try storing { () throws(StoreError) in try reader.beginTurn() }
            defer { try? reader.endTurn() }
            var items: [Item?] = []
            var bytes = 0
            for get in gets {
                let found = try get.found(in: reader, within: budget)
                bytes += found.bytes
                guard bytes <= TableLimits.transactionBytesMax else {
                    throw .refused(.validation("Collective size of items to be read cannot exceed 4MB"))
                }
                items.append(found.item)
            }
            return items
        }
        var responses: [JSONValue] = []
        for (get, item) in zip(gets, items) {
            var response = JSONObject()
            if let item { response.set("Item", to: shown(Self.shown(item, get.parts))) }
            responses.append(.object(response))
        }
        var answer = JSONObject([("Responses", .array(responses))])
        if detail != .none {
            let capacities = zip(gets, items).map { get, item -> JSONValue in
                var capacity = ConsumedCapacity(get.table.shape.name)
                capacity.reads = 2 * ConsumedCapacity.reading(item?.size ?? 0, isConsistent: true)
                return capacity.json(detail, isOfTransaction: true)
            }
            answer.set("ConsumedCapacity", to: .array(capacities))
        }
        return await finished(answer)
    }
}
