import Access
import Channels
import JSON
import Network
import Synchronization
import Threads

/// The channels of one loop: its subscriptions, and the events that it has to send.
///
/// It hears of events through the loop's mailbox, as `RealtimeShard` does, and delivers them when all else of the turn is written.
final class ChannelShard: EndOfTurnHandler, LoopBound, @unchecked Sendable {
    // What other threads touch: `subscribers` is an atomic, `waiting` is a Mutex.

    /// A subscription of a client.
    struct Member {
        let carrier: any EventCarrier
        /// The beginning of its frames.
        let head: [UInt8]
        /// Who subscribes, and to what, for people who look.
        let caller: Identity
        let name: ByteText
    }

    typealias Place = ChannelTable<Member>.Place

    let loop: EventLoop
    let gate: any ChannelGate
    private let limits: RealtimeLimits
    private let counters: RealtimeCounters
    private let onlookers: EventOnlookers
    private var table = ChannelTable<Member>()
    private let subscribers = Atomic(0)
    private let waiting = Mutex(Waiting())
    /// Whether the others have had their end of this turn.
    private var isTurnOfEvents = false
    /// Whether another API of channels may come to be served: sessions then keep what they were let in for.
    let isRenewable: Bool
    /// The sessions, where `isRenewable`.
    private var sessions: [ObjectIdentifier: ChannelSession] = [:]
    /// How many APIs have come to be served since the start.
    private(set) var generation = 0

    private struct Waiting {
        var deliveries = WaitingEvents<ChannelDelivery>()
        var bytes = 0
    }

    init(
        _ loop: EventLoop, _ gate: any ChannelGate, limits: RealtimeLimits, counters: RealtimeCounters,
        onlookers: EventOnlookers, isRenewable: Bool
    ) {
        self.onlookers = onlookers
        self.isRenewable = isRenewable
        self.loop = loop
        self.gate = gate
        self.limits = limits
        self.counters = counters
    }

    // MARK: Events, from any thread

    var hasSubscribers: Bool { subscribers.load(ordering: .sequentiallyConsistent) > 0 }

    func hasRoom(for delivery: ChannelDelivery) -> Bool {
        !hasSubscribers || waiting.withLock { $0.bytes } <= ChannelLimits.undeliveredBytesMax
    }

    func post(_ delivery: ChannelDelivery) {
        guard hasSubscribers else { return }
        let isFirst = waiting.withLock { waiting in
            defer {
                waiting.deliveries.append([delivery])
                waiting.bytes += delivery.events.reduce(0) { $0 + $1.count }
            }
            return waiting.deliveries.isEmpty
        }
        if isFirst { loop.execute { [self] in loop.callAtEndOfTurn(self) } }
    }

    /// Ends all subscriptions: events may be missing. What waits is still their own, and nothing that comes behind it.
    func interrupt() {
        guard hasSubscribers else { return }
        waiting.withLock { $0.deliveries.addGap() }
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

    private func deliverWaiting() {
        checkLoop()
        let waiting = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting.deliveries
        }
        waiting.handOut({ $0.forEach(deliver) }) {
            for session in Array(sessions.values) { session.interrupt() }
        }
    }

    /// Writes each event once, for all who get it. What a client gets leaves in one write at the end of the turn.
    private func deliver(_ delivery: ChannelDelivery) {
        let listeners = table.listeners(to: delivery.channel)
        counters.add(UInt64(delivery.events.count), to: .events)
        if onlookers.areThere {
            var sighting = EventSighting(delivery)
            for listener in listeners {
                sighting.add(listener.member.caller, listener.member.name.string, isSent: true, "")
            }
            onlookers.tell(sighting)
        }
        guard !listeners.isEmpty else { return }
        for event in delivery.events {
            counters.add(1, to: .payloads)
            let batch = EventBatch([EventPayload(event)], isWhole: false)
            // A carrier may end subscriptions meanwhile.
            for listener in listeners where !listener.isOver {
                counters.add(1, to: .deliveries)
                listener.member.carrier.carry(batch, listener.member.head)
            }
        }
    }

    // MARK: Another API

    func enter(_ session: ChannelSession) {
        checkLoop()
        if isRenewable { sessions[ObjectIdentifier(session)] = session }
    }

    func leave(_ session: ChannelSession) {
        checkLoop()
        sessions[ObjectIdentifier(session)] = nil
    }

    /// Another API is served: ends what it does not allow any more. One session after the other, since handlers may be asked.
    func lookAgain() {
        checkLoop()
        generation += 1
        let sessions = Array(sessions.values)
        guard !sessions.isEmpty else { return }
        Task(executorPreference: loop) {
            for session in sessions { await session.lookAgain() }
        }
    }

    // MARK: Subscriptions, on the loop

    /// Registers a subscription: the next event that is delivered reaches it. Nil where the loop is full.
    func add(_ member: Member, to name: ChannelName) -> Place? {
        checkLoop()
        guard table.count < limits.subscriptionsPerLoop else { return nil }
        counters.add(1, to: .subscriptionsStarted)
        subscribers.add(1, ordering: .sequentiallyConsistent)
        return table.add(member, to: name)
    }

    /// The subscriptions, the first of them.
    func subscribers(upTo max: Int) -> [(caller: Identity?, field: String, filter: String)] {
        table.first(max).map { ($0.caller, $0.name.string, "") }
    }

    func remove(_ place: Place) {
        checkLoop()
        guard !place.isOver else { return }
        table.remove(place)
        counters.add(1, to: .subscriptionsEnded)
        subscribers.subtract(1, ordering: .sequentiallyConsistent)
    }
}
