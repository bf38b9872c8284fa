// Realtime: subscriptions. This is the room's front page.
//
//     upgrade ─▶ RealtimeSocket ─▶ session of a protocol ─▶ machine          what a client says and is told
//                                       │
//                                       ▼
//                                  ConnectionOperations ─▶ RealtimeGate      who may have what
//                                       │
//     committed mutations ─▶ publish ─▶ SubscriptionRegistry, one per loop   who gets which event
//                                       │
//                                       ▼
//                                  one payload a group ─▶ frames ─▶ WebSockets
//
//     Channels/       AppSync Events: sessions and delivery of channels; what they mean is said by the room Channels
//     Protocols/      the state machines: text in, actions out, no I/O
//     Handshake/      what an upgrade request says
//     Connections/    carry out what the machines answer
//     Subscriptions/  a document becomes a subscription; an event becomes a response
//     Filters/        what an event has to be like
//     FanOut/         groups, index, registry, what one loop has
//     Gate/           what this room asks of those who know modes and rules

import Access
import Channels
import Engine
import GraphQL
import JSON
import Network
import Synchronization
import Threads

/// The subscriptions of one API, on all loops.
package final class Realtime: Sendable {
    private let shards: [RealtimeShard]
    private let settings: WebSocketSettings
    /// Held while a batch is handed out, so that all loops get the batches in one order.
    private let order = Mutex(())
    /// The same for the events of channels.
    private let channelOrder = Mutex<UInt64>(0)
    /// Those who want to see events being handed out.
    package let onlookers: EventOnlookers

    /// - Parameters:
    ///   - schema: what subscriptions are checked against.
    ///   - gate: makes the gate of a loop, which lets clients in.
    ///   - loops: the loops that clients are served on, at the places that their indexes say.
    ///   - settings: those of the WebSockets; how much may wait for a client is one of them.
    ///   - workers: who prepares long documents.
    ///   - isRenewable: whether another schema may come to be served.
    ///   - clock: says when proofs end.
    ///   - report: told what happens to clients, on their loops; must not wait.
    ///   - carried: told of each operation on its loop, for the log and the counters; must not wait.
    ///   - trace: told of each subscription as well; nil: nobody is.
    ///   - channels: makes the gate of a loop to the channels of Events; nil: there are none.
    ///   - faults: says by its type what becomes of a frame of a WebSocket, for tests; nil: all are sent.
    package init(
        schema: Schema, loops: [EventLoop], settings: WebSocketSettings = .init(),
        limits: RealtimeLimits = .init(), workers: WorkersAside = WorkersAside(), isRenewable: Bool = false,
        clock: WallClock = .system,
        report: @escaping @Sendable (RealtimeOccurrence) -> Void = { _ in },
        carried: @escaping @Sendable (CarriedOperation, EventLoop) -> Void = { _, _ in },
        trace: (@Sendable (SubscriptionChange) -> Void)? = nil,
        faults: (@Sendable (_ frame: String) -> FrameFault?)? = nil,
        channels: ((EventLoop) -> any ChannelGate)? = nil,
        gate: (EventLoop) -> any RealtimeGate
    ) {
        var limits = limits
        // Ours is the bound that is met first: it is counted.
        limits.outboundBytes = min(limits.outboundBytes, settings.outboundBytesMax)
        self.settings = settings
        let onlookers = EventOnlookers()
        self.onlookers = onlookers
        shards = loops.map {
            RealtimeShard(
                $0, schema: schema, gate: gate($0), limits: limits, clock: clock, workers: workers,
                keepsRequests: isRenewable, report: report, carried: carried, trace: trace, faults: faults,
                onlookers: onlookers, channels: channels?($0))
        }
    }

    /// Hands out what was committed. Called after the commit, in the order of commits, from any thread; never waits for a
    /// client.
    ///
    /// Who has been told `start_ack` before a commit gets its events; events reach every subscriber in this order.
    package func publish(_ events: [MutationEvent]) {
        guard !events.isEmpty else { return }
        order.withLock { _ in
            if onlookers.areThere, !hasSubscribers {
                for event in events { onlookers.tell(EventSighting(event: event)) }
            }
            for shard in shards { shard.post(events) }
        }
    }

    /// Ends subscriptions to a field, where their handlers have said that such a payload does. From any thread.
    package func invalidate(_ field: String, _ payload: JSONObject) {
        for shard in shards where shard.hasSubscribers { shard.loop.execute { shard.invalidate(field, payload) } }
    }

    /// Ends all subscriptions, to mutations and to channels, with an error that says that events may be missing. From any thread; what was handed
    /// out before comes before it, and nothing of what is handed out behind it. It needs a schema that may change (`isRenewable`): only then are
    /// requests kept to be answered once more.
    package func interrupt() {
        order.withLock { _ in
            for shard in shards { shard.interrupt() }
        }
        interruptChannels()
    }

    private func interruptChannels() {
        channelOrder.withLock { _ in
            for shard in shards { shard.channels?.interrupt() }
        }
    }

    /// Hands out the events of a publish that several servers pass on. Where too many wait for a loop, all subscriptions to channels end with an
    /// error that says that events may be missing: whoever has published was told that these are delivered.
    package func pass(_ delivery: ChannelDelivery) {
        if !publish(delivery) { interruptChannels() }
    }

    /// Whether anybody subscribes to anything. Asked after a commit, never before: who comes between would miss it.
    package var hasSubscribers: Bool { shards.contains { $0.hasSubscribers } }

    /// Makes a client's connection of a request.
    ///
    /// - Parameter isFromThisMachine: whether it came from this machine and not through a proxy, which holds for all that is
    ///   sent over the connection.
    package func upgrade(
        _ head: HTTPRequestHead, isFromThisMachine: Bool = false
    ) throws(WebSocketHandshake.Refusal) -> HTTPUpgrade {
        let handshake = RealtimeHandshake(head, isFromThisMachine: isFromThisMachine)
        return try WebSocketHandshake.upgrade(
            head, settings: settings, choosingSubprotocol: RealtimeHandshake.subprotocol(of:),
            handler: { [self] in RealtimeSocket(self, handshake) })
    }

    /// Makes a client's connection to channels of a request.
    package func upgradeToChannels(
        _ head: HTTPRequestHead, isFromThisMachine: Bool = false
    ) throws(WebSocketHandshake.Refusal) -> HTTPUpgrade {
        let handshake = RealtimeHandshake(head, isFromThisMachine: isFromThisMachine, isForChannels: true)
        var settings = settings
        settings.messageBytesMax = max(settings.messageBytesMax, ChannelLimits.bodyBytesMax)
        settings.outboundBytesMax = max(settings.outboundBytesMax, ChannelLimits.unreadBytesMax)
        return try WebSocketHandshake.upgrade(
            head, settings: settings, choosingSubprotocol: RealtimeHandshake.channelSubprotocol(of:),
            handler: { [self] in RealtimeSocket(self, handshake) })
    }

    /// Hands out the events of a publish to the subscriptions of the moment, from any thread; never waits for a client. False:
    /// too many events wait for a loop, and nobody gets these.
    ///
    /// The events of one channel reach every subscriber in the order of these calls.
    package func publish(_ delivery: ChannelDelivery) -> Bool {
        let isWanted = shards.contains { $0.channels?.hasSubscribers ?? false }
        guard isWanted || onlookers.areThere else { return true }
        return channelOrder.withLock { last in
            guard shards.allSatisfy({ $0.channels?.hasRoom(for: delivery) ?? true }) else { return false }
            var delivery = delivery
            last &+= 1
            delivery.number = last
            for shard in shards { shard.channels?.post(delivery) }
            if !isWanted { onlookers.tell(EventSighting(delivery)) }
            return true
        }
    }

    /// Writes an operation's results as server-sent events, on the request's loop, for a caller whom the server has
    /// recognised. The answer's fields are those of `eventStreamFields`; `request` is what the log calls it.
    package func writeEventStream(
        _ operation: OperationRequest, of request: RequestIdentifier, for caller: Identity, on loop: EventLoop,
        to writer: HTTPBodyWriter
    ) async throws {
        guard let shard = shard(of: loop) else { return }
        try await EventStream(shard, of: request).run(operation, for: .known(caller), to: writer)
    }

    /// Why a subscription would not begin, as far as its document and the rules say; nil: it would. Nothing is registered, and
    /// no handler is asked.
    package func refusal(
        of operation: OperationRequest, for caller: Identity, on loop: EventLoop, telling trace: DecisionTrace
    ) async -> OperationFailure? {
        guard let shard = shard(of: loop) else { return nil }
        do throws(OperationFailure) {
            guard case .subscription(let subscription) = try await shard.prepare(operation) else { return nil }
            return shard.gate.refusal(of: caller, for: subscription.request, telling: trace).map {
                OperationFailure($0)
            }
        } catch {
            return error
        }
    }

    /// Goes on with another schema, loop by loop. Subscriptions that still mean something there stay, the others end with an
    /// error.
    package func serve(_ schema: Schema, gate: @escaping @Sendable (EventLoop) -> any RealtimeGate) async {
        for shard in shards { await shard.loop.run { shard.serve(schema, gate(shard.loop)) } }
    }

    /// Ends what another API of channels does not allow any more: connections, and subscriptions. From any thread.
    package func lookAgainAtChannels() {
        for shard in shards {
            if let channels = shard.channels { shard.loop.execute { channels.lookAgain() } }
        }
    }

    /// Ends the event streams, those that begin later too. Called when the server begins to stop.
    package func stop() {
        for shard in shards { shard.loop.execute { shard.stop() } }
    }

    /// The fields of an answer that is an event stream.
    package static let eventStreamFields = HTTPFieldLines([
        "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache",
    ])

    /// The subscriptions that there are, the first of each loop.
    package func subscribers(upTo max: Int) async -> [(caller: Identity?, field: String, filter: String)] {
        var found: [(caller: Identity?, field: String, filter: String)] = []
        for shard in shards
        where found.count < max && (shard.hasSubscribers || shard.channels?.hasSubscribers == true) {
            let left = max - found.count
            found += await shard.loop.run {
                let found = shard.registry.subscribers(upTo: left)
                return found + (shard.channels?.subscribers(upTo: left - found.count) ?? [])
            }
        }
        return found
    }

    /// A counter, over all loops.
    package func total(_ counter: RealtimeCounters.Counter) -> UInt64 {
        shards.reduce(0) { $0 &+ $1.counters.value(counter) }
    }

    func shard(of loop: EventLoop) -> RealtimeShard? {
        shards.indices.contains(loop.index) && shards[loop.index].loop === loop ? shards[loop.index] : nil
    }
}
