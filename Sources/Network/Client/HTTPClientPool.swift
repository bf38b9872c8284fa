/// The connections to one origin, and the requests that wait for one of them.
final class HTTPClientPool {
    let origin: HTTPClient.Origin
    private let client: HTTPClient
    /// Those without a request, the one used last at the end.
    private var idle: [HTTPClientConnection] = []
    private var waiting: [HTTPClientExchange] = []
    private var isServingScheduled = false
    /// Connections that are open or being opened.
    private(set) var open = 0

    init(_ origin: HTTPClient.Origin, of client: HTTPClient) {
        self.origin = origin
        self.client = client
    }

    var idleCount: Int { idle.count }

    /// Since when the connection that has waited longest has been idle.
    var idleLongest: MonotonicTime { idle.first?.idleSince ?? .never }

    /// Gives the exchange a connection, now or when there is one. `fresh` for one that no request has used before.
    func serve(_ exchange: HTTPClientExchange, fresh: Bool = false) {
        if !fresh, let connection = idle.popLast() { return run(exchange, on: connection) }
        if fresh, open >= client.limits.connectionsPerHost { closeLongestIdle() }
        if open < client.limits.connectionsPerHost { return connect(exchange) }
        guard waiting.count < client.limits.waitingPerHost else {
            return exchange.fail(.tooManyWaiting(limit: client.limits.waitingPerHost))
        }
        exchange.isWaiting(in: self)
        waiting.append(exchange)
    }

    /// Gives the exchange a connection that no request has used before. This pool may have been left by its last
    /// connection, and another one taken its place.
    func serveAgain(_ exchange: HTTPClientExchange) {
        client.pool(for: exchange.request.url).serve(exchange, fresh: true)
    }

    func withdraw(_ exchange: HTTPClientExchange) {
        waiting.removeAll { $0 === exchange }
        leaveIfEmpty()
    }

    private func run(_ exchange: HTTPClientExchange, on connection: HTTPClientConnection) {
        exchange.isRunning(on: connection)
        connection.run(exchange)
    }

    // MARK: Opening

    private func connect(_ exchange: HTTPClientExchange) {
        open += 1
        let connector = client.connector { [self] descriptor, peer in
            do throws(HTTPClientError.Problem) {
                let channel = try client.channel(over: descriptor, at: peer, to: origin)
                run(exchange, on: HTTPClientConnection(channel, of: self))
            } catch {
                exchange.fail(error)
            }
        } failed: { problem in
            exchange.fail(problem)
        }
        exchange.isConnecting(by: connector, in: self)
        client.start(connector, to: origin)
    }

    /// A connection that was to be opened will not be.
    func gaveUpConnecting() {
        connectionIsGone()
    }

    // MARK: Connections

    /// The connection has brought its answer and can take the next request.
    func release(_ connection: HTTPClientConnection) {
        idle.append(connection)
        client.limitIdleConnections()
        serveSoon()
    }

    func connectionIsClosed(_ connection: HTTPClientConnection) {
        idle.removeAll { $0 === connection }
        connectionIsGone()
    }

    private func connectionIsGone() {
        open -= 1
        serveSoon()
        leaveIfEmpty()
    }

    func closeLongestIdle() {
        idle.first?.close()
    }

    func closeIdle() {
        for connection in idle { connection.close() }
    }

    /// In the next turn: what fails at once must not be called from what it fails for, a thousand calls deep.
    private func serveSoon() {
        guard !waiting.isEmpty, !isServingScheduled else { return }
        isServingScheduled = true
        client.loop.callAtEndOfTurn(self)
    }

    private func leaveIfEmpty() {
        if open == 0, waiting.isEmpty { client.poolIsEmpty(self) }
    }
}

extension HTTPClientPool: EndOfTurnHandler {
    func turnEnded() {
        isServingScheduled = false
        while !waiting.isEmpty, !idle.isEmpty || open < client.limits.connectionsPerHost {
            serve(waiting.removeFirst())
        }
    }
}
