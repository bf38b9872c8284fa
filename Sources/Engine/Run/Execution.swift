import Access
import GraphQL
import JSON
import Store

/// One run of an operation, or of one of its mutations: steps through the plan and writes the response as it goes.
/// Specification: section 6.
///
/// Rows go from the database into the response's bytes, without a tree in between. A null where none may be takes back
/// what was written, up to the nearest value around it that may be null.
struct Execution {
    let plan: OperationPlan
    let variables: VariableValues
    let caller: RunCaller
    let reader: any RecordReading
    let context: RunContext
    let verdicts: Verdicts
    /// What each relation lets the caller see, where that is the same for every record.
    var relationDecisions: [Decision?]
    var piece = ResponsePiece()
    /// Where the value is that is being written.
    var path: [ResponsePath.Step] = []
    /// The page of each list that is the same for every parent.
    var preparedLists: [PreparedList?]
    private var readCount = 0

    init(
        _ plan: OperationPlan, _ variables: VariableValues, for caller: RunCaller, reading reader: any RecordReading,
        _ context: RunContext
    ) {
        self.plan = plan
        self.variables = variables
        self.caller = caller
        verdicts = Verdicts(plan.checks, for: caller.access)
        relationDecisions = Array(repeating: nil, count: plan.relationCount)
        self.reader = reader
        self.context = context
        preparedLists = Array(repeating: nil, count: plan.listCount)
    }

    var schema: Schema { plan.document.schema }

    // MARK: Root fields

    /// Writes the fields of a query's root.
    mutating func runQuery(introspection: inout IntrospectionCache) {
        let start = piece.bytes.count
        for field in plan.fields where field.isMet(variables) {
            piece.bytes.append(contentsOf: field.key)
            guard write(field, &introspection) else {
                // A field that must not be null is: nothing is left of the answer but its errors.
                piece.rewind(to: start)
                return JSONWriter.writeNull(to: &piece.bytes)
            }
        }
        finishObject(from: start)
    }

    /// Writes the value of a root field; false when it is null and must not be.
    private mutating func write(_ field: RootFieldPlan, _ introspection: inout IntrospectionCache) -> Bool {
        let start = piece.bytes.count
        path = [.name(field.responseName)]
        do throws(FieldFailure) {
            if let check = field.check, case .allow = verdicts[check] {
            } else if field.check != nil {
                throw .unauthorized(field.name, on: plan.rootTypeName)
            }
            switch field.action {
            case .typename:
                JSONWriter.writeString(plan.rootTypeName, to: &piece.bytes)
                return true
            case .introspection(let group):
                do throws(GraphQLError) {
                    piece.bytes.append(contentsOf: try introspection.value(of: group, in: plan.document, variables))
                } catch {
                    piece.errors.append(error)
                    JSONWriter.writeNull(to: &piece.bytes)
                }
                return true
            case .get(let get): try write(get, field)
            case .list(let list): try writeRootList(list, field)
            case .search(let search): try write(search, field)
            case .outside(let outside):
                piece.leaveHole(for: .field(outside.field, source: nil), at: ResponsePath(path))
            case .mutation, .null: return writeNull(field.name, field.type, in: plan.rootTypeName)
            }
            return true
        } catch {
            piece.rewind(to: start)
            path = [.name(field.responseName)]
            fail(error, field.position)
            return writeNullAfterError(field.type)
        }
    }

    /// Lets what goes wrong with the database be a failure of the field.
    mutating func reading<Value>(
        _ body: (inout Execution) throws(StoreError) -> Value
    ) throws(FieldFailure) -> Value {
        do throws(StoreError) {
            return try body(&self)
        } catch {
            throw context.failure(error)
        }
    }

    /// The record is read first: whoever may not see it is told so, and a missing one is just null.
    private mutating func write(_ get: GetPlan, _ field: RootFieldPlan) throws(FieldFailure) {
        let arguments = get.arguments.values(variables)
        guard let primary = get.type.table.primaryKey else { return JSONWriter.writeNull(to: &piece.bytes) }
        let key = ([primary.partition] + primary.sort).map { field in
            StoredValue(arguments[field] ?? .null, as: get.type.table.column(of: field)?.kind ?? .text)
        }
        let decision = get.type.access.get.decision(for: caller.access) { KeyArgument(arguments[$0]) }
        guard decision != .deny else { throw .unauthorized(field.name, on: plan.rootTypeName) }
        let isSeen = try reading { execution throws(StoreError) in
            try execution.writeRecord(get.lookup, key: key, get.selection, decision)
        }
        guard isSeen else { throw .unauthorized(field.name, on: plan.rootTypeName) }
    }

