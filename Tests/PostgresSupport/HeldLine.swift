import Glibc
import Network
import Synchronization
import TestSupport
import Testing

/// A line to a server on this machine, on which bytes pass in both directions until it is held: then nothing passes, and neither side is told,
/// as where a cable is pulled.
package final class HeldLine: Sendable {
    package let port: UInt16
    private let listener: Int32
    private let target: UInt16
    private let state = Mutex(State())

    private struct State {
        var isHeld = false
        var isOver = false
        /// Both ends of each connection.
        var sockets: [Int32] = []
    }

    package init(to target: UInt16) throws {
        self.target = target
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = SocketAddress.loopback(port: 0).withSystemAddress { bind(listener, $0, $1) }
        try #require(listen(listener, 64) == 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &length) }
        }
        (self.listener, port) = (listener, UInt16(bigEndian: address.sin_port))
        BlockingThread.detach { [self] in accept() }
    }

    /// Lets nothing pass from now on, also not what has come and was not passed on yet.
    package func hold() { state.withLock { $0.isHeld = true } }

    /// Ends what was held, as a network does that has forgotten it, and lets new connections pass.
    package func release() {
        let sockets = state.withLock { state in
            state.isHeld = false
            return state.sockets
        }
        for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    package func close() {
        let sockets = state.withLock { state in
            state.isOver = true
            return state.sockets
        }
        for socket in sockets + [listener] { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0, !state.withLock({ $0.isOver }) else { break }
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            guard SocketAddress.loopback(port: target).withSystemAddress({ connect(server, $0, $1) }) == 0 else {
                Glibc.close(client)
                Glibc.close(server)
                continue
            }
            state.withLock { $0.sockets += [client, server] }
            BlockingThread.detach { [self] in pass(from: client, to: server) }
            BlockingThread.detach { [self] in pass(from: server, to: client) }
        }
        Glibc.close(listener)
    }

    /// The descriptors stay open until the tests end: a number that is used again would be another connection's.
    private func pass(from source: Int32, to goal: Int32) {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(source, &bytes, bytes.count)
            guard count > 0 else { break }
            // What is held is lost: whoever waits for it hears nothing until the line is there again.
            guard !state.withLock({ $0.isHeld }) else { continue }
            guard send(goal, bytes, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        if !state.withLock({ $0.isHeld }) {
            shutdown(goal, Int32(SHUT_RDWR))
            shutdown(source, Int32(SHUT_RDWR))
        }
    }
}
