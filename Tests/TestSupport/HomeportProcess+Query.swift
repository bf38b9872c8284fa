import Foundation

extension HomeportProcess {
    /// The body of the answer to a query of GraphQL, sent with these header fields.
    package func answer(to query: String, fields: [String] = ["x-api-key: da2-fakeApiId123456"]) throws -> String {
        let body = String(decoding: try JSONEncoder().encode(["query": query]), as: UTF8.self)
        let client = try RawClient(port: port)
        let lines = ["Host: localhost", "Content-Length: \(body.utf8.count)"] + fields
        try client.send("POST /graphql HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n" + body)
        return try client.readAnswer().body
    }
}
