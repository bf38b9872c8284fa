import Foundation

/// Sends operations to a server, one after the other over one connection, as a client library does.
package final class OperationClient {
    private let client: RawClient
    private let fields: [String]

    /// The key that a local server knows without any configuration.
    package static let key = "x-api-key: da2-fakeApiId123456"

    /// `fields` are sent with each operation: who is calling.
    package init(port: UInt16, fields: [String] = [key]) throws {
        client = try RawClient(port: port)
        self.fields = fields
    }

    /// The body of the answer to an operation.
    package func answer(to query: String, _ variables: [String: Any] = [:]) throws -> String {
        let body = try JSONSerialization.data(withJSONObject: ["query": query, "variables": variables])
        let text = String(decoding: body, as: UTF8.self)
        let lines =
            ["Host: localhost", "Content-Type: application/json", "Content-Length: \(text.utf8.count)"] + fields
        try client.send("POST /graphql HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n" + text)
        return try client.readAnswer().body
    }
}
