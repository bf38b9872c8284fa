import Channels
import JSON
import Realtime

/// A publish to a channel as it came, for the list of requests.
struct ReceivedPublish: Sendable {
    let channel: String
    /// The texts of the events.
    let events: [String]

    /// What carries it, where HTTP does not.
    static let carrier = "aws-appsync-event-ws"
    private static let channelBytesMax = 1_024

    /// Nil where a body is none.
    init?(body: [UInt8]) {
        guard let value = try? JSONReader.value(of: body, limits: ChannelLimits.messageLimits),
            let channel = value["channel"]?.string
        else { return nil }
        self.init(channel: channel, events: value["events"] ?? .null)
    }

    init(channel: String, events: JSONValue) {
        self.channel = String(decoding: channel.utf8.prefix(Self.channelBytesMax), as: UTF8.self)
        self.events = (events.array ?? []).prefix(ChannelLimits.eventsMax).compactMap(\.string)
    }
}
