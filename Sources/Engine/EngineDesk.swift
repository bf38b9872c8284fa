import Access
import GraphQL
import JSON
import Store

/// What one loop keeps for the engine: plans, answers of introspection, its connection to the database.
package final class EngineDesk: @unchecked Sendable {
    // Safe to share: used on the thread of its loop only; others just hold the reference.

    var plans = PlanCache()
    var introspection = IntrospectionCache()
    private var reader: Reader?
    private let atEndOfTurn: ((EngineDesk) -> Void)?
    private var isInTurn = false
    private var lastCaller: Caller?

    /// How functions and services are called.
    let outside: (any OutsideService)?

    /// `atEndOfTurn` is asked to have `endTurn` called when the loop's turn ends; without it every query sees the data
    /// of its own moment.
    package init(outside: (any OutsideService)? = nil, atEndOfTurn: ((EngineDesk) -> Void)? = nil) {
        self.outside = outside
        self.atEndOfTurn = atEndOfTurn
    }

    /// The connection, with a read transaction for this turn of the loop, and time for one more operation.
    func beginReading(_ store: Store, limits: EngineLimits) throws(StoreError) -> Reader {
        let reader: Reader
        if let open = self.reader {
            reader = open
        } else {
            reader = try store.reader()
            self.reader = reader
        }
        reader.deadline = Timestamp.monotonicMilliseconds + limits.milliseconds
        if !isInTurn, let atEndOfTurn {
            try reader.beginTurn()
            isInTurn = true
            atEndOfTurn(self)
        }
        return reader
    }

    /// Begins syncs: at the moment before the records are read that they see.
    func beginSync(_ clock: ChangeClock) -> SyncStart {
        endTurn()
        let now = clock.beginSync()
        return SyncStart(
            startedAt: now, logSince: now.subtractingReportingOverflow(clock.settings.logMilliseconds).partialValue)
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

    /// Ends the read transaction of a turn.
    package func endTurn() {
        guard isInTurn else { return }
        isInTurn = false
        do throws(StoreError) {
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
    }
}
