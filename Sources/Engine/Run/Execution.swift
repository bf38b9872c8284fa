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
    let caller: Caller
    let reader: any RecordReading
    let context: RunContext
    let memory: PlanMemory?
    let verdicts: Verdicts
    /// True if every field is shown as it is to this caller.
    let isPlain: Bool
    /// What each relation lets the caller see, where that is the same for every record.
    var relationDecisions: [Decision?]
    var piece: ResponsePiece
    /// The page of each list that is the same for every parent.
    var preparedLists: [PreparedList?]
    /// When its syncs begin.
    var syncStart = SyncStart(startedAt: 0, logSince: 0)
    /// Where the record of a mutation is taken down while it is written.
    var event: EventRecord?
    /// What the app's own steps have made of the operation.
    var change: OperationChange?
    /// What was written of other records than those of the page that is being written.
    var relatedBytes = 0
    /// True if the page that comes next is read from its end, and written from its beginning.
    var isNewestLast = false
    /// True if it may be run several times until its reader lacks no answer.
    var mayLack = false
    private var readCount = 0

    /// `memory` is what the loop remembers of the plan, where the run is on one. `verdicts` are those of the caller, where somebody
    /// has them. `bytesMax` is what the response has room
    /// for, where others have written some of it.
    init(
        _ plan: OperationPlan, _ variables: VariableValues, for caller: Caller, reading reader: any RecordReading,
        _ context: RunContext, memory: PlanMemory? = nil, verdicts: Verdicts? = nil, bytesMax: Int? = nil,
        at path: ResponsePath = ResponsePath()
    ) {
        piece = ResponsePiece(
            writer: ResponseWriter(bytesMax: bytesMax ?? context.limits.responseBytesMax, at: path))
        self.plan = plan
        self.variables = variables
        self.caller = caller
        self.memory = memory
        self.verdicts = verdicts ?? memory?.verdicts(for: caller) ?? Verdicts(plan.checks, for: caller)
        isPlain = self.verdicts.allowsEverything
        relationDecisions = Array(repeating: nil, count: plan.relationCount)
        self.reader = reader
        self.context = context
        preparedLists = Array(repeating: nil, count: plan.listCount)
    }

    var schema: Schema { plan.document.schema }

    var writer: ResponseWriter {
        @inline(__always) _read { yield piece.writer }
        @inline(__always) _modify { yield &piece.writer }
    }

    // MARK: Root fields

    /// Writes the fields of a query's root.
    mutating func runQuery(introspection: inout IntrospectionCache) {
        let start = writer.bytes.count
        for field in plan.fields where field.isMet(variables) {
            // Nobody will see what was written.
            if context.isGivenUp { return }
            writer.bytes.append(contentsOf: field.key)
            let completion = context.isFull ? writer.completeFailure(field.type) : complete(field, &introspection)
            guard !completion.isBroken else {
                // A field that must not be null is: nothing is left of the answer but its errors.
                writer.rewind(to: start)
                return JSONWriter.writeNull(to: &writer.bytes)
            }
            lookAtErrors(field)
        }
        writer.endObject(from: start)
    }

    /// Ends the operation where the errors of its fields are too many.
    private mutating func lookAtErrors(_ field: RootFieldPlan) {
        // Nearly always one comparison.
        guard piece.writer.bytes.count > piece.writer.mark, writer.isTooLong, !context.isFull else { return }
        writer.path = field.path
        fail(context.failure(.end(.responseTooLarge)), field.position)
    }

    /// Writes one field of a query by itself.
    mutating func run(_ field: RootFieldPlan) {
        var introspection = IntrospectionCache()
        piece.writer.isNull = complete(field, &introspection).isBroken
    }

    private mutating func complete(
        _ field: RootFieldPlan, _ introspection: inout IntrospectionCache
    ) -> Completion {
        let start = writer.bytes.count
        writer.path = field.path
        do throws(RunError) {
            if let check = field.check, case .allow = verdicts[check] {
            } else if field.check != nil {
                throw refusal(of: field)
            }
            switch field.action {
            case .typename: JSONWriter.writeString(plan.rootTypeName, to: &writer.bytes)
            case .introspection(let group): try completeIntrospection(group, &introspection)
            case .get(let get): try complete(get, field)
            case .list(let list): try complete(list, field)
            case .search(let search): try complete(search: search, field)
            case .sync(let sync): try complete(sync: sync, field)
            case .outside(let outside): piece.await(.field(outside.field, source: nil))
            case .mutation, .null:
                return completeNull(field.type, in: plan.rootTypeName)
            }
            try look()
            return .written
        } catch {
            writer.rewind(to: start)
            writer.path = field.path
            fail(context.failure(error), field.position)
            return writer.completeFailure(field.type)
        }
    }

    func refusal(of field: RootFieldPlan) -> RunError { .field(.unauthorized(field.name, on: plan.rootTypeName)) }

    private mutating func completeIntrospection(
        _ group: CollectFields.Group, _ introspection: inout IntrospectionCache
    ) throws(RunError) {
        do throws(Introspection.Failure) {
            let value = try introspection.value(
                of: group, in: plan.document, variables, bytesMax: writer.bytesLeft,
                isOver: { [reader] in reader.isOver })
            writer.bytes.append(contentsOf: value)
        } catch {
            switch error {
            case .refused(let error):
                writer.add(error)
                JSONWriter.writeNull(to: &writer.bytes)
            case .interrupted: throw .end(.timeIsOver)
            case .tooLong: throw .end(.responseTooLarge)
            }
        }
    }

    /// The record is read first: whoever may not see it is told so, and a missing one is just null.
    private mutating func complete(_ get: GetPlan, _ field: RootFieldPlan) throws(RunError) {
        guard !get.keyFields.isEmpty else { return JSONWriter.writeNull(to: &writer.bytes) }
        let (changed, variables) = (change?.arguments, variables)
        func argument(_ name: String) -> JSONValue? {
            if let changed { changed[name] } else { get.arguments.value(of: name, variables) }
        }
        let key = get.keyFields.map { StoredValue(argument($0.name) ?? .null, as: $0.kind) }
        let decision = get.type.access.decisionOfGet(for: caller) { KeyArgument(argument($0)) }
        if case .deny = decision { throw refusal(of: field) }
        let rights = try ofField { () throws(FieldFailure) in
            try FilterRights.conditions(get.keyRights, for: caller, isKey: true)
        }
        guard try meetsFilters(get, key) else { throw refusal(of: field) }
        switch try completeRecord(get.lookup, key: key, get.selection, decision, andEach: rights) {
        case .record: break
        case .hidden: throw refusal(of: field)
        case .nothing: JSONWriter.writeNull(to: &writer.bytes)
        }
    }

    private mutating func complete(_ list: ListPlan, _ field: RootFieldPlan) throws(RunError) {
        var arguments = change?.arguments ?? list.arguments.values(variables)
        var choice = try ofField { () throws(FieldFailure) in
            try list.key?.choice(arguments) ?? KeyArguments.Choice(key: nil, isDescending: false)
        }
        if let filtered = Self.filtered(list, &arguments) { choice = filtered }
        var predicate = Predicate.always
        switch list.access?.decision(for: caller, argument: { KeyArgument(arguments[$0]) }) ?? .deny {
        case .allow: break
        case .deny: throw refusal(of: field)
        // How much there is that is not theirs is not told either.
        case .filter(let access) where access.isOfNothing: return completeEmptyConnection(list.connection)
        case .filter(let access): predicate = Predicate(access)
        case .narrow(let conditions):
            guard let narrowed = list.key?.narrowed(choice, by: conditions) else { throw refusal(of: field) }
            choice = narrowed
        }
        if let own = try filters(of: list.type) { predicate = .all([predicate, own]) }
        isNewestLast = list.filterKey != nil && choice.key != nil
        defer { isNewestLast = false }
        // The partition is in no argument any more, and what a token is good for has to have it.
        try completeList(
            list, arguments, choice, predicate, scopeOfParent: isNewestLast ? [choice.key?.partition ?? .null] : [])
    }

    /// The key that a filter gives, which is taken out of it.
    private static func filtered(_ list: ListPlan, _ arguments: inout JSONObject) -> KeyArguments.Choice? {
        guard let key = list.filterKey, var filter = arguments["filter"]?.object,
            let condition = filter[key.partition]?.object, condition.count == 1, let value = condition["eq"]?.string
        else { return nil }
        filter.remove(key.partition)
        arguments.set("filter", to: filter.isEmpty ? .null : .object(filter))
        return KeyArguments.Choice(key: KeyQuery(key, partition: .text(value)), isDescending: true)
    }

    // MARK: Length and time

    /// Ends the operation where it has written more than a response may have, or takes too long. Asked behind each value.
    ///
    /// Hot path: nearly always one comparison.
    @inline(__always)
    mutating func look() throws(RunError) {
        if piece.writer.bytes.count > piece.writer.mark { try lookCloser() }
    }

    private mutating func lookCloser() throws(RunError) {
        guard !writer.isTooLong else { throw .end(.responseTooLarge) }
        writer.moveMark()
        // What is too long for a turn of the loop has its time behind it.
        if context.isTurn, writer.bytes.count > context.limits.turnBytesMax { throw .end(.timeIsOver) }
        try lookAtTime()
    }

    func lookAtTime() throws(RunError) {
        if reader.isOver { throw .end(.timeIsOver) }
    }

    private static let readsPerLook = 16

    mutating func countRead() throws(RunError) {
        readCount += 1
        guard readCount <= context.limits.readsMax else { throw .end(.tooManyReads) }
        // A read may be less than what the database does between two looks at the time.
        if readCount % Self.readsPerLook == 0 { try lookAtTime() }
    }

    // MARK: Nulls and failures

    mutating func fail(_ failure: FieldFailure, _ position: Position) {
        writer.add(
            GraphQLError(
                failure.message, type: failure.type, info: failure.info, data: failure.data, at: writer.path,
                locations: plan.locations(of: position)))
    }

    mutating func completeNull(_ type: TypeUse, in parent: String) -> Completion {
        let schema = schema
        return writer.completeNull(type, named: schema[type.named].name, in: parent)
    }
}
