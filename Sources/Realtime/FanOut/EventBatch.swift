import Network

/// Events for a subscriber, in their order: what a group gets of the commits that are delivered together.
final class EventBatch {
    let payloads: [EventPayload]
    /// Whether the client gets no other events with them: they may leave at once. Otherwise they take their place among
    /// the others, and leave together at the end of the turn.
    let isWhole: Bool
    private var dataFrames: [WebSocketFanOutPayload]?
    private var nextFrames: [WebSocketFanOutPayload]?

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
}

/// Who brings events to a client.
protocol EventCarrier: AnyObject {
    /// Whether the client has one subscription and no more: nothing else has to keep its place among its events.
    var hasOneSubscription: Bool { get }

    func carry(_ batch: EventBatch, to subscriber: Subscriber)
}
