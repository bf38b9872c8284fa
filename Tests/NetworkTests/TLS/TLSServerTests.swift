import Glibc
import TestSupport
import Testing

@testable import Network

@Suite("A server with TLS")
struct TLSServerTests {
    private func server(limits: HTTPLimits = .init()) async throws -> LoopbackServer {
        try await LoopbackServer(
            TestApplication(), loops: 2, limits: limits,
            tls: ReloadableTLSContext(serverCertificate: TestCertificates.certificate, key: TestCertificates.key))
    }

    private func curl(_ arguments: [String], input: String = "") async throws -> TestProgram.Outcome {
        try await TestProgram.run(
            "curl", ["-sS", "--max-time", "90", "--cacert", TestCertificates.authority] + arguments, input: input)
    }

    @Test(
        "speaks HTTP and HTTPS on the same port, in both versions of TLS",
        arguments: [
            ["http://localhost"], ["https://localhost"], ["https://127.0.0.1"],
            ["--tlsv1.2", "--tls-max", "1.2", "https://localhost"],
            ["--tlsv1.3", "https://localhost"],
        ])
    func samePort(arguments: [String]) async throws {
        let server = try await server()
        let url = try #require(arguments.last)
        let outcome = try await curl(
            arguments.dropLast() + ["--noproxy", "*", "-4", "-D", "-", "-d", "hello", "\(url):\(server.port)/echo"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        // Over TLS curl asks for HTTP/2 first.
        let isHTTP2 = url.hasPrefix("https") && !arguments.contains("--http1.1")
        #expect(outcome.output.hasPrefix(isHTTP2 ? "HTTP/2 200 \r\n" : "HTTP/1.1 200 OK\r\n"))
        #expect(outcome.output.contains("x-seen: POST \(url.prefix { $0 != ":" }) "))
        #expect(outcome.output.hasSuffix("\r\n\r\nhello"))
        await server.stop()
    }

    @Test(
        "agrees on h2 or http/1.1 with a client that asks, and on nothing with one that speaks neither",
        arguments: [
            ("-tls1_2", "http/1.1", "http/1.1"), ("-tls1_3", "http/1.1", "http/1.1"), ("-tls1_3", "h2,http/1.1", "h2"),
            ("-tls1_3", "http/1.1,h2", "h2"), ("-tls1_3", "h2", "h2"), ("-tls1_3", "spdy/3", nil),
            ("-tls1_1", "http/1.1", nil),
        ])
    func negotiation(version: String, protocols: String, agreed: String?) async throws {
        let server = try await server()
        let outcome = try await TestProgram.run(
            "openssl",
            [
                "s_client", "-connect", "127.0.0.1:\(server.port)", "-servername", "localhost", "-verify_return_error",
                "-CAfile", TestCertificates.authority, version, "-alpn", protocols, "-ign_eof",
            ], input: "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
        if let agreed { #expect(outcome.output.contains("ALPN protocol: \(agreed)\n")) }
        // Who has agreed on HTTP/2 and speaks HTTP/1.1 is not answered.
        #expect(outcome.output.contains("HTTP/1.1 200 OK") == (agreed == "http/1.1"))
        if agreed != "h2" { #expect((outcome.status == 0) == (agreed != nil)) }
        if agreed != nil { #expect(outcome.output.contains("Verify return code: 0 (ok)")) }
        await server.stop()
    }

    @Test("answers plain HTTP from this machine alone: what others send in clear is refused in nginx's words")
    func plain() async throws {
        for (address, isRefused) in [
            ("127.0.0.1", false), ("127.9.9.9", false), ("::1", false), ("::ffff:127.0.0.1", false),
            ("192.0.2.1", true),
            ("10.0.0.1", true), ("2001:db8::1", true), ("::ffff:192.0.2.1", true),
        ] {
            let peer = try #require(SocketAddress(numeric: address, port: 1))
            #expect(!HTTPServerOptions().refusesPlain(from: peer))
            let options = HTTPServerOptions(
                tls: try ReloadableTLSContext(
                    serverCertificate: TestCertificates.certificate, key: TestCertificates.key))
            #expect(options.refusesPlain(from: peer) == isRefused, "\(address)")
        }
        // The address of this machine in its network, where it has one, is one of another to the server.
        guard let own = Self.ownAddress, let everywhere = SocketAddress(numeric: "0.0.0.0", port: 0) else { return }
        let server = try await LoopbackServer(
            TestApplication(),
            tls: ReloadableTLSContext(
                serverCertificate: TestCertificates.certificate, key: TestCertificates.key), at: everywhere)
        let refused = try await curl(
            ["--noproxy", "*", "-D", "-", "-d", "hello", "http://\(own):\(server.port)/echo"])
        #expect(refused.output.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(refused)")
        #expect(!refused.output.contains("hello"), "\(refused)")
        let secure = try await curl(
            ["-k", "--noproxy", "*", "-d", "hello", "https://\(own):\(server.port)/echo"])
        #expect(secure.output.hasSuffix("hello"), "\(secure)")
        await server.stop()
    }

    /// An address of this machine that is not its loopback's.
    private static var ownAddress: String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            guard let address = entry.pointee.ifa_addr, Int32(address.pointee.sa_family) == AF_INET else { continue }
            var text = [CChar](repeating: 0, count: 64)
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { place in
                _ = inet_ntop(AF_INET, &place.pointee.sin_addr, &text, socklen_t(text.count))
            }
            let found = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
            if let place = SocketAddress(numeric: found, port: 0), !place.isLoopback { return found }
        }
        return nil
    }

    @Test("has no more handshakes under way than its limit, and a client that means it gets through")
    func handshakes() async throws {
        var limits = HTTPLimits()
        limits.handshakes = 4
        // Nothing else ends them.
        limits.headMilliseconds = 600_000
        let server = try await server(limits: limits)
        var clients: [RawClient] = []
        for _ in 0..<40 {
            let client = try RawClient(port: server.port)
            // The beginning of a hello: the rest never comes.
            try client.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
            clients.append(client)
        }
        try await eventually("at most \(limits.handshakes) handshakes were under way") {
            server.server.connections <= limits.handshakes
        }
        let outcome = try await curl(["-4", "--noproxy", "*", "-d", "hello", "https://localhost:\(server.port)/echo"])
        #expect(outcome.output == "hello", "\(outcome)")
        withExtendedLifetime(clients) {}
        await server.stop()
    }

    @Test("does not renegotiate and does not compress")
    func renegotiation() async throws {
        let server = try await server()
        let outcome = try await TestProgram.run(
            "openssl", ["s_client", "-connect", "127.0.0.1:\(server.port)", "-tls1_2", "-legacy_renegotiation"],
            input: "R\n")
        #expect(outcome.output.contains("Compression: NONE"))
        #expect((outcome.output + outcome.errors).contains("no renegotiation"))
        await server.stop()
    }

    @Test("carries long bodies both ways, streamed ones and files")
    func longBodies() async throws {
        let server = try await server()
        let folder = TemporaryFolder()
        let text = String(repeating: "0123456789abcdef", count: 60_000)
        let path = try folder.write(text, to: "body")
        let base = "https://localhost:\(server.port)"
        let echo = try await curl(["-4", "--data-binary", "@\(path)", "\(base)/echo"])
        #expect(echo.output == text)
        let file = try await curl(["-4", "--data-binary", path, "\(base)/file"])
        #expect(file.output == text)
        let large = try await curl([
            "-4", "-o", folder.file("large"), "-w", "%{http_code} %{size_download}", "\(base)/large",
        ])
        #expect(large.output == "200 1000000")
        // Two requests on one connection, and another one after it.
        let twice = try await curl([
            "-4", "-d", "a", "\(base)/echo", "-w", "%{num_connects}", "--next", "-4", "-d", "b", "\(base)/echo", "-w",
            "%{num_connects}", "--cacert", TestCertificates.authority, "-sS",
        ])
        #expect(twice.output == "a1b0")
        await server.stop()
    }

    @Test("loses nothing that TLS has taken from the socket while reading is paused")
    func pausedReading() async throws {
        var limits = HTTPLimits()
        limits.streamedBytes = 1024
        let server = try await server(limits: limits)
        let client = try TestClient()
        // What is left in OpenSSL's buffer after a full read depends on the last bytes of the body: a range of lengths
        // around a multiple of what is read at once.
        for count in stride(from: 3 * 65_536 - 300, to: 3 * 65_536 + 300, by: 30) {
            let response = try await client.send(
                .post, "https://127.0.0.1:\(server.port)/slowly", body: String(repeating: "x", count: count),
                milliseconds: 60_000)
            #expect(response.text == String(count))
        }
        await client.stop()
        await server.stop()
    }

    @Test("gives new connections the certificate that it was told to read again")
    func reload() async throws {
        let folder = TemporaryFolder()
        let first = try CertificateAuthority.renew(in: folder.file("tls"), names: ["first.test"])
        let tls = try ReloadableTLSContext(serverCertificate: first.files.certificate, key: first.files.key)
        let server = try await LoopbackServer(TestApplication(), loops: 2, tls: tls)
        func reach(_ name: String) async throws -> Int32 {
            try await TestProgram.run(
                "curl",
                [
                    "-sS", "--cacert", first.files.authority, "--resolve", "\(name):\(server.port):127.0.0.1", "-d",
                    "x",
                    "https://\(name):\(server.port)/echo",
                ]
            ).status
        }
        #expect(try await reach("first.test") == 0)
        #expect(try await reach("second.test") == 60)
        _ = try CertificateAuthority.renew(in: folder.file("tls"), names: ["second.test"])
        #expect(try await reach("second.test") == 60)
        try tls.reload()
        #expect(try await reach("second.test") == 0)
        #expect(try await reach("first.test") == 60)
        try folder.write("rubbish", to: "tls/certificate.pem")
        #expect(throws: TLSConfigurationError.self) { try tls.reload() }
        #expect(try await reach("second.test") == 0)
        await server.stop()
    }

    @Test("closes a connection whose handshake does not come to its end in time, however idle one may be after it")
    func slowHandshake() async throws {
        var limits = HTTPLimits()
        limits.headMilliseconds = 1_000
        let server = try await server(limits: limits)
        let client = try TestClient()
        let url = "https://127.0.0.1:\(server.port)/sized/1"
        // On a busy machine its handshake may take longer as well.
        try await eventually("a client is served") { (try? await client.send(.get, url).text) == "x" }

        // The beginning of a record of 512 bytes with a greeting in it, and no more.
        let stuck = try await TestProgram.run(
            "curl", ["-sS", "--max-time", "60", "telnet://127.0.0.1:\(server.port)"],
            input: "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}")
        #expect(stuck.output.isEmpty)
        #expect(stuck.status != 28, "the server did not close it")

        // The idle one is older than the one that was closed, and is still there.
        #expect(try await client.send(.get, url).text == "x")
        #expect(await client.connections == 1)
        // The other loop counts its own when it has closed it, of which a client hears before.
        try await eventually("the idle one alone is there") { server.server.connections == 1 }
        await client.stop()
        await server.stop()
    }

    @Test("goes on serving when a client sends rubbish that begins like TLS")
    func rubbish() async throws {
        let server = try await server()
        let outcome = try await TestProgram.run(
            "curl", ["-s", "--max-time", "60", "telnet://127.0.0.1:\(server.port)"],
            input: "\u{16}\u{3}\u{1}rubbish rubbish")
        #expect(!outcome.output.contains("HTTP"))
        #expect(try await curl(["-4", "-d", "x", "https://localhost:\(server.port)/echo"]).output == "x")
        await server.stop()
    }
}
