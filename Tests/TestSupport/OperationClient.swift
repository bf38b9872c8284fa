import Foundation

/// Sends operations to a server, one after the other over one connection, as a client library does.
package final class OperationClient {
    private let client: RawClient

    /// The key that a local server knows without any configuration.
    private static let key = "da2-fakeApiId123456"

    package init(port: UInt16) throws {
        client = try RawClient(port: port)
    }

    /// The body of the answer to an operation.
    package func answer(to query: String) throws -> String {
        let text = String(decoding: try JSONEncoder().encode(["query": query]), as: UTF8.self)
        try client.send(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nx-api-key: \(Self.key)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
        return try client.readAnswer().body
    }
}
