/// Where the handler of a request writes a streamed body to.
package struct HTTPBodyWriter: Sendable {
    let sink: any HTTPBodySink

    /// Sends a piece. Waits while the client is slower than the writer.
    package func write(_ bytes: [UInt8]) async throws(HTTPBodyError) {
        try await sink.writeBody(bytes)
    }

    /// Tells how many bytes the writer keeps behind those that the client has not taken: they count with them for what all
    /// connections may hold. Called on the loop.
    package func keeps(_ count: Int) { sink.keepsBehind(count) }

    /// Calls back, on the loop, when the client has ended its side of the connection, and when that is closed. A client that still
    /// reads looks like one that has left, until something is written to it. Called on the loop.
    package func whenClientEndsItsSide(_ call: @escaping @Sendable () -> Void) { sink.whenClientEndsItsSide(call) }
}

/// Where the pieces of an answer go: a connection of HTTP/1.1, or a stream of HTTP/2.
protocol HTTPBodySink: AnyObject, Sendable {
    func writeBody(_ bytes: [UInt8]) async throws(HTTPBodyError)
    /// The writer keeps so many bytes behind those that the client has not taken.
    func keepsBehind(_ count: Int)
    /// The client sends nothing more on this connection: the writer is called then, or at once.
    func whenClientEndsItsSide(_ call: @escaping @Sendable () -> Void)
}
