import TestSupport
import Testing

@testable import Network

struct WebSocketConnectionTests {
    @Test("a request becomes a WebSocket, and messages come back")
    func echo() async throws {
        let server = try await WebSocketTestServer()
        var client = try WebSocketClient(server, fields: [("sec-websocket-protocol", "graphql-ws, header-e30")])
        #expect(client.head.fields["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(client.head.fields["sec-websocket-protocol"] == "graphql-ws")
        try client.send(.text("Grüße"))
        #expect(try client.nextText() == "Grüße")
        try client.send(ClientFrame(first: 0x82, payload: [0, 255]))
        #expect(try client.nextEvent() == .message(.init(kind: .binary, bytes: [0, 255])))
        try client.send(.close(3000, "done"))
        #expect(try client.nextClose() == WebSocketClose(WebSocketCloseCode(rawValue: 3000)))
        let ending = await server.nextEnding()
        #expect(ending == .closedByPeer(WebSocketClose(WebSocketCloseCode(rawValue: 3000), "done")))
        await server.stop()
    }

    @Test("frames in the same piece as the request are read")
    func eager() async throws {
        let server = try await WebSocketTestServer()
        var client = try WebSocketClient(server, "/text", behind: ClientFrame.text("early").bytes)
        #expect(try client.nextText() == "welcome")
        #expect(try client.nextText() == "early")
        await server.stop()
    }

    @Test("a message in parts, byte by byte, with a ping between them")
    func slowly() async throws {
        let server = try await WebSocketTestServer()
        var client = try WebSocketClient(server)
        let frames = [
            ClientFrame.text("a\u{1F600}", isFinal: false), ClientFrame(first: 0x89, payload: [7]),
            .continuation("z", isFinal: true),
        ]
        for byte in frames.flatMap(\.bytes) { try client.send([byte]) }
        #expect(try client.nextEvent() == .pong([7]))
        #expect(try client.nextText() == "a\u{1F600}z")
        await server.stop()
    }

    @Test("a request that cannot become a WebSocket is answered as HTTP")
    func refusal() async throws {
        let server = try await WebSocketTestServer()
        var client = try WebSocketClient(
            server, fields: [("sec-websocket-version", "8"), ("connection", "close")])
        #expect(client.head.status == 426)
        #expect(client.head.fields["sec-websocket-version"] == "13")
        #expect(try client.rest().hasPrefix("expected version 13"))
        await server.stop()
    }

    @Test("compressed messages are read and sent")
    func compression() async throws {
        let server = try await WebSocketTestServer()
        var client = try WebSocketClient(
            server, fields: [("sec-websocket-extensions", "permessage-deflate; client_max_window_bits")])
        #expect(
            client.head.fields["sec-websocket-extensions"]
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover")
        let text = String(repeating: "{\"id\":1},", count: 1000)
        var pool = CompressionPool()
        var deflated: [UInt8] = []
        try Array(text.utf8).withUnsafeBufferPointer { bytes throws(CompressionError) in
            try pool.deflateMessage(UnsafeRawBufferPointer(bytes), windowBits: 15, into: &deflated)
        }
        for _ in 0..<3 {
            try client.send(ClientFrame(first: 0xC1, payload: deflated))
            #expect(try client.nextText() == text)
        }
        // Compression is for whole messages, not for what fits anyway.
        try client.send(.text("short"))
        #expect(try client.nextText() == "short")
        try client.send(ClientFrame(first: 0xC1, payload: [0xFF, 0xFF]))
        #expect(try client.nextClose().code == .invalidPayload)
        await server.stop()
    }

    @Test("a payload for many reaches each with its own beginning", arguments: [[], ["permessage-deflate"]])
    func fanOut(_ extensions: [String]) async throws {
        let server = try await WebSocketTestServer()
        var client = try WebSocketClient(
            server, "/fan", fields: extensions.map { ("sec-websocket-extensions", $0) })
        try client.send(.text("42: "))
        let rest = String(repeating: "event", count: 500)
        #expect(try client.nextText() == "42: " + rest)
        #expect(try client.nextText() == "again 42: " + rest)
        await server.stop()
    }

