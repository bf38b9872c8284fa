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
    /// Whether it would be larger than an event may be. It is empty then.
    let isOversize: Bool
    private var dataFrame: WebSocketFanOutPayload?
    private var nextFrame: WebSocketFanOutPayload?

    init(_ response: [UInt8]?) {
        self.response = response ?? []
        isOversize = response == nil
    }

    /// A frame whose beginning, the id, each subscriber has for itself.
    func frame(_ framing: EventFraming) -> WebSocketFanOutPayload {
        switch framing {
        case .data:
            let frame = dataFrame ?? WebSocketFanOutPayload(.text, ServerFrame.rest("data", payload: response))
            dataFrame = frame
            return frame
        case .next:
            let frame = nextFrame ?? WebSocketFanOutPayload(.text, ServerFrame.rest("next", payload: response))
            nextFrame = frame
            return frame
        }
    }
}