    private mutating func writeRootList(_ list: ListPlan, _ field: RootFieldPlan) throws(FieldFailure) {
        let arguments = list.arguments.values(variables)
        var choice = try list.key?.choice(arguments) ?? KeyArguments.Choice(key: nil, isDescending: false)
        var predicate = Predicate.always
        switch list.access?.decision(for: caller.access, argument: { KeyArgument(arguments[$0]) }) ?? .deny {
        case .allow: break
        case .deny: throw .unauthorized(field.name, on: plan.rootTypeName)
        case .filter(let access): predicate = Predicate(access)
        case .narrow(let conditions):
            guard let narrowed = list.key?.narrowed(choice, by: conditions) else {
                throw .unauthorized(field.name, on: plan.rootTypeName)
            }
            choice = narrowed
        }
        try writeList(list, arguments, choice, predicate, scopeOfParent: [])
    }

    // MARK: Records

    /// Begins the value of a root field that somebody else drives.
    mutating func beginPath(at field: RootFieldPlan) { path = [.name(field.responseName)] }

    /// Writes a record, or null in its place. Where none may be, what is around becomes null, too: if need be when a
    /// hole is filled.
    mutating func writeNullable(
        _ selection: SelectionPlan, _ row: borrowing Row, isNonNull: Bool = false
    ) throws(StoreError) {
        let start = piece.bytes.count
        let region = plan.isWaiting && !isNonNull ? piece.openNullable() : nil
        defer { if let region { piece.closeNullable(region) } }
        if try !write(selection, row) {
            piece.rewind(to: start)
            JSONWriter.writeNull(to: &piece.bytes)
        }
    }

    /// Writes the record of a key, or null; false when there is one that the caller may not see.
    mutating func writeRecord(
        _ lookup: KeyLookup, key: [StoredValue], _ selection: SelectionPlan, _ decision: Decision,
        isNonNull: Bool = false
    ) throws(StoreError) -> Bool {
        try countRead()
        let reader = reader
        var isSeen = true
        let isFound = try reader.get(lookup, key: key) { row throws(StoreError) in
            isSeen = admits(decision, row, selection)
            if isSeen { try writeNullable(selection, row, isNonNull: isNonNull) }
        }
        if !isFound { JSONWriter.writeNull(to: &piece.bytes) }
        return isSeen
    }

    /// Whether a decision lets the caller see a record, whose compared fields are among the columns.
    func admits(
        _ decision: Decision, _ row: borrowing Row, _ selection: SelectionPlan, asking question: String? = nil
    ) -> Bool {
        if decision == .allow { return true }
        var values = JSONObject()
        for field in selection.type.comparedFields {
            guard let column = selection.columns.firstIndex(of: field),
                let kind = selection.type.table.column(of: field)?.kind
            else { continue }
            values.set(field, to: row.value(column).json(as: kind))
        }
        return decision.admits({ values[$0] }, telling: caller.access.trace, asking: question)
    }

