/// The number in a close frame that says why a WebSocket ends.
package struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let normal = WebSocketCloseCode(rawValue: 1000)
    /// The server stops, or the page is left.
    package static let goingAway = WebSocketCloseCode(rawValue: 1001)
    package static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// A kind of message that this endpoint does not take, such as a binary one.
    package static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// Text that is not UTF-8, or compressed data that cannot be inflated.
    package static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    package static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    package static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    package static let internalError = WebSocketCloseCode(rawValue: 1011)
    package static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)

    /// True if the code may stand in a frame: some numbers only exist in programs ("there was none", "the connection broke"),
    /// others are not given out.
    package var isAllowedInFrames: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
