import Foundation
import Network
import PostgresSupport
import Server
import TestSupport
import Testing

/// The services beside models that several servers over one database have.
@Suite(
    "Services of several servers", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct NodeServiceTests {
    static let key = "da2-of-these-nodes"
    private static let keys = ["HOMEPORT_AUTH_API_KEYS": #"[{"key":"\#(key)"}]"#]

    static func publish(
        _ events: [String], to channel: String, on server: HomeportProcess, key: String = key
    ) throws -> String {
        let body = try JSONSerialization.data(withJSONObject: ["channel": channel, "events": events])
        let client = try RawClient(port: server.port)
        try client.send(
            "POST /event HTTP/1.1\r\nHost: localhost\r\nx-api-key: \(key)\r\nContent-Length: \(body.count)\r\n\r\n"
                + String(decoding: body, as: UTF8.self))
        return try client.readAnswer().body
    }

    @Test("a publish on one is heard by the subscribers of all, in one order")
    func channels() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodechannels")
        let more = Self.keys.merging(["HOMEPORT_EVENT_API_NAMESPACES": #"{"default": {}}"#]) { $1 }
        let servers = try (0..<2).map { _ in try NodeTests.serve(url, [], more) }
        var first = try Self.subscriber(of: servers[0])
        var second = try Self.subscriber(of: servers[1])
        for number in 0..<10 {
            let answer = try Self.publish(["\(number)"], to: "/default/room", on: servers[number % 2])
            #expect(answer.contains("successful") && !answer.contains("errors"), "\(answer)")
        }
        let expected = (0..<10).map { "\($0)" }
        #expect(try Self.events(&first, 10) == expected)
        #expect(try Self.events(&second, 10) == expected)
    }

    static func subscriber(of server: HomeportProcess, key: String = key) throws -> WebSocketClient {
        var client = try WebSocketClient(
            port: server.port, path: "/event/realtime", protocols: ["aws-appsync-event-ws"],
            fields: [("x-api-key", key)])
        try client.send(
            #"{"type":"subscribe","id":"s","channel":"/default/*","authorization":{"x-api-key":"\#(key)"}}"#)
        while case .text(let text) = try client.next(until: .now + patience) {
            if text.contains("subscribe_success") { return client }
        }
        throw WebSocketClient.Failure(description: "there is no subscription")
    }

    static func events(_ client: inout WebSocketClient, _ count: Int) throws -> [String] {
        var found: [String] = []
        while found.count < count, case .text(let text) = try client.next(until: .now + patience) {
            let message = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            guard message?["type"] as? String == "data" else { continue }
            found += [message?["event"] as? String ?? text]
        }
        return found
    }

    @Test(
        "behind config/nginx-scale.conf, each request and each subscription reaches a node that runs",
        .enabled(if: Nginx.isHere, "there is no nginx"))
    func balancer() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodebalancer")
        let more = Self.keys.merging([
            "HOMEPORT_PROXIES": #"["127.0.0.1"]"#, "HOMEPORT_ALLOWED_HOSTS": #"["api.example.com"]"#,
            "HOMEPORT_EVENT_API_NAMESPACES": #"{"default": {}}"#,
        ]) { $1 }
        let servers = try (0..<2).map { _ in try NodeTests.serve(url, [], more) }
        let proxy = try Nginx(before: servers.map(\.port))
        func ask(_ query: String) throws -> String {
            let body = String(decoding: try JSONSerialization.data(withJSONObject: ["query": query]), as: UTF8.self)
            let client = try RawClient(port: proxy.port)
            try client.send(
                "POST /graphql HTTP/1.1\r\nHost: api.example.com\r\nx-api-key: \(Self.key)\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return try client.readAnswer().body
        }
        var socket = try WebSocketClient(
            port: proxy.port, path: "/event/realtime", protocols: ["aws-appsync-event-ws"],
            fields: [("x-api-key", Self.key)])
        try socket.send(
            #"{"type":"subscribe","id":"s","channel":"/default/*","authorization":{"x-api-key":"\#(Self.key)"}}"#)
        var told = ""
        while !told.contains("subscribe_success"), case .text(let text) = try socket.next(until: .now + patience) {
            told = text
        }
        for number in 0..<6 {
            #expect(
                try ask(#"mutation { createTodo(input: {id: "\#(number)", name: "a"}) { id } }"#).contains("createTodo")
            )
            _ = try Self.publish(["\(number)"], to: "/default/a", on: servers[number % 2])
        }
        #expect(try Self.events(&socket, 6) == (0..<6).map { "\($0)" })
        // One of them is killed: what comes then goes to the other one, and nobody hears of it.
        servers[0].signal(SIGKILL)
        _ = servers[0].exitStatus()
        for number in 0..<6 {
            #expect(try ask(#"{ getTodo(id: "\#(number)") { id } }"#).contains(#""id":"\#(number)""#))
        }
    }

    @Test("files that one takes are on the other, and a folder that is not the others' is refused")
    func files() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodefiles")
        let folder = TemporaryFolder()
        func more(_ name: String) -> [String: String] {
            [
                "HOMEPORT_FILES_SHARED_FOLDER": folder.file(name),
                "HOMEPORT_AUTH_IAM_CREDENTIALS":
                    #"[{"accessKeyId":"AKIDADMIN","secretAccessKey":"s","role":"admin"}]"#,
            ]
        }
        let (first, second) = (
            try NodeTests.serve(url, [], more("files")), try NodeTests.serve(url, [], more("files"))
        )
        let keys = IdentityClient.Keys(identity: "", accessKeyID: "AKIDADMIN", secret: "s", sessionToken: nil)
        let (here, there) = (try SignedFileCall(first, as: keys), try SignedFileCall(second, as: keys))
        #expect(try here.call("PUT", "/kept").status == 200)
        let body = [UInt8](repeating: 7, count: 300_000)
        #expect(try there.call("PUT", "/kept/a", body: body).status == 200)
        #expect(try here.call("GET", "/kept/a").bytes == body)
        // Each has a mark there, which goes with it.
        func marks() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: folder.file("files/nodes")).count
        }
        #expect(try marks() == 2 + 1)
        // Another folder, a folder of another database, and a folder where there is one server.
        let other = try NodeTests.refused(
            ["--database", url], NodeTests.environment.merging(more("other")) { $1 })
        #expect(
            other.code == ExitCode.configuration.rawValue
                && other.line.contains("other is not the folder of the other nodes: it has no mark"), "\(other)")
        let elsewhere = try PostgresServer.shared.get().url(ofNewSchema: "nodefileselsewhere")
        let strange = try NodeTests.refused(
            ["--database", elsewhere], NodeTests.environment.merging(more("files")) { $1 })
        #expect(
            strange.code == ExitCode.configuration.rawValue
                && strange.line.contains("holds the files of another database"), "\(strange)")
        let alone = try NodeTests.refused([], more("files"))
        #expect(
            alone.code == ExitCode.configuration.rawValue && alone.line.contains("it is for several servers"),
            "\(alone)")
        // A copy of the folder has its mark, and none of those that run.
        let copy = folder.file("copy")
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: folder.file("files/mark"), toPath: "\(copy)/mark")
        let copied = try NodeTests.refused(["--database", url], NodeTests.environment.merging(more("copy")) { $1 })
        #expect(
            copied.code == ExitCode.configuration.rawValue && copied.line.contains("has no mark in it"), "\(copied)")
        second.signal(SIGTERM)
        #expect(second.exitStatus() == ExitCode.success.rawValue)
        #expect(try marks() == 1 + 1)
        #expect(try here.call("GET", "/kept/a").bytes == body)
        first.signal(SIGTERM)
        #expect(first.exitStatus() == ExitCode.success.rawValue)
    }

    /// The status and the body of the answer to whoever asks whether a server is ready.
    static func readiness(of server: HomeportProcess) throws -> String {
        let client = try RawClient(port: server.port)
        try client.send("GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let (head, body) = try client.readAnswer()
        return "\(try AnswerHead(head).status) \(body)"
    }

    @Test("a node that was taken for gone is not ready until it has joined the others again")
    func readiness() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodeready")
        let server = try NodeTests.serve(url)
        func ready() throws -> String { try Self.readiness(of: server) }
        #expect(try ready().hasPrefix("200 "))
        // It can join again once it has the turn.
        let holder = try PostgresServer.shared.get().app()
        defer { holder.close() }
        _ = try holder.answer("SET search_path = nodeready")
        _ = try holder.answer("BEGIN")
        _ = try holder.answer("SELECT 1 FROM _homeport_turns WHERE room = 'models' FOR UPDATE")
        let other = try PostgresServer.shared.get().app()
        defer { other.close() }
        _ = try other.answer("DELETE FROM nodeready._homeport_nodes")
        try eventually("it is not ready") {
            let answer = try ready()
            return answer.hasPrefix("503 ") && answer.contains("not one of the nodes any more")
        }
        _ = try? holder.answer("COMMIT")
        try eventually("it is ready again") { try ready().hasPrefix("200 ") }
        server.signal(SIGTERM)
        #expect(server.exitStatus() == ExitCode.success.rawValue)
    }

    @Test("a client syncs by either of two, also when one of them was stopped and started again")
    func sync() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodesync")
        let more = ["HOMEPORT_FEATURES_CONFLICT_DETECTION": "AUTOMERGE"]
        let folder = TemporaryFolder()
        let first = try NodeTests.serve(url, [], more, in: folder)
        let second = try NodeTests.serve(url, [], more)
        func sync(_ server: HomeportProcess, since moment: Int) throws -> (names: [String], startedAt: Int) {
            let text = try server.answer(
                to: "{ syncTodos(lastSync: \(moment)) { startedAt items { name _version _deleted } } }")
            let answer = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            let page = (answer?["data"] as? [String: Any])?["syncTodos"] as? [String: Any]
            let items = page?["items"] as? [[String: Any]] ?? []
            return (
                items.map { "\($0["name"] ?? "") \($0["_version"] ?? "") \($0["_deleted"] as? Bool ?? false)" },
                try #require(page?["startedAt"] as? Int, "\(text)")
            )
        }
        _ = try first.answer(to: #"mutation { createTodo(input: {id: "1", name: "a"}) { id name _version } }"#)
        let base = try sync(second, since: 0)
        #expect(base.names == ["a 1 false"])
        _ = try second.answer(
            to: #"mutation { updateTodo(input: {id: "1", name: "b", _version: 1}) { id name _version } }"#)
        let delta = try sync(first, since: base.startedAt)
        #expect(delta.names.last == "b 2 false" && delta.startedAt >= base.startedAt)
        // While the first one is not there, the other one serves: the moment of a sync is no moment of nobody's.
        first.signal(SIGTERM)
        _ = first.exitStatus()
        _ = try second.answer(
            to: #"mutation { deleteTodo(input: {id: "1", _version: 2}) { id name _version } }"#)
        let alone = try sync(second, since: delta.startedAt)
        #expect(alone.names.last == "b 3 true")
        let again = try NodeTests.serve(url, [], more, in: folder)
        // Only what has changed since: all records would be the same one, so another one is made that no log has.
        #expect(try sync(again, since: alone.startedAt).names.filter { !$0.hasSuffix("3 true") } == [])
    }
}
