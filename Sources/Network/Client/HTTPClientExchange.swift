/// One request on its way to its answer: where it is, how long it may still take, who waits for it.
///
///     created ─▶ waiting for a connection ─▶ connecting ─▶ running ─▶ finished
///
/// It finishes once, whatever happens first: the answer, a failure, the end of its time, a cancellation.
final class HTTPClientExchange: LoopBound, @unchecked Sendable {
    typealias Outcome = Result<HTTPClientResponse, HTTPClientError>

    let request: HTTPClientRequest
    let bytes: [UInt8]
    let limits: HTTPClientLimits
    let loop: EventLoop
    private var phase = Phase.created
    private var continuation: CheckedContinuation<Outcome, Never>?
    private var outcome: Outcome?
    private var connectTimer: TimerToken?
    private var totalTimer: TimerToken?
    private var isRetry = false
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []

    private enum Phase {
        case created
        case waiting(HTTPClientPool)
        case connecting(SocketConnector, HTTPClientPool)
        case running(HTTPClientConnection)
        case finished
    }

    init(_ request: HTTPClientRequest, bytes: [UInt8], limits: HTTPClientLimits, on loop: EventLoop) {
        self.request = request
        self.bytes = bytes
        self.loop = loop
        var limits = limits
        limits.totalMilliseconds = request.totalMilliseconds ?? limits.totalMilliseconds
        limits.bodyBytes = request.responseBodyBytes ?? limits.bodyBytes
        self.limits = limits
    }

    func begin(_ continuation: CheckedContinuation<Outcome, Never>, with client: HTTPClient) {
        checkLoop()
        // The task may have been cancelled before it came to this.
        if let outcome { return continuation.resume(returning: outcome) }
        self.continuation = continuation
        totalTimer = after(limits.totalMilliseconds) { [self] in
            totalTimer = nil
            fail(.timedOut(milliseconds: limits.totalMilliseconds))
        }
        client.pool(for: request.url).serve(self)
    }

    // MARK: Where it is

    func isWaiting(in pool: HTTPClientPool) {
        phase = .waiting(pool)
    }

    func isConnecting(by connector: SocketConnector, in pool: HTTPClientPool) {
        phase = .connecting(connector, pool)
        connectTimer = after(limits.connectMilliseconds) { [self] in
            connectTimer = nil
            fail(.connectTimedOut(milliseconds: limits.connectMilliseconds))
        }
    }

    func isRunning(on connection: HTTPClientConnection) {
        phase = .running(connection)
    }

    /// The connection has taken the first bytes: it is open, and secured if it is to be.
    func isConnected() {
        cancel(&connectTimer)
    }

    // MARK: The answer

    func received(_ head: HTTPResponseHead) {
        self.head = head
        guard request.takesPiece == nil else { return }
        if case .length(let count) = head.framing { body.reserveCapacity(count) }
    }

    func received(_ piece: UnsafeRawBufferPointer) {
        if let takesPiece = request.takesPiece, head?.status == .ok { return takesPiece(Array(piece)) }
        body.append(contentsOf: piece)
    }

    func succeed() {
        guard let head else { return fail(.closed) }
        finish(.success(HTTPClientResponse(status: head.status, fields: head.fields, body: body)))
    }

    /// The connection ended before the answer. One that was kept may have been closed by the server just when the
    /// request was sent: then it was not looked at, and a new connection gets it if it may be sent twice.
    func lostConnection(_ problem: HTTPClientError.Problem, canBeStale: Bool, pool: HTTPClientPool) {
        guard case .running = phase, canBeStale, request.isIdempotent, !isRetry else { return fail(problem) }
        isRetry = true
        phase = .created
        pool.serveAgain(self)
    }

    func fail(_ problem: HTTPClientError.Problem) {
        checkLoop()
        let phase = self.phase
        finish(.failure(request.error(problem)))
        switch phase {
        case .created, .finished: break
        case .waiting(let pool): pool.withdraw(self)
        case .connecting(let connector, let pool):
            connector.cancel()
            pool.gaveUpConnecting()
        case .running(let connection): connection.abandon()
        }
    }

    private func finish(_ outcome: Outcome) {
        checkLoop()
        guard self.outcome == nil else { return }
        self.outcome = outcome
        phase = .finished
        cancel(&connectTimer)
        cancel(&totalTimer)
        let continuation = self.continuation
        self.continuation = nil
        continuation?.resume(returning: outcome)
    }

    // MARK: Time

    private func after(_ milliseconds: Int, _ action: @escaping () -> Void) -> TimerToken {
        loop.schedule(at: MonotonicTime.now.advanced(byMilliseconds: milliseconds), action)
    }

    private func cancel(_ timer: inout TimerToken?) {
        if let token = timer { loop.cancel(token) }
        timer = nil
    }
}
