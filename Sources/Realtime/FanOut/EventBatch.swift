import Network

/// Events for a subscriber, in their order: what a group gets of the commits that are delivered together.
final class EventBatch {
    let payloads: [EventPayload]
    /// Whether the client gets no other events with them: they may leave at once. Otherwise they take their place among
    /// the others, and leave together at the end of the turn.
    let isWhole: Bool
    private var dataFrames: [WebSocketFanOutPayload]?
    private var nextFrames: [WebSocketFanOutPayload]?
    private var dataFanOut: WebSocketFanOut?
    private var nextFanOut: WebSocketFanOut?

    init(_ payloads: [EventPayload], isWhole: Bool) {
        self.payloads = payloads
        self.isWhole = isWhole
    }

    func frames(_ framing: EventFraming) -> [WebSocketFanOutPayload] {
        switch framing {
        case .data:
            let frames = dataFrames ?? payloads.map { $0.frame(.data) }
            dataFrames = frames
            return frames
        case .next:
            let frames = nextFrames ?? payloads.map { $0.frame(.next) }
            nextFrames = frames
            return frames
        }
    }

    /// Hot path: brings them to a client past its carrier.
    func send(_ head: [UInt8], on lane: EventLane, of loop: EventLoop) -> WebSocketFanOut.Outcome {
        switch lane.framing {
        case .data:
            if dataFanOut == nil { dataFanOut = WebSocketFanOut(frames(.data)) }
            return dataFanOut?.send(head: head, on: lane.socket, of: loop) ?? .closed
        case .next:
            if nextFanOut == nil { nextFanOut = WebSocketFanOut(frames(.next)) }
            return nextFanOut?.send(head: head, on: lane.socket, of: loop) ?? .closed
        }
    }
}

/// The way to a client past its carrier: its WebSocket's, and how its protocol wraps an event.
struct EventLane {
    let socket: WebSocketLane
    let framing: EventFraming
}

/// Who brings events to a client.
protocol EventCarrier: AnyObject {
    /// Whether the client has one subscription and no more: nothing else has to keep its place among its events.
    var hasOneSubscription: Bool { get }

    func carry(_ batch: EventBatch, to subscriber: Subscriber)

    /// The way past the carrier, which is open to a subscription that is the client's only one.
    var lane: EventLane? { get }

    /// What was sent on the lane was not all taken by the client.
    func laneIsFull()
}

extension EventCarrier {
    var lane: EventLane? { nil }

    func laneIsFull() {}
}
