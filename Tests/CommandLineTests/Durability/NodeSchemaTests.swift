import Foundation
import Postgres
import PostgresSupport
import Server
import TestSupport
import Testing

/// Servers over one database that start with another schema than the one before.
@Suite(
    "Several servers and another schema", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct NodeSchemaTests {
    private static func schema(_ more: String, _ models: String = "") -> String {
        "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! \(more) } \(models)"
    }

    private static let old = schema("name: String!")

    /// A database that a server with the old schema has served.
    private static func database(_ name: String) throws -> String {
        let url = try PostgresServer.shared.get().url(ofNewSchema: name)
        let server = try NodeTests.serve(url, schema: old)
        #expect(try server.answer(to: #"mutation { createTodo(input: {id: "1", name: "a"}) { id } }"#).contains("1"))
        end(server)
        return url
    }

    private static func end(_ server: HomeportProcess) {
        server.signal(SIGTERM)
        #expect(server.exitStatus() == ExitCode.success.rawValue)
    }

    /// The columns of all models' tables.
    private static func columns(_ name: String) throws -> [String] {
        let app = try PostgresServer.shared.get().app()
        defer { app.close() }
        let answer = try app.answer(
            "SELECT table_name || '.' || column_name || ' ' || data_type FROM information_schema.columns "
                + "WHERE table_schema = '\(name)' AND table_name NOT LIKE '!_homeport%' ESCAPE '!' ORDER BY 1")
        return try (0..<answer.rowCount).compactMap { try answer[$0].text(0) }
    }

    /// Starts servers at once, each with its schema.
    private static func start(_ url: String, _ schemas: [String]) -> [Result<HomeportProcess, any Error>] {
        let starts = schemas.map { schema in BlockingStart { try NodeTests.serve(url, schema: schema) } }
        return starts.map { start in Result { try start.value() } }
    }

    @Test("two that start at once with more fields and models serve them, and the records from before")
    func additive() throws {
        let url = try Self.database("nodesmore")
        let schema = Self.schema(
            "name: String! more: Int", "type Other @model @auth(rules: [{ allow: public }]) { id: ID! }")
        let servers = try Self.start(url, [schema, schema]).map { try $0.get() }
        for (number, server) in servers.enumerated() {
            let other = servers[1 - number]
            let made = try server.answer(
                to:
                    #"mutation { createTodo(input: {id: "n\#(number)", name: "b", more: 7}) { id } createOther(input: {id: "o\#(number)"}) { id } }"#
            )
            #expect(!made.contains("errors"), "\(made)")
            let found = try other.answer(
                to:
                    #"{ a: getTodo(id: "1") { name more } b: getTodo(id: "n\#(number)") { more } getOther(id: "o\#(number)") { id } }"#
            )
            #expect(
                found == #"{"data":{"a":{"name":"a","more":null},"b":{"more":7},"getOther":{"id":"o\#(number)"}}}"#)
        }
        servers.forEach(Self.end)
    }

    @Test("two that start at once with a schema that would lose data are refused, and change nothing")
    func losing() throws {
        let url = try Self.database("nodesless")
        let before = try Self.columns("nodesless")
        for outcome in Self.start(url, [Self.schema("more: Int"), Self.schema("more: Int")]) {
            #expect(throws: HomeportProcess.Failure.self) { try outcome.get() }
            if case .failure(let error) = outcome { #expect("\(error)".contains("Todo.name"), "\(error)") }
        }
        // Nor can it be forced on a server yet, which is said.
        let forced = try NodeTests.refused(
            ["--database", url, "--force-migration", "Todo.name"], schema: Self.schema("more: Int"))
        #expect(
            forced.code == ExitCode.configuration.rawValue && forced.line.contains("forcedMigrations:"), "\(forced)")
        #expect(try Self.columns("nodesless") == before)
        let server = try NodeTests.serve(url, schema: Self.old)
        #expect(try server.answer(to: #"{ getTodo(id: "1") { name } }"#) == #"{"data":{"getTodo":{"name":"a"}}}"#)
        Self.end(server)
    }

    @Test(
        "one that starts with another schema while others run is refused and changes nothing, and starts when they have ended"
    )
    func running() throws {
        let url = try Self.database("nodesrunning")
        let before = try Self.columns("nodesrunning")
        let servers = try Self.start(url, [Self.old, Self.old]).map { try $0.get() }
        let more = Self.schema("name: String! more: Int")
        for schema in [more, Self.schema("more: Int"), Self.schema("id2: ID")] {
            let refused = try NodeTests.refused(["--database", url], schema: schema)
            #expect(
                refused.code == ExitCode.configuration.rawValue && refused.line.contains("with another schema"),
                "\(refused)")
        }
        #expect(try Self.columns("nodesrunning") == before)
        for (number, server) in servers.enumerated() {
            let made = try server.answer(
                to: #"mutation { createTodo(input: {id: "r\#(number)", name: "b"}) { id } }"#)
            #expect(!made.contains("errors"), "\(made)")
            Self.end(server)
        }
        let server = try NodeTests.serve(url, schema: more)
        #expect(
            try server.answer(to: #"{ getTodo(id: "r1") { name more } }"#)
                == #"{"data":{"getTodo":{"name":"b","more":null}}}"#)
        Self.end(server)
    }

    @Test("of two that start at once with different schemas, one serves and the other one is refused")
    func different() throws {
        let url = try Self.database("nodesdifferent")
        let fields = ["a", "b"]
        let outcomes = Self.start(url, fields.map { Self.schema("name: String! \($0): Int") })
        var serving: [(field: String, server: HomeportProcess)] = []
        for (field, outcome) in zip(fields, outcomes) {
            switch outcome {
            case .success(let server): serving.append((field, server))
            case .failure(let error): #expect("\(error)".contains("with another schema"), "\(error)")
            }
        }
        #expect(serving.count == 1)
        for (field, server) in serving {
            let made = try server.answer(
                to: #"mutation { createTodo(input: {id: "2", name: "b", \#(field): 1}) { \#(field) } }"#)
            #expect(!made.contains("errors"), "\(made)")
            #expect(try Self.columns("nodesdifferent").contains("Todo.\(field) bigint"))
            #expect(
                try Self.columns("nodesdifferent").filter { $0.hasPrefix("Todo.a ") || $0.hasPrefix("Todo.b ") }.count
                    == 1)
            Self.end(server)
        }
    }
}
