/// The messages in the bytes of a server, found by their lengths: bytes in, messages out, and nothing else.
///
///     receive(bytes) ─▶ next() ─frame─▶ bytes(of: frame) ... ─▶ next() ─nil─▶ receive(bytes)
///
/// A length is checked as soon as it is there, so no byte of a message beyond a limit is kept. After a violation nothing
/// more is found.
package struct MessageFrames {
    /// One message. Its bytes are there until the next call of `receive`.
    package struct Frame {
        let kind: MessageKind
        let body: Range<Int>
    }

    private let lengths: MessageLengths
    /// The bytes that have come are those from `start` to `end`; behind them is room for more.
    private var buffer: [UInt8] = []
    private var start = 0
    private var end = 0
    private var failure: PostgresViolation?
    /// Set when the sign-in is over: messages may be longer from then on.
    package var isSignedIn = false

    /// A kind and a length.
    private static let headBytes = 5
    /// So much memory is kept while no message is under way.
    private static let keptBytes = 256 << 10

    package init(limits: PostgresLimits) { lengths = MessageLengths(limits) }

    /// The bytes that wait for the rest of their message.
    package var heldBytes: Int { end - start }

    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        receive(atMost: bytes.count) { room in
            room.copyMemory(from: bytes)
            return bytes.count
        }
    }

    /// Has the closure put bytes behind those that have come, and say how many.
    mutating func receive(atMost count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
        guard failure == nil else { return }
        makeRoom(for: count)
        let received = buffer.withUnsafeMutableBytes { bytes in
            body(UnsafeMutableRawBufferPointer(rebasing: bytes[end..<end + count]))
        }
        end += min(max(0, received), count)
    }

    private mutating func makeRoom(for count: Int) {
        if start == end {
            (start, end) = (0, 0)
            if buffer.count > Self.keptBytes { buffer = [] }
        } else if start > 0, buffer.count - end < count {
            buffer.withUnsafeMutableBytes { bytes in
                bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
            (start, end) = (0, end - start)
        }
        let missing = end + count - buffer.count
        if missing > 0 { buffer += repeatElement(0, count: max(missing, buffer.count)) }
    }

    /// The next message, or nil until more bytes have come.
    package mutating func next() throws(PostgresViolation) -> Frame? {
        if let row = rowAtHand {
            start = row.upperBound
            return Frame(kind: .dataRow, body: row)
        }
        if let failure { throw failure }
        guard start < end else { return nil }
        guard let kind = MessageKind(rawValue: buffer[start]) else { throw fail(.unknownKind(buffer[start])) }
        guard end - start >= Self.headBytes else { return nil }
        let place = start + 1
        let length = Int(
            UInt32(bigEndian: buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }))
        // The length counts itself.
        let allowed = kind.bodyBytes(lengths, isSignedIn: isSignedIn)
        let count = length - 4
        guard count >= allowed.lowerBound else { throw fail(.badLength(kind: kind.rawValue, length: length)) }
        guard count <= allowed.upperBound else {
            let isFixed = allowed.lowerBound == allowed.upperBound
            throw fail(
                isFixed
                    ? .badLength(kind: kind.rawValue, length: length)
                    : .tooLong(kind: kind.rawValue, length: length, limit: allowed.upperBound))
        }
        let first = start + Self.headBytes
        guard end - first >= count else { return nil }
        start = first + count
        return Frame(kind: kind, body: first..<start)
    }

    /// The body of a row that is there as a whole; nil for any other message.
    ///
    /// Hot path: nearly all messages are rows.
    @inline(__always)
    private var rowAtHand: Range<Int>? {
        let (start, held, longest) = (start, end - start, isSignedIn ? lengths.row : 0)
        return buffer.withUnsafeBytes { bytes -> Range<Int>? in
            guard held >= Self.headBytes, start <= bytes.count - held, bytes[start] == MessageKind.dataRow.rawValue
            else {
                return nil
            }
            let length = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 1, as: UInt32.self))
            let count = Int(length) - 4
            guard count >= 2, count <= longest, count <= held - Self.headBytes else { return nil }
            return start + Self.headBytes..<start + Self.headBytes + count
        }
    }

    private mutating func fail(_ violation: PostgresViolation) -> PostgresViolation {
        failure = violation
        buffer = []
        (start, end) = (0, 0)
        return violation
    }

    /// The bytes behind the length of a message.
    func bytes(of frame: Frame) -> ArraySlice<UInt8> { buffer[frame.body] }

    /// The same for as long as the closure runs.
    @inline(__always)
    func withBytes<Failure: Error>(
        of frame: Frame, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try buffer.withUnsafeBufferPointer { buffer throws(Failure) in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[frame.body])))
        }
    }
}
