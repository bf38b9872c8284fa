/// The values of a client's SETTINGS (RFC 9113, section 6.5.2): the three that the server needs.
struct HTTP2Settings {
    /// The bytes that may be sent on a new stream.
    var initialWindow = 65_535
    /// The payload that a frame to the client may have.
    var frameBytes = 16_384
    var tableBytes = 4_096

    static let entryBytes = 6
    static let windowMax = 0x7FFF_FFFF
    private static let frameBytesMax = 0xFF_FFFF

    /// The identifiers of those that mean something.
    enum Identifier: UInt16 {
        case headerTableSize = 1
        case enablePush = 2
        case maxConcurrentStreams = 3
        case initialWindowSize = 4
        case maxFrameSize = 5
        case maxHeaderListSize = 6
    }

    mutating func take(_ identifier: UInt16, _ value: UInt32) throws(HTTP2ConnectionError) {
        switch Identifier(rawValue: identifier) {
        case .headerTableSize:
            tableBytes = Int(value)
        case .enablePush:
            guard value <= 1 else { throw .malformed("ENABLE_PUSH is 0 or 1") }
        case .initialWindowSize:
            guard Int(value) <= Self.windowMax else {
                throw .init(.flowControlError, "INITIAL_WINDOW_SIZE is beyond 2^31-1")
            }
            initialWindow = Int(value)
        case .maxFrameSize:
            guard Int(value) >= 16_384, Int(value) <= Self.frameBytesMax else {
                throw .malformed("MAX_FRAME_SIZE is not within its bounds")
            }
            frameBytes = Int(value)
        case .maxConcurrentStreams, .maxHeaderListSize, nil:
            break
        }
    }

    /// Appends a SETTINGS frame of the server.
    static func append(_ entries: [(Identifier, Int)], to output: inout [UInt8]) {
        HTTP2FrameHeader.append(.settings, stream: 0, count: entries.count * entryBytes, to: &output)
        for (identifier, value) in entries {
            output.append(UInt8(truncatingIfNeeded: identifier.rawValue >> 8))
            output.append(UInt8(truncatingIfNeeded: identifier.rawValue))
            HTTP2FrameHeader.append(UInt32(clamping: value), to: &output)
        }
    }
}
