import TestSupport
import Testing

/// GraphQL over HTTP as its specification has it, which only those get who ask for its media type.
@Suite("The strict mode of GraphQL over HTTP")
struct StrictModeTests {
    private static let strict = "application/graphql-response+json"
    private static let mutation = "mutation%7BcreateTodo(input:%7Bname:%22n%22%7D)%7Bname%7D%7D"
    private static let named =
        "query%20Q%7B__typename%7D%20mutation%20M%7BcreateTodo(input:%7Bname:%22n%22%7D)%7Bname%7D%7D"

    struct Row: Sendable {
        let request: String
        let accept: String
        var type: String?
        var body = ""
        let status: Int
        var allow: String?
    }

    static let query = #"{"query":"{ __typename }"}"#

    static let rows = [
        Row(request: "GET /graphql?query=\(mutation)", accept: strict, status: 405, allow: "POST"),
        Row(
            request: "GET /graphql?query=\(mutation)", accept: "\(strict), application/json;q=0.9", status: 405,
            allow: "POST"),
        Row(request: "HEAD /graphql?query=\(mutation)", accept: strict, status: 405, allow: "POST"),
        Row(request: "GET /graphql?query=\(named)&operationName=M", accept: strict, status: 405, allow: "POST"),
        Row(request: "GET /graphql?query=\(named)&operationName=Q", accept: strict, status: 200),
        Row(request: "GET /graphql?query=%7B__typename%7D", accept: strict, status: 200),
        Row(request: "GET /graphql?query=mutation", accept: strict, status: 400),
        Row(request: "POST /graphql", accept: strict, type: "text/plain", body: query, status: 415),
        Row(request: "POST /graphql", accept: strict, type: "application/xml", body: query, status: 415),
        Row(
            request: "POST /graphql", accept: strict, type: "multipart/form-data; boundary=x", body: query, status: 415),
        Row(
            request: "POST /graphql", accept: strict, type: "application/x-www-form-urlencoded", body: query,
            status: 415),
        Row(request: "POST /graphql", accept: strict, type: "application/jsonx", body: query, status: 415),
        Row(
            request: "POST /graphql", accept: strict, type: "Application/JSON ; charset=UTF-8", body: query, status: 200
        ),
        Row(request: "POST /graphql", accept: strict, type: "application/graphql+json", body: query, status: 200),
        Row(request: "POST /graphql", accept: strict, body: query, status: 200),
        // AppSync's own mode is lenient.
        Row(request: "GET /graphql?query=\(mutation)", accept: "application/json", status: 200),
        Row(request: "POST /graphql", accept: "*/*", type: "text/plain", body: query, status: 200),
        Row(
            request: "POST /graphql", accept: "application/json, \(strict);q=0.1", type: "text/plain", body: query,
            status: 200),
    ]

    @Test("a mutation comes by POST, and a body is JSON")
    func statuses() throws {
        let server = try HomeportProcess()
        for row in Self.rows {
            let client = try RawClient(port: server.port)
            var lines = [
                "Host: localhost", OperationClient.key, "Accept: \(row.accept)",
                "Content-Length: \(row.body.utf8.count)",
            ]
            if let type = row.type { lines.append("Content-Type: \(type)") }
            try client.send("\(row.request) HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n" + row.body)
            let head = try AnswerHead(client.read(through: "\r\n\r\n"))
            #expect(head.status == row.status, "\(row)")
            #expect(head.fields["allow"] == row.allow, "\(row)")
        }
        // Only what was allowed was carried out.
        let left = try server.answer(to: "{ listTodos { items { name } } }")
        #expect(left == #"{"data":{"listTodos":{"items":[{"name":"n"}]}}}"#)
    }

    @Test("who is not let in is told so before anything else")
    func unauthorizedFirst() throws {
        let server = try HomeportProcess()
        let client = try RawClient(port: server.port)
        try client.send(
            "GET /graphql?query=\(Self.mutation) HTTP/1.1\r\nHost: localhost\r\nAccept: \(Self.strict)\r\n\r\n")
        #expect(try client.readAnswer().head.hasPrefix("HTTP/1.1 401 "))
    }
}
