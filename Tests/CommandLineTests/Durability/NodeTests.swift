import Foundation
import JSON
import Postgres
import PostgresSupport
import Server
import TestSupport
import Testing

/// Several servers over one database, each a process with a data folder of its own.
@Suite(
    "Several servers over one database", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct NodeTests {
    static let schema =
        "type Todo @model @auth(rules: [{ allow: public }, { allow: private }]) { id: ID! name: String! }"
    static let environment = PostgresServer.environment.merging(["HOMEPORT_NODES": "true"]) { $1 }
    private static let subscription = #"{"query":"subscription { onCreateTodo { id } }"}"#

    static func serve(
        _ url: String, _ arguments: [String] = [], _ more: [String: String] = [:], schema: String = schema,
        in folder: TemporaryFolder = TemporaryFolder()
    ) throws -> HomeportProcess {
        try HomeportProcess(
            ["--database", url] + arguments, environment: environment.merging(more) { $1 }, schema: schema, in: folder)
    }

    /// A subscriber, once it is registered.
    static func subscriber(of server: HomeportProcess, _ subscription: String = subscription) throws -> RawClient {
        let client = try RawClient(port: server.port)
        try client.send(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nx-api-key: \(ClientScript.key)\r\n"
                + "Content-Length: \(subscription.utf8.count)\r\n\r\n\(subscription)")
        _ = try client.read(through: "\r\n\r\n")
        try #require(try SubscriptionRouteTests.waits(for: 1, on: server.port))
        return client
    }

    private static func creation(_ id: String) -> String {
        #"mutation { createTodo(input: {id: "\#(id)", name: "n"}) { id } }"#
    }

    private static func event(_ id: String) -> String { #"{"data":{"onCreateTodo":{"id":"\#(id)"}}}"# }

    @Test("begin at once in an empty schema, and subscribers of each hear of the changes of all in one order")
    func events() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodeevents")
        let starts = (0..<3).map { _ in BlockingStart { try Self.serve(url) } }
        let servers = try starts.map { try $0.value() }
        let subscribers = try servers.map { try Self.subscriber(of: $0) }
        for number in 0..<12 {
            let answer = try servers[number % 3].answer(to: Self.creation("t\(number)"))
            #expect(answer.contains(#""id":"t\#(number)""#))
            // Each reads what the others have written.
            #expect(
                try servers[(number + 1) % 3].answer(to: #"{ getTodo(id: "t\#(number)") { id } }"#).contains(
                    "t\(number)"))
        }
        for subscriber in subscribers {
            let text = try subscriber.read(through: Self.event("t11"))
            let places = (0..<12).map { text.range(of: Self.event("t\($0)"))?.lowerBound }
            #expect(!places.contains(nil))
            #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        }
        // One is killed: the others go on, also for each other.
        servers[0].signal(SIGKILL)
        _ = servers[0].exitStatus()
        #expect(try servers[1].answer(to: Self.creation("after")).contains("after"))
        for subscriber in subscribers.dropFirst() { _ = try subscriber.read(through: Self.event("after")) }
        for server in servers.dropFirst() {
            server.signal(SIGTERM)
            #expect(server.exitStatus() == ExitCode.success.rawValue)
        }
    }

    @Test("know each other's users, sessions and tokens, also when the key is another one")
    func signIn() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodesignin")
        let (first, second) = (try Self.serve(url), try Self.serve(url))
        #expect(try PoolClient.names(of: first) == PoolClient.names(of: second))
        let (here, there) = (try PoolClient(first), try PoolClient(second))
        let password = "F1rst!Password"
        try here.call(
            "SignUp",
            [
                "Username": "ann", "Password": password,
                "UserAttributes": [["Name": "email", "Value": "ann@example.com"]],
            ])
        let code = try #require(first.code(for: "ann"))
        try there.call("ConfirmSignUp", ["Username": "ann", "ConfirmationCode": code])
        let tokens = try here.signIn("ann", password)
        func token(_ name: String, of tokens: [String: Any]) throws -> String { try #require(tokens[name] as? String) }
        let mutation = Self.creation("1")
        #expect(
            try second.answer(to: mutation, fields: ["authorization: \(token("IdToken", of: tokens))"]).contains(
                #""id":"1""#))
        let user = try there.call("GetUser", ["AccessToken": token("AccessToken", of: tokens)])
        #expect(user["Username"] as? String == "ann")
        let again = try there.call(
            "InitiateAuth",
            [
                "AuthFlow": "REFRESH_TOKEN_AUTH",
                "AuthParameters": ["REFRESH_TOKEN": token("RefreshToken", of: tokens)],
            ])
        let fresh = try #require(again["AuthenticationResult"] as? [String: Any])
        #expect(
            try here.call("GetUser", ["AccessToken": token("AccessToken", of: fresh)])["Username"] as? String == "ann")
        // Another key, made beside one of them.
        let before = try String(contentsOfFile: second.folder.file(".homeport/issuer-keys.json"), encoding: .utf8)
        let output = first.folder.file("rotated.txt")
        let rotation = try ChildProcess(
            [HomeportProcess.program, "users", "keys", "rotate", "--database", url],
            environment: ["PATH": "/usr/bin:/bin"].merging(Self.environment) { $1 }, in: first.folder.path,
            output: .file(output), errors: .file(output))
        #expect(rotation.wait().status == 0, "\(first.folder.read("rotated.txt"))")
        try eventually("the other node has the key too") {
            try String(contentsOfFile: second.folder.file(".homeport/issuer-keys.json"), encoding: .utf8) != before
        }
        let new = try here.signIn("ann", password)
        #expect(
            try second.answer(to: Self.creation("2"), fields: ["authorization: \(token("IdToken", of: new))"]).contains(
                #""id":"2""#))
        #expect(
            try second.answer(to: Self.creation("3"), fields: ["authorization: \(token("IdToken", of: fresh))"])
                .contains(#""id":"3""#))
        // A sign-out at one is one at the other.
        try there.call("GlobalSignOut", ["AccessToken": token("AccessToken", of: new)])
        #expect(throws: PoolClient.Refusal.self) {
            try here.call("GetUser", ["AccessToken": token("AccessToken", of: new)])
        }
    }

    /// A start that is refused: its code, and what it says in its one line.
    static func refused(
        _ arguments: [String], _ environment: [String: String] = environment, schema: String = schema,
        in folder: TemporaryFolder = TemporaryFolder()
    ) throws -> (code: Int32, line: String) {
        try folder.write(schema, to: "schema.graphql")
        let output = folder.file("said.txt")
        let process = try ChildProcess(
            [HomeportProcess.program, "serve", "--port", "0"] + arguments,
            environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }, in: folder.path,
            output: .file(output), errors: .file(output))
        return (process.wait().status, folder.read("said.txt"))
    }

    @Test("what does not work with several servers is refused by its name")
    func refusals() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "noderefusals")
        let rows: [(arguments: [String], environment: [String: String], schema: String, says: String)] = [
            (["--database", "data.sqlite"], [:], Self.schema, "nodes: several servers need a database on a server"),
            (["--database", url, "--watch"], [:], Self.schema, "watch (--watch):"),
            (["--database", url], ["HOMEPORT_FILES_BUCKETS": #"[{"name": "a"}]"#], Self.schema, "files.buckets ("),
        ]
        for row in rows {
            let (code, line) = try Self.refused(
                row.arguments, Self.environment.merging(row.environment) { $1 }, schema: row.schema)
            #expect(code == ExitCode.configuration.rawValue && line.contains(row.says), "\(row.says): \(code), \(line)")
        }
    }

    @Test("keep away a server that wants the database for itself, another schema and another backend's folder")
    func strangers() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodestrangers")
        let server = try Self.serve(url)
        let alone = try Self.refused(["--database", url], PostgresServer.environment)
        #expect(
            alone.code == ExitCode.systemRefused.rawValue && alone.line.contains("one process at a time"), "\(alone)")
        let schema = "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String! more: String }"
        let other = try Self.refused(["--database", url], schema: schema)
        #expect(other.code == ExitCode.configuration.rawValue && other.line.contains("with another schema"), "\(other)")
        let folder = TemporaryFolder()
        let elsewhere = try Self.serve(try PostgresServer.shared.get().url(ofNewSchema: "nodeelsewhere"), in: folder)
        elsewhere.signal(SIGTERM)
        _ = elsewhere.exitStatus()
        let stranger = try Self.refused(["--database", url], in: folder)
        #expect(
            stranger.code == ExitCode.configuration.rawValue && stranger.line.contains("names of another backend"),
            "\(stranger)")
        // A service that nothing stands in for is not served, and says so.
        let client = try RawClient(port: server.port)
        let body = #"{"Entries":[]}"#
        try client.send(
            "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Type: application/x-amz-json-1.0\r\n"
                + "X-Amz-Target: Kinesis_20131202.CreateStream\r\nAuthorization: AWS4-HMAC-SHA256 "
                + "Credential=local/20260101/us-east-1/kinesis/aws4_request, SignedHeaders=host, Signature=00\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let answer = try client.readAnswer()
        #expect(!answer.head.hasPrefix("HTTP/1.1 2"), "\(answer)")
        #expect(answer.body.contains("kinesis is not served here"), "\(answer)")
        server.signal(SIGTERM)
        #expect(server.exitStatus() == ExitCode.success.rawValue)
    }
}

/// A server that starts while others do.
///
/// Unchecked: the thread leaves its outcome before it signals.
final class BlockingStart: @unchecked Sendable {
    private var outcome: Result<HomeportProcess, any Error>?
    private let isDone = DispatchSemaphore(value: 0)

    init(_ start: @escaping @Sendable () throws -> HomeportProcess) {
        Thread.detachNewThread { [self] in
            outcome = Result { try start() }
            isDone.signal()
        }
    }

    func value() throws -> HomeportProcess {
        isDone.wait()
        return try #require(outcome).get()
    }
}
