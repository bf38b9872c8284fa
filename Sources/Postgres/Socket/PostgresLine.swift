import Network

/// The messages of one connection as they come in, and the bytes that go out.
struct PostgresLine: ~Copyable {
    var stream: PostgresStream
    private var frames: MessageFrames
    private var scratch = [UInt8](repeating: 0, count: Self.readBytes)

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

    private mutating func receive(until deadline: MonotonicTime) throws(PostgresStreamError) {
        var count = 0
        var failure: PostgresStreamError?
        scratch.withUnsafeMutableBytes { buffer in
            do throws(PostgresStreamError) {
                count = try stream.receive(into: buffer, until: deadline)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard count > 0 else { throw .closed }
        scratch.withUnsafeBytes { frames.receive(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
    }

    /// The bytes of a message, until the next one is waited for.
    func bytes(of frame: MessageFrames.Frame) -> ArraySlice<UInt8> { frames.bytes(of: frame) }

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
