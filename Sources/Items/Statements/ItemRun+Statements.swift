import Crypto
import JSON
import Store

/// Statements of PartiQL: they become the same plans as expressions.
extension ItemRun {
    /// The statement of a request, or of one of its entries.
    static func statement(_ fields: RequestFields) throws(ItemError) -> Statement {
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

    /// The items of several statements are long together: they are written beside the loops.
    func finished(_ answer: JSONObject) async -> ItemAnswer {
        guard wanted == .text else { return ItemAnswer(answer) }
        return await Task.detached { ItemAnswer(answer).written }.value
    }

    func shown(_ item: Item) -> JSONValue { wanted == .plain ? .object(item.plain()) : item.json }

    static func returned(
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
                throw Self.consistentIndex
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

    /// The owner of a page's token: the statement and its parameters.
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
    func write(
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

    /// An item as a SELECT shows it. Parts within attributes have the names of their ends.
    static func shown(_ item: Item, _ parts: [DocumentPath]?) -> Item {
        guard let parts else { return item }
        guard parts.allSatisfy(\.steps.isEmpty) else {
            return Item(parts.compactMap { path in path.value(in: item).map { (path.shownName, $0) } })
        }
        return Projection(parts).project(item)
    }
}

extension DocumentPath {
    /// The name that a part has in what a SELECT shows: that of its end.
    var shownName: String {
        for step in steps.reversed() { if case .name(let name) = step { return name } }
        return root
    }
}
