import Synchronization

/// An HTTP server on a group of event loops.
package final class HTTPServer: Sendable {
    private let shards: [HTTPServerShard]
    private let counter: HTTPConnectionCounter
    package let bounds: SharedBounds
    private let bound = Mutex<[SocketAddress]>([])

    package convenience init(
        _ application: any HTTPApplication, options: HTTPServerOptions, on group: EventLoopGroup
    ) {
        self.init(application, options: options, on: group.loops)
    }

    package init(_ application: any HTTPApplication, options: HTTPServerOptions, on loops: [EventLoop]) {
        let counter = HTTPConnectionCounter()
        self.counter = counter
        let bounds = options.bounds ?? SharedBounds(options.limits)
        self.bounds = bounds
        shards = loops.map {
            HTTPServerShard(
                loop: $0, of: loops.count, application: application, options: options, counter: counter, bounds: bounds)
        }
    }

    /// Where the server listens: with the port that the system chose where port 0 was asked for.
    package var addresses: [SocketAddress] { bound.withLock { $0 } }

    /// Open connections, those that have changed their protocol included.
    package var connections: Int { counter.count }

    /// Begins to listen on every address, on every loop. Throws at the first address that cannot be had.
    package func start(on addresses: [SocketAddress]) async throws(SystemError) {
        try await start(on: ListeningSockets(on: addresses, loops: shards.count))
    }

    /// Begins to accept from sockets that listen: one for each address and loop.
    package func start(on sockets: ListeningSockets) async throws(SystemError) {
        var shard = 0
        while let descriptor = sockets.next() {
            try await shards[shard].begin(descriptor)
            shard = (shard + 1) % shards.count
        }
        bound.withLock { $0 += sockets.addresses }
    }

    /// Stops: no new connections, what runs may finish until the limit, then the rest is closed.
    ///
    /// Answers how many connections had to be cut off.
    @discardableResult
    package func stop() async -> Int {
        await withTaskGroup(of: Int.self) { group in
            // On the loops: all begin to stop now, also where nobody else has time for it.
            for shard in shards { group.addTask(executorPreference: shard.loop) { await shard.stop() } }
            return await group.reduce(0, +)
        }
    }
}

/// How an HTTP server is set up.
package struct HTTPServerOptions: Sendable {
    package var limits: HTTPLimits
    /// The bounds of all connections together; nil: bounds of its own, by the limits.
    package var bounds: SharedBounds?
    /// With it, a connection whose first byte is that of TLS gets TLS, on every address. Others stay plain where they come from this machine,
    /// and are refused where they do not: an app that has `http` by mistake would send passwords in clear.
    package var tls: ReloadableTLSContext?
    /// The field of every answer that carries the request's identifier.
    package var identifierField: StaticString
    /// The name, in lower case, of a field that nobody reads: it alone may be longer than heads otherwise are.
    package var unreadField: String?
    /// Called on a loop with what went wrong outside of any request.
    package var report: @Sendable (SystemError) -> Void

    /// Returns whether what comes in clear from there is refused.
    func refusesPlain(from peer: SocketAddress) -> Bool { tls != nil && !peer.isLoopback }

    package init(
        limits: HTTPLimits = .init(), bounds: SharedBounds? = nil, tls: ReloadableTLSContext? = nil,
        identifierField: StaticString = "x-request-id",
        report: @escaping @Sendable (SystemError) -> Void = { _ in }
    ) {
        self.limits = limits
        self.bounds = bounds
        self.tls = tls
        self.identifierField = identifierField
        self.report = report
    }
}

/// How many connections are open, over all loops.
final class HTTPConnectionCounter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }

    /// Counts a connection, and tells whether there was a place for it. It has to leave either way.
    func enter(max: Int) -> Bool {
        value.add(1, ordering: .relaxed).newValue <= max
    }

    func leave() {
        value.subtract(1, ordering: .relaxed)
    }
}
