import Network

/// The messages of one connection as they come in, and the bytes that go out.
struct PostgresLine: ~Copyable {
    var stream: PostgresStream
    private var frames: MessageFrames

    /// So much is taken from the system at once.
    private static let readBytes = 32 << 10

    init(_ stream: consuming PostgresStream, limits: PostgresLimits) {
        self.stream = stream
        frames = MessageFrames(limits: limits)
    }

    mutating func signedIn() { frames.isSignedIn = true }

    /// True if a message, or a part of one, has come already.
    var hasInput: Bool { frames.heldBytes > 0 || stream.hasInput }

    /// The next message. Waits for it.
    mutating func frame(until deadline: MonotonicTime) throws(PostgresStreamError) -> MessageFrames.Frame {
        while true {
            do throws(PostgresViolation) {
                if let frame = try frames.next() { return frame }
            } catch {
                throw .violation(error)
            }
            try receive(until: deadline)
        }
    }

    /// The next message, if it has come; nil otherwise.
    ///
    /// - Parameter pieces: how many times bytes may still be taken from the system. Counted down.
    mutating func frameAtHand(_ pieces: inout Int) throws(PostgresStreamError) -> MessageFrames.Frame? {
        while true {
            do throws(PostgresViolation) {
                if let frame = try frames.next() { return frame }
            } catch {
                throw .violation(error)
            }
            // The poller does not report bytes that TLS holds already.
            guard pieces > 0 || stream.hasInputAtHand else { return nil }
            pieces -= 1
            guard try receive({ stream, buffer throws(PostgresStreamError) in try stream.receiveAtOnce(into: buffer) })
            else { return nil }
        }
    }

    private mutating func receive(until deadline: MonotonicTime) throws(PostgresStreamError) {
        _ = try receive { stream, buffer throws(PostgresStreamError) in
            try stream.receive(into: buffer, until: deadline)
        }
    }

    /// Takes bytes from the stream. False where there are none, which the closure says by nil.
    private mutating func receive(
        _ body: (inout PostgresStream, UnsafeMutableRawBufferPointer) throws(PostgresStreamError) -> Int?
    ) throws(PostgresStreamError) -> Bool {
        var received: Int?
        var failure: PostgresStreamError?
        frames.receive(atMost: Self.readBytes) { room in
            do throws(PostgresStreamError) { received = try body(&stream, room) } catch { failure = error }
            return received ?? 0
        }
        if let failure { throw failure }
        guard let count = received else { return false }
        guard count > 0 else { throw .closed }
        return true
    }

    /// Hands the bytes of a message to the closure.
    @inline(__always)
    func withBytes<Failure: Error>(
        of frame: MessageFrames.Frame, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try frames.withBytes(of: frame, body)
    }

    /// A message, read.
    func message(
        _ frame: MessageFrames.Frame, limits: PostgresLimits
    ) throws(PostgresStreamError) -> ServerMessage {
        do throws(PostgresViolation) {
            return try ServerMessage(frame.kind, frames.bytes(of: frame), limits: limits)
        } catch {
            throw .violation(error)
        }
    }
}
