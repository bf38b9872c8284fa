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
    let memory: PlanMemory?
    let verdicts: Verdicts
    /// Whether every field is shown as it is to this caller.
    let isPlain: Bool
    /// What each relation lets the caller see, where that is the same for every record.
    var relationDecisions: [Decision?]
    var piece: ResponsePiece
    /// Where the value is that is being written.
    var path: [ResponsePath.Step] = []
    /// The page of each list that is the same for every parent.
    var preparedLists: [PreparedList?]
    /// When its syncs begin.
    var syncStart = SyncStart(startedAt: 0, logSince: 0)
    private var readCount = 0

    /// `memory` is what the loop remembers of the plan, where the run is on one. `bytesMax` is what the response has room
    /// for, where others have written some of it.
    init(
        _ plan: OperationPlan, _ variables: VariableValues, for caller: RunCaller, reading reader: any RecordReading,
        _ context: RunContext, memory: PlanMemory? = nil, bytesMax: Int? = nil
    ) {
        piece = ResponsePiece(bytesMax: bytesMax ?? context.limits.responseBytesMax)
        self.plan = plan
        self.variables = variables
        self.caller = caller
        self.memory = memory
        verdicts = memory?.verdicts(for: caller.access) ?? Verdicts(plan.checks, for: caller.access)
        isPlain = verdicts.allowsEverything && !plan.isMutation
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
            // Nobody will see what was written.
            if context.isGivenUp { return }
            piece.bytes.append(contentsOf: field.key)
            guard context.isFull ? writeNullAfterError(field.type) : write(field, &introspection) else {
                // A field that must not be null is: nothing is left of the answer but its errors.
                piece.rewind(to: start)
                return JSONWriter.writeNull(to: &piece.bytes)
            }
            lookAtErrors(field)
        }
        finishObject(from: start)
    }

    /// Ends the operation where the errors of its fields are too many.
    private mutating func lookAtErrors(_ field: RootFieldPlan) {
        guard piece.isTooLong, !context.isFull else { return }
        let bytesMax = context.limits.responseBytesMax
        _ = context.stop(.responseTooLarge(bytesMax))
        path = [.name(field.responseName)]
        fail(.responseTooLarge(bytesMax), field.position)
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
            case .introspection(let group): try write(group, &introspection)
            case .get(let get): try write(get, field)
            case .list(let list): try writeRootList(list, field)
            case .search(let search): try writeSearch(search, field)
            case .sync(let sync): try writeSync(sync, field)
            case .outside(let outside):
                piece.leaveHole(for: .field(outside.field, source: nil), at: ResponsePath(path))
            case .mutation, .null: return writeNull(field.name, field.type, in: plan.rootTypeName)
            }
            try reading { execution throws(StoreError) in try execution.look() }
            return true
        } catch {
            piece.rewind(to: start)
            path = [.name(field.responseName)]
            fail(error, field.position)
            return writeNullAfterError(field.type)
        }
    }

    private mutating func write(
        _ group: CollectFields.Group, _ introspection: inout IntrospectionCache
    ) throws(FieldFailure) {
        do throws(Introspection.Failure) {
            let value = try introspection.value(
                of: group, in: plan.document, variables, bytesMax: piece.bytesLeft,
                isOver: { [reader] in reader.isOver })
            piece.bytes.append(contentsOf: value)
        } catch {
            switch error {
            case .refused(let error):
                piece.add(error)
                JSONWriter.writeNull(to: &piece.bytes)
            case .interrupted: throw context.timeIsOver
            case .tooLong: throw context.failure(context.stop(.responseTooLarge(context.limits.responseBytesMax)))
            }
        }
    }

    // MARK: Length and time

    /// Ends the operation where it has written more than a response may have, or takes too long. Asked behind each value.
    ///
    /// Hot path: nearly always one comparison.
    @inline(__always)
    mutating func look() throws(StoreError) {
        if piece.bytes.count > piece.mark { try lookCloser() }
    }

    private mutating func lookCloser() throws(StoreError) {
        guard !piece.isTooLong else { throw context.stop(.responseTooLarge(context.limits.responseBytesMax)) }
        piece.moveMark()
        if context.isTurn, piece.bytes.count > context.limits.turnBytesMax {
            throw StoreError(.interrupted, "the response is too long for a turn of the loop")
        }
        try lookAtTime()
    }

    func lookAtTime() throws(StoreError) {
        if reader.isOver { throw StoreError(.interrupted, "the time of the operation is over") }
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
        guard !get.keyFields.isEmpty else { return JSONWriter.writeNull(to: &piece.bytes) }
        let key = get.keyFields.map { StoredValue(arguments[$0.name] ?? .null, as: $0.kind) }
        let decision = get.type.access.get.decision(for: caller.access) { KeyArgument(arguments[$0]) }
        guard decision != .deny else { throw .unauthorized(field.name, on: plan.rootTypeName) }
        let rights = try FilterRights.conditions(get.keyRights, for: caller.access, isKey: true)
        let isSeen = try reading { execution throws(StoreError) in
            try execution.writeRecord(get.lookup, key: key, get.selection, decision, andEach: rights)
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
        // How much there is that is not theirs is not told either.
        case .filter(let access) where access.isOfNothing: return writeEmptyConnection(list.connection)
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
        andEach others: [AccessPredicate] = [], isNonNull: Bool = false
    ) throws(StoreError) -> Bool {
        try countRead()
        let reader = reader
        var isSeen = true
        let isFound = try reader.get(lookup, key: key) { row throws(StoreError) in
            isSeen = admits(decision, row, selection)
            for other in others where isSeen { isSeen = admits(.filter(other), row, selection) }
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

    private static let readsPerLook = 16

    mutating func countRead() throws(StoreError) {
        readCount += 1
        guard readCount <= context.limits.readsMax else { throw context.stop(.tooManyReads(context.limits.readsMax)) }
        // A read may be less than what the database does between two looks at the time.
        if readCount % Self.readsPerLook == 0 { try lookAtTime() }
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
        var errors: [GraphQLError] = []
        do throws(ResponseTooLong) {
            let isWritten = try ValueWriter.write(
                value, plan, of: parent, at: ResponsePath(path), variables,
                permits: verdicts.permission(for: self.plan), bytesMax: piece.bytes.count + piece.bytesLeft,
                to: &piece.bytes, errors: &errors)
            if !errors.isEmpty { piece.add(errors) }
            return isWritten
        } catch {
            throw context.stop(.responseTooLarge(context.limits.responseBytesMax))
        }
    }

    /// Writes null for a field, with an error where it must not be; false then.
    mutating func writeNull(_ field: FieldPlan, in parent: String) -> Bool {
        guard field.type.isNonNull else {
            JSONWriter.writeNull(to: &piece.bytes)
            return true
        }
        path.append(.name(field.responseName))
        addNullError(field.type, in: parent)
        path.removeLast()
        JSONWriter.writeNull(to: &piece.bytes)
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
        piece.add(.nullForNonNull(type, in: parent, at: ResponsePath(path), schema))
    }

    mutating func fail(_ failure: FieldFailure, _ position: Position) {
        piece.add(
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
