/// Writes the frames of a server: no masks, each message in one frame.
package struct WebSocketEncoder: Hashable, Sendable {
    /// The agreed compression; nil: none.
    package let compression: PerMessageDeflate?
    private let compressedBytesMin: Int

    /// The longest header that a server sends.
    package static let headerBytesMax = 10

    package init(compression: PerMessageDeflate?, settings: WebSocketSettings) {
        self.compression = compression
        compressedBytesMin = settings.compressedBytesMin
    }

    /// Appends a message, compressed if that was agreed on and makes it shorter.
    package func append(
        _ kind: WebSocketMessage.Kind, _ bytes: UnsafeRawBufferPointer, to output: inout [UInt8],
        with pool: inout CompressionPool
    ) {
        if let compression, bytes.count >= compressedBytesMin {
            var deflated = pool.takeScratch()
            defer { pool.giveBack(&deflated) }
            if compression.deflate(bytes, into: &deflated, with: &pool), deflated.count < bytes.count {
                Self.appendHeader(kind.opcode, isCompressed: true, length: deflated.count, to: &output)
                output.append(contentsOf: deflated)
                return
            }
        }
        Self.appendHeader(kind.opcode, isCompressed: false, length: bytes.count, to: &output)
        output.append(contentsOf: bytes)
    }

    /// Appends a message whose beginning is for this client and whose rest goes to many: the rest is compressed once for
    /// all of them.
    ///
    /// Compressed, the beginning stands in a stored block before the blocks of the rest, which refer to nothing before
    /// themselves:
    ///
    ///     header │ 00 length ~length  {"id":"42",  │  blocks of the rest, the same bytes for everybody
    ///
    /// Answers where in the output the beginning stands.
    @discardableResult
    package func append(
        head: UnsafeRawBufferPointer, _ rest: WebSocketFanOutPayload, to output: inout [UInt8],
        with pool: inout CompressionPool
    ) -> Int {
        let plainBytes = head.count + rest.bytes.count
        if let compression, plainBytes >= compressedBytesMin, head.count <= Self.storedBytesMax,
            let deflated = rest.deflated(by: compression, with: &pool)
        {
            let storedBytes = head.isEmpty ? 0 : head.count + Self.storedHeaderBytes
            if storedBytes + deflated.count < plainBytes {
                Self.appendHeader(
                    rest.kind.opcode, isCompressed: true, length: storedBytes + deflated.count, to: &output)
                if !head.isEmpty { Self.appendStoredBlock(head, to: &output) }
                let place = output.count - head.count
                output.append(contentsOf: deflated)
                return place
            }
        }
        Self.appendHeader(rest.kind.opcode, isCompressed: false, length: plainBytes, to: &output)
        let place = output.count
        output.append(contentsOf: head)
        output.append(contentsOf: rest.bytes)
        return place
    }

    package func appendPing(_ payload: [UInt8], to output: inout [UInt8]) {
        appendControl(.ping, payload, to: &output)
    }

    package func appendPong(_ payload: [UInt8], to output: inout [UInt8]) {
        appendControl(.pong, payload, to: &output)
    }

    package func appendClose(_ close: WebSocketClose, to output: inout [UInt8]) {
        appendControl(.close, close.payload, to: &output)
    }

    private func appendControl(_ opcode: WebSocketOpcode, _ payload: [UInt8], to output: inout [UInt8]) {
        let short = payload.prefix(WebSocketOpcode.controlBytesMax)
        Self.appendHeader(opcode, isCompressed: false, length: short.count, to: &output)
        output.append(contentsOf: short)
    }

    // A stored block of DEFLATE: its first byte (not the last block, type 0, rest of the byte unused), its length twice.
    private static let storedBytesMax = 0xFFFF
    private static let storedHeaderBytes = 5

    private static func appendStoredBlock(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        let length = UInt16(truncatingIfNeeded: bytes.count)
        output.append(0)
        for half in [length, ~length] {
            output.append(UInt8(truncatingIfNeeded: half))
            output.append(UInt8(half >> 8))
        }
        output.append(contentsOf: bytes)
    }

    private static func appendHeader(
        _ opcode: WebSocketOpcode, isCompressed: Bool, length: Int, to output: inout [UInt8]
    ) {
        output.append(0x80 | (isCompressed ? 0x40 : 0) | opcode.rawValue)
        switch length {
        case ..<126:
            output.append(UInt8(length))
        case ..<0x1_0000:
            output.append(126)
            output.append(UInt8(length >> 8))
            output.append(UInt8(truncatingIfNeeded: length))
        default:
            output.append(127)
            for shift in stride(from: 56, through: 0, by: -8) {
                output.append(UInt8(truncatingIfNeeded: length >> shift))
            }
        }
    }
}

extension WebSocketMessage.Kind {
    fileprivate var opcode: WebSocketOpcode { self == .text ? .text : .binary }
}
