import Foundation
import TestSupport

/// A client of a server's API on a connection of its own; it blocks, so it belongs on a thread of its own.
final class GraphQLClient {
    private let client: RawClient

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(port: UInt16) throws {
        client = try RawClient(port: port)
    }

    /// The body of the answer to a request; throws when the connection ends before it is whole.
    func answer(_ query: String, _ variables: [String: Any] = [:]) throws -> String {
        let body = try JSONSerialization.data(withJSONObject: ["query": query, "variables": variables])
        try client.send(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nx-api-key: da2-fakeApiId123456\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
                + String(decoding: body, as: UTF8.self))
        return try client.readAnswer().body
    }

    /// The `data` of an answer without errors.
    func data(_ query: String, _ variables: [String: Any] = [:]) throws -> [String: Any] {
        let text = try answer(query, variables)
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        guard let value, value["errors"] == nil, let data = value["data"] as? [String: Any] else {
            throw Failure(description: text)
        }
        return data
    }

    /// All todos, page by page: names by id.
    func todos() throws -> [String: String] {
        var found: [String: String] = [:]
        var token: Any = NSNull()
        while true {
            let data = try data(
                "query ($t: String) { listTodos(limit: 1000, nextToken: $t) { nextToken items { id name } } }",
                ["t": token])
            let page = data["listTodos"] as? [String: Any]
            for item in page?["items"] as? [[String: String]] ?? [] {
                found[item["id"] ?? ""] = item["name"]
            }
            guard let next = page?["nextToken"] as? String else { return found }
            token = next
        }
    }
}
