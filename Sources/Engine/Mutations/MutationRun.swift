import Access
import GraphQL
import JSON
import Store

/// One mutation of a record, on the writer's thread: the change, and the response that it gives.
///
/// The response is written before the commit, from the record as the change left it. It is handed out after the commit.
///
/// Hot path: an object, because it goes through a dozen hands on its way to the writer and back.
final class MutationRun: Sendable {
    let operation: WaitingOperation
    let field: RootFieldPlan
    let mutation: MutationPlan
    let now: Timestamp
    let arguments: JSONObject
    /// The id of a record that is made without one: the same however often the run is repeated.
    private let newID: String?
    /// What was decided about a conflict that it met.
    let resolution: ConflictResolution?
    /// What the app's own steps have made of it.
    let change: OperationChange?

    var plan: OperationPlan { operation.plan }
    var caller: Caller { operation.caller }
    var engine: Engine { operation.engine }
    /// What the response of its operation has room for.
    var room: ResponseRoom { operation.room }

    init(
        _ operation: WaitingOperation, _ field: RootFieldPlan, _ mutation: MutationPlan,
        _ change: OperationChange? = nil
    ) {
        self.operation = operation
        self.field = field
        self.mutation = mutation
        self.change = change
        resolution = nil
        now = .now
        arguments = change?.arguments ?? mutation.arguments.values(operation.variables)
        let isNamed = mutation.kind != .create || !(arguments["input"]?.object?.isMissing("id") ?? true)
        newID = isNamed ? nil : RecordID.make(milliseconds: now.millisecondsSince1970)
    }

    /// The same once more, after a conflict that it met was decided.
    init(_ run: MutationRun, _ resolution: ConflictResolution) {
        (operation, field, mutation) = (run.operation, run.field, run.mutation)
        (now, arguments, newID, change) = (run.now, run.arguments, run.newID, run.change)
        self.resolution = resolution
    }

    /// The record that it changes.
    var changeKey: ChangeKey {
        var key = ChangeKey(of: mutation.type.table)
        let input = arguments["input"]?.object
        for field in mutation.type.model.key.fields {
            switch input?[field] {
            case .string(let text)?: key.add(text.utf8)
            case .integer(let number)?: key.add("\(number)".utf8)
            case let other: key.add((other == nil ? newID ?? "" : "").utf8)
            }
        }
        return key
    }

    /// Runs it before its turn, where it asks for nothing but its record: so a server gets the changes of many records in one trip. Nil where it has to
    /// wait, and for a creation, of which nobody has to ask.
    var foretelling: (@Sendable (WriteSession) -> Void)? {
        guard mutation.kind != .create, change == nil, caller.trace == nil, mutation.selection.isOfItsRow
        else { return nil }
        return { [self] session in
            session.deadline = Timestamp.monotonicMilliseconds + engine.settings.limits.mutationMilliseconds
            defer { session.deadline = .max }
            _ = outcome(in: session)
        }
    }

    /// What came of it.
    enum Outcome: Sendable {
        /// The value of the field: the record, or null where the selection broke. Hot path: one reference, whoever has it.
        indirect case value(ResponsePiece)
        /// Nothing was changed: a function has to decide first.
        indirect case conflict(Conflict)
        case failed(FieldFailure)
    }

    /// Mutations have a time of their own.
    var context: RunContext { engine.context(milliseconds: engine.settings.limits.mutationMilliseconds) }

    func outcome(in session: any RecordWriting) -> Outcome {
        let context = context
        do throws(RunError) {
            return try outcome(in: session, context)
        } catch {
            // What a change left behind before it failed goes with the savepoint.
            return .failed(context.failure(error))
        }
    }

    private func outcome(in session: any RecordWriting, _ context: RunContext) throws(RunError) -> Outcome {
        var input = RecordInput(
            mutation.type, mutation.kind, arguments["input"]?.object ?? JSONObject(), now: now, newID: newID)
        if let change { input.take(change) }
        input.fill()
        for field in input.generatedFields { input.set(field, to: .integer(try number(for: field, in: session))) }
        try ofField { () throws(FieldFailure) in try input.checkKeys() }
        try authorize(&input, in: session)
        do throws(FieldFailure) {
            try input.validate { session.isOver }
        } catch {
            // What nobody had the time to check is not what is wrong with the value.
            throw session.isOver ? .end(.timeIsOver) : .field(error)
        }
        let change = try ofField { () throws(FieldFailure) in
            try input.change(
                if: try condition(arguments["condition"]), returning: mutation.selection.columns)
        }
        if let log = mutation.type.changeLog { return try versioned(change, input, in: log, session, context) }
        var execution = execution(in: session, context)
        let isMade = try session.apply(change) { row throws(RunError) in
            try execution.completeRecord(mutation.selection, row, noting: eventRecord)
        }
        guard isMade else { throw .field(.conditionFailed) }
        return .value(execution.piece)
    }

