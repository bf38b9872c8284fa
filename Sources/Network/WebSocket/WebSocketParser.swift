/// An incremental reader of WebSocket frames: bytes in, whole messages and control frames out.
///
///     first ─▶ second ─▶ length (0, 2 or 8 bytes) ─▶ mask (4 bytes) ─▶ payload ─┐
///       ▲                                                                       │
///       └───────────────────────────────────────────────────────────────────────┘
///
/// It takes its input in pieces of any size and answers the same for every way to cut it. What cannot become right is
/// refused with the first byte that shows it. After a close frame or a violation it ends, and throws away what still comes.
package struct WebSocketParser: ~Copyable {
    package enum Role: Sendable {
        /// Frames must be masked.
        case server
        /// Frames must not be masked.
        case client
    }

    package enum Event: Hashable, Sendable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong([UInt8])
        case close(WebSocketClose)
    }

    private enum Stage {
        case first, second, length, mask, payload, ended
    }

    private let role: Role
    private let messageBytesMax: Int
    private let messageFramesMax: Int
    private let isCompressionAgreed: Bool

    private var stage = Stage.first
    /// Bytes of the length or the mask that are still to come, and what they make so far.
    private var fieldBytesLeft = 0
    private var field: UInt64 = 0
    private var lowestLength: UInt64 = 0

    // The frame that is being read.
    private var opcode = WebSocketOpcode.continuation
    private var isFinal = false
    private var mask = WebSocketMask(key: 0)
    private var payloadBytesLeft = 0
    private var payloadOffset = 0

    // The message that is being put together, between whose frames control frames may stand.
    private var messageKind: WebSocketMessage.Kind?
    private var isMessageCompressed = false
    private var messageFrames = 0
    private var messageBytes: [UInt8] = []
    private var controlBytes: [UInt8] = []
    private var validator = UTF8Validator()

    /// The most that is set aside for what a frame only announces.
    private static let reservedBytesMax = 64 * 1024

    package init(role: Role, settings: WebSocketSettings, isCompressionAgreed: Bool) {
        self.role = role
        self.isCompressionAgreed = isCompressionAgreed
        messageBytesMax = settings.messageBytesMax
        messageFramesMax = settings.messageFramesMax
    }

    /// Reads from `position` on, moves it behind what was used, and answers the next event; none when it needs more input.
    package mutating func next(
        _ input: UnsafeRawBufferPointer, at position: inout Int
    ) throws(WebSocketViolation) -> Event? {
        do throws(WebSocketViolation) {
            while stage != .ended {
                if stage == .payload {
                    try readPayload(input, at: &position)
                    guard payloadBytesLeft == 0 else { return nil }
                    stage = .first
                    if let event = try frameEnded() { return event }
                } else {
                    guard position < input.count else { return nil }
                    let byte = input[position]
                    position += 1
                    try readHeader(byte)
                }
            }
        } catch {
            end()
            throw error
        }
        position = input.count
        return nil
    }

    /// The memory of a message that is not complete.
    var heldBytes: Int { messageBytes.capacity + controlBytes.capacity }

    /// Lets go of what has come, and reads nothing more.
    mutating func abandon() { end() }

    private mutating func end() {
        stage = .ended
        messageBytes = []
        controlBytes = []
    }

    // MARK: The header

    private mutating func readHeader(_ byte: UInt8) throws(WebSocketViolation) {
        switch stage {
        case .first:
            try readFirst(byte)
            stage = .second
        case .second:
            try readSecond(byte)
        case .length:
            field = field << 8 | UInt64(byte)
            fieldBytesLeft -= 1
            if fieldBytesLeft == 0 { try lengthEnded() }
        case .mask:
            field = field << 8 | UInt64(byte)
            fieldBytesLeft -= 1
            guard fieldBytesLeft == 0 else { return }
            mask = WebSocketMask(key: UInt32(bigEndian: UInt32(truncatingIfNeeded: field)))
            headerEnded()
        case .payload, .ended:
            return
        }
    }

    private mutating func readFirst(_ byte: UInt8) throws(WebSocketViolation) {
        guard byte & 0x30 == 0 else { throw .reservedBits(byte >> 4 & 0x7) }
        guard let opcode = WebSocketOpcode(rawValue: byte & 0x0F) else { throw .unknownOpcode(byte & 0x0F) }
        let isCompressed = byte & 0x40 != 0
        if isCompressed {
            guard isCompressionAgreed else { throw .compressedButNotAgreed }
            guard opcode == .text || opcode == .binary else { throw .compressedInTheWrongFrame }
        }
        isFinal = byte & 0x80 != 0
        self.opcode = opcode
        switch opcode {
        case .text, .binary:
            guard messageKind == nil else { throw .messageInsideOfMessage }
            messageKind = opcode == .text ? .text : .binary
            isMessageCompressed = isCompressed
            messageFrames = 1
            validator = UTF8Validator()
        case .continuation:
            guard messageKind != nil else { throw .continuationOfNothing }
            guard messageFrames < messageFramesMax else { throw .tooManyFrames(framesMax: messageFramesMax) }
            messageFrames += 1
        case .close, .ping, .pong:
            guard isFinal else { throw .controlFrameInParts }
        }
    }

    private mutating func readSecond(_ byte: UInt8) throws(WebSocketViolation) {
        let isMasked = byte & 0x80 != 0
        switch role {
        case .server: guard isMasked else { throw .notMasked }
        case .client: guard !isMasked else { throw .masked }
        }
        let length = byte & 0x7F
        guard !opcode.isControl || length <= WebSocketOpcode.controlBytesMax else { throw .controlFrameTooLong }
        field = 0
        switch length {
        case 126:
            expectLength(bytes: 2, atLeast: 126)
        case 127:
            expectLength(bytes: 8, atLeast: 1 << 16)
        default:
            field = UInt64(length)
            try checkLength()
        }
    }

    private mutating func expectLength(bytes: Int, atLeast lowest: UInt64) {
        fieldBytesLeft = bytes
        lowestLength = lowest
        stage = .length
    }

    private mutating func lengthEnded() throws(WebSocketViolation) {
        guard field <= UInt64(Int64.max) else { throw .lengthNegative }
        guard field >= lowestLength else { throw .lengthNotMinimal }
        try checkLength()
    }

    private mutating func checkLength() throws(WebSocketViolation) {
        let room = opcode.isControl ? WebSocketOpcode.controlBytesMax : messageBytesMax - messageBytes.count
        guard field <= UInt64(max(0, room)) else { throw .messageTooLong(bytesMax: messageBytesMax) }
        payloadBytesLeft = Int(field)
        switch role {
        case .server:
            field = 0
            fieldBytesLeft = 4
            stage = .mask
        case .client:
            mask = WebSocketMask(key: 0)
            headerEnded()
        }
    }

    private mutating func headerEnded() {
        payloadOffset = 0
        stage = .payload
        let reserved = min(payloadBytesLeft, Self.reservedBytesMax)
        if opcode.isControl {
            controlBytes.reserveCapacity(reserved)
        } else if messageBytes.isEmpty {
            messageBytes.reserveCapacity(reserved)
        }
    }

    // MARK: The payload

    private mutating func readPayload(
        _ input: UnsafeRawBufferPointer, at position: inout Int
    ) throws(WebSocketViolation) {
        let count = min(payloadBytesLeft, input.count - position)
        guard count > 0 else { return }
        let part = UnsafeRawBufferPointer(rebasing: input[position..<position + count])
        position += count
        payloadBytesLeft -= count
        if opcode.isControl {
            Self.append(part, to: &controlBytes, unmaskedBy: mask, offset: payloadOffset)
        } else {
            let start = messageBytes.count
            Self.append(part, to: &messageBytes, unmaskedBy: mask, offset: payloadOffset)
            if messageKind == .text, !isMessageCompressed {
                let isText = messageBytes.withUnsafeBytes {
                    validator.accepts(UnsafeRawBufferPointer(rebasing: $0[start...]))
                }
                guard isText else { throw .textNotUTF8 }
            }
        }
        payloadOffset += count
    }

    private static func append(
        _ part: UnsafeRawBufferPointer, to bytes: inout [UInt8], unmaskedBy mask: WebSocketMask, offset: Int
    ) {
        let start = bytes.count
        bytes.append(contentsOf: part)
        bytes.withUnsafeMutableBytes {
            mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]), offset: offset)
        }
    }

    private mutating func frameEnded() throws(WebSocketViolation) -> Event? {
        switch opcode {
        case .text, .binary, .continuation: try messageEnded()
        case .ping: .ping(Self.take(&controlBytes))
        case .pong: .pong(Self.take(&controlBytes))
        case .close: try closeEnded()
        }
    }

    private mutating func messageEnded() throws(WebSocketViolation) -> Event? {
        guard isFinal, let kind = messageKind else { return nil }
        if kind == .text, !isMessageCompressed {
            guard validator.isComplete else { throw .textNotUTF8 }
        }
        messageKind = nil
        return .message(
            WebSocketMessage(kind: kind, isCompressed: isMessageCompressed, bytes: Self.take(&messageBytes)))
    }

    private mutating func closeEnded() throws(WebSocketViolation) -> Event {
        let close = try WebSocketClose(payload: controlBytes)
        end()
        return .close(close)
    }

    /// Hands the bytes over and keeps none, so that a quiet connection holds no buffer.
    private static func take(_ bytes: inout [UInt8]) -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }
}
