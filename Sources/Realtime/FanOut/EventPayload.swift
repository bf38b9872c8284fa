import JSON
import Network

/// How a protocol wraps an event.
enum EventFraming: Int, CaseIterable {
    /// AppSync's and the older protocol's `data`.
    case data
    /// The `next` of `graphql-transport-ws`.
    case next
    /// The `data` of Events, whose event is a text.
    case channel

    /// The type of its frames.
    var type: String {
        switch self {
        case .data, .channel: "data"
        case .next: "next"
        }
    }

    /// The member that has the event.
    var member: String { self == .channel ? "event" : "payload" }
}

/// An event as a selection gets it, written once for all who share it; each protocol's frame is made when the first
/// subscriber needs it.
final class EventPayload {
    /// The response, `{"data":…}`; of Events, the text with its quotes.
    let response: [UInt8]
    /// Whether it would be larger than an event may be. It is empty then.
    let isOversize: Bool
    private var frames = [WebSocketFanOutPayload?](repeating: nil, count: EventFraming.allCases.count)

    init(_ response: [UInt8]?) {
        self.response = response ?? []
        isOversize = response == nil
    }

    /// A frame whose beginning, the id, each subscriber has for itself.
    func frame(_ framing: EventFraming) -> WebSocketFanOutPayload {
        if let frame = frames[framing.rawValue] { return frame }
        let frame = WebSocketFanOutPayload(.text, ServerFrame.rest(framing.type, framing.member, response))
        frames[framing.rawValue] = frame
        return frame
    }
}
