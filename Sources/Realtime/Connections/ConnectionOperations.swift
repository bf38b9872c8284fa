import Glibc
import Network

/// Who is told what becomes of its operations. All calls come on the loop's thread.
protocol OperationOwner: AnyObject, Sendable {
    /// Who brings it the events.
    var carrier: any EventCarrier { get }

    func operation(_ operation: OperationStart, became outcome: ConnectionOperations.Outcome)
}

/// The operations of one connection, in whatever protocol: asks the gate, registers subscriptions, and ends them when they
/// are stopped, when the connection is over, or when what authorised them has run out.
final class ConnectionOperations: @unchecked Sendable {
    // Safe to share: every method is called on the loop's thread only; the tasks here run on it too.

    enum Outcome: Sendable {
        /// It is registered: events may follow at once.
        case subscribed
        /// The response to a query or mutation.
        case answered([UInt8])
        case failed(OperationFailure)
    }

    /// Who asks: a caller who is known, or one who has to be found out first.
    enum Asker: Sendable {
        case known(RealtimeCaller)
        case shown(RealtimeCredentials)
    }

    private struct Running {
        var subscriber: Subscriber?
        var timer: TimerToken?
    }

    private let shard: RealtimeShard
    /// Whether queries and mutations are run too.
    private var runsEverything = false
    private var running: [OperationNumber: Running] = [:]
    /// Its connection; nil when that is over.
    private var owner: (any OperationOwner)?

    init(_ shard: RealtimeShard) {
        self.shard = shard
    }

    /// Whose operations they are. Until `end`, the two hold each other.
    func belong(to owner: any OperationOwner, runsEverything: Bool) {
        self.owner = owner
        self.runsEverything = runsEverything
    }

    var count: Int { running.count }

    // MARK: Running

    /// Starts an operation. Its owner hears of the outcome, unless it is stopped before.
    func run(_ operation: OperationStart, for asker: Asker) {
        guard owner != nil else { return }
        running[operation.number] = Running()
        updateLanes()
        Task(executorPreference: shard.loop) { [self] in
            switch await caller(asker) {
            case .accepted(let caller): await run(operation, for: caller)
            case .refused(let refusal): finish(operation, .failed(OperationFailure(refusal)))
            }
        }
    }

    private func caller(_ asker: Asker) async -> Identification {
        switch asker {
        case .known(let caller): .accepted(caller)
        case .shown(let credentials): await shard.gate.identify(credentials)
        }
    }

    private func run(_ operation: OperationStart, for caller: RealtimeCaller) async {
        do throws(OperationFailure) {
            switch try shard.prepare(operation.request) {
            case .other(let kind):
                guard runsEverything else { throw .unsupported(kind.rawValue) }
                switch await shard.gate.respond(to: operation.request, for: caller) {
                case .response(let response): finish(operation, .answered(response))
                case .refused(let refusal): throw OperationFailure(refusal)
                }
            case .subscription(let subscription):
                switch await shard.gate.admit(caller, to: subscription.request) {
                case .denied(let refusal): throw OperationFailure(refusal)
                case .granted(let grant): register(operation, subscription, grant, for: caller)
                }
            }
        } catch {
            finish(operation, .failed(error))
        }
    }

    private func register(
        _ operation: OperationStart, _ subscription: PreparedSubscription, _ grant: SubscriptionGrant,
        for caller: RealtimeCaller
    ) {
        guard running[operation.number] != nil, let owner else { return }
        let left = caller.expiresAtMilliseconds.map { $0 - Self.wallClockMilliseconds }
        if let left, left <= 0 { return finish(operation, .failed(OperationFailure(.expired))) }
        guard let subscriber = shard.add(subscription, grant, owner.carrier, head: ServerFrame.head(operation.id))
        else {
            return finish(operation, .failed(.overloaded))
        }
        let timer = left.map { left in
            shard.loop.schedule(at: shard.loop.now.advanced(byMilliseconds: Int(clamping: left))) { [weak self] in
                self?.finish(operation, .failed(OperationFailure(.expired)))
            }
        }
        running[operation.number] = Running(subscriber: subscriber, timer: timer)
        updateLanes()
        // Only now is it acknowledged: every commit that comes later finds it.
        owner.operation(operation, became: .subscribed)
    }

    /// Ends an operation with something to say. One that was stopped has nothing to say any more.
    private func finish(_ operation: OperationStart, _ outcome: Outcome) {
        guard running[operation.number] != nil, let owner else { return }
        stop(operation.number)
        if case .failed = outcome { shard.counters.add(1, to: .denials) }
        owner.operation(operation, became: outcome)
    }

    static var wallClockMilliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    // MARK: Ending

    /// Ends an operation without a word.
    func stop(_ number: OperationNumber) {
        guard let ended = running.removeValue(forKey: number) else { return }
        if let timer = ended.timer { shard.loop.cancel(timer) }
        if let subscriber = ended.subscriber { shard.remove(subscriber) }
        updateLanes()
    }

    /// Opens the way past the carrier to a subscription that is alone, and closes it when another comes: then each event
    /// has its place among those of the others.
    private func updateLanes() {
        guard running.count <= 2 else { return }
        let lane = running.count == 1 ? owner?.carrier.lane : nil
        for operation in running.values { operation.subscriber?.setLane(lane) }
    }

    /// Ends all of them: the connection is over.
    func end() {
        owner = nil
        for number in Array(running.keys) { stop(number) }
    }
}
