/// Every limit of the HTTP server, in one place. Each has a configuration key of the same name under `limits`.
package struct HTTPLimits: Sendable, Equatable {
    /// Request line and header fields together. Beyond: 431, or 414 when it is the request line.
    package var headBytes = 32 * 1024
    /// The request target (path and query). Beyond: 414.
    package var targetBytes = 16 * 1024
    /// Header fields of a request, and of its trailer. Beyond: 431.
    package var headFields = 100
    /// The body of a request where its route says nothing else, before and after inflation. Beyond: 413.
    package var bodyBytes = 1024 * 1024
    /// The line that opens a chunk: its size and extensions. Beyond: 400.
    package var chunkLineBytes = 256
    /// The trailer of a chunked body. Beyond: 431.
    package var trailerBytes = 8 * 1024
    /// Bytes of further requests that a connection may have sent while one is answered. Beyond: it is not read on.
    package var pipelinedBytes = 64 * 1024
    /// Requests of one connection of HTTP/2 that are under way at once. Beyond: the stream is refused.
    package var streamsPerConnection = 100
    /// Open connections. Beyond: 503.
    package var connections = 16_384
    /// TLS handshakes that are under way, on all loops together. Beyond: those that have lasted longest are closed.
    package var handshakes = 1_024
    /// Bytes of a streamed body, either way, that wait for the one who is to take them. Beyond: the other one waits.
    package var streamedBytes = 128 * 1024
    /// The bytes of incomplete heads, bodies and messages, in all connections together. Beyond: 503.
    package var waitingBodyBytes = 128 * 1024 * 1024
    /// The bytes that wait for clients that do not read, in all connections together. Beyond: the slowest are closed.
    package var unreadAnswerBytes = 256 * 1024 * 1024

    /// How long a connection may stay open between requests.
    package var idleMilliseconds = 75_000
    /// How long a request's head may take. Beyond: 408.
    package var headMilliseconds = 10_000
    /// The rate that a body must keep in each stretch of this length. Below: 408.
    package var bodyGraceMilliseconds = 10_000
    package var bodyBytesPerSecond = 512
    /// How long nothing of a body may come. Beyond: 408.
    package var bodySilenceMilliseconds = 10_000
    /// The rate at which a client must take an answer in each stretch of this length. Below: the connection is closed.
    package var answerGraceMilliseconds = 30_000
    package var answerBytesPerSecond = 512
    /// How long a client may take nothing of an answer. Beyond: the connection is closed.
    package var writeStallMilliseconds = 30_000
    /// How long a client that is still sending is listened to behind an answer that ends its connection: all in all, and
    /// without a byte; and how much it may send. Beyond: the connection is closed, which may cost the client the answer.
    package var lingerMilliseconds = 30_000
    package var lingerSilenceMilliseconds = 5_000
    package var lingerBytes = 256 * 1024 * 1024
    /// How long requests that run may go on when the server stops.
    package var stopMilliseconds = 10_000

    package init() {}
}

extension HTTPLimits {
    /// How many heads a loop remembers, and the bytes of the longest one: 128 KiB a loop, and what was read in them.
    static let rememberedHeads = 32
    static let rememberedHeadBytes = 2_048

    /// The handshakes that one of so many loops may have under way.
    func handshakesPerLoop(of loops: Int) -> Int { Swift.max(1, handshakes / Swift.max(1, loops)) }
}