    @Test("each client gets messages for many in its own form, behind its own beginning")
    func together() async throws {
        let server = try await WebSocketTestServer()
        let compressed = [("sec-websocket-extensions", "permessage-deflate")]
        var one = try WebSocketClient(server, "/together")
        var two = try WebSocketClient(server, "/together", fields: compressed)
        var three = try WebSocketClient(server, "/together")
        var four = try WebSocketClient(server, "/together", fields: compressed)
        try one.send(.text("1:"))
        #expect(try one.nextText() == "entered")
        try two.send(.text("2:"))
        #expect(try two.nextText() == "entered")
        try three.send(.text("three:"))
        #expect(try three.nextText() == "entered")
        try four.send(.text("4:"))
        #expect(try four.nextText() == "entered")
        for round in 0..<3 {
            let text = String(repeating: "to all of you \(round) ", count: 100)
            try one.send(.text(text))
            try Self.expect(&one, "1:", text)
            try Self.expect(&two, "2:", text)
            try Self.expect(&three, "three:", text)
            try Self.expect(&four, "4:", text)
        }
        // Who is leaving gets nothing more, and the others do.
        try two.send(.close(1000))
        #expect(try two.nextClose() == WebSocketClose(.normal))
        try one.send(.text("x"))
        try Self.expect(&one, "1:", "x")
        try Self.expect(&four, "4:", "x")
        await server.stop()
    }

    private static func expect(_ client: inout WebSocketClient, _ head: String, _ text: String) throws {
        let received = [try client.nextText(), try client.nextText()]
        #expect(received == [head + text, head + "!"])
    }

    @Test("what is sent at once and what waits for the end of the turn come in order, also to a client that reads late")
    func mixedSending() async throws {
        var settings = WebSocketSettings()
        settings.outboundBytesMax = 1 << 24
        let server = try await WebSocketTestServer(settings)
        var client = try WebSocketClient(server, "/mixed", receiveBuffer: 4096)
        try client.send(.text("x"))
        for number in 0..<WebSocketTestHandler.mixedMessages {
            let text = try client.nextText()
            #expect(text.utf8.count == "\(number)".utf8.count + WebSocketTestHandler.mixedPadding.count)
            #expect(text.prefix { $0 != " " } == "\(number)")
        }
        await server.stop()
    }

    struct Broken: CustomTestStringConvertible {
        let name: String
        var path = "/echo"
        let frame: ClientFrame
        let code: WebSocketCloseCode
        var testDescription: String { name }
    }

