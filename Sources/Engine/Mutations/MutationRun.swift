import Access
import GraphQL
import JSON
import Store

/// One mutation of a record, on the writer's thread: the change, and the response that it gives.
///
/// The response is written before the commit, from the record as the change left it. It is handed out after the commit.
struct MutationRun: Sendable {
    let plan: OperationPlan
    let field: RootFieldPlan
    let mutation: MutationPlan
    let variables: VariableValues
    let caller: RunCaller
    let now: Timestamp
    let engine: Engine
    /// What the response of its operation has room for.
    let room: ResponseRoom
    /// What was decided about a conflict that it met.
    var resolution: ConflictResolution?

    /// What came of it.
    enum Outcome: Sendable {
        /// The value of the field: the record, or null where the selection broke.
        case value(ResponsePiece)
        /// Nothing was changed: a function has to decide first.
        indirect case conflict(Conflict)
        case failed(FieldFailure)
    }

    /// Mutations have a time of their own.
    var context: RunContext { engine.context(milliseconds: engine.settings.limits.mutationMilliseconds) }

    func outcome(in session: WriteSession) throws(StoreError) -> Outcome {
        let context = context
        do throws(FieldFailure) {
            return try outcome(in: session, context)
        } catch {
            // What a change left behind before it failed goes with the savepoint.
            return .failed(error)
        }
    }

    private func outcome(in session: WriteSession, _ context: RunContext) throws(FieldFailure) -> Outcome {
        let arguments = mutation.arguments.values(variables)
        var input = RecordInput(mutation.type, mutation.kind, arguments["input"]?.object ?? JSONObject(), now: now)
        input.fill()
        for field in input.generatedFields {
            input.set(field, to: .integer(try number(for: field, in: session, context)))
        }
        try input.checkKeys()
        try authorize(&input, in: session, context)
        do throws(FieldFailure) {
            try input.validate { session.isOver }
        } catch {
            // What nobody had the time to check is not what is wrong with the value.
            throw session.isOver ? context.timeIsOver : error
        }
        var filter = FilterReader(mutation.type.table)
        var condition = try filter.predicate(arguments["condition"])
        // Of a record that is to be made there is nothing to tell.
        if mutation.kind != .create, !filter.fields.isEmpty {
            let rights = try FilterRights.predicate(
                FilterRights.rights(to: filter.fields, of: mutation.type), for: caller.access)
            condition = .all([condition, rights])
        }
        let change = try input.change(if: condition, returning: mutation.selection.columns)
        if let log = mutation.type.changeLog { return try versioned(change, input, in: log, session, context) }
        var execution = Execution(
            plan, variables, for: caller, reading: session, context, bytesMax: room.left)
        let isMade = try execution.reading { execution throws(StoreError) in
            try execution.write(change, in: session, mutation.selection, of: field)
        }
        guard isMade else { throw .conditionFailed }
        return .value(execution.piece)
    }

    /// The next number of a column that the database numbers itself. GraphQL's numbers end before the database's do.
    private func number(
        for field: String, in session: WriteSession, _ context: RunContext
    ) throws(FieldFailure) -> Int64 {
        let next: Int64?
        do throws(StoreError) {
            next = try session.nextInteger(of: field, in: mutation.type.table)
        } catch {
            throw context.failure(error)
        }
        guard let next, next <= Int64(Int32.max) else {
            throw .database("There is no number left for \(field) that an Int can hold")
        }
        return next
    }

    // MARK: Rights

    private func authorize(
        _ input: inout RecordInput, in session: WriteSession, _ context: RunContext
    ) throws(FieldFailure) {
        let access = mutation.type.access
        if let check = field.check, case .allow = plan.checks[check].verdict(for: caller.access) {
        } else {
            throw .unauthorized(field.name, on: plan.rootTypeName)
        }
        switch mutation.kind {
        case .create:
            switch access.create.outcome(for: caller.access, input: input.given) {
            case .allow(let filling): for member in filling { input.set(member.key, to: member.value) }
            case .deny: throw .unauthorized(field.name, on: plan.rootTypeName)
            case .denyFields(let fields): throw Self.refusal(of: fields)
            }
        case .update:
            let record = try record(of: access.update.recordFields, input, in: session, context)
            try check(access.update.decision(for: caller.access, input: input.given) { record[$0] })
        case .delete:
            let record = try record(of: access.delete.recordFields, input, in: session, context)
            try check(access.delete.decision(for: caller.access) { record[$0] })
        }
    }

    private func check(_ decision: WriteDecision) throws(FieldFailure) {
        switch decision {
        case .allow: return
        case .deny: throw .unauthorized(field.name, on: plan.rootTypeName)
        case .failsCondition: throw mutation.type.changeLog == nil ? .conditionFailed : .versionedConditionFailed
        case .denyFields(let fields): throw Self.refusal(of: fields)
        }
    }

    private static func refusal(of fields: [String]) -> FieldFailure {
        FieldFailure(WriteDecision.message(denying: fields), type: Refusals.errorType)
    }

    /// The key of a record in words: `id "1"`.
    private func key(of input: RecordInput) -> String {
        mutation.type.model.key.fields.map { field in
            "\(field) \(JSONWriter.text(of: input.values[field] ?? .null))"
        }.joined(separator: ", ")
    }

    /// The values of the stored record that rules compare; none when there is no such record.
    private func record(
        of fields: [String], _ input: RecordInput, in session: WriteSession, _ context: RunContext
    ) throws(FieldFailure) -> JSONObject {
        var values = JSONObject()
        guard !fields.isEmpty else { return values }
        let table = mutation.type.table
        do throws(StoreError) {
            let isThere = try session.get(KeyLookup(table, fields: fields), key: input.keyValues) {
                row throws(StoreError) in
                for (column, field) in fields.enumerated() {
                    guard let kind = table.column(of: field)?.kind, !row.isNull(column) else { continue }
                    values.set(field, to: row.value(column).json(as: kind))
                }
            }
            if !isThere, let trace = caller.access.trace {
                trace.begin("\(mutation.kind) \(mutation.type.name)")
                trace.noteMissing("there is no \(mutation.type.name) with \(key(of: input))")
            }
        } catch {
            throw context.failure(error)
        }
        return values
    }
}

extension Execution {
    /// Makes a change and writes the record that comes back; false when the change was not made.
    fileprivate mutating func write(
        _ change: RecordChange, in session: WriteSession, _ selection: SelectionPlan, of field: RootFieldPlan
    ) throws(StoreError) -> Bool {
        beginPath(at: field)
        return try session.apply(change) { row throws(StoreError) in try writeNullable(selection, row) }
    }
}
