import Glibc
import Network
@testable import Postgres
import PostgresSupport
import Synchronization
import TestSupport

/// A server that says what a test wants on each connection, whatever it is asked: over a Unix socket, a thread a connection.
final class ScriptedPostgres: Sendable {
    private let folder = TemporaryFolder()
    private let listener: Int32
    private let connections = Connections()

    private final class Connections: Sendable {
        let open = Mutex<Set<Int32>>([])
    }

    /// The other end of a connection.
    struct Peer: Sendable {
        let descriptor: Int32

        func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

        /// Reads what is there; nil when the client is gone.
        func read() -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return count > 0 ? Array(bytes.prefix(count)) : nil
        }

        /// Reads up to a message that has no fields, such as Sync. False when the client is gone.
        func readTo(_ kind: Unicode.Scalar) -> Bool {
            let end = [UInt8(ascii: kind), 0, 0, 0, 4]
            var last: [UInt8] = []
            while let bytes = read() {
                last = (last + bytes).suffix(5)
                if last == end { return true }
            }
            return false
        }

        /// Reads until the client is gone.
        func readToEnd() { while read() != nil {} }

        /// Takes a connection without a password.
        func start() {
            _ = read()
            send(ServerMessages.start)
        }
    }

    /// The script gets the number of the connection, from 0. The connection ends with it.
    init(_ script: @escaping @Sendable (Int, Peer) -> Void) {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = folder.file(".s.PGSQL.5432")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        precondition(isBound && listen(listener, 64) == 0, "cannot listen")
        self.listener = listener
        BlockingThread.detach { [connections] in
            var number = 0
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                connections.open.withLock { _ = $0.insert(connection) }
                BlockingThread.detach { [number, connections] in
                    script(number, Peer(descriptor: connection))
                    connections.open.withLock { _ = $0.remove(connection) }
                    close(connection)
                }
                number += 1
            }
            close(listener)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        connections.open.withLock { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
    }

    func connect(
        _ limits: PostgresLimits = PostgresLimits(), password: String? = nil, methods: PostgresSignInMethods = .usual,
        until deadline: MonotonicTime = .inTime, notice: PostgresNotice.Hook? = nil
    ) throws(PostgresError) -> PostgresConnection {
        var settings = PostgresSettings(
            hosts: [PostgresHost(name: folder.path, port: 5_432)], user: "app", database: "blog")
        settings.password = password.map { PostgresPassword($0) }
        settings.signInMethods = methods
        return try PostgresConnector(settings, limits: limits, notice: notice).connect(until: deadline)
    }
}