    /// Where the record is taken down for those who hear of it.
    var eventRecord: EventRecord? { engine.events.areHeard ? field.eventShape.map { EventRecord($0) } : nil }

    /// Writes the record that the field gives.
    func execution(in session: any RecordWriting, _ context: RunContext) -> Execution {
        var execution = Execution(
            plan, operation.variables, for: caller, reading: session, context, verdicts: operation.verdicts,
            bytesMax: room.left, at: field.path)
        execution.writer.bytes.reserveCapacity(MutationResponse.bytesUsually)
        return execution
    }

    private func condition(_ wanted: JSONValue?) throws(FieldFailure) -> Predicate {
        var filter = FilterReader(mutation.type.table)
        var condition = try filter.predicate(wanted)
        if let change, !change.conditions.isEmpty {
            var own = FilterReader(mutation.type.table)
            var parts = [condition]
            for one in change.conditions { parts.append(try own.predicate(one)) }
            condition = .all(parts)
        }
        // Of a record that is to be made there is nothing to tell.
        guard mutation.kind != .create, !filter.fields.isEmpty else { return condition }
        let rights = try FilterRights.predicate(
            FilterRights.rights(to: filter.fields, of: mutation.type), for: caller)
        return .all([condition, rights])
    }

    /// The next number of a column that the database numbers itself. GraphQL's numbers end before the database's do.
    private func number(for field: String, in session: any RecordWriting) throws(RunError) -> Int64 {
        let next = try ofStore { () throws(StoreError) in
            try session.nextInteger(of: field, in: mutation.type.table)
        }
        guard let next, next <= Int64(Int32.max) else {
            throw .field(.database("There is no number left for \(field) that an Int can hold"))
        }
        return next
    }

    // MARK: Rights

    private var refusal: RunError { .field(.unauthorized(field.name, on: plan.rootTypeName)) }

    private func authorize(_ input: inout RecordInput, in session: any RecordWriting) throws(RunError) {
        let access = mutation.type.access
        guard let number = field.check, case .allow = plan.checks[number].verdict(for: caller) else {
            throw refusal
        }
        switch mutation.kind {
        case .create:
            switch access.create.outcome(for: caller, input: input.given) {
            case .allow(let filling):
                // What the app's own steps have put there since is what they want.
                for member in filling where !input.isChanged(member.key) { input.set(member.key, to: member.value) }
            case .deny: throw refusal
            case .denyFields(let fields): throw Self.refusal(of: fields)
            }
        case .update:
            let record = try record(of: access.update.recordFields, input, in: session)
            try check(access.update.decision(for: caller, input: input.given) { record[$0] })
        case .delete:
            let record = try record(of: access.delete.recordFields, input, in: session)
            try check(access.delete.decision(for: caller) { record[$0] })
        }
    }

    private func check(_ decision: WriteDecision) throws(RunError) {
        switch decision {
        case .allow: return
        case .deny: throw refusal
        case .failsCondition:
            throw .field(mutation.type.changeLog == nil ? .conditionFailed : .versionedConditionFailed)
        case .denyFields(let fields): throw Self.refusal(of: fields)
        }
    }

    private static func refusal(of fields: [String]) -> RunError {
        .field(FieldFailure(WriteDecision.message(denying: fields), type: Refusals.errorType))
    }

    /// The key of a record in words: `id "1"`.
    private func key(of input: RecordInput) -> String {
        mutation.type.model.key.fields.map { field in
            "\(field) \(JSONWriter.text(of: input.values[field] ?? .null))"
        }.joined(separator: ", ")
    }

    /// The values of the stored record that rules compare; none when there is no such record.
    private func record(
        of fields: [String], _ input: RecordInput, in session: any RecordWriting
    ) throws(RunError) -> JSONObject {
        guard !fields.isEmpty else { return JSONObject() }
        if let values = try stored(fields, of: mutation.type.table, input.keyValues, in: session) { return values }
        if let trace = caller.trace {
            trace.begin("\(mutation.kind) \(mutation.type.name)")
            trace.noteMissing("there is no \(mutation.type.name) with \(key(of: input))")
        }
        return JSONObject()
    }

    /// The values of fields of a stored record, those that are null left out; nil when there is no such record.
    func stored(
        _ fields: [String], of table: TableLayout, _ key: [StoredValue], in session: any RecordWriting
    ) throws(RunError) -> JSONObject? {
        var values = JSONObject()
        let isThere = try session.get(KeyLookup(table, fields: fields), key: key) { row throws(RunError) in
            for (column, field) in fields.enumerated() {
                guard let kind = table.column(of: field)?.kind, !row.isNull(column) else { continue }
                values.set(field, to: row.value(column).json(as: kind))
            }
        }
        return isThere ? values : nil
    }
}
