import Synchronization

/// Sockets that listen: for each address one for each event loop. Who connects waits in the kernel's queue until a server
/// takes the sockets, so they can be opened long before there is anything to answer with.
package final class ListeningSockets: Sendable {
    private struct State {
        var addresses: [SocketAddress] = []
        /// Those that nobody has taken: for each address those of all loops, in their order.
        var waiting: [Int32] = []
    }

    private let loops: Int
    private let state = Mutex(State())

    /// Where they listen: with the port that the system chose where port 0 was asked for.
    package var addresses: [SocketAddress] { state.withLock { $0.addresses } }

    /// Throws at the first address that cannot be had.
    package init(on addresses: [SocketAddress], loops: Int) throws(SystemError) {
        self.loops = max(1, loops)
        for address in addresses { try open(address) }
    }

    private func open(_ address: SocketAddress) throws(SystemError) {
        // A second process could join a shared port without a word.
        try Socket.checkIsFree(address)
        // The first socket finds out the port, the other loops' sockets share it.
        var address = address
        for _ in 0..<loops {
            let descriptor = try Socket.listening(on: address, backlog: Listener.backlog, isShared: true)
            if let actual = Socket.localAddress(of: descriptor.raw) { address = actual }
            let raw = descriptor.release()
            state.withLock { $0.waiting.append(raw) }
        }
        state.withLock { $0.addresses.append(address) }
    }

    /// The next socket, for the next loop; nil when all are taken.
    func next() -> FileDescriptor? {
        guard let raw = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) else { return nil }
        return FileDescriptor(owning: raw)
    }

    deinit {
        while let descriptor = next() { _ = consume descriptor }
    }
}
