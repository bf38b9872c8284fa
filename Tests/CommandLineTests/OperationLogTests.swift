import Foundation
import Server
import TestSupport
import Testing

/// What the log and the counters say of the operations that a real server has answered.
@Suite("Operations in the log and in the metrics")
struct OperationLogTests {
    private static let schema = """
        type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String! }
        type Note @model @auth(rules: [{ allow: owner }]) { id: ID! text: String }
        """

    private struct Row {
        let query: String
        var fields = [OperationClient.key]
        /// How the line of the log begins and what it has besides.
        let line: String
        var metric = ""
    }

    private static func rows(_ folder: TemporaryFolder) throws -> [Row] {
        let outcome = try ProgramRun.outcome(["token", "--username", "ann"], in: folder)
        let ann = ["authorization: " + outcome.output.trimmingCharacters(in: .newlines)]
        return [
            Row(
                query: "{ listTodos { items { id } } }", line: "query listTodos api-key 200 ",
                metric: #"operations_total{kind="query",field="listTodos",caller="api-key"} 1"#),
            Row(
                query: "query Mine { a: getTodo(id: 1) { id } b: listTodos { items { id } } }",
                line: "query getTodo+1 api-key 200 ",
                metric: #"operations_total{kind="query",field="getTodo",caller="api-key"} 1"#),
            Row(
                query: #"mutation { createTodo(input: {id: 1, name: "n"}) { id } }"#,
                line: "mutation createTodo api-key 200 ",
                metric: #"operation_duration_seconds_count{kind="mutation",field="createTodo"} 1"#),
            Row(
                query: #"mutation { createNote(input: {text: "t"}) { id } }"#, fields: ann,
                line: "mutation createNote user-pool 200 ",
                metric: #"operations_total{kind="mutation",field="createNote",caller="user-pool"} 1"#),
            Row(
                query: "{ listNotes { items { id } } }", line: "query listNotes api-key 200 1 error Unauthorized ",
                metric: #"errors_total{kind="query",field="listNotes",type="Unauthorized"} 1"#),
            Row(
                query: #"mutation { updateTodo(input: {id: 9, name: "n"}) { id } }"#,
                line: "mutation updateTodo api-key 200 1 error DynamoDB:ConditionalCheckFailedException ",
                metric:
                    #"errors_total{kind="mutation",field="updateTodo",type="DynamoDB:ConditionalCheckFailedException"} 1"#
            ),
            Row(query: "{ __typename }", line: "query introspection api-key 200 "),
            Row(
                query: "{ secretFieldOfARequest }", line: "none none api-key 200 1 error ValidationError ",
                metric: #"errors_total{kind="none",field="none",type="ValidationError"} 1"#),
            Row(
                query: "{ listTodos { items { id } } }", fields: ["x-api-key: da2-wrong"],
                line:
                    "none none nobody 401 1 error UnauthorizedException ~ reason=\"the API key is none of auth.apiKeys",
                metric: #"operations_total{kind="none",field="none",caller="nobody"} 1"#),
        ]
    }

    @Test("have their names, callers and errors there, and none that only a request knows")
    func named() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(schema: Self.schema, in: folder)
        let rows = try Self.rows(folder)
        for row in rows { _ = try server.answer(to: row.query, fields: row.fields) }
        let client = try RawClient(port: server.port)
        try client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let metrics = try client.readToEnd()
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        let lines = server.log.split(separator: "\n").map(String.init)
        for row in rows {
            let parts = row.line.split(separator: "~").map(String.init)
            #expect(
                lines.contains { line in line.contains(" " + parts[0]) && parts.allSatisfy { line.contains($0) } },
                "\(row.line): \(server.log)")
            #expect(
                row.metric.isEmpty || metrics.contains("homeport_graphql_" + row.metric + "\n"), "\(row.metric)")
        }
        #expect(!server.log.contains("secretFieldOfARequest") && !metrics.contains("secretFieldOfARequest"))
        #expect(!server.log.contains("Mine"))
    }

    @Test("are counted when an event stream carries them, too")
    func streamed() throws {
        let server = try HomeportProcess(schema: Self.schema)
        for query in ["{ listTodos { items { id } } }", "{ listNotes { items { id } } }", "{ nothing }"] {
            let body = "{\"query\":\"\(query)\"}"
            let client = try RawClient(port: server.port)
            try client.send(
                "POST /graphql HTTP/1.1\r\nHost: localhost\r\n\(OperationClient.key)\r\nConnection: close\r\n"
                    + "Accept: text/event-stream\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            #expect(try client.readToEnd().contains("event: complete"))
        }
        let client = try RawClient(port: server.port)
        try client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let metrics = try client.readToEnd()
        for line in [
            #"operations_total{kind="query",field="listTodos",caller="api-key"} 1"#,
            #"operation_duration_seconds_count{kind="query",field="listTodos"} 1"#,
            #"errors_total{kind="query",field="listNotes",type="Unauthorized"} 1"#,
        ] { #expect(metrics.contains("homeport_graphql_\(line)\n"), "\(line)") }
    }

    /// Asks for operations over a WebSocket, one after the other, each with the end of what is said to it.
    private static func ask(
        _ server: HomeportProcess, _ protocolName: String,
        _ operations: [Asked]
    ) throws {
        var client = try WebSocketClient(
            port: server.port, path: "/graphql", protocols: [protocolName],
            fields: [("x-api-key", "da2-fakeApiId123456")])
        try client.send(#"{"type":"connection_init"}"#)
        try wait(for: "connection_ack", &client)
        for (number, operation) in operations.enumerated() {
            try client.send(operation.text("\(number)"))
            try wait(for: operation.end, &client)
        }
    }

    private static func wait(for type: String, _ client: inout WebSocketClient) throws {
        while true {
            guard case .text(let text) = try client.next(until: .now + .seconds(30)) else {
                throw WebSocketClient.Failure(description: "no \(type)")
            }
            if text.contains(#""type":"\#(type)""#) { return }
        }
    }

    private struct Asked {
        let text: (String) -> String
        /// The type of the message with which it is answered, or refused.
        let end: String
    }

    private static func modern(_ query: String, until end: String) -> Asked {
        Asked(text: { #"{"id":"\#($0)","type":"subscribe","payload":{"query":"\#(query)"}}"# }, end: end)
    }

    private static func appSync(_ query: String, key: String? = nil, until end: String) -> Asked {
        let extensions = key.map { #","extensions":{"authorization":{"x-api-key":"\#($0)"}}"# } ?? ""
        let data = #""{\"query\":\"\#(query)\",\"variables\":{}}""#
        return Asked(text: { #"{"id":"\#($0)","type":"start","payload":{"data":\#(data)\#(extensions)}}"# }, end: end)
    }

    private static let create = #"mutation { createTodo(input: {id: \"1\", name: \"n\"}) { id } }"#
    private static let onCreate = "subscription Secret { secretAlias: onCreateTodo { id } }"

    /// What is asked over each carrier, and how the lines of the log begin and end.
    private static let carried: [(line: String, over: String)] = [
        ("query listTodos api-key 200 ", "graphql-transport-ws"),
        ("query listTodos+1 api-key 200 ", "graphql-transport-ws"),
        ("query listNotes api-key 200 1 error Unauthorized ", "graphql-transport-ws"),
        ("mutation createTodo api-key 200 ", "graphql-transport-ws"),
        ("none none api-key 200 1 error ValidationError ", "graphql-transport-ws"),
        ("subscription onCreateNote api-key 401 1 error Unauthorized ", "graphql-transport-ws"),
        ("subscription onCreateTodo api-key 200 ", "graphql-transport-ws"),
        ("subscription onCreateTodo api-key 200 ", "graphql-ws"),
        ("subscription onCreateNote api-key 401 1 error Unauthorized ", "graphql-ws"),
        ("none none api-key 400 1 error other ", "graphql-ws"),
        ("none none nobody 401 1 error UnauthorizedException ", "graphql-ws"),
        ("query listTodos api-key 200 ", "event-stream"),
        ("subscription onCreateTodo api-key 200 ", "event-stream"),
    ]

    private static func askOverAll(_ server: HomeportProcess) throws {
        try ask(
            server, "graphql-transport-ws",
            [
                modern("query Secret { secretAlias: listTodos { items { id } } }", until: "complete"),
                modern("{ a: listTodos { items { id } } b: getTodo(id: 1) { id } }", until: "complete"),
                modern("{ listNotes { items { id } } }", until: "complete"), modern(create, until: "complete"),
                modern("{ secretField }", until: "error"),
                modern("subscription { onCreateNote { id } }", until: "error"),
            ])
        try ask(
            server, "graphql-ws",
            [
                appSync(onCreate, until: "start_ack"),
                appSync("subscription { onCreateNote { id } }", until: "error"),
                appSync("{ listTodos { items { id } } }", until: "error"),
                appSync(onCreate, key: "da2-wrong", until: "error"),
            ])
        // These two do not say when they have begun: the counters do.
        var modern = try WebSocketClient(
            port: server.port, path: "/graphql", protocols: ["graphql-transport-ws"],
            fields: [("x-api-key", "da2-fakeApiId123456")])
        try modern.send(#"{"type":"connection_init"}"#)
        try wait(for: "connection_ack", &modern)
        try modern.send(#"{"id":"1","type":"subscribe","payload":{"query":"\#(onCreate)"}}"#)
        for query in ["{ listTodos { items { id } } }", onCreate] {
            let body = "{\"query\":\"\(query)\"}"
            let client = try RawClient(port: server.port)
            try client.send(
                "POST /graphql HTTP/1.1\r\nHost: localhost\r\n\(OperationClient.key)\r\nConnection: close\r\n"
                    + "Accept: text/event-stream\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            if query == onCreate {
                #expect(try SubscriptionRouteTests.started(3, on: server.port))
                client.finishSending()
            } else {
                #expect(try client.readToEnd().contains("event: complete"))
            }
        }
        modern.finishSending()
    }

    @Test("have a line each when a WebSocket or an event stream carries them, and subscriptions when they start")
    func carriedLines() throws {
        let server = try HomeportProcess(schema: Self.schema)
        try Self.askOverAll(server)
        let client = try RawClient(port: server.port)
        try client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let metrics = try client.readToEnd()
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        let lines = server.log.split(separator: "\n").map(String.init).filter { $0.contains(" over=") }
        #expect(lines.count == Self.carried.count, "\(server.log)")
        for row in Self.carried {
            #expect(
                lines.contains { $0.contains(" " + row.line) && $0.hasSuffix(" over=" + row.over) },
                "\(row): \(server.log)")
        }
        // The keys whole: an id of a request may end a group with "da2".
        for word in ["secret", "Secret", "da2-fakeApiId", "da2-wrong"] {
            #expect(!lines.contains { $0.contains(word) }, "\(server.log)")
        }
        #expect(
            metrics.contains(
                #"homeport_graphql_operations_total{kind="subscription",field="onCreateTodo",caller="api-key"} 3"#))
    }

    @Test("have no line where requests are not logged, and as JSON one that says the same")
    func carriedSettings() throws {
        for (name, value) in [("HOMEPORT_LOG_REQUESTS", "false"), ("HOMEPORT_LOG_FORMAT", "json")] {
            let server = try HomeportProcess(environment: [name: value], schema: Self.schema)
            try Self.ask(server, "graphql-ws", [Self.appSync(Self.onCreate, until: "start_ack")])
            server.signal(SIGTERM)
            #expect(server.exitStatus() == 0)
            let line = server.log.split(separator: "\n").first { $0.contains("onCreateTodo") }
            guard value == "json" else {
                #expect(line == nil)
                continue
            }
            let object = try JSONSerialization.jsonObject(with: Data(try #require(line).utf8)) as? [String: Any]
            #expect(object?["over"] as? String == "graphql-ws" && object?["status"] as? Int == 200)
            #expect(object?["operation"] as? String == "subscription" && object?["caller"] as? String == "api-key")
            #expect(object?["method"] == nil && object?["errors"] as? Int == 0)
        }
    }

    @Test("no request adds a series: whatever is asked, there are as many as the schema has fields")
    func boundedSeries() throws {
        let server = try HomeportProcess(schema: Self.schema)
        func series() throws -> Int {
            let client = try RawClient(port: server.port)
            try client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return try client.readToEnd().split(separator: "\n").count { $0.hasPrefix("homeport_graphql_") }
        }
        func ask(_ number: Int) throws {
            for query in [
                "query Q\(number) { a\(number): listTodos { items { id } } }", "{ nothing\(number) }",
                "query Q { __typename } query R\(number) { __typename }", "mutation { m\(number) }", "{",
            ] { _ = try server.answer(to: query) }
        }
        try ask(0)
        let before = try series()
        for number in 1..<50 { try ask(number) }
        #expect(try series() <= before + 1)
    }

    @Test("as JSON each line says the same")
    func json() throws {
        let server = try HomeportProcess(environment: ["HOMEPORT_LOG_FORMAT": "json"])
        _ = try server.answer(to: #"mutation { updateTodo(input: {id: 9, name: "n"}) { id } }"#)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        let line = try #require(server.log.split(separator: "\n").first { $0.contains("\"request\"") })
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["operation"] as? String == "mutation" && object?["field"] as? String == "updateTodo")
        #expect(object?["caller"] as? String == "api-key" && object?["errors"] as? Int == 1)
        #expect(object?["errorTypes"] as? [String] == ["DynamoDB:ConditionalCheckFailedException"])
    }

    @Test("who speaks TLS to a server without a certificate is named once a minute, with what to do")
    func speaksTLS() throws {
        let server = try HomeportProcess()
        for _ in 0..<3 {
            let client = try RawClient(port: server.port)
            try client.send([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3])
            #expect(try client.readToEnd().hasPrefix("HTTP/1.1 400 "))
        }
        #expect(server.logs("reason=\"Expected HTTP, found the beginning of TLS.\""))
        let warning = "WARNING a client asked for TLS, and there is no certificate: run homeport certificate"
        #expect(server.log.components(separatedBy: warning).count == 2, "\(server.log)")
        let plain = try RawClient(port: server.port)
        try plain.send("nonsense\r\n\r\n")
        #expect(try plain.readToEnd().hasPrefix("HTTP/1.1 400 "))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        #expect(
            server.log.split(separator: "\n").filter { $0.contains(" 400 ") }.allSatisfy { $0.contains("reason=") })
    }

    @Test("the level `debug` shows the steps of a start, what is planned, and subscriptions; `info` none of it")
    func debugLevel() throws {
        for level in ["debug", "info"] {
            let server = try HomeportProcess(environment: ["HOMEPORT_LOG_LEVEL": level])
            _ = try server.answer(to: "{ listTodos { items { id } } }")
            server.signal(SIGTERM)
            #expect(server.exitStatus() == 0)
            for text in [
                "start: the schema is read: 1 model", "start: requests are served", "planned query listTodos",
            ] {
                #expect(server.log.contains(text) == (level == "debug"), "\(level): \(text)")
            }
            #expect(server.log.contains("DEBUG") == (level == "debug"))
        }
    }
}