    @Test(
        "a client that breaks a rule is told which, and the connection ends",
        arguments: [
            Broken(name: "no mask", frame: .init(first: 0x81, payload: [], key: nil), code: .protocolError),
            Broken(name: "no text", frame: .init(first: 0x81, payload: [0xFF]), code: .invalidPayload),
            Broken(
                name: "too long", frame: .init(first: 0x82, payload: Array(repeating: 0, count: 5001)),
                code: .messageTooBig),
            Broken(name: "binary", path: "/text", frame: .init(first: 0x82, payload: [1]), code: .unsupportedData),
            Broken(name: "wrong close code", frame: .close(1005), code: .protocolError),
        ])
    func violations(_ row: Broken) async throws {
        var settings = WebSocketSettings()
        settings.messageBytesMax = 5000
        let server = try await WebSocketTestServer(settings)
        var client = try WebSocketClient(server, row.path)
        try client.send(row.frame)
        // A client that is still sending must get to read why.
        try client.send(Array(repeating: 0, count: 600_000))
        if row.code == .unsupportedData { try client.send(.close(1003)) }
        client.finishSending()
        #expect(try client.nextClose().code == row.code)
        guard case .closedByUs(let close)? = await server.nextEnding() else { return #expect(Bool(false)) }
        #expect(close.code == row.code)
        #expect(!close.reason.isEmpty)
        await server.stop()
    }

    @Test("an application that closes sends nothing more, and the client's answer ends it")
    func applicationCloses() async throws {
        let server = try await WebSocketTestServer()
        var client = try WebSocketClient(server, "/bye")
        try client.send(.text("x"))
        #expect(try client.nextEvent() == .close(WebSocketClose(.normal, "enough")))
        #expect(await server.nextEnding() == .closedByUs(WebSocketClose(.normal, "enough")))
        try client.send(.close(1000))
        #expect(try client.nextEvent() == nil)
        await server.stop()
    }

    @Test("a client that does not read is closed with the reason, and others are served meanwhile")
    func slowReader() async throws {
        var settings = WebSocketSettings()
        settings.outboundBytesMax = 300_000
        let server = try await WebSocketTestServer(settings)
        var slow = try WebSocketClient(server, "/flood")
        try slow.send(.text("go"))
        let ending = await server.nextEnding()
        let expected = WebSocketClose(.policyViolation, "too slow: more than 300000 bytes wait to be read")
        #expect(ending == .closedByUs(expected))
        var other = try WebSocketClient(server)
        try other.send(.text("still there?"))
        #expect(try other.nextText() == "still there?")
        // It was sent what fitted, and then the reason.
        try slow.send(.close(1008))
        #expect(try slow.nextClose() == expected)
        await server.stop()
    }

    @Test("a client that does not even read the reason is dropped")
    func slowReaderIsDropped() async throws {
        var settings = WebSocketSettings()
        settings.outboundBytesMax = 4_000_000
        settings.closeMillisecondsMax = 100
        let server = try await WebSocketTestServer(settings)
        let slow = try WebSocketClient(server, "/flood", receiveBuffer: 4096)
        try slow.send(.text("go"))
        _ = await server.nextEnding()
        // Nobody is left to be cut off when it has been dropped; the server stops only when all are gone.
        #expect(await server.stop() == 0)
        try? slow.send(.text("gone"))
    }

    @Test("a silent client is asked for a sign of life, then closed, then dropped")
    func silence() async throws {
        let close = WebSocketClose(.internalError, "no answer to a ping")
        var events: [WebSocketParser.Event] = []
        // On a busy machine a short time may be over before a client has answered.
        for time in [1_000, 10_000] where events != [.ping([]), .ping([]), .close(close)] {
            var settings = WebSocketSettings()
            settings.pingAfterMilliseconds = 100
            settings.silenceMillisecondsMax = time
            settings.closeMillisecondsMax = 50
            let server = try await WebSocketTestServer(settings)
            var client = try WebSocketClient(server)
            events = []
            while let event = try client.nextEvent() {
                events.append(event)
                if events.count == 1 { try? client.send(ClientFrame(first: 0x8A, payload: [])) }
            }
            #expect(await server.nextEnding() == .closedByUs(close))
            await server.stop()
        }
        #expect(events == [.ping([]), .ping([]), .close(close)])
    }

    @Test("a connection that breaks is told to the application")
    func lost() async throws {
        let server = try await WebSocketTestServer()
        let client = try WebSocketClient(server)
        try client.send(ClientFrame.text("half a frame").bytes.dropLast(3))
        client.finishSending()
        #expect(await server.nextEnding() == .lost)
        await server.stop()
    }

    @Test("a server that stops says goodbye and waits for the answer")
    func stopping() async throws {
        let server = try await WebSocketTestServer()
        var client = try WebSocketClient(server)
        try client.send(.text("hello"))
        #expect(try client.nextText() == "hello")
        // On the server's loop, as our own thread waits for the socket.
        let stopping = Task(executorPreference: server.group.loops[0]) { await server.server.stop() }
        #expect(try client.nextEvent() == .close(WebSocketClose(.goingAway, "the server stops")))
        #expect(await server.nextEnding() == .closedByUs(WebSocketClose(.goingAway, "the server stops")))
        try client.send(.close(1001))
        #expect(try client.nextEvent() == nil)
        #expect(await stopping.value == 0)
        await server.stop()
    }

    @Test("a WebSocket works over TLS, on the same port")
    func secure() async throws {
        let server = try await WebSocketTestServer(
            tls: ReloadableTLSContext(
                serverCertificate: TestCertificates.certificate, key: TestCertificates.key))
        let request = WebSocketClient.request(port: server.port, path: "/echo")
        let outcome = try await TestProgram.run(
            "openssl",
            [
                "s_client", "-connect", "127.0.0.1:\(server.port)", "-servername", "localhost", "-quiet",
                "-verify_return_error", "-CAfile", TestCertificates.authority, "-alpn", "http/1.1", "-ign_eof",
            ], bytes: Array(request.utf8) + ClientFrame.text("over TLS").bytes + ClientFrame.close(1000).bytes)
        #expect(outcome.output.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
        #expect(outcome.output.contains("over TLS"))
        #expect(await server.nextEnding() == .closedByPeer(WebSocketClose(.normal)))
        await server.stop()
    }
}
