import Crypto
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import HTTP2
@testable import Network

@Suite("HTTP server, by HTTP/2")
struct HTTP2ServerTests {
    private typealias Client = HTTP2TestClient
    /// Beyond the limit of a head.
    private static let longValue = String(repeating: "v", count: 40_000)

    /// Starts a server, and lets the body talk to it on a thread of its own.
    private static func run(
        limits: HTTPLimits = .init(), _ body: @escaping @Sendable (HTTP2TestClient, HTTPTestServer) throws -> Void
    ) async throws {
        try await HTTPTestServer.run(limits: limits) { server in
            try await BlockingThread.run { try body(HTTP2TestClient(port: server.port), server) }
        }
    }

    @Test("answers many requests on one connection, with bodies and without")
    func requests() async throws {
        try await Self.run { client, server in
            try client.send(
                Client.head(1, "POST", "/echo", ends: false), Client.data(1, "one"), Client.head(3, "GET", "/nowhere"),
                Client.data(1, " two", ends: true), Client.head(5, "HEAD", "/large?10"))
            let answers = try client.answers([1, 3, 5])
            #expect(answers.map(\.status) == ["200", "404", "200"])
            #expect(answers.map(\.text) == ["one two", "nothing here", ""])
            #expect(answers[2].fields.contains("content-length: 10"))
            #expect(!answers[0].fields.contains("connection"))
            let exchanges = server.application.finishedExchanges
            #expect(exchanges.count == 3)
            #expect(exchanges.allSatisfy { $0.head?.isHTTP2 == true && $0.isComplete })
        }
    }

    @Test("a compressed body comes without its coding, and its digest is that of what was sent")
    func sentDigests() async throws {
        var pool = CompressionPool()
        var sent: [UInt8] = []
        _ = Array("a body".utf8).withUnsafeBytes { pool.gzip($0, into: &sent) }
        let body = sent
        try await Self.run { client, _ in
            let coding = [("content-encoding", "gzip")]
            try client.send(
                Client.head(1, "POST", "/digest", ends: false, coding), Client.data(1, body, ends: true),
                Client.head(3, "POST", "/echo", ends: false, coding), Client.data(3, body, ends: true),
                Client.head(5, "POST", "/digest", ends: false), Client.data(5, body, ends: true))
            let answers = try client.answers([1, 3, 5])
            #expect(answers.map(\.text) == [Hexadecimal.text(of: Digest.sha256.of(body)), "a body", "none"])
        }
    }