    /// Writes the fields of a record; false when one is null and must not be. The caller takes back what was written.
    ///
    /// Hot path: runs for each row of a page.
    mutating func write(_ selection: SelectionPlan, _ row: borrowing Row) throws(StoreError) -> Bool {
        let start = piece.bytes.count
        var isWhole = true
        for field in selection.fields {
            guard field.isMet(variables) else { continue }
            piece.bytes.append(contentsOf: field.key)
            if !verdicts.allowsEverything, let check = field.check {
                guard isAllowed(check, row, selection) else {
                    if !refuse(field, in: selection.type.name) { isWhole = false }
                    continue
                }
            }
            if plan.isMutation, let check = field.check, plan.checks[check].access?.isNullInMutations == true,
                !field.source.isRelation
            {
                if !writeNull(field, in: selection.type.name) { isWhole = false }
                continue
            }
            switch field.source {
            case .leaf(let column, let kind):
                if row.isNull(column) {
                    if !writeNull(field, in: selection.type.name) { isWhole = false }
                } else {
                    kind.write(row, column, to: &piece.bytes)
                }
            case .constant(let bytes): piece.bytes.append(contentsOf: bytes)
            case .toOne(let relation):
                if try !write(relation, field, row, in: selection) { isWhole = false }
            case .toMany(let relation): try write(relation, field, row, in: selection)
            case .value(let column, let value):
                if try !write(value, field, json(row, column), in: selection.type.name) { isWhole = false }
            case .outside(let outside):
                path.append(.name(field.responseName))
                let source = source(outside, selection, row)
                piece.leaveHole(for: .field(outside.field, source: source), at: ResponsePath(path))
                path.removeLast()
            case .null:
                if !writeNull(field, in: selection.type.name) { isWhole = false }
            }
        }
        finishObject(from: start)
        return isWhole
    }

    /// The members stand there, each with a comma before it: the first comma becomes the brace.
    @inline(__always)
    mutating func finishObject(from start: Int) {
        if piece.bytes.count > start {
            piece.bytes[start] = UInt8(ascii: "{")
        } else {
            piece.bytes.append(UInt8(ascii: "{"))
        }
        piece.bytes.append(UInt8(ascii: "}"))
    }

    private func json(_ row: borrowing Row, _ column: Int) -> JSONValue {
        // What is stored was JSON when it was; a file that somebody else changed is no reason to stop.
        row.isNull(column) ? .null : row.withText(column) { (try? JSONReader.value(of: Array($0))) ?? .null }
    }

    /// The record that a function gets as the source of its field.
    private func source(_ outside: OutsidePlan, _ selection: SelectionPlan, _ row: borrowing Row) -> JSONObject {
        var source = JSONObject()
        for column in outside.sources {
            let field = selection.columns[column]
            guard let kind = selection.type.table.column(of: field)?.kind, !row.isNull(column) else { continue }
            source.set(field, to: row.value(column).json(as: kind))
        }
        return source
    }

    /// Whether the caller may read a field of a record.
    private func isAllowed(_ check: Int, _ row: borrowing Row, _ selection: SelectionPlan) -> Bool {
        switch verdicts[check] {
        case .allow: true
        case .deny: false
        case .records(let decision):
            // The name is made only where somebody hears it: this is asked for each row.
            admits(
                decision, row, selection,
                asking: caller.access.trace.map { _ in
                    "read \(plan.checks[check].typeName).\(plan.checks[check].fieldName)"
                })
        }
    }

    /// Writes null in place of a field that the caller may not read; false when it must not be null.
    mutating func refuse(_ field: FieldPlan, in type: String) -> Bool {
        path.append(.name(field.responseName))
        fail(.unauthorized(field.name, on: type), field.position)
        path.removeLast()
        JSONWriter.writeNull(to: &piece.bytes)
        return !field.type.isNonNull
    }

    // MARK: Lists

    /// Writes a page of what was chosen.
    mutating func writeList(
        _ list: ListPlan, _ arguments: JSONObject, _ choice: KeyArguments.Choice, _ access: Predicate,
        scopeOfParent key: [StoredValue]
    ) throws(FieldFailure) {
        var filter = FilterReader(list.type.table)
        let wanted = try filter.predicate(arguments["filter"])
        let rights = try FilterRights.predicate(comparing: filter.fields, of: list.type, for: caller.access)
        let parts = [wanted, access, rights].filter { $0 != .always }
        let predicate = parts.count == 1 ? parts[0] : .all(parts)
        if choice.key != nil, let attribute = list.key?.attributes.first(where: filter.fields.contains) {
            throw .database(
                "Filter Expression can only contain non-primary key attributes: Primary key attribute: \(attribute)")
        }
        let limit = arguments["limit"]?.integer ?? Int64(list.limitDefault)
        guard limit > 0 else {
            throw .database(
                "1 validation error detected: Value '\(limit)' at 'limit' failed to satisfy constraint: "
                    + "Member must have value greater than or equal to 1")
        }
        let scope = { Self.scope(list, arguments, key) }
        var after: ListQuery.Position?
        if let token = arguments["nextToken"]?.string {
            do throws(StoreError) {
                after = try context.cursors.position(of: token, scope: scope())
            } catch {
                throw .invalidToken
            }
        }
        let query = ListQuery(
            list.type.table, fields: list.connection.columns, key: choice.key,
            isDescending: choice.isDescending, filter: predicate,
            limit: min(Int(clamping: limit), context.limits.pageMax), semantics: context.semantics, after: after)
        try reading { execution throws(StoreError) in
            let prepared = try query.prepared()
            // What differs between parents is the partition alone.
            if key.count == 1, after == nil { execution.preparedLists[list.number] = prepared }
            try execution.writeConnection(list, prepared, scope: scope)
        }
    }

