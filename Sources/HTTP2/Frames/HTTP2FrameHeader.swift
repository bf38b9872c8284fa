/// The nine bytes before the payload of each frame (RFC 9113, section 4.1).
struct HTTP2FrameHeader {
    static let count = 9

    /// The types that mean something here.
    enum Kind: UInt8 {
        case data = 0
        case headers = 1
        case priority = 2
        case resetStream = 3
        case settings = 4
        case pushPromise = 5
        case ping = 6
        case goAway = 7
        case windowUpdate = 8
        case continuation = 9
    }

    struct Flags {
        /// END_STREAM of DATA and HEADERS, ACK of SETTINGS and PING.
        static let endStream: UInt8 = 0x1
        static let acknowledge: UInt8 = 0x1
        static let endHeaders: UInt8 = 0x4
        static let padded: UInt8 = 0x8
        static let priority: UInt8 = 0x20
    }

    let count: Int
    /// Nil for a type that this server does not know.
    let kind: Kind?
    let flags: UInt8
    let stream: UInt32

    /// From nine bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
        count = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
        kind = Kind(rawValue: bytes[3])
        flags = bytes[4]
        stream = Self.number(bytes, at: 5) & 0x7FFF_FFFF
    }

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    /// Four bytes as a number.
    static func number(_ bytes: UnsafeRawBufferPointer, at place: Int) -> UInt32 {
        UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16 | UInt32(bytes[place + 2]) << 8
            | UInt32(bytes[place + 3])
    }

    static func append(_ number: UInt32, to output: inout [UInt8]) {
        for shift: UInt32 in [24, 16, 8, 0] { output.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    static func append(_ kind: Kind, flags: UInt8 = 0, stream: UInt32, count: Int, to output: inout [UInt8]) {
        output.append(UInt8(truncatingIfNeeded: count >> 16))
        output.append(UInt8(truncatingIfNeeded: count >> 8))
        output.append(UInt8(truncatingIfNeeded: count))
        output.append(kind.rawValue)
        output.append(flags)
        append(stream, to: &output)
    }
}
