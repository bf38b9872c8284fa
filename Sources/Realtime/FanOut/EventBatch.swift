import Network

/// Events for a subscriber, in their order: what a group gets of the commits that are delivered together.
final class EventBatch {
    let payloads: [EventPayload]
    /// Whether the client gets no other events with them: they may leave at once. Otherwise they take their place among
    /// the others, and leave together at the end of the turn.
    let isWhole: Bool
    /// The messages of each framing that a subscriber has asked for.
    private var messages = [WebSocketFanOut](repeating: WebSocketFanOut([]), count: EventFraming.allCases.count)
    /// A bit for each framing whose messages are there. Hot path: to ask the messages themselves copies them.
    private var framed = 0

    init(_ payloads: [EventPayload], isWhole: Bool) {
        self.payloads = payloads
        self.isWhole = isWhole
    }

    /// The same without some of them.
    func without(_ isLost: (EventPayload) -> Bool) -> EventBatch {
        let left = payloads.filter { !isLost($0) }
        return left.count == payloads.count ? self : EventBatch(left, isWhole: isWhole)
    }

    /// Hot path: sends them to a client. Answers false when more than so many bytes would wait for it.
    func send(
        _ head: [UInt8], _ framing: EventFraming, to socket: WebSocketConnection, waitingBytesMax: Int
    ) -> Bool {
        let place = framing.rawValue
        if framed & 1 << place == 0 {
            messages[place] = WebSocketFanOut(payloads.map { $0.frame(framing) })
            framed |= 1 << place
        }
        return socket.send(
            head: head, &messages[place], waitingBytesMax: waitingBytesMax, isAtOnce: isWhole)
    }
}

/// Who brings events to a client.
protocol EventCarrier: AnyObject {
    /// Whether the client has one subscription and no more: nothing else has to keep its place among its events.
    var hasOneSubscription: Bool { get }

    /// `head` is the beginning of the subscription's frames.
    func carry(_ batch: EventBatch, _ head: [UInt8])
}