    /// What a token is good for: the field, the arguments but for limit and token, and the parent. An argument that is
    /// null is one that is left out: clients send the one for the other.
    static func scope(_ list: ListPlan, _ arguments: JSONObject, _ key: [StoredValue]) -> [UInt8] {
        let arguments = JSONObject(
            arguments.lazy.filter { $0.key != "limit" && $0.key != "nextToken" && !$0.value.isNull }
                .map { ($0.key, $0.value) })
        var scope = Array(list.scope.utf8)
        scope.append(0)
        JSONWriter.write(.object(arguments), to: &scope)
        for value in key {
            scope.append(0)
            scope.append(contentsOf: CompositeKey.text(of: [value]).utf8)
        }
        return scope
    }

    mutating func writeEmptyConnection(_ list: ListPlan) {
        let start = piece.bytes.count
        for field in list.connection.fields where field.plan.isMet(variables) {
            piece.bytes.append(contentsOf: field.plan.key)
            switch (field.part, field.plan.source) {
            case (.items, _), (.aggregates, _): piece.bytes.append(contentsOf: "[]".utf8)
            case (_, .constant(let bytes)): piece.bytes.append(contentsOf: bytes)
            default: JSONWriter.writeNull(to: &piece.bytes)
            }
        }
        finishObject(from: start)
    }

    /// Writes a connection. The token is known when the items are read: one that is selected before them is put in
    /// afterwards.
    mutating func writeConnection(
        _ list: ListPlan, _ prepared: PreparedList, scope: () -> [UInt8]
    ) throws(StoreError) {
        let start = piece.bytes.count
        let region = plan.isWaiting ? piece.openNullable() : nil
        defer { if let region { piece.closeNullable(region) } }
        var page: ListQuery.Page?
        var tokenPlaces: [Int] = []
        var isWhole = true
        for field in list.connection.fields where field.plan.isMet(variables) {
            piece.bytes.append(contentsOf: field.plan.key)
            if !verdicts.allowsEverything, let check = field.plan.check, case .deny = verdicts[check] {
                if !refuse(field.plan, in: list.connection.typeName) { isWhole = false }
                continue
            }
            switch field.part {
            case .items(let selection):
                path.append(.name(field.plan.responseName))
                page = try writeItems(selection, prepared)
                path.removeLast()
            case .nextToken:
                if let page { write(token(of: page, scope)) } else { tokenPlaces.append(piece.bytes.count) }
            case .startedAt, .total: JSONWriter.writeNull(to: &piece.bytes)
            case .aggregates: piece.bytes.append(contentsOf: "[]".utf8)
            case .other:
                if case .constant(let bytes) = field.plan.source { piece.bytes.append(contentsOf: bytes) }
            }
        }
        finishObject(from: start)
        guard isWhole else {
            piece.rewind(to: start)
            return JSONWriter.writeNull(to: &piece.bytes)
        }
        guard !tokenPlaces.isEmpty else { return }
        try countRead()
        let known: ListQuery.Page
        if let page { known = page } else { known = try readPage(prepared) }
        var bytes: [UInt8] = []
        JSONWriter.write(token(of: known, scope).map { .string($0) } ?? .null, to: &bytes)
        for place in tokenPlaces.reversed() { piece.insert(bytes, at: place) }
    }

    /// Reads a page of which nobody wants the records.
    private func readPage(_ prepared: PreparedList) throws(StoreError) -> ListQuery.Page {
        try reader.list(prepared) { _ throws(StoreError) in }
    }

