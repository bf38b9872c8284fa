import Foundation
import Network
import Server
import TestSupport
import Testing

@testable import homeport

/// The real program in a process of its own, over real sockets.
@Suite("homeport serve")
struct ServeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let request: String
        let status: String
        var body: String?
        var fields: [String] = []
        var absent: [String] = []
        var testDescription: String { name }

        init(
            _ name: String, _ request: String, body sent: String = "", fields sentFields: [String] = [],
            host: String = "localhost", key: String = "da2-fakeApiId123456", _ status: String, _ body: String? = nil,
            has fields: [String] = [],
            hasNot absent: [String] = []
        ) {
            self.name = name
            var lines = [
                "Host: \(host)", "Content-Length: \(sent.utf8.count)", "x-api-key: \(key)", "Connection: close",
            ]
            lines += sentFields
            self.request = "\(request) HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n" + sent
            self.status = status
            self.body = body
            self.fields = fields
            self.absent = absent
        }
    }

    private static func error(_ type: String, _ message: String) -> String {
        #"{"errors":[{"errorType":"\#(type)","message":"\#(message)"}],"message":"\#(message)"}"#
    }

    private static func foreign(_ host: String) -> String {
        error(
            "ForbiddenException",
            "This server does not answer to the name \(host). If it should, add the name to allowedHosts.")
    }

    private static let persisted = #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#
    private static let typename = #"{"data":{"__typename":"Query"}}"#
    private static let query = #"{"query":"{ __typename }"}"#

    static let rows: [Row] = [
        Row(
            "the first query", "POST /graphql", body: query, "200 OK", typename,
            has: [
                "content-type: application/json;charset=UTF-8", "x-amzn-appsync-tokensconsumed: 1",
                "x-amzn-requestid: ",
            ]),
        Row(
            "a key that is not the API's", "POST /graphql", body: query, key: "da2-other", "401 Unauthorized",
            error("UnauthorizedException", "You are not authorized to make this call."),
            has: ["x-amzn-errortype: UnauthorizedException"]),
        Row(
            "a record that is not there", "POST /graphql", body: #"{"query":"{ getTodo(id: 1) { id } }"}"#, "200 OK",
            #"{"data":{"getTodo":null}}"#),
        Row("a query in the URL", "GET /graphql?query=%7B__typename%7D", "200 OK", typename),
        Row("a slash at the end", "POST /graphql/", body: query, "200 OK", typename),
        Row(
            "a form's content type", "POST /graphql", body: query,
            fields: ["Content-Type: application/x-www-form-urlencoded"], "200 OK", typename),
        Row(
            "an empty body", "POST /graphql", "400 Bad Request",
            error("MalformedHttpRequestException", "Request body is empty."),
            has: ["x-amzn-errortype: MalformedHttpRequestException", "access-control-allow-origin: *"]),
        Row(
            "a body that is not JSON", "POST /graphql", body: "meow", "400 Bad Request",
            error("MalformedHttpRequestException", "Unable to parse GraphQL query.")),
        Row(
            "a list of requests", "POST /graphql", body: "[]", "400 Bad Request",
            error("MalformedHttpRequestException", "Unable to parse GraphQL query.")),
        Row(
            "a body without a query", "POST /graphql", body: "{}", "400 Bad Request",
            error("MalformedHttpRequestException", "Unable to parse GraphQL query.")),
        Row(
            "the hash of a persisted query alone", "POST /graphql",
            body:
                #"{"operationName":"Q","variables":{},"extensions":{"persistedQuery":{"version":1,"sha256Hash":"ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"}}}"#,
            "200 OK", persisted, hasNot: ["x-amzn-errortype"]),
        Row(
            "the hash of a persisted query in the URL",
            "GET /graphql?operationName=Q&variables=%7B%7D&extensions=%7B%22persistedQuery%22%3A%7B%22version%22%3A1%2C%22sha256Hash%22%3A%22ab%22%7D%7D",
            "200 OK", persisted),
        Row(
            "the hash of a persisted query with a query that is null", "POST /graphql",
            body: #"{"query":null,"extensions":{"persistedQuery":{"version":1,"sha256Hash":"ab"}}}"#, "200 OK",
            persisted),
        Row(
            "the hash of a persisted query for an event stream", "POST /graphql",
            body: #"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"ab"}}}"#,
            fields: ["Accept: text/event-stream"], "200 OK", persisted),
        Row(
            "the hash of a persisted query without a key", "POST /graphql",
            body: #"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"ab"}}}"#, key: "da2-other",
            "401 Unauthorized"),
        Row(
            "a persisted query beside its hash", "POST /graphql",
            body: #"{"query":"{ __typename }","extensions":{"persistedQuery":{"version":1,"sha256Hash":"ab"}}}"#,
            "200 OK",
            typename),
        Row(
            "extensions without a hash", "POST /graphql", body: #"{"extensions":{"persistedQuery":true}}"#,
            "400 Bad Request", error("MalformedHttpRequestException", "Unable to parse GraphQL query.")),
        Row(
            "a subscription in an ordinary request", "POST /graphql",
            body: #"{"query":"subscription { onCreateTodo { id } }"}"#, "400 Bad Request",
            #"{"errors":[{"errorType":"BadRequestException","message":"Subscriptions over MQTT is not supported."}],"message":"Subscriptions over MQTT is not supported. Use a WebSocket, or `accept: text/event-stream` for an event stream."}"#
        ),
        Row(
            "a field that is not there", "POST /graphql", body: #"{"query":"{badfield}"}"#, "200 OK",
            #"{"data":null,"errors":[{"path":null,"locations":[{"line":1,"column":2,"sourceName":null}],"message":"Validation error of type FieldUndefined: Field 'badfield' in type 'Query' is undefined @ 'badfield'"}]}"#
        ),
        Row(
            "introspection", "POST /graphql", body: #"{"query":"{ __type(name: \"Todo\") { fields { name } } }"}"#,
            "200 OK",
            #"{"data":{"__type":{"fields":[{"name":"id"},{"name":"name"},{"name":"createdAt"},{"name":"updatedAt"}]}}}"#
        ),
        Row("ping is exactly what clients compare with", "GET /ping", "200 OK", "healthy"),
        Row(
            "health", "GET /health", "200 OK", #"{"status":"healthy","version":"\#(Version.number)"}"#,
            has: ["content-type: application/json"]),
        Row("metrics", "GET /metrics", "200 OK", has: ["content-type: text/plain; version=0.0.4; charset=utf-8"]),
        Row(
            "metrics for a page of another origin", "GET /metrics", fields: ["Origin: http://evil.example"], "200 OK",
            hasNot: ["access-control-", "evil.example"]),
        Row(
            "a preflight for metrics", "OPTIONS /metrics",
            fields: ["Origin: http://evil.example", "Access-Control-Request-Headers: x"], "200 OK", "",
            has: ["allow: GET, OPTIONS"], hasNot: ["access-control-", "evil.example"]),
        Row(
            "a method that metrics have not", "POST /metrics", fields: ["Origin: http://evil.example"],
            "405 Method Not Allowed", hasNot: ["access-control-", "evil.example"]),
        Row(
            "health for a page of another origin", "GET /health", fields: ["Origin: http://a.example"], "200 OK",
            has: ["access-control-allow-origin: http://a.example"]),
        Row("HEAD", "HEAD /ping", "200 OK", "", has: ["content-length: 7"]),
        Row(
            "an unknown path", "GET /nothing", "404 Not Found",
            error(
                "UnknownOperationException",
                "There is nothing at /nothing. What is served: /graphql, /graphql/realtime, /health, /health/live, /health/ready, /ping, /metrics."
            )),
        Row(
            "a method that the route has not", "DELETE /graphql", "405 Method Not Allowed",
            error("MethodNotAllowedException", "/graphql takes GET and POST, not DELETE."),
            has: ["allow: GET, POST, OPTIONS"]),
        Row("a path that would break out of its field", "GET /a%0d%0aX:%20y", "404 Not Found", hasNot: ["X: y\r\n"]),
        Row(
            "a preflight", "OPTIONS /graphql",
            fields: [
                "Origin: http://app.example", "Access-Control-Request-Headers: x-api-key, content-type",
                "Access-Control-Request-Private-Network: true",
            ], "200 OK", "",
            has: [
                "access-control-allow-origin: http://app.example",
                "access-control-allow-headers: x-api-key, content-type", "access-control-max-age: 172800",
                "vary: origin",
            ], hasNot: ["access-control-allow-private-network", "access-control-allow-credentials"]),
        Row("the address itself", "GET /ping", host: "127.0.0.1:1", "200 OK"),
        Row("another loopback address", "GET /ping", host: "127.1.2.3", "200 OK"),
        Row("the loopback address of version 6", "GET /ping", host: "[::1]:1", "200 OK"),
        Row("a name below localhost", "GET /ping", host: "app.localhost:1", "200 OK"),
        Row("the machine of an emulator", "GET /ping", host: "10.0.2.2:20002", "200 OK"),
        Row("the machine of a container", "GET /ping", host: "host.docker.internal:20002", "200 OK"),
        Row("a name that only ends like that", "GET /ping", host: "evil.host.docker.internal", "403 Forbidden"),
        Row("a configured name", "GET /ping", host: "Api.Test:1", "200 OK"),
        Row("a stranger's name", "GET /ping", host: "evil.example", "403 Forbidden", foreign("evil.example")),
        Row("a name that only begins like ours", "GET /ping", host: "localhost.evil.example", "403 Forbidden"),
        Row("a name that only ends like ours", "GET /ping", host: "evillocalhost", "403 Forbidden"),
        Row("an address that is not ours", "GET /ping", host: "192.0.2.1", "403 Forbidden"),
        Row("an empty name", "GET /ping", host: "", "400 Bad Request"),
        Row("a name that is none", "GET /ping", host: "local host", "400 Bad Request"),
        Row("a port that is none", "GET /ping", host: "localhost:x", "400 Bad Request"),
        Row("a port that nobody has", "GET /ping", host: "localhost:99999999", "403 Forbidden"),
        Row("a target without a path", "GET http://localhost?a=b", "404 Not Found"),
        Row("a stranger's name in the target", "GET http://evil.example/ping", "403 Forbidden"),
    ]

    @Test("answers as AppSync and its clients expect, and only to its own names")
    func answers() throws {
        let server = try HomeportProcess(environment: [
            "HOMEPORT_ALLOWED_HOSTS": #"["api.test"]"#,
            "HOMEPORT_AUTH_API_KEYS": #"[{"key":"da2-fakeApiId123456"},{"key":"da2-of-these-tests"}]"#,
        ])
        for row in Self.rows {
            let client = try RawClient(port: server.port)
            try client.send(row.request)
            let answer = try client.readToEnd()
            let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            #expect(answer.hasPrefix("HTTP/1.1 \(row.status)\r\n"), "\(row.name)")
            if let body = row.body { #expect(parts.last.map(String.init) == body, "\(row.name)") }
            for field in row.fields { #expect(answer.contains("\r\n\(field)"), "\(row.name)") }
            for text in row.absent { #expect(!answer.contains(text), "\(row.name)") }
        }
        server.signal(SIGTERM)
        #expect(server.exitStatus() == ExitCode.success.rawValue)
        #expect(
            server.log.contains(" query introspection api-key 200 ") && server.log.contains(" GET /nothing 404 "))
    }

    @Test("web pages of public sites may call into the private network where that is configured")
    func privateNetwork() throws {
        let server = try HomeportProcess(environment: ["HOMEPORT_CORS_PRIVATE_NETWORK": "true"])
        let client = try RawClient(port: server.port)
        try client.send(
            "OPTIONS /graphql HTTP/1.1\r\nHost: localhost\r\nOrigin: https://a\r\n"
                + "Access-Control-Request-Private-Network: true\r\n\r\n")
        #expect(try client.readAnswer().head.contains("access-control-allow-private-network: true\r\n"))
    }

    @Test("when no descriptor is left, connections wait and nothing spins", .timeLimit(.minutes(10)))
    func descriptorsRunOut() throws {
        let server = try HomeportProcess(descriptors: 40)
        var clients: [RawClient] = []
        let request = "GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for number in 0..<60 {
            let client = try RawClient(port: server.port)
            try client.send(request)
            // The first has a place for certain, whichever loop takes the rest.
            if number == 0 { #expect(try client.readAnswer().body == "healthy") }
            clients.append(client)
        }
        // Those that have a place are served all the while.
        try #require(server.logs("accept"))
        try eventually("it rests") {
            let before = Self.processorMilliseconds(server.identifier)
            pause(.milliseconds(500), because: "what is measured is the use of the processors over a time")
            return Self.processorMilliseconds(server.identifier) - before < 100
        }
        try clients[0].send(request)
        #expect(try clients[0].readAnswer().body == "healthy")
        // Nor can the loop open its connection to the database: that is an error, until it can.
        let query = #"{"query":"{ listTodos { items { id } } }"}"#
        let list =
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nx-api-key: da2-fakeApiId123456\r\n"
            + "Content-Length: \(query.utf8.count)\r\n\r\n\(query)"
        try clients[0].send(list)
        #expect(try clients[0].readAnswer().body.contains("The database failed; the server's log says why."))
        #expect(server.logs("the database cannot be used: "))
        let first = clients[0]
        let waiting = clients[50...].map { $0 }
        clients.removeSubrange(..<50)
        for client in waiting { #expect(try client.readAnswer().body == "healthy") }
        try first.send(list)
        #expect(try first.readAnswer().body == #"{"data":{"listTodos":{"items":[]}}}"#)
    }

    /// What the process has used of the processors so far.
    private static func processorMilliseconds(_ process: Int32) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return 0 }
        return (user + system) * 1000 / Int(sysconf(Int32(_SC_CLK_TCK)))
    }

    @Test("a second signal ends at once what the first one would have finished")
    func secondSignal() throws {
        let server = try HomeportProcess()
        let client = try RawClient(port: server.port)
        // A body that never comes keeps the server from stopping.
        try client.send("POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n")
        try client.send("{")
        server.signal(SIGTERM)
        try #require(server.logs("stopping"))
        server.signal(SIGINT)
        #expect(server.exitStatus() == 128 + SIGINT)
    }

    @Test("says in one line why it cannot start, and what to do")
    func cannotStart() throws {
        let server = try HomeportProcess()
        let rows: [(arguments: [String], code: ExitCode, message: String)] = [
            (
                ["--port", "\(server.port)"], .systemRefused,
                "homeport: cannot listen on 127.0.0.1:\(server.port): homeport (process \(server.identifier)) of \(server.folder.path) listens there; stop it, or choose another port with --port, where auto takes the next free one and 0 any free one\n"
            ),
            (
                ["--host", "192.0.2.1"], .systemRefused,
                "homeport: cannot listen on 192.0.2.1:0: this machine has no such address; choose one of its own with --host\n"
            ),
            (
                ["--host", "no-such-host.invalid"], .systemRefused,
                "homeport: cannot find the address of no-such-host.invalid ("
            ),
            (["--host", "127.0.0.1"], .configuration, "homeport: TLS certificate /nonexistent.pem: "),
        ]
        for row in rows {
            var environment = ["HOMEPORT_AUTH_API_KEYS": #"[{"key": "da2-of-these-tests"}]"#]
            if row.code == .configuration {
                environment["HOMEPORT_TLS_CERTIFICATE"] = "/nonexistent.pem"
                environment["HOMEPORT_TLS_KEY"] = "/nonexistent.pem"
            }
            let outcome = #expect(throws: HomeportProcess.Failure.self) {
                try HomeportProcess(row.arguments, environment: environment)
            }
            let said = outcome?.description ?? ""
            #expect(said.hasPrefix("exit \(row.code.rawValue): \(row.message)"), "\(row.arguments)")
            #expect(said.split(separator: "\n").count == 1)
        }
    }

    @Test("takes the next free port where another server has the usual one, and says which and who")
    func searchedPort() throws {
        let servers = try (0..<2).map { _ in try HomeportProcess(["--port", "auto"], hasPort: true) }
        let ports = servers.map { Int($0.port) }
        // Other programs of the machine may have some of them.
        #expect(ports[0] < ports[1] && ports.allSatisfy((20_002...20_101).contains), "\(ports)")
        #expect(servers[1].log.contains("listens on port 20002, so this server takes port \(ports[1])"))
        if ports[0] == 20_002 {
            #expect(
                servers[1].log.contains(
                    "homeport (process \(servers[0].identifier)) of \(servers[0].folder.path) listens"),
                "\(servers[1].log)")
        }
        for server in servers {
            #expect(
                try server.answer(to: "{ listTodos { items { id } } }") == #"{"data":{"listTodos":{"items":[]}}}"#)
            let outputs = server.folder.file("amplify_outputs.json")
            if let file = try? String(contentsOfFile: outputs, encoding: .utf8) {
                #expect(file.contains(":\(server.port)/graphql"))
            }
        }
    }

    @Test("speaks TLS with the certificate that `homeport certificate` made, and takes a new one at SIGHUP")
    func certificateAndReload() throws {
        let folder = TemporaryFolder()
        #expect(try ProgramRun.outcome(["certificate"], in: folder).code == .success)
        let server = try HomeportProcess(in: folder)
        let authority = "\(folder.path)/.homeport/certificates/authority.pem"
        let first = try Self.serial(server.port, authority)
        #expect(first.contains("serial="))
        #expect(try ProgramRun.outcome(["certificate"], in: folder).code == .success)
        server.signal(SIGHUP)
        try #require(server.logs("certificate reloaded"))
        let second = try Self.serial(server.port, authority)
        #expect(second.contains("serial=") && second != first)
        try FileManager.default.removeItem(atPath: "\(folder.path)/.homeport/certificates/key.pem")
        server.signal(SIGHUP)
        try #require(server.logs("the old one stays"))
        #expect(try Self.serial(server.port, authority) == second)
        let plain = try RawClient(port: server.port)
        try plain.send("GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try plain.readAnswer().body == "healthy")
    }

    private static func serial(_ port: UInt16, _ authority: String) throws -> String {
        try shell(
            "bash",
            [
                "-c",
                "openssl s_client -connect 127.0.0.1:\(port) -CAfile \(authority) -verify_return_error </dev/null 2>/dev/null"
                    + " | openssl x509 -noout -serial",
            ]) ?? ""
    }
}
