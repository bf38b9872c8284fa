/// One connection of the client: carries one exchange at a time, and rests in its pool between them.
final class HTTPClientConnection: ChannelHandler {
    private let channel: Channel
    private let pool: HTTPClientPool
    private var exchange: HTTPClientExchange?
    private var parser: HTTPResponseParser?
    private var canBeKept = false
    private var hasServed = false
    private var problem: HTTPClientError.Problem?
    private(set) var idleSince = MonotonicTime.never

    init(_ channel: Channel, of pool: HTTPClientPool) {
        self.channel = channel
        self.pool = pool
        channel.handler = self
    }

    func run(_ exchange: HTTPClientExchange) {
        self.exchange = exchange
        parser = HTTPResponseParser(isAnswerToHead: exchange.request.method == .head, limits: exchange.limits)
        canBeKept = false
        channel.deadline = .never
        channel.write { $0.append(contentsOf: exchange.bytes) }
    }

    /// Nobody waits for the answer any more.
    func abandon() {
        exchange = nil
        channel.close(.peerGone)
    }

    func close() { channel.close(.done) }

    // MARK: What the channel tells

    func channelDidRead(_ bytes: UnsafeRawBufferPointer) {
        // Without a request there is nothing to say: an answer that nobody asked for must not become that of the next.
        guard let exchange else { return channel.close(.done) }
        var rest = bytes
        while let event = parser?.next(&rest) {
            switch event {
            case .needMore: return
            case .head(let head):
                canBeKept = head.isKeptAlive
                exchange.received(head)
            case .body(let piece): exchange.received(piece)
            case .end: return finish(canBeKept: canBeKept && rest.isEmpty)
            case .failure(let error): return fail(.unacceptable(error))
            }
        }
    }

    func channelDidReadAll() {
        guard exchange != nil else { return channel.close(.done) }
        guard parser?.hasBegun == true, let event = parser?.connectionEnded() else { return fail(.closed) }
        switch event {
        case .end: finish(canBeKept: false)
        case .failure(let error): fail(.unacceptable(error))
        case .needMore, .head, .body: fail(.closed)
        }
    }

    func channelDidWrite(_ count: Int) {
        exchange?.isConnected()
    }

    func channelDidFlush() {}

    func channelDidTimeOut() { channel.close(.timedOut) }

    func channelWillStop() {}

    func channelDidClose(_ reason: ChannelCloseReason) {
        let exchange = self.exchange
        self.exchange = nil
        let hasBegun = parser?.hasBegun ?? false
        parser = nil
        pool.connectionIsClosed(self)
        exchange?.lostConnection(
            problem ?? Self.problem(of: reason), canBeStale: hasServed && !hasBegun, pool: pool)
    }

    // MARK: Ends

    /// The answer is complete. What came behind it, if anything, is not an answer to any request.
    private func finish(canBeKept: Bool) {
        let exchange = self.exchange
        self.exchange = nil
        parser = nil
        // A server that answers before it has read the request may never read the rest of it.
        if canBeKept, channel.outgoingBytes == 0 {
            hasServed = true
            idleSince = channel.loop.now
            channel.deadline = idleSince.advanced(byMilliseconds: exchange?.limits.idleMilliseconds ?? 0)
            pool.release(self)
        } else {
            channel.close(.done)
        }
        exchange?.succeed()
    }

    private func fail(_ problem: HTTPClientError.Problem) {
        self.problem = problem
        channel.close(.peerGone)
    }

    private static func problem(of reason: ChannelCloseReason) -> HTTPClientError.Problem {
        switch reason {
        case .done, .peerGone, .timedOut, .stopping: .closed
        case .failed(.system(let error)): .broken(error)
        case .failed(.tls(let error)): .insecure(error)
        }
    }
}
