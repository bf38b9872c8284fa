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
        _ operation: WaitingOperation, _ read: ReadBesideLoop
    ) async throws(StoreError) -> ReadBesideLoop.Outcome {
        try await store.readersAside.read(until: operation.end) { reader throws(StoreError) in
            var execution = Execution(
                operation.plan, operation.variables, for: operation.caller, reading: reader, self.context())
            if let syncStart = read.syncStart { execution.syncStart = syncStart }
            execution.writer.beginResponse(expecting: PlanMemory.responseBytesMax)
            var introspection = IntrospectionCache()
            let story = operation.requester.note?.story
            reader.observed(by: story?.statements) { execution.runQuery(introspection: &introspection) }
            story?.mark("read and written, on a thread beside the loop")
            guard !execution.writer.hasHoles else { return .holes(execution.piece) }
            return .response(execution.writer.takeResponse(for: operation.requester))
        }
    }
}
