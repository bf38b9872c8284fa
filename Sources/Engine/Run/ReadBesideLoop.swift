import GraphQL
import Store

/// A query that is run on a thread beside the loops. It is run from its beginning: what was written on the loop is gone, and all
/// of it sees one state of the data.
struct ReadBesideLoop: Sendable {
    /// When its syncs began: before the data that it sees.
    let syncStart: SyncStart?

    /// What comes of it.
    enum Outcome: Sendable {
        case response([UInt8])
        /// Something has to be asked first.
        case holes(ResponsePiece)
    }
}

extension Engine {
    /// Runs a query beside the loop, and puts its response together there: to grow by its errors a long one may be copied.
    func read(
        _ plan: OperationPlan, _ variables: VariableValues, for caller: RunCaller, _ read: ReadBesideLoop,
        until end: Int64
    ) async throws(StoreError) -> ReadBesideLoop.Outcome {
        try await store.readersAside.read(until: end) { reader throws(StoreError) in
            var execution = Execution(plan, variables, for: caller, reading: reader, self.context())
            if let syncStart = read.syncStart { execution.syncStart = syncStart }
            execution.piece.beginResponse(expecting: PlanMemory.responseBytesMax)
            var introspection = IntrospectionCache()
            execution.runQuery(introspection: &introspection)
            guard !execution.piece.hasHoles else { return .holes(execution.piece) }
            return .response(execution.piece.takeResponse(for: caller.requester))
        }
    }
}
