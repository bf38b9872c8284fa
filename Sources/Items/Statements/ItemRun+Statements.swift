import Crypto
import JSON
import Store

/// Statements of PartiQL: they become the same plans as expressions.
extension ItemRun {
    /// The statement of a request, or of one of its entries.
    private static func statement(_ fields: RequestFields) throws(ItemError) -> Statement {
        guard let text = try fields.text("Statement") else { throw .absent("statement") }
        var parameters: [ItemValue] = []
        if let list = try fields.list("Parameters") {
            guard !list.isEmpty else {
                throw .parameter(
                    "Value '[]' at 'parameters' failed to satisfy constraint: Member must have length greater than or equal to 1"
                )
            }
            for value in list { parameters.append(try ItemValue(json: value, isStrict: fields.isStrict)) }
        }
        return try StatementReader.statement(text, parameters)
    }

    /// The rights that the statements of a call need. What cannot be read names no table.
    func statementDemands(_ entries: [JSONValue]) -> [ItemDemand] {
        var demands: [ItemDemand] = []
        for entry in entries.prefix(TableLimits.transactionItemsMax) {
            guard let fields = try? RequestFields(entry, isStrict: self.fields.isStrict),
                let statement = try? Self.statement(fields)
            else {
                demands += ["PartiQLSelect", "PartiQLInsert", "PartiQLUpdate", "PartiQLDelete"].map {
                    ItemDemand($0, nil)
                }
                continue
            }
            let table = service.settings.tableName(statement.table)
            let demand = ItemDemand(statement.action, statement.index.map { "\(table)/index/\($0)" } ?? table)
            if !demands.contains(demand) { demands.append(demand) }
        }
        return demands.isEmpty ? [ItemDemand("PartiQLSelect", nil)] : demands
    }

    // MARK: One statement

    func executeStatement() async throws(ItemFailure) -> ItemAnswer {
        let (statement, detail) = try refusing { () throws(ItemError) in
            (try Self.statement(fields), try ConsumedCapacity.detail(fields))
        }
        switch statement {
        case .select(let selection): return try await page(of: selection, detail)
        case .exists: throw .refused(.validation("EXISTS is only supported in ExecuteTransaction"))
        default:
            let tells = try refusing { () throws(ItemError) in try ReturnedValues.comesWithFailure(fields) }
            let (write, returned) = try write(statement, tellsFailure: tells)
            let outcomes = try await service.write([write], until: end, Self.made)
            let items = outcomes.first.flatMap { Self.returned($0, of: write, returned) }.map { [$0] } ?? []
            var answer = JSONObject([("Items", .array(items.map { shown($0) }))])
            if detail != .none {
                var capacity = ConsumedCapacity(write.table.shape.name)
                for outcome in outcomes { capacity.addWrite(outcome.old, outcome.new, of: write.table.shape) }
                answer.set("ConsumedCapacity", to: capacity.json(detail))
            }
            return await finished(answer)
        }
    }

    /// What items of several statements come to is long: it is written beside the loops.
    private func finished(_ answer: JSONObject) async -> ItemAnswer {
        guard wanted == .text else { return ItemAnswer(answer) }
        return await Task.detached { ItemAnswer(answer).written }.value
    }

    private func shown(_ item: Item) -> JSONValue { wanted == .plain ? .object(item.plain()) : item.json }

    private static func returned(
        _ outcome: ItemWrite.Outcome, of write: ItemWrite, _ wanted: ReturnedValues
    ) -> Item? {
        switch wanted {
        case .none: nil
        case .allOld: outcome.old
        case .allNew: outcome.new
        case .updatedOld, .updatedNew:
            if case .update(let update) = write.change {
                update.touched(of: wanted == .updatedOld ? outcome.old : outcome.new)
            } else {
                nil
            }
        }
    }

    // MARK: Reading

    private func index(_ name: String?, of shape: TableShape) throws(ItemError) -> IndexShape? {
        guard let name else { return nil }
        guard let index = shape.index(name) else {
            throw .validation("The table does not have the specified index")
        }
        guard index.isFilled else {
            throw .validation("Cannot read from backfilling global secondary index: \(name)")
        }
        return index
    }

