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
                line: "none none nobody 401 1 error UnauthorizedException ~ reason=\"You are not authorized",
                metric: #"operations_total{kind="none",field="none",caller="nobody"} 1"#),
        ]
    }

    @Test("have their names, callers and errors there, and none that only a request knows")
    func named() async throws {
        try await onThreadOfItsOwn {
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
    }

    @Test("are counted when an event stream carries them, too")
    func streamed() async throws {
        try await onThreadOfItsOwn {
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
    }

    @Test("no request adds a series: whatever is asked, there are as many as the schema has fields")
    func boundedSeries() async throws {
        try await onThreadOfItsOwn {
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
    }

    @Test("as JSON each line says the same")
    func json() async throws {
        try await onThreadOfItsOwn {
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
    }

    @Test("who speaks TLS to a server without a certificate is named once a minute, with what to do")
    func speaksTLS() async throws {
        try await onThreadOfItsOwn {
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
    }

    @Test("the level `debug` shows the steps of a start, what is planned, and subscriptions; `info` none of it")
    func debugLevel() async throws {
        try await onThreadOfItsOwn {
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
}
