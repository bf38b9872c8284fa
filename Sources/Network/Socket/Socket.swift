import CSystem
import Glibc

/// The system calls on a stream socket, each with its failure as a `SystemError`.
package enum Socket {
    /// A listening socket that does not block, bound to the address.
    ///
    /// With `isShared` several sockets (one per event loop) may listen on the same port, and the kernel spreads new
    /// connections over them.
    static func listening(on address: SocketAddress, backlog: Int32, isShared: Bool) throws(SystemError)
        -> FileDescriptor
    {
        let subject = address.description
        let descriptor = try open(family: address.family)
        setOption(SO_REUSEADDR, on: descriptor)
        if isShared { setOption(SO_REUSEPORT, on: descriptor) }
        if address.family == AF_INET6 {
            // "::" must not take the port of version 4 as well: that one is bound by itself where it is wanted.
            var on: Int32 = 1
            setsockopt(descriptor.raw, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        guard address.withSystemAddress({ bind(descriptor.raw, $0, $1) }) == 0 else {
            throw SystemError(call: "bind", subject: subject)
        }
        guard listen(descriptor.raw, backlog) == 0 else { throw SystemError(call: "listen", subject: subject) }
        return descriptor
    }

    /// Throws when another process listens there already, which a shared socket would not notice.
    static func checkIsFree(_ address: SocketAddress) throws(SystemError) {
        guard address.port != 0 else { return }
        let descriptor = try open(family: address.family)
        setOption(SO_REUSEADDR, on: descriptor)
        guard address.withSystemAddress({ bind(descriptor.raw, $0, $1) }) == 0 else {
            throw SystemError(call: "bind", subject: address.description)
        }
    }

    /// Starts to connect without waiting for the outcome: the socket becomes writable when it is known.
    static func connecting(to address: SocketAddress) throws(SystemError) -> FileDescriptor {
        let descriptor = try open(family: address.family)
        setNoDelay(descriptor.raw)
        let outcome = address.withSystemAddress { connect(descriptor.raw, $0, $1) }
        guard outcome == 0 || errno == EINPROGRESS || errno == EINTR else {
            throw SystemError(call: "connect", subject: address.description)
        }
        return descriptor
    }

    /// The error that a socket holds, 0 when it has none: how a connection attempt ended.
    static func pendingError(of descriptor: Int32) -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
    }

    static func localAddress(of descriptor: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let outcome = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return outcome == 0 ? SocketAddress(system: storage) : nil
    }

    /// Small writes leave at once: an answer is written whole, so there is nothing to wait for.
    static func setNoDelay(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func open(family: Int32) throws(SystemError) -> FileDescriptor {
        let raw = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard raw >= 0 else { throw SystemError(call: "socket") }
        let descriptor = FileDescriptor(owning: raw)
        guard homeport_set_nonblocking(raw) >= 0, homeport_set_close_on_exec(raw) >= 0 else {
            throw SystemError(call: "fcntl")
        }
        return descriptor
    }

    private static func setOption(_ option: Int32, on descriptor: borrowing FileDescriptor) {
        var on: Int32 = 1
        setsockopt(descriptor.raw, SOL_SOCKET, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}
