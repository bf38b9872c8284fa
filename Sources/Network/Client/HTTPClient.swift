/// An HTTP/1.1 client on one event loop: requests go out over connections that are kept for the next one.
///
///     send ─▶ pool of the origin ─┬─ idle connection ────────────────▶ exchange ─▶ answer
///                                 ├─ look-up, connect, TLS ──────────▶ exchange
///                                 └─ all taken: wait for one of them
///
/// Everything happens on the loop's thread. Redirections are not followed, cookies not kept, proxies not used.
package final class HTTPClient: LoopBound, @unchecked Sendable {
    package let loop: EventLoop
    package let limits: HTTPClientLimits
    private let tls: TLSClientContext
    private let resolver: NameResolver
    private var pools: [Origin: HTTPClientPool] = [:]

    /// The origin that a connection leads to: connections of one origin are alike.
    struct Origin: Hashable {
        let isSecure: Bool
        let host: String
        let port: UInt16
    }

    package init(
        on loop: EventLoop, limits: HTTPClientLimits = .init(),
        tls: TLSClientContext = TLSClientContext(trusting: .system), resolver: NameResolver = .shared
    ) {
        self.loop = loop
        self.limits = limits
        self.tls = tls
        self.resolver = resolver
    }

    /// Sends a request and waits for the complete answer.
    package func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientResponse {
        let exchange = HTTPClientExchange(request, bytes: try request.serialized(), limits: limits, on: loop)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if loop.isCurrent {
                    exchange.begin(continuation, with: self)
                } else {
                    loop.execute { exchange.begin(continuation, with: self) }
                }
            }
        } onCancel: {
            loop.execute { exchange.fail(.cancelled) }
        }
        return try result.get()
    }

    /// Closes the connections that no request uses. Called on the loop, when the server stops.
    package func closeIdleConnections() {
        checkLoop()
        for pool in Array(pools.values) { pool.closeIdle() }
    }

    /// Open connections, with and without a request. Called on the loop.
    package var connections: Int { pools.values.reduce(0) { $0 + $1.open } }

    // MARK: For the pools

    func pool(for url: HTTPURL) -> HTTPClientPool {
        checkLoop()
        let origin = Origin(isSecure: url.isSecure, host: url.host, port: url.port)
        if let pool = pools[origin] { return pool }
        let pool = HTTPClientPool(origin, of: self)
        pools[origin] = pool
        return pool
    }

    func poolIsEmpty(_ pool: HTTPClientPool) {
        checkLoop()
        if pools[pool.origin] === pool { pools[pool.origin] = nil }
    }

    /// Makes place for one more idle connection.
    func limitIdleConnections() {
        checkLoop()
        guard pools.values.reduce(0, { $0 + $1.idleCount }) > limits.idleConnections else { return }
        pools.values.min { $0.idleLongest < $1.idleLongest }?.closeLongestIdle()
    }

    func connector(
        opened: @escaping (consuming FileDescriptor, SocketAddress) -> Void,
        failed: @escaping (HTTPClientError.Problem) -> Void
    ) -> SocketConnector {
        SocketConnector(on: loop, addressesMax: limits.addresses, opened: opened) { error in
            switch error {
            case .lookup(let error): failed(.lookup(error))
            case .connect(let error): failed(.connect(error))
            }
        }
    }

    func start(_ connector: SocketConnector, to origin: Origin) {
        connector.start(origin.host, port: origin.port, resolver: resolver)
    }

    /// The channel over an open socket, with TLS where the origin has it.
    func channel(
        over descriptor: consuming FileDescriptor, at peer: SocketAddress, to origin: Origin
    ) throws(HTTPClientError.Problem) -> Channel {
        let transport = try transport(over: descriptor, to: origin)
        do {
            return try Channel(transport, peer: peer, on: loop)
        } catch {
            throw .connect(error)
        }
    }

    private func transport(
        over descriptor: consuming FileDescriptor, to origin: Origin
    ) throws(HTTPClientError.Problem) -> Transport {
        guard origin.isSecure else { return Transport(descriptor) }
        let context: TLSContext
        do {
            context = try tls.context()
        } catch {
            throw .configuration(error)
        }
        do {
            return try Transport(descriptor, securedBy: context, host: origin.host)
        } catch {
            throw .insecure(error)
        }
    }
}
