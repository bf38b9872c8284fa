import Network
import TestSupport
import Testing

@Suite("The HTTP client, with our own server")
struct HTTPClientTests {
    private func server(limits: HTTPLimits = .init()) async throws -> LoopbackServer {
        try await LoopbackServer(
            TestApplication(), loops: 2, limits: limits,
            tls: ReloadableTLSContext(serverCertificate: TestCertificates.certificate, key: TestCertificates.key))
    }

    @Test(
        "sends requests of all kinds and understands the answers",
        arguments: [
            "http://127.0.0.1", "http://localhost", "https://127.0.0.1", "https://localhost",
        ])
    func requests(base: String) async throws {
        let (server, client) = (try await server(), try TestClient())
        let url = "\(base):\(server.port)"
        let scheme = base.prefix { $0 != ":" }
        let host = "\(base.dropFirst(scheme.count + 3)):\(server.port)"
        for method in [HTTPMethod.get, .post, .put, .delete, .patch, .options] {
            let response = try await client.send(method, "\(url)/echo", body: method == .get ? "" : "hello")
            #expect(response.status == .ok)
            #expect(response.text == (method == .get ? "" : "hello"))
            #expect(response.fields["x-seen"] == "\(method.rawValue) \(scheme) \(host)")
        }
        let head = try await client.send(.head, "\(url)/sized/5000")
        #expect(head.status == .ok)
        #expect(head.body.isEmpty)
        #expect(head.fields["content-length"] == "5000")
        #expect(try await client.send(.get, "\(url)/none").status == .notFound)
        #expect(try await client.send(.get, "\(url)/large").body == TestApplication.large)
        #expect(await client.connections == 1, "all of them went over one connection")
        #expect(server.server.connections == 1)
        await client.stop()
        await server.stop()
    }

    @Test("carries a large body there and back", arguments: ["http", "https"])
    func largeBody(scheme: String) async throws {
        var limits = HTTPClientLimits()
        limits.bodyBytes = 4 << 20
        let (server, client) = (try await server(), try TestClient(limits: limits))
        let body = String(repeating: "0123456789abcdef", count: 200_000)
        let response = try await client.send(.post, "\(scheme)://127.0.0.1:\(server.port)/echo", body: body)
        #expect(response.text == body)
        await client.stop()
        await server.stop()
    }

