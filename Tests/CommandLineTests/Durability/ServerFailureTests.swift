import Foundation
import Network
import Postgres
import PostgresSupport
import Server
import TestSupport
import Testing

/// The program over a database on a server that fails, each time in another way.
@Suite(
    "A database on a server that fails", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct ServerFailureTests {
    private static let schema =
        "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String! }"
    private static let query = "{ listTodos { items { id name } } }"

    private static func creation(_ id: String) -> String {
        "mutation { createTodo(input: {id: \"\(id)\", name: \"a\"}) { id } }"
    }

    private static func serve(_ url: String, _ environment: [String: String] = [:]) throws -> HomeportProcess {
        try HomeportProcess(
            ["--database", url], environment: PostgresServer.environment.merging(environment) { $1 }, schema: schema)
    }

    /// The one line of a start that is refused.
    private static func refusal(_ url: String) throws -> (code: Int32, line: String) {
        let folder = TemporaryFolder()
        try folder.write(schema, to: "schema.graphql")
        let output = folder.file("said.txt")
        let process = try ChildProcess(
            [HomeportProcess.program, "serve", "--database", url],
            environment: ["PATH": "/usr/bin:/bin", "HOMEPORT_PORT": "0"].merging(PostgresServer.environment) { $1 },
            in: folder.path, output: .file(output), errors: .file(output))
        let ending = process.wait()
        let text = folder.read("said.txt")
        #expect(text.filter { $0 == "\n" }.count == 1 && !text.contains(PostgresServer.password), "\(text)")
        return (ending.status, text)
    }

    private static func ready(_ process: HomeportProcess) throws -> Int {
        let client = try RawClient(port: process.port)
        try client.send("GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return try AnswerHead(client.readAnswer().head).status
    }

    @Test("a lock that is lost is taken again, and keeps other processes away as before")
    func lostLock() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let url = server.url()
        let process = try Self.serve(url)
        let admin = try server.admin()
        let ended = try admin.answer(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = 'advisory'")
        #expect(try ended[0].integer(0) == 1)
        #expect(process.logs("the database does not answer"))
        #expect(process.logs("the database answers again"))
        #expect(try Self.ready(process) == 200)
        let second = try Self.refusal(url)
        #expect(second.code == ExitCode.systemRefused.rawValue && second.line.contains("another server serves"))
        #expect(try process.answer(to: Self.creation("1")).contains(#""id":"1""#))
    }

    @Test("connections that the server ends are made anew, and no request fails by it")
    func lostConnections() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let process = try Self.serve(server.url())
        let admin = try server.admin()
        for round in 1...3 {
            #expect(try process.answer(to: Self.creation("\(round)")).contains(#""id":"\#(round)""#))
            #expect(try process.answer(to: Self.query).contains(#""id":"\#(round)""#))
            // All but the one that has the lock.
            _ = try admin.answer(
                """
                SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity WHERE usename = 'app'
                    AND pid NOT IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')
                """)
        }
        #expect(try process.answer(to: Self.query).components(separatedBy: #""id""#).count == 4)
    }

    @Test("a server that allows fewer connections than may be needed is refused at the start")
    func fewConnections() throws {
        let server = try PostgresServer.shared.get()
        let admin = try server.admin()
        _ = try admin.answer(
            "CREATE ROLE few LOGIN CONNECTION LIMIT 5 PASSWORD '\(PostgresServer.password.replacing("'", with: "''"))'")
        _ = try admin.answer("CREATE SCHEMA few AUTHORIZATION few")
        _ = try admin.answer("CREATE DATABASE few OWNER few")
        let refusal = try Self.refusal(server.url(user: "few", database: "few"))
        #expect(refusal.code == ExitCode.configuration.rawValue, "\(refusal)")
        #expect(refusal.line.contains("allows 5 connections") && refusal.line.contains("max_connections"), "\(refusal)")
    }

    @Test("a server that hangs is an error at the deadline, and all comes back with it")
    func hangs() throws {
        let server = try PostgresServer()
        defer {
            server.resume()
            server.stop()
        }
        let process = try Self.serve(
            server.url(), ["HOMEPORT_LIMITS_OPERATION_SECONDS": "1", "HOMEPORT_LIMITS_MUTATION_SECONDS": "1"])
        try Self.create("1", on: process)
        server.pause()
        for query in [Self.query, Self.creation("2")] {
            let answer = try process.answer(to: query)
            #expect(
                answer.contains(#""errorType":"ServiceUnavailable""#) && !answer.contains("\(server.port)"), "\(answer)"
            )
        }
        #expect(process.logs("the database does not answer"))
        #expect(try Self.ready(process) == 503)
        server.resume()
        #expect(process.logs("the database answers again"))
        #expect(try Self.ready(process) == 200)
        try eventually("the first one is read") { try process.answer(to: Self.query).contains(#""id":"1-"#) }
        try Self.create("3", on: process)
        process.signal(SIGTERM)
        #expect(process.exitStatus() == 0)
    }

    /// Creates a record; once more, with another id, where a busy machine takes longer than an operation may.
    private static func create(_ id: String, on process: HomeportProcess) throws {
        var tries = 0
        try eventually("\(id) is created") {
            tries += 1
            return try process.answer(to: creation("\(id)-\(tries)")).contains(#""id":"\#(id)-\#(tries)""#)
        }
    }

    @Test("all connections of a process are encrypted to a server whose certificate is checked")
    func certificates() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let url = server.url("sslmode=verify-full&sslrootcert=\(server.authority)&channel_binding=require")
        let process = try Self.serve(url)
        #expect(try process.answer(to: Self.creation("1")).contains(#""id":"1""#))
        #expect(try process.answer(to: Self.query).contains(#""id":"1""#))
        let admin = try server.admin()
        let found = try admin.answer(
            """
            SELECT count(*) FILTER (WHERE ssl), count(*) FILTER (WHERE NOT ssl)
            FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'app'
            """)
        #expect(try found[0].integer(0) ?? 0 >= 3 && found[0].integer(1) == 0)
        process.signal(SIGTERM)
        #expect(process.exitStatus() == 0)
        // Another authority's.
        let other = TemporaryFolder()
        _ = try CertificateAuthority.renew(in: other.file("tls"), names: ["db.test"])
        let authority = try #require(
            FileManager.default.subpathsOfDirectory(atPath: other.path).first { $0.hasSuffix("authority.pem") })
        let refusal = try Self.refusal(server.url("sslmode=verify-full&sslrootcert=\(other.file(authority))"))
        #expect(refusal.code == ExitCode.configuration.rawValue && refusal.line.contains("certificate"), "\(refusal)")
    }
}
