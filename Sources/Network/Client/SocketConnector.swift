/// Opens one connection: looks the name up, tries its addresses, and answers with the first that takes the connection.
///
///     address 1 ──────────────────x refused
///                └ 250 ms ┘ address 2 ──────▶ open
///
/// A try does not wait for the one before it to fail: an address that swallows everything costs a moment, not the
/// caller's time (RFC 8305).
final class SocketConnector: LoopBound, @unchecked Sendable {
    /// How long a try is alone before the next address is tried beside it.
    private static let headStartMilliseconds = 250

    let loop: EventLoop
    private let addressesMax: Int
    private var opened: ((consuming FileDescriptor, SocketAddress) -> Void)?
    private var failed: ((SocketConnectorError) -> Void)?
    private var addresses: ArraySlice<SocketAddress> = []
    private var attempts: [Attempt] = []
    private var firstError: SystemError?
    private var timer: TimerToken?

    init(
        on loop: EventLoop, addressesMax: Int, opened: @escaping (consuming FileDescriptor, SocketAddress) -> Void,
        failed: @escaping (SocketConnectorError) -> Void
    ) {
        self.loop = loop
        self.addressesMax = addressesMax
        self.opened = opened
        self.failed = failed
    }

    /// Called on the loop. The answer may come before this returns.
    func start(_ host: String, port: UInt16, resolver: NameResolver) {
        checkLoop()
        if let address = SocketAddress(numeric: host, port: port) { return begin(.success([address])) }
        resolver.lookUp(host, port: port) { [self, loop] result in loop.execute { self.begin(result) } }
    }

    /// Gives up; nobody is told.
    func cancel() {
        checkLoop()
        opened = nil
        failed = nil
        if let timer { loop.cancel(timer) }
        timer = nil
        for attempt in attempts { attempt.cancel() }
        attempts = []
    }

    private func begin(_ result: Result<[SocketAddress], NameResolverError>) {
        guard opened != nil else { return }
        switch result {
        case .success(let found):
            addresses = Self.interleaved(found).prefix(addressesMax)
            tryNext()
        case .failure(let error):
            fail(.lookup(error))
        }
    }

    /// The families by turns, so that one that is cut off is left after one try.
    private static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
        let family = addresses.first?.family
        let (own, other) = (addresses.filter { $0.family == family }, addresses.filter { $0.family != family })
        return (0..<max(own.count, other.count)).flatMap { own.dropFirst($0).prefix(1) + other.dropFirst($0).prefix(1) }
    }

    private func tryNext() {
        checkLoop()
        while let address = addresses.popFirst() {
            do throws(SystemError) {
                attempts.append(try Attempt(address, on: loop, connector: self))
                waitBeforeNext()
                return
            } catch {
                if firstError == nil { firstError = error }
            }
        }
        if attempts.isEmpty { fail(.connect(firstError ?? SystemError(call: "connect", code: 0))) }
    }

    private func waitBeforeNext() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard !addresses.isEmpty else { return }
        timer = loop.schedule(at: loop.now.advanced(byMilliseconds: Self.headStartMilliseconds)) { [self] in
            timer = nil
            tryNext()
        }
    }

    private func fail(_ problem: SocketConnectorError) {
        let failed = self.failed
        cancel()
        failed?(problem)
    }

    private func ended(_ attempt: Attempt, code: Int32) {
        attempts.removeAll { $0 === attempt }
        let descriptor = attempt.take()
        guard code == 0, let descriptor else {
            if firstError == nil {
                firstError = SystemError(call: "connect", code: code, subject: attempt.address.description)
            }
            return tryNext()
        }
        let opened = self.opened
        cancel()
        opened?(descriptor, attempt.address)
    }

    /// One address that is being tried.
    private final class Attempt: PollTarget {
        let address: SocketAddress
        private let loop: EventLoop
        private unowned let connector: SocketConnector
        private var descriptor: FileDescriptor?
        private var registration: PollRegistration?

        init(_ address: SocketAddress, on loop: EventLoop, connector: SocketConnector) throws(SystemError) {
            self.address = address
            self.loop = loop
            self.connector = connector
            let descriptor = try Socket.connecting(to: address)
            let raw = descriptor.raw
            self.descriptor = consume descriptor
            registration = try loop.register(raw, interest: .writing, target: self)
        }

        func pollTargetIsReady(_ events: PollEvents) {
            guard let registration else { return }
            connector.ended(self, code: Socket.pendingError(of: registration.descriptor))
        }

        /// The descriptor, which nobody watches any more.
        func take() -> FileDescriptor? {
            if let registration { loop.unregister(registration) }
            registration = nil
            return descriptor.take()
        }

        func cancel() { _ = take() }
    }
}

/// Why there is no connection.
enum SocketConnectorError: Error {
    /// The name has no addresses.
    case lookup(NameResolverError)
    /// No address takes a connection; the error of the first that was tried.
    case connect(SystemError)
}
