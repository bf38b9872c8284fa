import CSystem
import Glibc

/// A listening socket on one event loop.
///
/// When the process or the machine has no descriptor left, the listener rests for a moment and new connections wait in
/// the kernel's queue: it neither spins on the error nor stops.
final class Listener: PollTarget {
    /// Connections taken in one turn, so that a burst does not hold up those that are open.
    private static let acceptsPerTurn = 128
    private static let restMilliseconds = 100
    /// Connections that wait in the kernel's queue.
    static let backlog: Int32 = 4096

    let address: SocketAddress
    private let loop: EventLoop
    private let descriptor: FileDescriptor
    private let accepted: (consuming FileDescriptor, SocketAddress) -> Void
    private let failed: (SystemError) -> Void
    private var registration: PollRegistration?
    private var rest: TimerToken?

    /// Called on the loop.
    init(
        _ descriptor: consuming FileDescriptor, on loop: EventLoop,
        accepted: @escaping (consuming FileDescriptor, SocketAddress) -> Void, failed: @escaping (SystemError) -> Void
    ) throws(SystemError) {
        address = Socket.localAddress(of: descriptor.raw) ?? .loopback(port: 0)
        self.descriptor = descriptor
        self.loop = loop
        self.accepted = accepted
        self.failed = failed
        registration = try loop.register(self.descriptor.raw, interest: .reading, target: self)
    }

    func close() {
        if let rest { loop.cancel(rest) }
        if let registration { loop.unregister(registration) }
        rest = nil
        registration = nil
        // Ends the queue at once: a connection that nobody will accept is refused now and not at the end of the process.
        shutdown(descriptor.raw, Int32(SHUT_RDWR))
    }

    func pollTargetIsReady(_ events: PollEvents) {
        for _ in 0..<Self.acceptsPerTurn {
            guard registration != nil else { return }
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let connection = homeport_accept(descriptor.raw, &storage, &length)
            if connection >= 0 {
                accepted(FileDescriptor(owning: connection), SocketAddress(system: storage) ?? .loopback(port: 0))
                continue
            }
            switch errno {
            case EAGAIN, EWOULDBLOCK:
                return
            case EINTR, ECONNABORTED, EPROTO, EPERM:
                // This one connection is gone before it was taken; the next may be good.
                continue
            default:
                failed(SystemError(call: "accept", subject: address.description))
                takeRest()
                return
            }
        }
    }

    private func takeRest() {
        guard var registration, rest == nil else { return }
        loop.change(&registration, to: [])
        self.registration = registration
        rest = loop.schedule(at: loop.now.advanced(byMilliseconds: Self.restMilliseconds)) { [self] in
            rest = nil
            guard var registration = self.registration else { return }
            loop.change(&registration, to: .reading)
            self.registration = registration
        }
    }
}
