import Access
import Engine
import GraphQL
import JSON
import Network
import Synchronization
import Threads

/// What one loop has of this room: its subscriptions, its documents, its clock for signs of life.
///
/// It hears of events through the loop's mailbox. They are delivered when all else of the turn is written: the answers
/// to mutations do not wait for the subscribers, and what is committed meanwhile is delivered together.
final class RealtimeShard: EndOfTurnHandler, LoopBound, @unchecked Sendable {
    // What other threads touch: `subscribers` and the counters are atomics, `waiting` is a Mutex.

    let loop: EventLoop
    private(set) var gate: any RealtimeGate
    let limits: RealtimeLimits
    let clock: WallClock
    let counters = RealtimeCounters()
    let report: @Sendable (RealtimeOccurrence) -> Void
    /// What becomes of a frame of that type; nil but under tests.
    let faults: (@Sendable (_ frame: String) -> FrameFault?)?
    private let note: @Sendable (CarriedOperation, EventLoop) -> Void
    let registry: SubscriptionRegistry
    /// The subscriptions to channels; nil: there is no API of channels.
    let channels: ChannelShard?
    private var schema: Schema
    /// Which one it is, counted.
    private(set) var generation = 0
    /// Whether the schema may change: requests are kept then, to be looked at again.
    let keepsRequests: Bool
    private var documents: SubscriptionDocuments
    /// The long documents that are being prepared beside the loop.
    private let workers: WorkersAside
    private var preparations: WorkTogether<[UInt8], Phases.Outcome>
    private var connections: KeepAliveWheel
    private var streams: KeepAliveWheel
    private var isTicking = false
    /// Whether the server stops: what begins now ends at once.
    private(set) var isStopping = false
    private let subscribers = Atomic(0)
    /// Events that are not delivered yet.
    private let waiting = Mutex(WaitingEvents<MutationEvent>())
    /// Whether the others have had their end of this turn.
    private var isTurnOfEvents = false
    private var isDelivering = false

    init(
        _ loop: EventLoop, schema: Schema, gate: any RealtimeGate, limits: RealtimeLimits, clock: WallClock,
        workers: WorkersAside, keepsRequests: Bool = false,
        report: @escaping @Sendable (RealtimeOccurrence) -> Void,
        carried: @escaping @Sendable (CarriedOperation, EventLoop) -> Void,
        trace: (@Sendable (SubscriptionChange) -> Void)? = nil,
        faults: (@Sendable (_ frame: String) -> FrameFault?)? = nil, onlookers: EventOnlookers = EventOnlookers(),
        channels: (any ChannelGate)? = nil
    ) {
        self.loop = loop
        self.channels =
            if let channels {
                ChannelShard(
                    loop, channels, limits: limits, counters: counters, onlookers: onlookers,
                    isRenewable: keepsRequests)
            } else { nil }
        self.gate = gate
        self.limits = limits
        self.clock = clock
        self.report = report
        self.faults = faults
        note = carried
        registry = SubscriptionRegistry(
            limits: limits, counters: counters, trace: trace, onlookers: onlookers,
            whenTooLarge: { report(.eventTooLarge) })
        self.schema = schema
        self.keepsRequests = keepsRequests
        self.workers = workers
        preparations = WorkTogether(workers)
        documents = SubscriptionDocuments(schema: schema, limits: limits)
        connections = KeepAliveWheel(seconds: limits.keepAliveSeconds)
        streams = KeepAliveWheel(seconds: limits.streamKeepAliveSeconds)
    }

    // MARK: Events, from any thread

    /// Hot path: whether somebody looks on.
    var isWatched: Bool { registry.isWatched }

    /// Whether an event may find somebody here. Who is registered before a commit is seen after it.
    var hasSubscribers: Bool { subscribers.load(ordering: .sequentiallyConsistent) > 0 }

    /// Hands a batch to the loop.
    func post(_ events: [MutationEvent]) {
        guard hasSubscribers else { return }
        let isFirst = waiting.withLock { waiting in
            defer { waiting.append(events) }
            return waiting.isEmpty
        }
        if isFirst { loop.execute { [self] in loop.callAtEndOfTurn(self) } }
    }

    /// Ends all subscriptions, since events may be missing. What waits is still their own, and nothing that comes behind it.
    func interrupt() {
        guard hasSubscribers else { return }
        waiting.withLock { $0.addGap() }
        loop.execute { self.deliverWaiting() }
    }

    package func turnEnded() {
        // What is to be written at the end of this turn stands in the same line.
        guard isTurnOfEvents else {
            isTurnOfEvents = true
            return loop.callAtEndOfTurn(self)
        }
        isTurnOfEvents = false
        deliverWaiting()
    }

    /// Delivers what was committed up to now. What is being delivered already comes before it.
    private func deliverWaiting() {
        checkLoop()
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        let waiting = waiting.withLock { waiting in
            defer { waiting = WaitingEvents() }
            return waiting
        }
        waiting.handOut({ registry.deliver($0) }) {
            for member in connections.members { (member as? SessionLink)?.operations.interrupt() }
            for member in streams.members { (member as? EventStream)?.operations.interrupt() }
        }
    }