    @Test("long and streamed answers and files come whole, in turns, as the client's windows go")
    func longAnswers() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/file"
        let content = String(repeating: "0123456789", count: 30_000)
        try Array(content.utf8).withUnsafeBytes { bytes in
            let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
            defer { close(descriptor) }
            guard write(descriptor, bytes.baseAddress, bytes.count) == bytes.count else {
                throw HTTP2TestClient.Failure(description: "the file cannot be written")
            }
        }
        try await Self.run { client, _ in
            try client.send(
                Client.window(0, 10_000_000), Client.head(1, "GET", "/large?300000"),
                Client.head(3, "GET", "/stream?5000"),
                Client.head(5, "GET", "/file?\(path)"))
            for stream: UInt32 in [1, 3, 5] { try client.send(Client.window(stream, 1_000_000)) }
            let answers = try client.answers([1, 3, 5])
            #expect(answers[0].body == [UInt8](repeating: 0x61, count: 300_000))
            #expect(answers[1].text == (0..<5000).map { "\($0)\n" }.joined())
            // The route leaves out the first byte.
            #expect(answers[2].text == content.dropFirst())
        }
    }

    @Test("a stream that is not read holds no other one, and gets no more than its window")
    func slowReader() async throws {
        try await Self.run { client, _ in
            try client.send(Client.head(1, "GET", "/large?1000000"), Client.window(0, 1_000_000))
            var count = 0
            while count < 65_535, let frame = try client.next() {
                if frame.kind == 0 { count += frame.payload.count }
            }
            #expect(count == 65_535)
            try client.send(Client.head(3, "GET", "/large?60000"))
            #expect(try client.answer(3).body.count == 60_000)
            try client.send(Client.window(1, 1_000_000))
            #expect(try client.answer(1).body.count == 1_000_000 - 65_535)
        }
    }

    @Test("a body streams to its reader, whose pace is the client's window")
    func uploads() async throws {
        try await Self.run { client, _ in
            try client.send(Client.head(1, "POST", "/count", ends: false))
            // More than all windows at the beginning: the server gives them back as the body is read.
            let piece = String(repeating: "b", count: 16_000)
            var window = 131_072
            for _ in 0..<40 {
                while window < piece.utf8.count, let frame = try client.next() {
                    if frame.kind == 8, frame.stream == 1 {
                        window += Int(frame.payload.withUnsafeBytes { HTTP2FrameHeader.number($0, at: 0) })
                    }
                }
                window -= piece.utf8.count
                try client.send(Client.data(1, piece))
            }
            try client.send(Client.data(1, "", ends: true))
            #expect(try client.answer(1).text == "640000")
        }
    }

    @Test("a client that waits for leave gets it", arguments: ["/echo", "/count"])
    func continues(_ path: String) async throws {
        try await Self.run { client, _ in
            try client.send(Client.head(1, "POST", path, ends: false, [("expect", "100-continue")]))
            while let frame = try client.next(), frame.kind != 1 {}
            try client.send(Client.data(1, "x", ends: true))
            let answer = try client.answer(1)
            #expect(answer.fields.hasPrefix(":status: 200") && !answer.body.isEmpty)
        }
    }

    @Test(
        "what is no request for HTTP is answered, and what is none for HTTP/2 resets its stream",
        arguments: [
            (Client.head(1, "GET", "nothing"), "400"), (Client.head(1, "GET", "/%zz"), "400"),
            (Client.head(1, "GET", "/", [("host", "other")]), "400"),
            (Client.head(1, "GET", "/nowhere", [("host", "a.example")]), "404"),
            (Client.head(1, "G T", "/"), "400"), (Client.head(1, "GET", "/ x"), "400"),
            (
                Client.frame(1, 1, 1, Array(Client.head(1, "GET", "/", [("x", longValue)])[9...].prefix(16_000)))
                    + Client.frame(
                        9, 0, 1,
                        Array(Client.head(1, "GET", "/", [("x", longValue)])[9...].dropFirst(16_000).prefix(16_000)))
                    + Client.frame(
                        9, 4, 1, Array(Client.head(1, "GET", "/", [("x", longValue)])[9...].dropFirst(32_000))), "431"
            ),
            (Client.head(1, "GET", "/", (0..<101).map { ("x\($0)", "") }), "431"),
            (Client.head(1, "POST", "/echo", ends: false, [("content-length", "5000")]), "413"),
            (Client.head(1, "GET", "/", [("connection", "close")]), "reset 1"),
        ])
    func refusals(_ request: [UInt8], _ expected: String) async throws {
        try await Self.run { client, _ in
            try client.send(request)
            let answer = try client.answer(1)
            #expect((answer.code.map { "reset \($0)" } ?? answer.status) == expected)
        }
    }

    @Test("an answer before the end of its body reads the rest, for a while and without an error")
    func earlyAnswer() async throws {
        var limits = HTTPLimits()
        limits.lingerSilenceMilliseconds = 200
        limits.lingerBytes = 300_000
        try await Self.run(limits: limits) { client, _ in
            // Some clients read no answer before they have sent all: more than the first windows hold.
            let piece = Client.data(5, String(repeating: "b", count: 16_000))
            try client.send(
                Client.head(5, "POST", "/nowhere", ends: false), Array(repeatElement(piece, count: 8).joined()))
            while let frame = try client.next(), frame.kind != 8 || frame.stream != 5 {}
            try client.send(piece, Client.data(5, "", ends: true))
            try client.send(Client.head(7, "POST", "/nowhere", ends: false), Client.data(7, "begun"))
            #expect(try client.answer(7).status == "404")
            while let frame = try client.next() {
                guard let code = frame.code else { continue }
                #expect(code == 0)
                break
            }
            // What is still on its way is not heard, and the connection goes on.
            try client.send(Client.data(7, "late"), Client.head(9, "GET", "/nowhere"))
            #expect(try client.answer(9).status == "404")
        }
    }

    @Test("pieces of a cookie are one, and a trailer goes to the body's reader")
    func cookies() throws {
        let client = HTTP2Machine(limits: HTTP2Limits(), nowMilliseconds: 0)
        let bytes =
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Client.frame(4, 0, 0, [])
            + Client.head(1, "GET", "/a?b=c", [("cookie", "a=b"), ("x-one", "1"), ("cookie", "c=d")])
        try bytes.withUnsafeBytes { bytes in
            var position = 0
            while let event = try client.next(bytes, at: &position, nowMilliseconds: 0) {
                guard case .head(_, let request, let ends) = event else { continue }
                let head = try HTTPRequestHead.ofHTTP2(request, endsStream: ends, limits: HTTPLimits())
                #expect(head.fields.values(of: "cookie" as StaticString) == ["a=b; c=d"])
                #expect(head.path == "/a" && head.query == "b=c" && head.authority == "a.example")
                #expect(head.fields["host"] == "a.example" && head.isHTTP2 && head.framing == .none)
            }
        }
    }

    @Test(
        "a cancelled request ends its work, and its place is free again",
        arguments: ["/whileWaited", "/promisedWhileWaited"])
    func cancels(_ path: String) async throws {
        try await HTTPTestServer.run { server in
            let client = try HTTP2TestClient(port: server.port)
            try client.send(Client.head(1, "GET", path))
            await server.application.gate.arrivals(1)
            try client.send(Client.frame(3, 0, 1, [0, 0, 0, 8]), Client.head(3, "GET", "/nowhere"))
            #expect(try client.answer(3).status == "404")
            #expect(server.application.finishedExchanges.map(\.isComplete) == [false, true])
        }
    }

    /// Answers at once, and counts the requests of each turn of its loop.
    private final class TurnCount: HTTPApplication {
        private let loop: EventLoop
        private let turns = Mutex<(all: [Int], isOpen: Bool)>(([], false))

        init(_ loop: EventLoop) { self.loop = loop }

        var all: [Int] { turns.withLock { $0.all } }

        func receive(
            _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
        ) -> HTTPReception {
            let isFirst = turns.withLock { turns in
                if turns.isOpen { turns.all[turns.all.count - 1] += 1 } else { turns.all.append(1) }
                defer { turns.isOpen = true }
                return !turns.isOpen
            }
            // It comes before what this turn leaves for the next one.
            if isFirst { loop.execute { [self] in turns.withLock { $0.isOpen = false } } }
            return .answer(HTTPResponse(status: HTTPStatus(code: 204)))
        }
    }

    @Test("many requests in one read are taken in several turns, so that others have theirs between them")
    func turns() async throws {
        let counts = Mutex<TurnCount?>(nil)
        let server = try await LoopbackServer(loops: 1) { group in
            let count = TurnCount(group.loops[0])
            counts.withLock { $0 = count }
            return count
        }
        let port = server.port
        let streams = (0..<1_000).map { UInt32(2 * $0 + 1) }
        let statuses = try await BlockingThread.run {
            // All but the first request are a dozen bytes: their fields are in the table.
            let client = try HTTP2TestClient(port: port)
            let requests = streams.flatMap { Client.frame(1, 5, $0, [0x82, 0x86, 0x84, 0x01, 0x01, 0x61]) }
            try client.send(requests)
            return try client.answers(streams).map(\.status)
        }
        #expect(statuses == Array(repeating: "204", count: streams.count))
        let turns = counts.withLock { $0?.all ?? [] }
        #expect(turns.reduce(0, +) == streams.count)
        #expect(turns.allSatisfy { $0 <= HTTP2Limits.requestsPerTurn })
        await server.stop()
    }

    @Test("an answer that cannot be completed resets its stream")
    func incomplete() async throws {
        try await Self.run { client, _ in
            try client.send(Client.head(1, "GET", "/short"))
            #expect(try client.answer(1).code == 2)
        }
    }

    @Test("bytes that break the protocol end the connection with their reason")
    func breaks() async throws {
        try await Self.run { client, _ in
            try client.send(Client.head(1, "GET", "/wait"), Client.frame(0, 0, 0, [1]))
            #expect(try client.readToGoAway() == 1)
        }
    }

    @Test("a client that sends control frames without an end is not listened to for long")
    func floods() async throws {
        try await Self.run { client, _ in
            let pings = (0..<4_000).flatMap { _ in Client.frame(6, 0, 0, [UInt8](repeating: 0, count: 8)) }
            // A client that is still in the middle of a body might send so much. What sockets hold is far less.
            let most = HTTPLimits().lingerBytes / 4
            #expect(throws: RawClient.Failure.self) {
                for _ in 0..<(most / pings.count) { try client.send(pings) }
            }
        }
    }

    @Test("a server that stops says so, and answers what it has begun")
    func stops() async throws {
        let server = try await HTTPTestServer()
        let client = try HTTP2TestClient(port: server.port)
        let gate = server.application.gate
        try client.send(Client.head(1, "GET", "/wait"))
        await gate.arrivals(1)
        async let stopped: Void = server.stop()
        while let frame = try client.next(), frame.kind != 7 {}
        gate.open()
        #expect(try client.answer(1).text == "waited")
        await stopped
    }

    @Test(
        "times end a connection that is idle or does not begin, a body that stalls, and a stream that nobody reads",
        arguments: [
            ("idle", [UInt8](), "go away 0"), ("a head that stays away", Client.frame(1, 1, 1, [0x82]), "go away 11"),
            ("a body that stays away", Client.head(1, "POST", "/echo", ends: false), "408"),
            ("a stream that is not read", Client.head(1, "GET", "/large?100000"), "reset 8"),
        ])
    func times(_ name: String, _ bytes: [UInt8], _ expected: String) async throws {
        // On a busy machine a short time may be over before the client's first bytes have come.
        var outcome = ""
        for wait in [30, 300, 3_000] where outcome != expected {
            outcome = try await Self.outcome(of: bytes, wait, isLast: expected.hasPrefix("go away"))
        }
        #expect(outcome == expected)
    }

    /// How the first stream ends, or the connection, where every time is that short.
    private static func outcome(of bytes: [UInt8], _ milliseconds: Int, isLast: Bool) async throws -> String {
        var limits = HTTPLimits()
        limits.idleMilliseconds = milliseconds
        limits.headMilliseconds = milliseconds
        limits.bodySilenceMilliseconds = milliseconds
        limits.writeStallMilliseconds = milliseconds
        let server = try await HTTPTestServer(limits: limits)
        let port = server.port
        let outcome = try? await BlockingThread.run {
            let client = try HTTP2TestClient(port: port)
            try client.send(bytes)
            if isLast { return try client.readToGoAway().map { "go away \($0)" } ?? "no reason" }
            let answer = try client.answer(1)
            return answer.code.map { "reset \($0)" } ?? answer.status
        }
        await server.stop()
        return outcome ?? "the connection ended"
    }

    @Test("the preface is served as the first bytes only, however it is cut")
    func preface() async throws {
        try await HTTPTestServer.run { server in
            let port = server.port
            try await BlockingThread.run {
                let client = try RawClient(port: port)
                try client.send("GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\nPRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
                #expect(try client.readToEnd().contains("HTTP/1.1 505"))
                let cut = try RawClient(port: port)
                try cut.send("PRI * HT")
                let other = try RawClient(port: port)
                try other.send("GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try other.readAnswer()
                try cut.send("TP/2.0\r\n\r\nSM")
                try cut.send(Array("\r\n\r\n".utf8) + Client.frame(4, 0, 0, []) + Client.frame(6, 0, 1, []))
                #expect(try Array(cut.readToEnd().utf8).count > 9)
            }
        }
    }
}