    private func token(of page: ListQuery.Page, _ scope: () -> [UInt8]) -> String? {
        page.next.map { context.cursors.token(of: $0, scope: scope()) }
    }

    private mutating func write(_ token: String?) {
        if let token { JSONWriter.writeString(token, to: &piece.bytes) } else { JSONWriter.writeNull(to: &piece.bytes) }
    }

    private mutating func writeItems(
        _ selection: SelectionPlan, _ prepared: PreparedList
    ) throws(StoreError) -> ListQuery.Page {
        try countRead()
        let first = beginItems()
        var index = 0
        let reader = reader
        let page = try reader.list(prepared) { row throws(StoreError) in
            try writeItem(selection, row, index, after: first)
            index += 1
        }
        endItems()
        return page
    }

    /// Begins the items of a page, and says where the first of them will stand.
    mutating func beginItems() -> Int {
        piece.bytes.append(UInt8(ascii: "["))
        path.append(.index(0))
        return piece.bytes.count
    }

    @inline(__always)
    mutating func writeItem(
        _ selection: SelectionPlan, _ row: borrowing Row, _ index: Int, after first: Int
    ) throws(StoreError) {
        if piece.bytes.count > first { piece.bytes.append(UInt8(ascii: ",")) }
        path[path.count - 1] = .index(index)
        try writeNullable(selection, row)
        guard piece.bytes.count <= context.limits.responseBytesMax else {
            throw context.stop(.responseTooLarge(context.limits.responseBytesMax))
        }
    }

    mutating func endItems() {
        path.removeLast()
        piece.bytes.append(UInt8(ascii: "]"))
    }

    mutating func countRead() throws(StoreError) {
        readCount += 1
        guard readCount <= context.limits.readsMax else { throw context.stop(.tooManyReads(context.limits.readsMax)) }
    }

    // MARK: Values, holes, nulls

    /// Writes a value of a custom type; false when it is null and must not be.
    mutating func write(
        _ plan: ValuePlan, _ field: FieldPlan, _ value: JSONValue, in parent: String
    ) throws(StoreError) -> Bool {
        path.append(.name(field.responseName))
        defer { path.removeLast() }
        guard !plan.holdsComputed else {
            piece.leaveHole(for: .value(value, plan, parent: parent), at: ResponsePath(path))
            return true
        }
        do throws(GraphQLError) {
            return try ValueWriter.write(
                value, plan, of: parent, at: ResponsePath(path), variables,
                permits: verdicts.permission(for: self.plan), to: &piece.bytes, errors: &piece.errors)
        } catch {
            throw context.stop(.responseTooLarge(context.limits.responseBytesMax))
        }
    }

    private mutating func writeNull(_ field: FieldPlan, in parent: String) -> Bool {
        guard field.type.isNonNull else {
            JSONWriter.writeNull(to: &piece.bytes)
            return true
        }
        path.append(.name(field.responseName))
        addNullError(field.type, in: parent)
        path.removeLast()
        return false
    }

    private mutating func writeNull(_ name: String, _ type: TypeUse, in parent: String) -> Bool {
        if type.isNonNull { addNullError(type, in: parent) }
        return writeNullAfterError(type)
    }

    private mutating func writeNullAfterError(_ type: TypeUse) -> Bool {
        JSONWriter.writeNull(to: &piece.bytes)
        return !type.isNonNull
    }

    /// The engine's own error for a null where none may be.
    mutating func addNullError(_ type: TypeUse, in parent: String) {
        piece.errors.append(.nullForNonNull(type, in: parent, at: ResponsePath(path), schema))
    }

    mutating func fail(_ failure: FieldFailure, _ position: Position) {
        piece.errors.append(
            GraphQLError(
                failure.message, type: failure.type, info: failure.info, data: failure.data, at: ResponsePath(path),
                locations: plan.locations(of: position)))
    }
}

extension GraphQLError {
    /// A null where none may be, in the words of AppSync: the name of a list type is left out.
    static func nullForNonNull(
        _ type: TypeUse, in parent: String, at path: ResponsePath, _ schema: Schema
    ) -> GraphQLError {
        let name = type.isList ? "null" : schema[type.named].name
        return GraphQLError(
            "Cannot return null for non-nullable type: '\(name)' within parent '\(parent)' (\(path))", path: path)
    }
}
