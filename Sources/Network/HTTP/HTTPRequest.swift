import Synchronization

/// A request on its way through the server.
package struct HTTPRequest: Sendable {
    package let head: HTTPRequestHead
    package let body: HTTPRequestBody
    package let identifier: RequestIdentifier
    package let peer: SocketAddress
    package let isSecure: Bool
    /// The loop on which the request runs.
    package let loop: EventLoop
    /// The SHA-256 of the body as it was sent, where it was compressed: `body` is without its coding, and signatures are over what
    /// was sent.
    package let sentDigest: [UInt8]?

    init(
        head: HTTPRequestHead, body: HTTPRequestBody, identifier: RequestIdentifier, peer: SocketAddress,
        isSecure: Bool, loop: EventLoop, sentDigest: [UInt8]? = nil
    ) {
        self.head = head
        self.body = body
        self.identifier = identifier
        self.peer = peer
        self.isSecure = isSecure
        self.loop = loop
        self.sentDigest = sentDigest
    }
}

/// The body of a request: complete, or on its way.
package enum HTTPRequestBody: Sendable {
    case bytes([UInt8])
    case stream(HTTPBodyStream)
}

/// The decision on a request, made from its head alone, before any of its body is read.
package enum HTTPReception: Sendable {
    /// The body is collected up to the limit; then the handler runs as a task.
    case collect(bodyMax: Int, HTTPHandler)
    /// The body is collected up to the limit; then the answer is computed, without a task unless it has to wait.
    case compute(bodyMax: Int, @Sendable (HTTPRequest) -> HTTPReply)
    /// The handler runs as a task at once and reads the body piece by piece, up to the limit.
    case stream(bodyMax: Int, HTTPHandler)
    /// The answer is known already.
    case answer(HTTPResponse)
    /// The connection changes its protocol.
    case upgrade(HTTPUpgrade)
}

/// The answer to a request whose body is known.
package enum HTTPReply: Sendable {
    case now(HTTPResponse)
    /// An answer that has to wait: it runs as a task.
    case later(@Sendable () async -> HTTPResponse)
    /// The same where nothing is lost when the client goes: the task is cancelled as soon as it ends its side.
    case whileWaited(@Sendable () async -> HTTPResponse)
    /// Somebody else has it: the closure is called with whom to hand it to, once, on any thread. Costs no task.
    case promised(@Sendable (_ deliver: @escaping @Sendable (HTTPResponse) -> Void) -> Void)
    /// The same where nothing is lost when the client goes: what the closure gives back is called then, and gives the answer up. There is one
    /// even so.
    case promisedWhileWaited(@Sendable (_ deliver: @escaping @Sendable (HTTPResponse) -> Void) -> @Sendable () -> Void)

    /// The answer, for those who wait in a task anyway.
    package func response() async -> HTTPResponse {
        switch self {
        case .now(let response): return response
        case .later(let wait), .whileWaited(let wait): return await wait()
        case .promised(let begin):
            return await withCheckedContinuation { continuation in begin { continuation.resume(returning: $0) } }
        case .promisedWhileWaited(let begin):
            let end = EndOfWaiting()
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in end.calls(begin { continuation.resume(returning: $0) })
                }
            } onCancel: {
                end.comes()
            }
        }
    }
}

/// Gives up an answer that a task waits for, where the task is cancelled before or behind its beginning.
private final class EndOfWaiting: Sendable {
    private enum State {
        case waiting
        case begun(@Sendable () -> Void)
        case over
    }

    private let state = Mutex(State.waiting)

    /// Calls the closure when the task is cancelled, or at once where it has been.
    func calls(_ giveUp: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if case .over = state { return true }
            state = .begun(giveUp)
            return false
        }
        if isOver { giveUp() }
    }

    func comes() {
        let begun = state.withLock { state in
            defer { state = .over }
            return state
        }
        if case .begun(let giveUp) = begun { giveUp() }
    }
}

/// Answers a request, on the request's loop.
package typealias HTTPHandler = @Sendable (HTTPRequest) async -> HTTPResponse

/// A change of protocol: the fields of the 101 answer, and who takes the connection over.
package struct HTTPUpgrade: Sendable {
    package var fields: HTTPFieldLines
    /// Makes the handler that gets everything behind the request. Called on the loop when the answer is written.
    package var takeOver: @Sendable (Channel, RequestIdentifier) -> any ChannelHandler

    package init(
        fields: HTTPFieldLines, takeOver: @escaping @Sendable (Channel, RequestIdentifier) -> any ChannelHandler
    ) {
        self.fields = fields
        self.takeOver = takeOver
    }
}

/// An application that an HTTP server serves.
package protocol HTTPApplication: Sendable {
    /// Decides about a request. Called on its loop. `mark` is what the application finds in the exchange when it has
    /// `finished`, such as the number of a route.
    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception

    /// The answer to a request that never reached `receive` or whose body is not acceptable. There is a head where it was
    /// complete.
    func answer(to error: HTTPParseError, for head: HTTPRequestHead?) -> HTTPResponse

    /// Called when an answer is complete or was given up. Called on its loop; must not wait.
    func finished(_ exchange: HTTPExchange)

    // For those who count. Called on the connection's loop.

    func connectionOpened(on loop: Int)
    func connectionUpgraded(on loop: Int)
    func connectionClosed(on loop: Int, wasUpgraded: Bool)
}

extension HTTPApplication {
    package func connectionOpened(on loop: Int) {}
    package func connectionUpgraded(on loop: Int) {}
    package func connectionClosed(on loop: Int, wasUpgraded: Bool) {}
}

/// One request and what came of it, for logs and metrics.
package struct HTTPExchange: Sendable {
    package let identifier: RequestIdentifier
    /// Nil when the bytes were no request.
    package let head: HTTPRequestHead?
    package let peer: SocketAddress
    /// The place of the loop on which it ran.
    package let loop: Int
    package let began: MonotonicTime
    /// The mark that the application has set.
    package internal(set) var mark: Int?
    /// The note of the answer.
    package internal(set) var note: UInt64 = 0
    package internal(set) var reason: String?
    package internal(set) var ended = MonotonicTime.never
    /// Nil when the connection went away before there was an answer.
    package internal(set) var status: HTTPStatus?
    package internal(set) var bodyBytesReceived = 0
    package internal(set) var bytesSent = 0
    /// True if the answer was sent to its end.
    package internal(set) var isComplete = false

    mutating func noteAnswer(_ response: HTTPResponse, bytesSent count: Int) {
        status = response.status
        note = response.note
        reason = response.reason
        bytesSent += count
    }
}
