import GraphQL
import Store

/// A query that is run on a thread beside the loops. It is run from its beginning: what was written on the loop is gone, and all
/// of it sees one state of the data.
struct ReadBesideLoop: Sendable {
    /// When its syncs began: before the data that it sees. Nil where it has none, or where the database says it.
    let syncStart: SyncStart?
    /// True if it has syncs.
    var isSync = false
    /// True if the operation is so short that it holds no loop.
    var isShort = false

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
        try await store.readersAside.read(until: operation.end, sharing: sharing(operation, read)) {
            reader throws(StoreError) in try self.outcome(of: operation, read, on: reader)
        }
    }

    /// The same without a task of Swift's, for one that has `outcome` run. What is given back gives the read up, which is answered even so.
    func beginRead(
        _ task: any ReadTask, of operation: WaitingOperation, _ read: ReadBesideLoop
    ) -> @Sendable () -> Void {
        let sharing = sharing(operation, read)
        let row = sharing == .row ? row(operation) : nil
        if let row, read.isShort, let reads = operation.shard.rowReads {
            return reads.begin(task, until: operation.end, asking: row)
        }
        return store.readersAside.begin(task, until: operation.end, sharing: sharing, asking: row)
    }

    /// The row that a query for one record asks for, whatever the caller may see of it.
    private func row(_ operation: WaitingOperation) -> ServerQuestion? {
        guard let field = operation.plan.fields.first, case .get(let get) = field.action, !get.keyFields.isEmpty,
            field.isMet(operation.variables)
        else { return nil }
        return ServerQuestion(
            get.lookup,
            key: get.keyFields.map { name, kind in
                StoredValue(get.arguments.value(of: name, operation.variables) ?? .null, as: kind)
            })
    }

    /// The way in which it goes to a server together with others. A page that looks at no more records than it may have is short work; any other list may
    /// look at a whole table, and holds up nobody.
    private func sharing(_ operation: WaitingOperation, _ read: ReadBesideLoop) -> ReadSharing {
        let plan = operation.plan
        // Whoever looks on sees each read as it is made.
        guard operation.requester.note?.story == nil, !read.isSync, !plan.isSearch else { return .none }
        let parts = 1 + plan.bytes.last / StoreLimits.sharedPartBytes
        guard !plan.readsOnce || parts > Self.rowPartsMax else { return .row }
        return .parts(settings.semantics == .appsync ? parts : .max)
    }

    /// A record beyond so many parts of a trip is no short row.
    private static let rowPartsMax = 8

    /// Runs a query with the reader of a thread beside the loops, or with a loop's own connection to a server.
    func outcome(
        of operation: WaitingOperation, _ read: ReadBesideLoop, on reader: Reader
    ) throws(StoreError) -> ReadBesideLoop.Outcome {
        let plan = operation.plan
        let story = operation.requester.note?.story
        var execution = Execution(
            plan, operation.variables, for: operation.caller, reading: reader, context(),
            memory: ReaderPlans.memory(of: plan, self, on: reader))
        execution.mayLack = !store.isLocal
        if read.isSync, let start = try syncStart(read.syncStart, reader) { execution.syncStart = start }
        execution.writer.beginResponse(expecting: min(plan.bytes.last + 512, PlanMemory.responseBytesMax))
        var introspection = IntrospectionCache()
        reader.observed(by: story?.statements) { execution.runQuery(introspection: &introspection) }
        story?.mark("read and written, on a thread beside the loop")
        // It runs again.
        if !reader.isLacking { plan.bytes.last = execution.writer.bytes.count }
        guard !execution.writer.hasHoles else { return .holes(execution.piece) }
        return .response(execution.writer.takeResponse(for: operation.requester))
    }
}

/// The plans that the thread of a connection remembers, as a loop does.
private final class ReaderPlans {
    private var memories: [ObjectIdentifier: PlanMemory] = [:]
    private static let memoriesMax = 128

    /// Nil for a file, whose loops remember.
    static func memory(of plan: OperationPlan, _ engine: Engine, on reader: Reader) -> PlanMemory? {
        guard !engine.store.isLocal else { return nil }
        let plans: ReaderPlans
        if let kept = reader.keepsake as? ReaderPlans {
            plans = kept
        } else {
            plans = ReaderPlans()
            reader.keepsake = plans
        }
        if let known = plans.memories[ObjectIdentifier(plan)] { return known }
        if plans.memories.count >= memoriesMax { plans.memories = [:] }
        // It keeps the plan, so no other one has its identity.
        let memory = PlanMemory(plan, engine.rootFields)
        plans.memories[ObjectIdentifier(plan)] = memory
        return memory
    }
}
