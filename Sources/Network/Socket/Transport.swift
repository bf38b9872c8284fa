import CSystem
import Glibc

/// A connected stream socket that does not block, plain or with TLS on it.
///
/// A server that offers TLS decides by the first byte that comes: one port serves both. Handshakes happen inside of
/// `read` and `write`, which then can wait for the other direction.
struct Transport: ~Copyable {
    private var descriptor: FileDescriptor?
    let raw: Int32
    private var session: TLSSession?
    /// The TLS settings for a client that begins with TLS; nil once that is decided.
    private var offered: TLSContext?
    /// A read has nothing to wait for but room to write.
    private(set) var readWaitsForWriting = false
    /// A write has nothing to wait for but bytes to read.
    private(set) var writeWaitsForReading = false
    /// The next read brings something that the socket does not tell of, since TLS has taken it from there already.
    private(set) var hasMore = false

    enum ReadResult {
        case bytes(Int)
        case wouldBlock
        case ended
        case failed(TransportError)
    }

    enum WriteResult {
        case bytes(Int)
        case wouldBlock
        case failed(TransportError)
    }

    /// Plain, or decided by the first byte when there is a TLS context to offer.
    init(_ descriptor: consuming FileDescriptor, offering offered: TLSContext? = nil) {
        raw = descriptor.raw
        self.descriptor = consume descriptor
        self.offered = offered
    }

    /// A client's, with TLS from its first byte on.
    init(_ descriptor: consuming FileDescriptor, securedBy context: TLSContext, host: String) throws(TLSError) {
        session = try TLSSession(connecting: context, over: descriptor.raw, host: host)
        raw = descriptor.raw
        self.descriptor = consume descriptor
    }

    /// Puts TLS on a plain connection, as its client: all that comes from here on is read by it, and what is written goes
    /// through it.
    mutating func secure(by context: TLSContext, host: String) throws(TLSError) {
        guard session == nil, offered == nil else { return }
        session = try TLSSession(connecting: context, over: raw, host: host)
    }

    var isSecure: Bool { session != nil }

    /// True if it is decided that there is no TLS.
    var isPlain: Bool { session == nil && offered == nil }

    /// True if both sides have agreed on HTTP/2.
    var hasAgreedHTTP2: Bool {
        switch session {
        case .some(let session): session.hasAgreedHTTP2
        case .none: false
        }
    }

    var isHandshaking: Bool {
        switch session {
        case .some(let session): session.isHandshaking
        case .none: false
        }
    }

    /// Gives the descriptor back to the system now, however long the transport itself lives on. With TLS the peer
    /// is told that this is the end, unless the end is not the right one.
    mutating func close(isOrderly: Bool) {
        if isOrderly { _ = session?.shutdown() }
        session = nil
        descriptor = nil
    }

    /// Fills the buffer as far as there are bytes: fewer than fit mean that the socket will tell when more come,
    /// but for `hasMore`.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        if offered != nil, let undecided = decide() { return undecided }
        if session != nil { return readSecure(into: buffer) }
        while true {
            let count = recv(raw, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
            if errno != EINTR { return .failed(.system(SystemError(call: "recv"))) }
        }
    }

    /// - Parameter isMoreBehind: more is written at once, so that no packet has to end with these bytes.
    mutating func write(_ buffer: UnsafeRawBufferPointer, isMoreBehind: Bool = false) -> WriteResult {
        if offered != nil, let undecided = decide() {
            switch undecided {
            case .failed(let error): return .failed(error)
            default:
                writeWaitsForReading = true
                return .wouldBlock
            }
        }
        if session != nil { return writeSecure(buffer) }
        return Self.send(buffer, to: raw, isMoreBehind: isMoreBehind)
    }

