import Access
import GraphQL
import JSON
import Store
import Threads

/// What one loop keeps for the engine: plans, answers of introspection, its connection to the database.
package final class EngineShard: @unchecked Sendable {
    // Safe to share: used on the thread of its loop only; others just hold the reference.

    var plans = PlanCache()
    var introspection = IntrospectionCache()
    private var preparations: WorkTogether<LongOperation.Key, LongOperation.Made>?
    private var handlerTurns: HandlerTurns?
    private var callPlace: CallPlace?
    private var reader: Reader?
    private let atEndOfTurn: ((EngineShard) -> Void)?
    private let beginWork: ((@escaping @Sendable () async -> Void) -> Void)?
    private var isInTurn = false
    private var lastCaller: Caller?
    /// What reads have taken of the loop lately only to be begun anew beside it.
    private var lostMilliseconds: Int64 = 0
    private var lostAt: Int64 = 0

    /// How functions and services are called.
    let outside: (any OutsideService)?
    /// What the loop has for tables.
    let tables: (any TablePlace)?
    /// The rows of a server that the loop reads by itself; nil where it reads none.
    let rowReads: LoopReads?

    /// `atEndOfTurn` is asked to have `endTurn` called when the loop's turn ends; without it every query sees the data
    /// of its own moment.
    ///
    /// `beginWork` begins what nobody waits for, on the loop.
    package init(
        outside: (any OutsideService)? = nil, tables: (any TablePlace)? = nil, rowReads: LoopReads? = nil,
        atEndOfTurn: ((EngineShard) -> Void)? = nil,
        beginWork: ((@escaping @Sendable () async -> Void) -> Void)? = nil
    ) {
        self.outside = outside
        self.tables = tables
        self.rowReads = rowReads
        self.atEndOfTurn = atEndOfTurn
        self.beginWork = beginWork
    }

    /// Begins what nobody waits for.
    func begin(_ work: @escaping @Sendable () async -> Void) {
        if let beginWork {
            beginWork(work)
        } else {
            Task { await work() }
        }
    }

    /// The documents that are being prepared beside the loop.
    func preparations(in engine: Engine) -> WorkTogether<LongOperation.Key, LongOperation.Made> {
        if let preparations { return preparations }
        let new = WorkTogether<LongOperation.Key, LongOperation.Made>(engine.workersAside)
        preparations = new
        return new
    }

    /// Where handlers run.
    private func handlers(in engine: Engine) -> HandlerTurns {
        if let handlerTurns { return handlerTurns }
        let new = HandlerTurns(engine.handlersAside, engine.settings.limits) { [weak self] in
            guard let self, let atEndOfTurn else { return false }
            atEndOfTurn(self)
            return true
        }
        handlerTurns = new
        return new
    }

    /// Where fields are computed; nil where nothing outside can be called.
    func callPlace(in engine: Engine) -> CallPlace? {
        if let callPlace, callPlace.directory === engine.types.functions { return callPlace }
        guard let outside else { return nil }
        let new = CallPlace(
            outside: outside, directory: engine.types.functions, tables: tables, handlers: handlers(in: engine),
            cursors: engine.tableCursors)
        callPlace = new
        return new
    }

    /// The connection, with a read transaction for this turn of the loop, and what one more read may take of it. `end` is
    /// when its operation has to end, in milliseconds of the monotonic clock.
    ///
    /// Hot path: a transaction makes many reads cheaper and a single one dearer, so the first of a turn gets none where it reads one row.
    func beginReading(
        _ store: Store, until end: Int64, limits: EngineLimits, readsOnce: Bool = false
    ) throws(StoreError) -> LoopTurn {
        let reader: Reader
        if let open = self.reader {
            reader = open
        } else {
            reader = try store.loopReader()
            self.reader = reader
        }
        let now = Timestamp.monotonicMilliseconds
        let turn = LoopTurn(reader: reader, begin: now, end: now + turnMilliseconds(limits, now), operationEnd: end)
        reader.deadline = min(turn.end, end)
        if let atEndOfTurn {
            if isInTurn || !readsOnce { try reader.beginTurn() }
            if !isInTurn {
                isInTurn = true
                atEndOfTurn(self)
            }
        }
        return turn
    }

    /// Less and less while long reads come one after the other: all together they keep the loop for a tenth of its time.
    private func turnMilliseconds(_ limits: EngineLimits, _ now: Int64) -> Int64 {
        guard lostMilliseconds > 0 else { return limits.turnMilliseconds }
        let forgiven = (now - lostAt) / Self.turnShare
        lostMilliseconds = max(0, lostMilliseconds - forgiven)
        lostAt += forgiven * Self.turnShare
        return max(limits.turnMillisecondsMin, limits.turnMilliseconds - lostMilliseconds)
    }

    private static let turnShare: Int64 = 10

    /// Notes that a read was given up: it goes on beside the loop.
    func noteGivenUp(_ turn: LoopTurn) {
        let now = Timestamp.monotonicMilliseconds
        if lostMilliseconds == 0 { lostAt = now }
        lostMilliseconds += max(1, now - turn.begin)
    }

    /// Begins syncs: at the moment before the records are read that they see.
    func beginSync(_ clock: ChangeClock) -> SyncStart {
        endTurn()
        return SyncStart(at: clock.beginSync(), clock)
    }

    /// The identity as the rules of the schema see it: kept for the next request of the same caller.
    func caller(_ identity: Identity, _ policy: AccessPolicy, trace: DecisionTrace?) -> Caller {
        // A trace belongs to one request.
        if let trace { return policy.caller(identity, trace: trace) }
        if let lastCaller, lastCaller.identity === identity { return lastCaller }
        let caller = policy.caller(identity)
        lastCaller = caller
        return caller
    }

    /// Ends all that lasts for a turn of the loop.
    package func turnEnded() {
        endTurn()
        handlerTurns?.turnEnded()
    }

    /// Ends the read transaction of a turn.
    package func endTurn() {
        guard isInTurn else { return }
        isInTurn = false
        do throws(StoreError) {
            // What ends the turn has no deadline.
            reader?.deadline = .max
            try reader?.endTurn()
        } catch {
            // The next query gets a new connection.
            reader = nil
        }
    }

    /// Closes the connection. Called on the loop when the server stops.
    package func close() {
        endTurn()
        reader = nil
        callPlace = nil
    }
}

/// What a read may take of a turn of its loop. In milliseconds of the monotonic clock.
struct LoopTurn {
    let reader: Reader
    let begin: Int64
    let end: Int64
    /// When the read has to end wherever it runs.
    let operationEnd: Int64

    /// True if there is more time for the read than the loop gives it.
    var isShorter: Bool { end < operationEnd }
}