    // MARK: Subscriptions, on the loop

    /// Tells the log and the counters of an operation.
    func carried(_ operation: CarriedOperation) { note(operation, loop) }

    /// What a request asks for, prepared as far as that goes without knowing who asks.
    enum Prepared {
        case subscription(PreparedSubscription)
        case other(OperationType)
    }

    func prepare(_ request: OperationRequest) async throws(OperationFailure) -> Prepared {
        let (operation, document, isLong) = try await operation(of: request)
        guard operation.operation == .subscription else { return .other(operation.operation) }
        let prepare = { @Sendable [limits, gate] in
            Result { () throws(OperationFailure) in
                try PreparedSubscription(
                    operation, of: document, request.variables, limits: limits, isFilter: gate.isFilter)
            }
        }
        guard isLong else { return .subscription(try prepare().get()) }
        guard let prepared = await workers.value(of: prepare) else { throw .overloaded }
        return .subscription(try prepared.get())
    }

    private func operation(
        of request: OperationRequest
    ) async throws(OperationFailure) -> SubscriptionDocuments.Operation {
        if let prepared = try documents.operation(of: request) { return prepared }
        let text = Array(request.query.utf8)
        let asked = generation
        let outcome = await preparations.value(for: text) { [schema] in Phases.prepare(text, schema: schema) }
        guard let outcome else { throw .overloaded }
        guard asked == generation else { return try await operation(of: request) }
        return try documents.operation(of: request, outcome)
    }

    /// Goes on with another schema. Each subscription is looked at again: it goes on as what it is there, or ends.
    func serve(_ schema: Schema, _ gate: any RealtimeGate) {
        checkLoop()
        // What was committed until now is brought as it was asked for.
        deliverWaiting()
        self.schema = schema
        self.gate = gate
        generation += 1
        documents = SubscriptionDocuments(schema: schema, limits: limits)
        // A document may be under preparation for the schema that was.
        preparations = WorkTogether(workers)
        for member in connections.members { (member as? SessionLink)?.operations.renew() }
        for member in streams.members { (member as? EventStream)?.operations.renew() }
    }

    /// Ends subscriptions whose handlers have said what ends them.
    func invalidate(_ field: String, _ payload: JSONObject) {
        checkLoop()
        // What was committed until now is still their own.
        deliverWaiting()
        for member in connections.members { (member as? SessionLink)?.operations.invalidate(field, payload) }
        for member in streams.members { (member as? EventStream)?.operations.invalidate(field, payload) }
    }

    func add(
        _ subscription: PreparedSubscription, _ grant: SubscriptionGrant, _ carrier: any EventCarrier, head: [UInt8],
        caller: Identity? = nil
    ) -> Subscriber? {
        checkLoop()
        guard let subscriber = registry.add(subscription, grant, carrier, head: head, caller: caller) else {
            return nil
        }
        subscribers.add(1, ordering: .sequentiallyConsistent)
        return subscriber
    }

    /// Puts a subscription in the place of another one of the same client. Meanwhile somebody listens: no event is missed. Nil
    /// when there is no room, and neither is there.
    func replace(
        _ former: Subscriber, by subscription: PreparedSubscription, _ grant: SubscriptionGrant,
        _ carrier: any EventCarrier, head: [UInt8], caller: Identity? = nil
    ) -> Subscriber? {
        checkLoop()
        deliverWaiting()
        // What was brought may have ended it.
        guard !former.isOver else { return nil }
        registry.remove(former)
        guard let subscriber = registry.add(subscription, grant, carrier, head: head, caller: caller) else {
            subscribers.subtract(1, ordering: .sequentiallyConsistent)
            return nil
        }
        return subscriber
    }

    func remove(_ subscriber: Subscriber) {
        checkLoop()
        guard !subscriber.isOver else { return }
        // What committed while it was there is still its own, also when it goes in the turn that would have brought it.
        deliverWaiting()
        guard !subscriber.isOver else { return }
        registry.remove(subscriber)
        subscribers.subtract(1, ordering: .sequentiallyConsistent)
    }

    // MARK: Signs of life

    func enter(_ member: any KeepAliveMember, isStream: Bool = false) -> KeepAliveWheel.Place {
        checkLoop()
        tick()
        return isStream ? streams.enter(member) : connections.enter(member)
    }

    func leave(_ place: KeepAliveWheel.Place, isStream: Bool = false) {
        checkLoop()
        if isStream { streams.leave(place) } else { connections.leave(place) }
    }

    /// Ends what would go on for ever; WebSockets are closed by their server.
    func stop() {
        checkLoop()
        isStopping = true
        for member in streams.members { (member as? EventStream)?.stop() }
    }

    /// Goes on for as long as there is anybody.
    private func tick() {
        guard !isTicking else { return }
        isTicking = true
        _ = loop.schedule(at: loop.now.advanced(byMilliseconds: 1_000)) { [self] in
            isTicking = false
            for member in connections.advance() + streams.advance() { member.keepAlive(now: loop.now) }
            if connections.count + streams.count > 0 { tick() }
        }
    }
}
