import Foundation
import TestSupport

/// A test that steers a server, as one of an app's does.
final class TestControlClient {
    static let key = "a-key-of-these-tests"
    static let environment = ["HOMEPORT_TEST_CONTROL": "true", "HOMEPORT_TEST_KEY": key]

    let server: HomeportProcess

    struct Answer {
        let status: Int
        let head: String
        let body: String

        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
        }

        /// The objects of a list.
        func list(_ name: String) -> [[String: Any]] { json[name] as? [[String: Any]] ?? [] }
    }

    init(_ server: HomeportProcess) { self.server = server }

    static func server(
        _ arguments: [String] = [],
        schema: String? = "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String! }",
        environment: [String: String] = [:], in folder: TemporaryFolder = TemporaryFolder()
    ) throws -> HomeportProcess {
        try HomeportProcess(
            arguments, environment: Self.environment.merging(environment) { $1 }, schema: schema, in: folder)
    }

    /// What a path below `/_homeport` answers. Each call has a connection of its own: the server ends one that is idle while a test does
    /// other things.
    @discardableResult
    func call(
        _ method: String, _ path: String, _ body: String = "", fields: [String] = ["x-homeport-test-key: \(key)"],
        host: String = "localhost"
    ) throws -> Answer {
        let lines = ["Host: \(host)", "Content-Length: \(body.utf8.count)"] + fields
        let client = try RawClient(port: server.port)
        try client.send(
            "\(method) /_homeport/\(path) HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n" + body)
        let (head, text) = try client.readAnswer()
        return Answer(status: Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0, head: head, body: text)
    }

    /// An operation over a connection of its own, whatever comes of it.
    func operation(_ query: String, _ variables: [String: Any] = [:], named name: String? = nil) throws -> Answer {
        var members: [String: Any] = ["query": query, "variables": variables]
        members["operationName"] = name
        let body = String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
        let client = try RawClient(port: server.port)
        let lines = ["Host: localhost", OperationClient.key, "Connection: close", "Content-Length: \(body.utf8.count)"]
        try client.send("POST /graphql HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n" + body)
        let text = try client.readToEnd()
        guard let end = text.range(of: "\r\n\r\n") else { return Answer(status: 0, head: text, body: "") }
        let head = String(text[..<end.lowerBound])
        return Answer(
            status: Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0, head: head,
            body: String(text[end.upperBound...]))
    }

    @discardableResult
    func create(_ id: String, name: String = "n") throws -> String {
        try operation("mutation { createTodo(input: {id: \"\(id)\", name: \"\(name)\"}) { id createdAt } }").body
    }

    /// The ids of all records, in their order.
    func ids() throws -> String {
        let answer = try operation("{ listTodos(limit: 1000) { items { id } } }")
        let data = answer.json["data"] as? [String: Any]
        let items = (data?["listTodos"] as? [String: Any])?["items"] as? [[String: Any]] ?? []
        return items.compactMap { $0["id"] as? String }.sorted().joined(separator: ",")
    }
}
