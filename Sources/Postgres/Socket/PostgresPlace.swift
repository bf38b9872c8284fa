import Network
import Threads

/// An address of a host: what a connection is made to, and what a second one is made to where the first is to be cancelled.
struct PostgresPlace: Sendable {
    enum Address: Sendable {
        case internet(SocketAddress)
        case unixSocket(path: String)
    }

    let host: PostgresHost
    let address: Address

    /// The addresses of a host, in the order in which they are tried.
    static func places(
        of host: PostgresHost, resolver: NameResolver, until deadline: MonotonicTime
    ) throws(PostgresError) -> [PostgresPlace] {
        if host.isUnixSocket {
            guard host.socketPath.utf8.count <= PostgresSocket.pathBytesMax else {
                throw .refused(host: host, reason: .longSocketPath(limit: PostgresSocket.pathBytesMax))
            }
            return [PostgresPlace(host: host, address: .unixSocket(path: host.socketPath))]
        }
        if let address = SocketAddress(numeric: host.name, port: host.port) {
            return [PostgresPlace(host: host, address: .internet(address))]
        }
        switch AwaitedAddresses.of(host, resolver: resolver, until: deadline) {
        case .success(let addresses):
            return addresses.prefix(PostgresLimits.addresses).map {
                PostgresPlace(host: host, address: .internet($0))
            }
        case .failure(let error): throw .unavailable(host: host, reason: .name(error))
        case nil: throw .unavailable(host: host, reason: .timeout)
        }
    }

    /// Connects, and begins TLS where the settings want it.
    func open(_ settings: PostgresSettings, until deadline: MonotonicTime) throws(PostgresError) -> PostgresStream {
        var stream = try connected(until: deadline)
        let mode = settings.tlsMode(with: host)
        guard mode != .disable else { return stream }
        do throws(PostgresStreamError) {
            guard try Self.consents(&stream, until: deadline) else { throw .closed }
        } catch {
            if case .closed = error { throw .refused(host: host, reason: .noTLS) }
            throw .unavailable(host: host, reason: error.reason)
        }
        let context: PostgresTLSContext
        do throws(PostgresTLSContext.Problem) {
            context = try PostgresTLSContext(mode: mode, authorities: settings.rootCertificate)
        } catch {
            throw .refused(host: host, reason: .tlsSettings(error.text))
        }
        do throws(PostgresStreamError) {
            try stream.secure(context, host: host.name, until: deadline)
        } catch {
            if case .tls(let problem) = error, case .untrusted = problem {
                throw .refused(host: host, reason: .untrusted(problem))
            }
            throw .unavailable(host: host, reason: error.reason)
        }
        return stream
    }

    private func connected(until deadline: MonotonicTime) throws(PostgresError) -> PostgresStream {
        do throws(SystemError) {
            let descriptor: FileDescriptor
            switch address {
            case .internet(let address): descriptor = try PostgresSocket.begin(address)
            case .unixSocket(let path): descriptor = try PostgresSocket.begin(path: path)
            }
            guard try PostgresSocket.wait(descriptor.raw, for: PostgresSocket.writable, until: deadline) else {
                throw SystemError(call: "connect", code: PostgresSocket.timedOut)
            }
            try PostgresSocket.outcome(descriptor.raw)
            return PostgresStream(descriptor)
        } catch {
            throw .unavailable(host: host, reason: .system(error))
        }
    }

    /// Asks for TLS. One byte is read and no more: what else came in clear would be taken for a part of what is protected.
    private static func consents(
        _ stream: inout PostgresStream, until deadline: MonotonicTime
    ) throws(PostgresStreamError) -> Bool {
        var request = MessageWriter()
        request.tlsRequest()
        stream.enqueue(request.bytes)
        var answer: UInt8 = 0
        var count = 0
        var failure: PostgresStreamError?
        withUnsafeMutableBytes(of: &answer) { buffer in
            do throws(PostgresStreamError) {
                count = try stream.receive(into: buffer, until: deadline)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        // "N": it has none. Anything else is an error in clear, which nobody has to believe.
        return count == 1 && answer == UInt8(ascii: "S")
    }
}

/// The addresses of a name, waited for by a thread that may block.
private final class AwaitedAddresses: @unchecked Sendable {
    // Safe to share: its value is read and written with the lock held.
    private let lock = ThreadLock()
    private let isThere: ThreadCondition
    private var value: Result<[SocketAddress], NameResolverError>?

    private init() { isThere = ThreadCondition(of: lock) }

    /// Nil when the deadline has come. The look-up ends by itself later.
    static func of(
        _ host: PostgresHost, resolver: NameResolver, until deadline: MonotonicTime
    ) -> Result<[SocketAddress], NameResolverError>? {
        let awaited = AwaitedAddresses()
        resolver.lookUp(host.name, port: host.port) { awaited.put($0) }
        return awaited.wait(until: deadline)
    }

    private func put(_ value: Result<[SocketAddress], NameResolverError>) {
        lock.withLock {
            self.value = value
            isThere.broadcast()
        }
    }

    private func wait(until deadline: MonotonicTime) -> Result<[SocketAddress], NameResolverError>? {
        lock.lock()
        defer { lock.unlock() }
        while value == nil {
            let left = deadline.nanoseconds(since: .now)
            guard left > 0 else { return nil }
            _ = isThere.wait(until: ThreadDeadline(inMilliseconds: Int(min(left / 1_000_000, 60_000)) + 1))
        }
        return value
    }
}
