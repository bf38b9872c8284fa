/// Every limit of the HTTP client, in one place.
package struct HTTPClientLimits: Sendable, Equatable {
    /// How long it may take until a connection is open and its TLS handshake done, the look-up of the name included.
    package var connectMilliseconds = 5_000
    /// How long a request may take from its start to the last byte of its answer.
    package var totalMilliseconds = 30_000
    /// How long a connection without a request is kept. Servers commonly drop one after 5 s or more.
    package var idleMilliseconds = 4_000

    /// Status line and header fields of an answer together.
    package var headBytes = 32 * 1024
    /// Header fields of an answer, and of its trailer.
    package var headFields = 100
    /// The body of an answer where the request says nothing else.
    package var bodyBytes = 1024 * 1024
    /// Interim answers (100 to 199) before the one that counts.
    package var interimAnswers = 10

    /// Open connections to one host and port. Beyond: a request waits for one of them.
    package var connectionsPerHost = 64
    /// Requests that wait for a connection to one host and port. Beyond: the request fails at once.
    package var waitingPerHost = 1_024
    /// Open connections without a request, over all hosts. Beyond: the one that has waited longest is closed.
    package var idleConnections = 64
    /// Addresses of a name that are tried.
    package var addresses = 8

    package init() {}

    /// The limits of the pieces that the server's parser and this one share.
    var message: HTTPLimits {
        var limits = HTTPLimits()
        limits.headBytes = min(headBytes, HTTPFields.bytesMax)
        limits.headFields = headFields
        limits.bodyBytes = bodyBytes
        return limits
    }
}