    private func page(
        of selection: Statement.Selection, _ detail: ConsumedCapacity.Detail
    ) async throws(ItemFailure) -> ItemAnswer {
        let digest = try refusing { () throws(ItemError) in try pageDigest() }
        let reading = try reading(selection, detail, digest)
        // Parts within attributes have the names of their ends, and are taken out of the whole item.
        let parts = selection.parts.flatMap { $0.allSatisfy(\.steps.isEmpty) ? nil : $0 }
        return try await service.read(on: shard, ofTurn: true, until: end) {
            [wanted] reader, budget throws(ItemFailure) in
            let isPlain = wanted == .plain
            var answer = try reading.values(in: reader, isPlain: isPlain && parts == nil, within: budget)
            if let parts {
                var items: [JSONValue] = []
                for json in answer["Items"]?.array ?? [] {
                    let item = try refusing { () throws(ItemError) in try Item(json: json) }
                    try budget.spend(CallBudget.steps(writing: item.size))
                    let shown = Self.shown(item, parts)
                    items.append(isPlain ? .object(shown.plain()) : shown.json)
                }
                answer.set("Items", to: .array(items))
            }
            for name in ["Count", "ScannedCount"] { answer.remove(name) }
            if let last = answer["LastEvaluatedKey"] {
                answer.set("NextToken", to: .string(Self.token(last, digest)))
            }
            let finished = ItemAnswer(answer)
            return wanted == .text ? finished.written : finished
        }
    }

    private func reading(
        _ selection: Statement.Selection, _ detail: ConsumedCapacity.Detail, _ digest: String
    ) throws(ItemFailure) -> PageReading {
        let table = try table(named: try checked(selection.table))
        return try refusing { () throws(ItemError) in
            let index = try index(selection.index, of: table.shape)
            let isConsistent = try fields.bool("ConsistentRead") ?? false
            if let index, !index.isLocal, isConsistent {
                throw .validation("Consistent read cannot be true when querying a GSI")
            }
            let key = index?.key ?? table.shape.key
            let parts = StatementPlan(selection.condition, of: key)
            var plan = PagePlan(.places(0..<ItemPlace.spreadMax), of: index)
            if let condition = parts.key {
                plan.stretch = .partition(try RequestExpressions.range(try KeyCondition(condition), of: key))
            }
            if !selection.order.isEmpty {
                plan.isForward = try Self.isForward(selection, isQuery: parts.key != nil, key)
            }
            plan.start = try Self.start(fields, digest)
            var reading = PageReading(
                table: table, plan: plan, limit: try Self.statementLimit(fields), filter: parts.rest)
            if let paths = selection.parts, paths.allSatisfy(\.steps.isEmpty) {
                let projection = RequestedParts(projection: Projection(paths), isLegacy: false)
                try Self.check(projection.names, of: index, key: table.shape.key)
                reading.projection = projection
            }
            reading.isWhole = index?.isLocal ?? false
            reading.detail = detail
            reading.isConsistent = isConsistent
            return reading
        }
    }

    /// A global index has no more of its items than it was given.
    private static func check(_ names: [String], of index: IndexShape?, key: KeySchema) throws(ItemError) {
        guard let index, !index.isLocal, let present = index.attributes(of: key) else { return }
        let known = Set(texts: present)
        let absent = names.filter { !known.contains($0) }
        guard absent.isEmpty else {
            throw .invalidValues(
                "Global secondary index \(index.name) does not project [\(absent.joined(separator: ", "))]")
        }
    }

    private static func isForward(
        _ selection: Statement.Selection, isQuery: Bool, _ key: KeySchema
    ) throws(ItemError) -> Bool {
        guard selection.condition != nil else {
            throw .validation("Must have WHERE clause in the statement when using ORDER BY clause.")
        }
        guard isQuery else {
            throw .validation(
                "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.")
        }
        for (name, _) in selection.order where !key.has(name) {
            throw .validation("Variable reference \(name) in ORDER BY clause must be part of the primary key")
        }
        let sorts = selection.order.filter { order in
            key.sorts.contains { $0.name.compareBytes(to: order.name) == 0 }
        }
        return sorts.last?.isForward ?? true
    }