    /// Writes to a socket that nothing stands before.
    static func send(
        _ buffer: UnsafeRawBufferPointer, to descriptor: Int32, isMoreBehind: Bool = false
    ) -> WriteResult {
        let flags = homeport_send_quietly | (isMoreBehind ? homeport_send_more : 0)
        while true {
            let count = Glibc.send(descriptor, buffer.baseAddress, buffer.count, flags)
            if count >= 0 { return .bytes(count) }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
            if errno != EINTR { return .failed(.system(SystemError(call: "send"))) }
        }
    }

    /// Sends a part of a file. No bytes means that the file has ended.
    mutating func writeFile(_ file: Int32, offset: Int, count: Int) -> WriteResult {
        if session != nil { return writeFileSecure(file, offset: offset, count: count) }
        while true {
            let sent = homeport_sendfile(raw, file, Int64(offset), count)
            if sent >= 0 { return .bytes(Int(sent)) }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
            if errno != EINTR { return .failed(.system(SystemError(call: "sendfile"))) }
        }
    }

    /// Says that nothing more will be written; what the peer still sends can be read.
    mutating func shutdownWriting() {
        _ = session?.shutdown()
        shutdown(raw, Int32(SHUT_WR))
    }
}

// MARK: TLS

extension Transport {
    /// Looks at the first byte and leaves it where it is; nil when TLS or not is decided.
    private mutating func decide() -> ReadResult? {
        guard let context = offered else { return nil }
        var first: UInt8 = 0
        while true {
            let count = recv(raw, &first, 1, homeport_peek)
            if count == 0 { return .ended }
            if count > 0 { break }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
            if errno != EINTR { return .failed(.system(SystemError(call: "recv"))) }
        }
        offered = nil
        writeWaitsForReading = false
        guard first == TLSSession.firstByte else { return nil }
        do {
            session = try TLSSession(serving: context, over: raw)
            return nil
        } catch {
            return .failed(.tls(error))
        }
    }

    private mutating func readSecure(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        readWaitsForWriting = false
        hasMore = false
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let result = session?.read(into: rest) ?? .closed
            if case .done(let added) = result {
                count += added
                continue
            }
            if result == .wantsWrite { readWaitsForWriting = true }
            if count > 0 {
                // An end or a failure is told by the next read: the socket knows nothing of it.
                hasMore = result != .wantsRead && result != .wantsWrite
                return .bytes(count)
            }
            switch result {
            case .closed: return .ended
            case .failed(let error): return .failed(.tls(error))
            case .done, .wantsRead, .wantsWrite: return .wouldBlock
            }
        }
        hasMore = session?.hasBufferedInput ?? false
        return .bytes(count)
    }

    private mutating func writeSecure(_ buffer: UnsafeRawBufferPointer) -> WriteResult {
        writeWaitsForReading = false
        switch session?.write(buffer) ?? .failed(.truncated) {
        case .done(let count): return .bytes(count)
        case .wantsRead:
            writeWaitsForReading = true
            return .wouldBlock
        case .wantsWrite: return .wouldBlock
        case .failed(let error): return .failed(.tls(error))
        }
    }

    /// Bytes of a file that are read for one TLS record, the most that it holds.
    private static let recordBytes = 16 * 1024

    /// Writes a file over TLS: bytes to encrypt pass through the process.
    private mutating func writeFileSecure(_ file: Int32, offset: Int, count: Int) -> WriteResult {
        withUnsafeTemporaryAllocation(byteCount: min(count, Self.recordBytes), alignment: 1) { buffer in
            while true {
                let read = pread(file, buffer.baseAddress, buffer.count, off_t(offset))
                if read > 0 { return writeSecure(UnsafeRawBufferPointer(rebasing: buffer[..<read])) }
                if read == 0 { return .bytes(0) }
                if errno != EINTR { return .failed(.system(SystemError(call: "pread"))) }
            }
        }
    }
}

/// Why a connection broke.
package enum TransportError: Error, Equatable, Sendable, CustomStringConvertible {
    case system(SystemError)
    case tls(TLSError)

    package var description: String {
        switch self {
        case .system(let error): return error.description
        case .tls(let error): return error.description
        }
    }
}
