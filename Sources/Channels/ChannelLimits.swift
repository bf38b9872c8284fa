import JSON

/// The limits of channels: the one table of this room.
package enum ChannelLimits {
    /// Events of one publish.
    package static let eventsMax = 5
    /// The text of one event, in bytes.
    package static let eventBytesMax = 240 * 1024
    /// Segments of a channel's name, and characters of a segment.
    package static let segmentsMax = 5
    package static let segmentCharactersMax = 50
    /// The longest name with its slashes; a longer text is not looked at.
    package static let nameBytesMax = segmentsMax * (segmentCharactersMax + 1) + 1
    /// Characters of an operation's id.
    package static let idCharactersMax = 128
    /// Characters of a namespace's handlers.
    package static let codeCharactersMax = 32_768
    /// The body of `POST /event`, and a message on a WebSocket: five of the largest events, with the escapes that texts in JSON need.
    package static let bodyBytesMax = 4 << 20
    /// How deeply an event may be nested.
    package static let nestingMax = 128
    /// What may wait for a subscriber to read it: at least one publish of five of the largest events.
    package static let unreadBytesMax = 3 << 20
    /// A longer message is read beside the loop.
    package static let turnBytesMax = 32 << 10
    /// Messages of one connection that wait for others of it, and their bytes.
    package static let waitingMessagesMax = 16_384
    package static let waitingBytesMax = 2 * bodyBytesMax
    /// Publishes of one connection that are under way at once; later ones wait.
    package static let publishesMax = 32

    /// Bytes of events that wait for one loop to deliver them. A publish beyond is refused.
    package static let undeliveredBytesMax = 64 << 20

    package static let messageLimits = JSONLimits(bytesMax: bodyBytesMax, nestingMax: nestingMax)
    package static let eventLimits = JSONLimits(bytesMax: eventBytesMax, nestingMax: nestingMax)
}