    private static func statementLimit(_ fields: RequestFields) throws(ItemError) -> Int64? {
        guard let limit = try fields.integer("Limit") else { return nil }
        guard limit >= 1 else {
            throw .parameter(
                "Value '\(limit)' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
            )
        }
        return limit
    }

    // MARK: Pages

    /// What a page's token belongs to: the statement and its parameters.
    private func pageDigest() throws(ItemError) -> String {
        let text = JSONWriter.bytes(of: .array([fields["Statement"] ?? .null, fields["Parameters"] ?? .null]))
        return Hexadecimal.text(of: Array(Digest.sha256.of(text).prefix(8)))
    }

    private static func token(_ last: JSONValue, _ digest: String) -> String {
        Base64.text(of: JSONWriter.bytes(of: ["s": .string(digest), "k": last]), .url)
    }

    private static let wrongToken = ItemError.validation("NextToken does not match request")

    private static func start(_ fields: RequestFields, _ digest: String) throws(ItemError) -> Item? {
        guard let token = try fields.text("NextToken") else { return nil }
        guard token.utf8.count <= StatementLimits.tokenBytesMax, let bytes = Base64.bytes(of: token.utf8, .url),
            let value = try? JSONReader.value(of: bytes), value["s"]?.string == digest, let key = value["k"],
            let item = try? Item(json: key)
        else { throw wrongToken }
        return item
    }

    // MARK: Writing

    private static let noKey = ItemError.validation(
        "Where clause does not contain a mandatory equality on all key attributes")

    /// The write that a statement asks for, and what it returns.
    private func write(
        _ statement: Statement, tellsFailure: Bool
    ) throws(ItemFailure) -> (ItemWrite, ReturnedValues) {
        let table = try table(named: try checked(statement.table))
        let key = table.shape.key
        func place(_ condition: Condition) throws(ItemError) -> (item: Item, rest: Condition?) {
            guard let found = StatementPlan.item(condition, of: key) else { throw Self.noKey }
            return (found.key, found.rest)
        }
        return try refusing { () throws(ItemError) in
            switch statement {
            case .insert(_, let item):
                var write = try ItemWrite.put(item, into: table).with(
                    .isAbsent(DocumentPath(key.partition.name)), tellsFailure: false)
                write.isInsertion = true
                return (write, .none)
            case .update(_, let update, let condition, let returning):
                let (item, rest) = try place(condition)
                try RequestExpressions.check(update, keys: key)
                let isThere = Condition.exists(DocumentPath(key.partition.name))
                return (
                    ItemWrite(
                        table: table, place: try key.place(named: item), key: item,
                        condition: rest.map { .all([isThere, $0]) } ?? isThere, change: .update(update),
                        tellsFailure: tellsFailure), returning
                )
            case .delete(_, let condition, let returnsOld):
                let (item, rest) = try place(condition)
                return (
                    ItemWrite(
                        table: table, place: try key.place(named: item), key: item, condition: rest, change: .delete,
                        tellsFailure: tellsFailure), returnsOld ? .allOld : .none
                )
            case .exists(let selection), .select(let selection):
                guard let condition = selection.condition else { throw Self.noKey }
                let (item, rest) = try place(condition)
                let isThere = Condition.exists(DocumentPath(key.partition.name))
                return (
                    ItemWrite(
                        table: table, place: try key.place(named: item), key: item,
                        condition: rest.map { .all([isThere, $0]) } ?? isThere, change: .check,
                        tellsFailure: tellsFailure), .none
                )
            }
        }
    }

    // MARK: Several statements

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

    private static func shown(_ item: Item, _ parts: [DocumentPath]?) -> Item {
        guard let parts else { return item }
        guard parts.allSatisfy(\.steps.isEmpty) else {
            return Item(parts.compactMap { path in path.value(in: item).map { (path.shownName, $0) } })
        }
        return Projection(parts).project(item)
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
        var answer = JSONObject([("Responses", .array(writes.map { _ in JSONValue.object(JSONObject()) }))])
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

extension DocumentPath {
    /// The name that a part has in what a SELECT shows: that of its end.
    var shownName: String {
        for step in steps.reversed() { if case .name(let name) = step { return name } }
        return root
    }
}
