import CSystem
import Glibc
import Network

/// The system calls of a socket to a server, none of which blocks.
enum PostgresSocket {
    /// The bytes that the system takes for the path of a Unix socket.
    static let pathBytesMax = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    static let writable = Int32(POLLOUT)
    static let timedOut = ETIMEDOUT

    /// Begins to connect to an address of the internet: the socket can be written when the outcome is known.
    static func begin(_ address: SocketAddress) throws(SystemError) -> FileDescriptor {
        let descriptor = try open(address.family)
        var on: Int32 = 1
        setsockopt(descriptor.raw, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // So that a server whose machine is gone is noticed where somebody only listens.
        setsockopt(descriptor.raw, SOL_SOCKET, SO_KEEPALIVE, &on, socklen_t(MemoryLayout<Int32>.size))
        let outcome = address.withSystemAddress { connect(descriptor.raw, $0, $1) }
        guard outcome == 0 || errno == EINPROGRESS || errno == EINTR else { throw SystemError(call: "connect") }
        return descriptor
    }

    /// Connects to a Unix socket. The path has been found short enough.
    static func begin(path: String) throws(SystemError) -> FileDescriptor {
        let descriptor = try open(AF_UNIX)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            for (place, byte) in zip(room.indices, path.utf8.prefix(pathBytesMax)) { room[place] = byte }
        }
        let outcome = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // EAGAIN: the server has too many that wait to be accepted.
        guard outcome == 0 || errno == EINPROGRESS else { throw SystemError(call: "connect") }
        return descriptor
    }

    /// The outcome of an attempt to connect, once the socket can be written.
    static func outcome(_ descriptor: Int32) throws(SystemError) {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
            throw SystemError(call: "connect")
        }
        guard code == 0 else { throw SystemError(call: "connect", code: code) }
    }

    /// Waits until the socket is ready for one of these events. False when the deadline has come.
    static func wait(_ descriptor: Int32, for events: Int32, until deadline: MonotonicTime) throws(SystemError) -> Bool
    {
        while true {
            let left = deadline.nanoseconds(since: .now)
            guard left > 0 else { return false }
            // Up, so that a last part of a millisecond is not spent by asking again and again.
            let milliseconds = Int32(clamping: min(left / 1_000_000, 3_600_000) + 1)
            var entry = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
            let count = poll(&entry, 1, milliseconds)
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else { throw SystemError(call: "poll") }
        }
    }

    /// Returns whether something has come that nobody has asked for, its end included.
    static func hasInput(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: POLLIN), revents: 0)
        return poll(&entry, 1, 0) != 0
    }

    private static func open(_ family: Int32) throws(SystemError) -> FileDescriptor {
        let raw = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard raw >= 0 else { throw SystemError(call: "socket") }
        let descriptor = FileDescriptor(owning: raw)
        guard homeport_set_nonblocking(raw) >= 0, homeport_set_close_on_exec(raw) >= 0 else {
            throw SystemError(call: "fcntl")
        }
        return descriptor
    }
}
