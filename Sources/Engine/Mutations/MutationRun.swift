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
    let now: Timestamp
    let engine: Engine

    /// What came of it.
    enum Outcome: Sendable {
        /// The value of the field: the record, or null where the selection broke.
        case value(ResponsePiece)
        case failed(FieldFailure)
    }

    func outcome(in session: WriteSession) throws(StoreError) -> Outcome {
        let context = engine.context()
        do throws(FieldFailure) {
            return .value(try value(in: session, context))
        } catch {
            // What a change left behind before it failed goes with the savepoint.
            return .failed(error)
        }
    }

    private func value(in session: WriteSession, _ context: RunContext) throws(FieldFailure) -> ResponsePiece {
        let arguments = mutation.arguments.values(variables)
        var input = RecordInput(mutation.type, mutation.kind, arguments["input"]?.object ?? JSONObject(), now: now)
        input.fill()
        try input.checkKeys()
        try input.validate()
        var filter = FilterReader(mutation.type.table)
        let condition = try filter.predicate(arguments["condition"])
        let change = try input.change(if: condition, returning: mutation.selection.columns)
        var execution = Execution(plan, variables, reading: session, context)
        let isMade = try execution.reading { execution throws(StoreError) in
            try execution.write(change, in: session, mutation.selection, of: field)
        }
        guard isMade else { throw .conditionFailed }
        return execution.piece
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
