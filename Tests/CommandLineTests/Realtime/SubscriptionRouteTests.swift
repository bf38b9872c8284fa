import Foundation
import Network
import Server
import TestSupport
import Testing

@testable import homeport

/// Where and how the real program lets subscribers in.
@Suite("The routes of subscriptions")
struct SubscriptionRouteTests {
    private static let query = "subscription%20%7B%20onCreateTodo%20%7B%20id%20%7D%20%7D"
    private static let body = #"{"query":"subscription { onCreateTodo { id } }"}"#

    private static func get(_ query: String, key: String? = ClientScript.key) -> String {
        let credential = key.map { "x-api-key: \($0)\r\n" } ?? ""
        return
            "GET /graphql?query=\(query) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\(credential)\r\n"
    }

    private static func post(_ body: String, key: String? = ClientScript.key) -> String {
        let credential = key.map { "x-api-key: \($0)\r\n" } ?? ""
        return "POST /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\(credential)"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test("a WebSocket is to be had on three paths and on no other")
    func paths() throws {
        let server = try HomeportProcess(["--console=false"])
        let rows = [
            ("/graphql", 101), ("/graphql/", 101), ("/graphql/realtime", 101), ("/", 101), ("/?header=e30", 101),
            ("/ping", 200), ("/nothing", 404),
        ]
        for (path, status) in rows {
            let client = try WebSocketClient(port: server.port, path: path, protocols: ["graphql-ws"])
            #expect(client.head.status == status, "\(path)")
        }
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readAnswer().head.hasPrefix("HTTP/1.1 404 "))
        try client.send("GET /graphql/realtime HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readAnswer().head.hasPrefix("HTTP/1.1 426 "))
    }

    @Test("an event stream by GET and by POST has the mutation's event")
    func eventStreams() throws {
        let server = try HomeportProcess()
        let operations = try OperationClient(port: server.port)
        var streams: [RawClient] = []
        for request in [Self.get(Self.query), Self.post(Self.body)] {
            let client = try RawClient(port: server.port)
            try client.send(request)
            let head = try client.read(through: "\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(head.contains("content-type: text/event-stream; charset=utf-8\r\n"))
            streams.append(client)
        }
        try #require(try Self.waits(for: 2, on: server.port))
        _ = try operations.answer(to: #"mutation { createTodo(input: { id: "1", name: "n" }) { id } }"#)
        for client in streams {
            let text = "event: next\ndata: {\"data\":{\"onCreateTodo\":{\"id\":\"1\"}}}\n\n"
            #expect(try client.read(through: text).hasSuffix(text))
        }
        server.signal(SIGTERM)
        // Their clients take `complete` for the end, and never come back.
        for client in streams { #expect(try !client.readToEnd().contains("complete")) }
        #expect(server.exitStatus() == ExitCode.success.rawValue)
    }

    @Test("an event stream ends with a client that leaves, and goes on for one that sends nothing more")
    func leavingClients() throws {
        let server = try HomeportProcess()
        let operations = try OperationClient(port: server.port)
        func begun() throws -> RawClient {
            let client = try RawClient(port: server.port)
            try client.send(Self.post(Self.body))
            _ = try client.read(through: "\r\n\r\n")
            return client
        }
        let reader = try begun()
        do {
            let leaver = try begun()
            try #require(try Self.waits(for: 2, on: server.port))
            withExtendedLifetime(leaver) {}
        }
        // A stream of its own would find out by its next comment, after 15 seconds.
        let left = ContinuousClock.now
        try #require(try Self.waits(for: 1, on: server.port))
        #expect(ContinuousClock.now - left < .seconds(10))
        reader.finishSending()
        #expect(try reader.read(through: ":\n").hasSuffix(":\n"))
        _ = try operations.answer(to: #"mutation { createTodo(input: { id: "1", name: "n" }) { id } }"#)
        #expect(try reader.read(through: #""id":"1"}}}"#).contains("event: next"))
    }

    @Test(
        "a client that names event streams beside JSON gets its queries and mutations as JSON, its subscriptions as streams",
        arguments: [0, 9_000])
    func weighed(commas: Int) throws {
        let server = try HomeportProcess()
        let urql =
            "application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed"
        let json = "application/json;charset=UTF-8"
        let strict = "application/graphql-response+json; charset=utf-8"
        let stream = "text/event-stream; charset=utf-8"
        let rows: [(accept: String, operation: String, type: String)] = [
            (urql, "{ __typename }", strict),
            (urql, #"mutation { createTodo(input: { name: \"n\" }) { name } }"#, strict),
            (urql, "subscription { onCreateTodo { id } }", stream),
            (urql, "subscription { badField }", stream), (urql, "{ badField }", strict),
            ("application/json;q=0.9, text/event-stream;q=0.1", "{ __typename }", json),
            ("application/json;q=0.9, text/event-stream;q=0.1", "subscription { onCreateTodo { id } }", stream),
            ("application/json;q=0.1, text/event-stream;q=0.9", "{ __typename }", stream),
            ("text/event-stream", "{ __typename }", stream), ("*/*", "{ __typename }", json),
        ]
        for row in rows {
            let client = try RawClient(port: server.port)
            // Commas mean nothing, and make a long document of a short one.
            let body = #"{"query":"\#(row.operation)\#(String(repeating: ",", count: commas))"}"#
            try client.send(
                "POST /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: \(row.accept)\r\nx-api-key: \(ClientScript.key)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            let head = try AnswerHead(client.read(through: "\r\n\r\n"))
            #expect(head.fields["content-type"] == row.type, "\(row)")
            #expect((head.fields["content-length"] == nil) == (row.type == stream), "\(row)")
            #expect(head.status == (row.type == strict && row.operation.contains("bad") ? 400 : 200), "\(row)")
        }
    }

    @Test("a long mutation of a client that sends nothing more is made, and answered")
    func longMutation() throws {
        let server = try HomeportProcess()
        let commas = String(repeating: ",", count: 9_000)
        for number in 0..<20 {
            let body =
                #"{"query":"mutation { createTodo(input: { id: \"\#(number)\", name: \"n\" }) { id } }\#(commas)"}"#
            let client = try RawClient(port: server.port)
            try client.send(
                "POST /graphql HTTP/1.1\r\nHost: localhost\r\nx-api-key: \(ClientScript.key)\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            client.finishSending()
            #expect(try client.readToEnd().hasSuffix(#"{"data":{"createTodo":{"id":"\#(number)"}}}"#))
        }
    }

    @Test("who is not let in to an event stream is refused with a status, and who asks for nonsense too")
    func refusedStreams() throws {
        let server = try HomeportProcess()
        let unauthorized =
            #"{"errors":[{"errorType":"UnauthorizedException","message":"You are not authorized to make this call."}],"message":"You are not authorized to make this call."}"#
        let unparsable =
            #"{"errors":[{"errorType":"MalformedHttpRequestException","message":"Unable to parse GraphQL query."}],"message":"Unable to parse GraphQL query."}"#
        let rows: [(request: String, status: String, body: String)] = [
            (Self.get(Self.query, key: "da2-bad"), "401 Unauthorized", unauthorized),
            (Self.post(Self.body, key: "da2-bad"), "401 Unauthorized", unauthorized),
            (Self.get(""), "400 Bad Request", unparsable), (Self.post("meow"), "400 Bad Request", unparsable),
        ]
        let client = try RawClient(port: server.port)
        for row in rows {
            try client.send(row.request)
            let answer = try client.readAnswer()
            #expect(answer.head.hasPrefix("HTTP/1.1 \(row.status)\r\n"))
            #expect(answer.head.contains("access-control-allow-origin: *\r\n"))
            #expect(answer.body == row.body)
        }
        try client.send(Self.get(Self.query, key: nil))
        #expect(try client.readAnswer().head.hasPrefix("HTTP/1.1 401 "))
    }

    /// Waits until as many subscriptions run: an event stream does not say when it has begun.
    static func waits(for count: Int, on port: UInt16) throws -> Bool {
        try waits(for: "homeport_subscriptions \(count)", on: port)
    }

    /// Waits until as many have started, whether or not they run.
    static func started(_ count: Int, on port: UInt16) throws -> Bool {
        try waits(for: "homeport_subscriptions_total \(count)", on: port)
    }

    private static func waits(for line: String, on port: UInt16) throws -> Bool {
        let client = try RawClient(port: port)
        try eventually("the metrics have \(line)") {
            try client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return try client.readAnswer().body.split(separator: "\n").contains { $0 == line }
        }
        return true
    }
}
