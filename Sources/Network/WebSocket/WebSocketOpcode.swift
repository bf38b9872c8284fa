/// The kind of a frame: a part of a message, or a control frame.
enum WebSocketOpcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// The payload that a control frame has at most.
    static let controlBytesMax = 125

    var isControl: Bool { rawValue & 0x8 != 0 }
}
