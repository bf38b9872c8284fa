import Foundation
import JSON
import TestSupport

/// Somebody who asks the console as its page does, over a connection for each request.
final class ConsoleClient {
    static let schema = """
        type Post @model @auth(rules: [
            { allow: public, provider: apiKey, operations: [read] },
            { allow: private, operations: [read, create] },
            { allow: owner, ownerField: "author" },
            { allow: groups, groups: ["Moderators"] }
        ]) {
            id: ID!
            title: String!
            author: String
            secret: String @auth(rules: [{ allow: groups, groups: ["Moderators"] }])
            likes: Int
            tags: [String]
            comments: [Comment] @hasMany(indexName: "byPost", fields: ["id"])
        }
        type Comment @model @auth(rules: [{ allow: public, provider: apiKey }, { allow: owner }]) {
            id: ID!
            postID: ID! @index(name: "byPost", sortKeyFields: ["createdAt"])
            content: String!
            createdAt: AWSDateTime!
        }
        """

    let server: HomeportProcess
    /// The value of the cookie, where somebody has signed in.
    var cookie: String?
    var token: String?

    struct Answer {
        let status: Int
        let head: String
        let body: String

        var json: JSONValue { (try? JSONReader.value(of: body)) ?? .null }
        var code: String? { json["error"]?["code"]?.string }

        /// A field of the head.
        func field(_ name: String) -> String? { (try? AnswerHead(head))?.fields[name] }
    }

    init(_ server: HomeportProcess) { self.server = server }

    static func server(
        _ arguments: [String] = [], schema: String? = ConsoleClient.schema, environment: [String: String] = [:],
        in folder: TemporaryFolder = TemporaryFolder()
    ) throws -> ConsoleClient {
        let client = ConsoleClient(
            try HomeportProcess(
                arguments,
                environment: ["HOMEPORT_AUTH_ADDITIONAL": "AMAZON_COGNITO_USER_POOLS,AWS_IAM"].merging(environment) {
                    $1
                },
                schema: schema, in: folder))
        client.token = try client.get("session").json["csrf"]?.string
        return client
    }

    var origin: String { "http://127.0.0.1:\(server.port)" }

    /// A request as it is.
    func request(
        _ method: String, _ path: String, _ body: String = "", fields: [String] = [], host: String? = nil
    ) throws -> Answer {
        let client = try RawClient(port: server.port)
        let lines = [
            "Host: \(host ?? "127.0.0.1:\(server.port)")", "Connection: close", "Content-Length: \(body.utf8.count)",
        ]
        try client.send(
            "\(method) \(path) HTTP/1.1\r\n" + (lines + fields).map { "\($0)\r\n" }.joined() + "\r\n" + body)
        let text = try client.readToEnd()
        guard let end = text.range(of: "\r\n\r\n") else { return Answer(status: 0, head: text, body: "") }
        let head = String(text[..<end.lowerBound])
        return Answer(
            status: Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0, head: head,
            body: String(text[end.upperBound...]))
    }

    /// The same as the page sends it.
    func call(_ method: String, _ path: String, _ body: String = "", fields: [String] = []) throws -> Answer {
        var lines = ["Origin: \(origin)", "Sec-Fetch-Site: same-origin"] + fields
        if let token, method != "GET" { lines.append("X-Homeport-Csrf: \(token)") }
        if let cookie { lines.append("Cookie: \(cookie)") }
        return try request(method, "/_homeport/v1/\(path)", body, fields: lines)
    }

    func get(_ path: String) throws -> Answer { try call("GET", path) }

    func post(_ path: String, _ body: JSONValue) throws -> Answer {
        try call("POST", path, JSONWriter.text(of: body))
    }

    /// Runs an operation for somebody.
    func run(_ query: String, as caller: JSONValue = ["kind": "admin"], _ variables: JSONValue = .object(JSONObject()))
        throws
        -> JSONValue
    {
        try post("run", ["as": caller, "query": .string(query), "variables": variables]).json
    }

    /// Makes a post as the administrator.
    @discardableResult
    func make(_ id: String, title: String = "a title", author: String = "ann", secret: String? = nil) throws
        -> JSONValue
    {
        var input = JSONObject([("id", .string(id)), ("title", .string(title)), ("author", .string(author))])
        input["secret"] = secret.map(JSONValue.string)
        return try post(
            "change", ["model": "Post", "operation": "create", "input": .object(input)]
        ).json
    }
}
