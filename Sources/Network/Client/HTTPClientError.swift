/// Why a request has no answer: to whom it went, and what went wrong.
package struct HTTPClientError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Problem: Error, Equatable, Sendable {
        /// The name has no addresses.
        case lookup(NameResolverError)
        /// No address takes a connection; the error of the first that was tried.
        case connect(SystemError)
        /// No connection, its TLS handshake included, within the time.
        case connectTimedOut(milliseconds: Int)
        /// No complete answer within the time.
        case timedOut(milliseconds: Int)
        /// TLS failed, or the server is not the one it should be.
        case insecure(TLSError)
        /// The client's own TLS setup is not usable.
        case configuration(TLSConfigurationError)
        /// The connection broke.
        case broken(SystemError)
        /// The server closed the connection without an answer.
        case closed
        /// The answer is no acceptable HTTP message, or too large.
        case unacceptable(HTTPParseError)
        /// Too many requests wait for a connection to this server.
        case tooManyWaiting(limit: Int)
        /// The method is one of those that have no name here.
        case namelessMethod
        /// A field of the request that is malformed, or that the client itself sets.
        case badField(String)
        /// The task that waits for the answer was cancelled.
        case cancelled
    }

    /// Scheme, host and port. A path or a query may hold what is not for a log.
    package let origin: String
    package let problem: Problem

    package var description: String { "\(origin): \(reason)" }

    private var reason: String {
        switch problem {
        case .lookup(let error): "the host's name has no address: \(error)"
        case .connect(let error): error.description
        case .connectTimedOut(let milliseconds): "no connection within \(milliseconds) ms"
        case .timedOut(let milliseconds): "no complete answer within \(milliseconds) ms"
        case .insecure(let error): error.description
        case .configuration(let error): error.description
        case .broken(let error): "the connection broke: \(error)"
        case .closed: "the server closed the connection without an answer"
        case .unacceptable(let error): "the answer is not acceptable: \(error)"
        case .tooManyWaiting(let limit): "\(limit) requests wait for a connection already"
        case .namelessMethod: "the request has no method"
        case .badField(let name): "the request may not have the field \"\(name)\""
        case .cancelled: "the request was cancelled"
        }
    }
}
