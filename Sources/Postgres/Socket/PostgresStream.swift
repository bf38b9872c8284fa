import CSystem
import Glibc
import Network

/// The bytes of one connection, with TLS or without. Each wait has a deadline; what waits to be sent is sent while something is
/// received, as both sides may be full.
struct PostgresStream: ~Copyable {
    private let descriptor: FileDescriptor
    private var tls: PostgresTLSSession?
    private var outgoing: [UInt8] = []
    private var sent = 0

    /// Takes over a socket that is connected and does not block.
    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
        tls = nil
    }

    /// The digest of the server's certificate that a sign-in binds to; nil without TLS.
    var endPoint: [UInt8]? { tls?.endPoint }

    var isSecure: Bool { tls != nil }

    /// Returns whether something has come that nobody has asked for. For a connection that is idle.
    var hasInput: Bool { tls?.hasBufferedInput == true || PostgresSocket.hasInput(descriptor.raw) }

    /// Bytes that are to be sent behind those that still wait.
    mutating func enqueue(_ bytes: [UInt8]) {
        if sent == outgoing.count {
            outgoing = bytes
            sent = 0
        } else {
            outgoing += bytes
        }
    }

    /// Waits until the server has sent something, and sends what waits meanwhile. Returns the number of bytes; 0 when the
    /// server has closed the connection.
    mutating func receive(
        into buffer: UnsafeMutableRawBufferPointer, until deadline: MonotonicTime
    ) throws(PostgresStreamError) -> Int {
        while true {
            guard deadline > .now else { throw .deadline }
            var events = try flush()
            // Right behind a question there is no answer yet: the system need not be asked.
            let hasJustSent = events.hasSent
            if !hasJustSent || tls?.hasBufferedInput == true {
                switch try read(buffer) {
                case .done(let count): return count
                case .closed: return 0
                case .wantsRead: break
                case .wantsWrite: events.wanted |= POLLOUT
                case .failed(let error): throw .tls(error)
                }
            }
            try wait(for: events.wanted | POLLIN, until: deadline)
        }
    }

    /// Takes what the server has sent already. Returns the number of bytes, 0 when the server has closed the connection; nil where nothing is there.
    mutating func receiveAtOnce(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(PostgresStreamError) -> Int? {
        switch try read(buffer) {
        case .done(let count): return count
        case .closed: return 0
        case .wantsRead: return nil
        // Only TLS that is begun anew wants to write to read, which servers do not do.
        case .wantsWrite: throw .closed
        case .failed(let error): throw .tls(error)
        }
    }

    /// True if TLS has bytes that have been received.
    var hasInputAtHand: Bool { tls?.hasBufferedInput == true }

    /// Sends all that waits. False where the system takes no more.
    mutating func sendAtOnce() throws(PostgresStreamError) -> Bool {
        _ = try flush()
        return sent == outgoing.count
    }

    /// A second descriptor of its socket.
    func socket() -> FileDescriptor? { descriptor.duplicate() }

    /// Sends all that waits.
    mutating func flush(until deadline: MonotonicTime) throws(PostgresStreamError) {
        while sent < outgoing.count {
            guard deadline > .now else { throw .deadline }
            let events = try flush()
            if sent < outgoing.count { try wait(for: events.wanted, until: deadline) }
        }
    }

    /// Begins TLS. Nothing of what the server says may have been read beyond its consent.
    mutating func secure(
        _ context: PostgresTLSContext, host: String, until deadline: MonotonicTime
    ) throws(PostgresStreamError) {
        do throws(TLSError) {
            tls = try PostgresTLSSession(context, over: descriptor.raw, host: host)
        } catch {
            throw .tls(error)
        }
        while true {
            guard deadline > .now else { throw .deadline }
            switch tls?.handshake() {
            case .done, nil: return
            case .wantsRead: try wait(for: POLLIN, until: deadline)
            case .wantsWrite: try wait(for: POLLOUT, until: deadline)
            case .closed: throw .tls(.truncated)
            case .failed(let error): throw .tls(error)
            }
        }
    }

    mutating func sayGoodbye(_ message: [UInt8]) {
        enqueue(message)
        _ = try? flush()
        tls?.sayGoodbye()
    }

    // MARK: Steps that do not wait

    private struct Events {
        var wanted: Int32 = 0
        var hasSent = false
    }

    /// Sends what the system takes, and says what has to be waited for.
    private mutating func flush() throws(PostgresStreamError) -> Events {
        var events = Events()
        while sent < outgoing.count {
            switch try write() {
            case .done(let count):
                sent += count
                events.hasSent = true
            case .wantsRead:
                events.wanted |= POLLIN
                return events
            case .wantsWrite:
                events.wanted |= POLLOUT
                return events
            case .closed: throw .closed
            case .failed(let error): throw .tls(error)
            }
        }
        return events
    }

    private mutating func write() throws(PostgresStreamError) -> PostgresTLSSession.Outcome {
        let count = outgoing.count - sent
        if tls != nil {
            return outgoing.withUnsafeBytes { bytes in
                tls?.write(UnsafeRawBufferPointer(rebasing: bytes[sent...])) ?? .closed
            }
        }
        let written = outgoing.withUnsafeBytes { bytes in
            send(descriptor.raw, bytes.baseAddress?.advanced(by: sent), count, homeport_send_quietly)
        }
        return try Self.outcome(written, of: "send", otherwise: .wantsWrite)
    }

    private mutating func read(
        _ buffer: UnsafeMutableRawBufferPointer
    ) throws(PostgresStreamError) -> PostgresTLSSession.Outcome {
        if tls != nil { return tls?.read(into: buffer) ?? .closed }
        let count = recv(descriptor.raw, buffer.baseAddress, buffer.count, 0)
        return count == 0 ? .closed : try Self.outcome(count, of: "recv", otherwise: .wantsRead)
    }

    private static func outcome(
        _ count: Int, of call: String, otherwise wanted: PostgresTLSSession.Outcome
    ) throws(PostgresStreamError) -> PostgresTLSSession.Outcome {
        if count >= 0 { return .done(count) }
        switch errno {
        case EAGAIN, EINTR: return wanted
        case let code: throw .system(SystemError(call: call, code: code))
        }
    }

    private func wait(for events: Int32, until deadline: MonotonicTime) throws(PostgresStreamError) {
        do throws(SystemError) {
            guard try PostgresSocket.wait(descriptor.raw, for: events, until: deadline) else {
                throw SystemError(call: "", code: ETIMEDOUT)
            }
        } catch {
            throw error.call.isEmpty ? .deadline : .system(error)
        }
    }
}

/// Why bytes could not be sent or received.
enum PostgresStreamError: Error {
    case deadline
    case closed
    case system(SystemError)
    case tls(TLSError)
    case violation(PostgresViolation)
    /// The server said why it closes the connection.
    case closedFor(PostgresServerError)

    var reason: PostgresError.Reason {
        switch self {
        case .deadline: .timeout
        case .closed: .closed
        case .system(let error): .system(error)
        case .tls(let error): .tls(error)
        case .violation(let violation): .violation(violation)
        case .closedFor(let error): .server(error)
        }
    }
}
