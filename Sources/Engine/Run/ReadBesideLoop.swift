import GraphQL
import Store

/// A query that is run on a thread beside the loops. It is run from its beginning: what was written on the loop is gone, and all
/// of it sees one state of the data.
struct ReadBesideLoop: Sendable {
    /// When its syncs began: before the data that it sees. Nil where it has none, or where the database says it.
    let syncStart: SyncStart?
    /// True if it has syncs.
    var isSync = false

    /// What comes of it.
    enum Outcome: Sendable {
        case response([UInt8])
        /// Something has to be asked first.
        case holes(ResponsePiece)
    }
}

extension Engine {
    /// When the syncs of a read begin that is run beside the loops: one of several nodes asks the database, in the turn that reads the records.
    ///
    /// - Parameter start: what this process says by itself.
    func syncStart(_ start: SyncStart?, _ reader: Reader) throws(StoreError) -> SyncStart? {
        guard store.nodes != nil else { return start }
        return SyncStart(at: try reader.beginSync(), store.changeClock)
    }

    /// Runs a query beside the loop, and puts its response together there: to grow by its errors a long one may be copied.
    func read(
        _ operation: WaitingOperation, _ read: ReadBesideLoop
    ) async throws(StoreError) -> ReadBesideLoop.Outcome {
        // Whoever looks on sees each read as it is made.
        let story = operation.requester.note?.story
        let gathers = story == nil && !read.isSync && !operation.plan.isSearch
        @Sendable func run(_ reader: Reader, _ syncStart: SyncStart? = nil) -> ReadBesideLoop.Outcome {
            var execution = Execution(
                operation.plan, operation.variables, for: operation.caller, reading: reader, self.context())
            if let syncStart { execution.syncStart = syncStart }
            execution.writer.beginResponse(expecting: PlanMemory.responseBytesMax)
            var introspection = IntrospectionCache()
            reader.observed(by: story?.statements) { execution.runQuery(introspection: &introspection) }
            story?.mark("read and written, on a thread beside the loop")
            guard !execution.writer.hasHoles else { return .holes(execution.piece) }
            return .response(execution.writer.takeResponse(for: operation.requester))
        }
        return try await store.readersAside.read(until: operation.end) { reader throws(StoreError) in
            guard !read.isSync else { return run(reader, try self.syncStart(read.syncStart, reader)) }
            return gathers ? try reader.gathering { reader throws(StoreError) in run(reader) } : run(reader)
        }
    }
}