    @Test("can be used from tasks on its loop and from others, many at a time")
    func concurrency() async throws {
        var limits = HTTPClientLimits()
        limits.connectionsPerHost = 3
        let (server, client) = (try await server(), try TestClient(limits: limits))
        let url = try HTTPURL("https://localhost:\(server.port)/echo")
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<60 {
                let preferred: EventLoop? = number.isMultiple(of: 2) ? client.loop : nil
                group.addTask(executorPreference: preferred) {
                    let text = String(number)
                    let response = try await client.client.send(HTTPClientRequest(.post, url, body: Array(text.utf8)))
                    return response.text == text ? 1 : 0
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(total == 60)
        #expect(await client.connections <= 3)
        #expect(server.server.connections <= 3)
        await client.stop()
        await server.stop()
    }

    @Test("closes a connection that has been idle for its time")
    func idle() async throws {
        var limits = HTTPClientLimits()
        limits.idleMilliseconds = 50
        let (server, client) = (try await server(), try TestClient(limits: limits))
        _ = try await client.send(.get, "http://127.0.0.1:\(server.port)/sized/1")
        try await eventually("the connection is closed") { await client.connections == 0 }
        await client.stop()
        await server.stop()
    }

    @Test("keeps no more idle connections than its limit, over all hosts")
    func idleLimit() async throws {
        var limits = HTTPClientLimits()
        limits.idleConnections = 2
        let client = try TestClient(limits: limits)
        var servers: [LoopbackServer] = []
        for _ in 0..<4 {
            let server = try await server()
            servers.append(server)
            _ = try await client.send(.get, "http://127.0.0.1:\(server.port)/sized/1")
        }
        #expect(await client.connections == 2)
        #expect(servers.map(\.server.connections).suffix(2) == [1, 1], "those used last are kept")
        await client.stop()
        for server in servers { await server.stop() }
    }

    @Test("refuses requests that would be understood in two ways")
    func badRequests() async throws {
        let client = try TestClient()
        let url = "http://127.0.0.1:1/"
        for name in ["Host", "content-length", "Transfer-Encoding", "connection", "a b", "", "a:b"] {
            #expect(try await client.problem(.get, url, fields: [(name, "1")]) == .badField(name))
        }
        for value in ["a\r\nb: c", "a\nb", "\u{0}"] {
            #expect(try await client.problem(.get, url, fields: [("a", value)]) == .badField("a"))
        }
        #expect(try await client.problem(.other, url) == .namelessMethod)
        await client.stop()
    }

    @Test("refuses a server that is not the one it should be")
    func untrusted() async throws {
        let server = try await server()
        let client = try TestClient(resolver: NameResolver { _, port in .success([.loopback(port: port)]) })
        guard
            case .insecure(.untrusted(_, let names)) = try await client.problem(
                .get, "https://evil.test:\(server.port)/")
        else {
            Issue.record("the server was trusted")
            return
        }
        #expect(names?.contains("DNS:localhost") == true)
        #expect(try await client.send(.get, "https://api.test.:\(server.port)/sized/2").text == "xx")
        await client.stop()

        let stranger = try TestClient(trust: .system)
        guard case .insecure(.untrusted) = try await stranger.problem(.get, "https://localhost:\(server.port)/") else {
            Issue.record("the server was trusted")
            return
        }
        await stranger.stop()

        let broken = try TestClient(trust: .file("/nonexistent/authorities.pem"))
        guard case .configuration(let error) = try await broken.problem(.get, "https://localhost:\(server.port)/")
        else {
            Issue.record("there was a TLS context")
            return
        }
        #expect(error.problem == .missing)
        #expect(try await broken.send(.get, "http://localhost:\(server.port)/sized/1").text == "x", "plain needs none")
        await broken.stop()
        await server.stop()
    }

    @Test("tries all addresses of a name and says what is wrong with the first")
    func addresses() async throws {
        let server = try await server()
        let port = server.port
        let refusing = SocketAddress(host: .version6(high: 0, low: 1, scope: 0), port: port)
        let client = try TestClient(
            resolver: NameResolver { host, port in
                switch host {
                case "both.test": .success([refusing, .loopback(port: port)])
                case "none.test": .success([])
                case "refused.test": .success([refusing, refusing])
                default: .failure(.system("no such name"))
                }
            })
        #expect(try await client.send(.get, "http://both.test:\(port)/sized/3").text == "xxx")
        #expect(try await client.problem(.get, "http://lost.test:\(port)/") == .lookup(.system("no such name")))
        guard case .connect(let error) = try await client.problem(.get, "http://refused.test:\(port)/") else {
            Issue.record("there was a connection")
            return
        }
        #expect(error.subject == "[::1]:\(port)")
        guard case .connect = try await client.problem(.get, "http://none.test:\(port)/") else {
            Issue.record("there was a connection")
            return
        }
        #expect(await client.connections == 1)
        await client.stop()
        await server.stop()
    }

    @Test("says that nobody listens")
    func refused() async throws {
        let server = try await server()
        let port = server.port
        await server.stop()
        let client = try TestClient()
        do {
            _ = try await client.send(.get, "http://127.0.0.1:\(port)/secret?token=1")
            Issue.record("there was an answer")
        } catch let error as HTTPClientError {
            #expect(
                error.description
                    == "http://127.0.0.1:\(port): connect 127.0.0.1:\(port): Connection refused")
        }
        await client.stop()
    }
}
