/// Where the handler of a request writes a streamed body to.
package struct HTTPBodyWriter: Sendable {
    let connection: HTTPServerConnection

    /// Sends a piece. Waits while the client is slower than the writer.
    package func write(_ bytes: [UInt8]) async throws(HTTPBodyError) {
        try await connection.writeBody(bytes)
    }

    /// Tells how many bytes the writer keeps behind those that the client has not taken: they count with them for what all
    /// connections may hold. Called on the loop.
    package func keeps(_ count: Int) { connection.channel.holdBehind(count) }
}
