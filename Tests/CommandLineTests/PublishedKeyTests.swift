import Foundation
import Server
import TestSupport
import Testing

/// Keys that everybody knows, over real sockets.
@Suite("API keys that are no secret")
struct PublishedKeyTests {
    private static let wellKnown = AuthSettings.wellKnownKey
    private static let placeholder = "da2-replaceThisByAKeyOfYourOwn"
    private static let own = "da2-of-these-tests"
    private static let proxied = ["X-Forwarded-For: 192.0.2.1"]

    private static func server() throws -> HomeportProcess {
        try HomeportProcess(environment: [
            "HOMEPORT_ALLOWED_HOSTS": "api.test",
            "HOMEPORT_AUTH_API_KEYS": #"[{"key":"\#(wellKnown)"},{"key":"\#(placeholder)"},{"key":"\#(own)"}]"#,
        ])
    }

    private static func status(_ server: HomeportProcess, key: String, host: String, _ fields: [String]) throws -> Int {
        let body = #"{"query":"{ __typename }"}"#
        let client = try RawClient(port: server.port)
        let lines = ["Host: \(host)", "x-api-key: \(key)", "Content-Length: \(body.utf8.count)"] + fields
        try client.send("POST /graphql HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n" + body)
        return try AnswerHead(client.readAnswer().head).status
    }

    @Test("are good for HTTP requests from this machine, and not through a proxy or under another name")
    func requests() throws {
        let server = try Self.server()
        let elsewhere: [(host: String, fields: [String])] = [
            ("api.test", []), ("localhost", Self.proxied), ("localhost", ["Forwarded: for=_gazonk"]),
            ("127.0.0.1", ["Via: 1.1 x"]), ("localhost", ["X-Real-IP: 127.0.0.1"]), ("api.test", Self.proxied),
            ("localhost", ["Accept: text/event-stream", "X-Forwarded-Host: localhost"]),
        ]
        for key in [Self.wellKnown, Self.placeholder] {
            for host in ["localhost", "127.0.0.1:\(server.port)", "[::1]", "app.localhost"] {
                #expect(try Self.status(server, key: key, host: host, []) == 200, "\(key) \(host)")
            }
            for (host, fields) in elsewhere {
                #expect(try Self.status(server, key: key, host: host, fields) == 401, "\(key) \(host) \(fields)")
            }
        }
        for (host, fields) in elsewhere {
            #expect(try Self.status(server, key: Self.own, host: host, fields) == 200, "\(host) \(fields)")
        }
        #expect(server.logs("a request with an API key that everybody knows was refused"))
    }

    /// What a client is told that shows one key in its handshake and one in its start.
    private static func told(_ server: HomeportProcess, _ handshake: String, _ start: String, isProxied: Bool) throws
        -> [String]
    {
        let fields = [(name: "x-api-key", value: handshake)] + (isProxied ? [("X-Forwarded-For", "192.0.2.1")] : [])
        var client = try WebSocketClient(port: server.port, path: "/graphql", protocols: ["graphql-ws"], fields: fields)
        try client.send(#"{"type":"connection_init"}"#)
        try client.send(
            #"{"id":"s","type":"start","payload":{"data":"{\"query\":\"subscription { onCreateTodo { id } }\"}","extensions":{"authorization":{"x-api-key":"\#(start)","host":"localhost"}}}}"#
        )
        var types: [String] = []
        while types.count < 2, case .text(let text) = try client.next(until: .now + .seconds(20)) {
            guard let found = text.firstMatch(of: /"type":"([a-z_]+)"/) else { continue }
            if found.1 != "ka" { types.append(String(found.1)) }
            if found.1 == "connection_error" { break }
        }
        return types
    }

    @Test("are judged on a WebSocket by the connection, in handshakes and in what is sent over it")
    func sockets() throws {
        let server = try Self.server()
        let begun = ["connection_ack", "start_ack"]
        #expect(try Self.told(server, Self.wellKnown, Self.wellKnown, isProxied: false) == begun)
        #expect(try Self.told(server, Self.own, Self.wellKnown, isProxied: false) == begun)
        #expect(try Self.told(server, Self.own, Self.own, isProxied: true) == begun)
        #expect(try Self.told(server, Self.wellKnown, Self.own, isProxied: true) == ["connection_error"])
        #expect(try Self.told(server, Self.own, Self.wellKnown, isProxied: true) == ["connection_ack", "error"])
        #expect(try Self.told(server, Self.own, Self.placeholder, isProxied: true) == ["connection_ack", "error"])
    }

    @Test("are not shown in an initial message through a proxy either")
    func initialMessages() throws {
        let server = try Self.server()
        for (key, isProxied, isLetIn) in [
            (Self.wellKnown, false, true), (Self.wellKnown, true, false), (Self.own, true, true),
        ] {
            var client = try WebSocketClient(
                port: server.port, path: "/graphql", protocols: ["graphql-transport-ws"],
                fields: isProxied ? [("Forwarded", "for=192.0.2.1")] : [])
            try client.send(#"{"type":"connection_init","payload":{"x-api-key":"\#(key)"}}"#)
            let first = try client.next(until: .now + .seconds(20))
            #expect((first == .text(#"{"type":"connection_ack"}"#)) == isLetIn, "\(key) \(isProxied): \(first)")
        }
    }
}
