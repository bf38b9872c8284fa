import JSON
import Network

/// How a protocol wraps an event.
enum EventFraming: Hashable {
    /// AppSync's and the older protocol's `data`.
    case data
    /// The `next` of `graphql-transport-ws`.
    case next
}

/// An event as a selection gets it, written once for all who share it; each protocol's frame is made when the first
/// subscriber needs it.
final class EventPayload {
    /// The response: `{"data":…}`.
    let response: [UInt8]
    private var dataFrame: Frame?
    private var nextFrame: Frame?

    /// A frame whose beginning, the id, each subscriber has for itself.
    final class Frame {
        var payload: WebSocketFanOutPayload

        init(_ type: String, _ response: [UInt8]) {
            payload = WebSocketFanOutPayload(.text, ServerFrame.rest(type, payload: response))
        }
    }

    init(_ response: [UInt8]) {
        self.response = response
    }

    func frame(_ framing: EventFraming) -> Frame {
        switch framing {
        case .data:
            if let dataFrame { return dataFrame }
            let frame = Frame("data", response)
            dataFrame = frame
            return frame
        case .next:
            if let nextFrame { return nextFrame }
            let frame = Frame("next", response)
            nextFrame = frame
            return frame
        }
    }
}

/// Who brings events to a client.
protocol EventCarrier: AnyObject {
    func carry(_ payload: EventPayload, to subscriber: Subscriber)
}
