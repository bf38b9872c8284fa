import Crypto
import Glibc
import TestSupport
import Testing

@testable import Network

@Suite("HTTP server")
struct HTTPServerTests {
    private static let get = "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func post(_ path: String, _ body: String, _ fields: String = "") -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
    }

    /// Sends the text on one connection and answers what comes back when the server or the client has ended it.
    private static func exchange(_ server: HTTPTestServer, _ text: String) async throws -> String {
        let port = server.port
        return try await BlockingThread.run {
            let client = try RawClient(port: port)
            try client.send(text)
            client.finishSending()
            return try client.readToEnd()
        }
    }

    @Test("answers requests on one connection in their order, however many are sent at once")
    func pipelines() async throws {
        try await HTTPTestServer.run { server in
            let text = (0..<500).map { Self.post("/echo", "body \($0)") }.joined()
            let answer = try await Self.exchange(server, text)
            let bodies = answer.split(separator: "HTTP/1.1 200 OK\r\n").compactMap { $0.components(after: "\r\n\r\n") }
            #expect(bodies == (0..<500).map { "body \($0)" })
        }
    }

    @Test(
        "sends long and short answers in their order, to who reads late and to who reads at once",
        arguments: [false, true])
    func longAnswers(isReadLate: Bool) async throws {
        let counts = [1, 65_535, 65_536, 3 << 20, 10, 70_000, 9 << 20, 0, 300]
        try await HTTPTestServer.run { server in
            let port = server.port
            let bodies = try await BlockingThread.run {
                let client = try RawClient(port: port)
                let requests = counts.map {
                    "GET /large?\($0) HTTP/1.1\r\nHost: a\r\n\r\n" + Self.post("/echo", "\($0)")
                }
                try client.send(requests.joined())
                // What the server writes has filled all that lies between when another one is answered.
                if isReadLate {
                    let other = try RawClient(port: port)
                    try other.send(Self.post("/echo", "other"))
                    _ = try other.readAnswer()
                }
                return try counts.flatMap { _ in [try client.readAnswer().body, try client.readAnswer().body] }
            }
            #expect(bodies == counts.flatMap { [String(repeating: "a", count: $0), "\($0)"] })
        }
    }

    @Test("compresses answers of any length, and answers in their order")
    func longCompressedAnswers() async throws {
        let counts = [1_000, 200_000, LongCompression.bodyBytesMin, 3_000_001]
        try await HTTPTestServer.run { server in
            let port = server.port
            for count in counts {
                let (head, body, next) = try await BlockingThread.run {
                    let client = try RawClient(port: port)
                    try client.send(
                        "GET /large?\(count) HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n"
                            + Self.post("/echo", "next"))
                    let (head, body) = try client.readAnswerBytes()
                    return (head, body, try client.readAnswer().body)
                }
                #expect(next == "next")
                let isCompressed = count >= CompressionLimits.responseBytesMin
                #expect(head.contains("content-encoding: gzip") == isCompressed)
                let plain = isCompressed ? try CompressionTests.inflated(body, .gzip, room: count) : body
                #expect(plain == [UInt8](repeating: 0x61, count: count))
            }
        }
    }

    @Test("writes a long answer in turns of its loop, each of which is short")
    func turns() async throws {
        try await HTTPTestServer.run { server in
            let port = server.port
            let loop = server.group.loops[0]
            let count = 64 << 20
            let before = await loop.run { loop.takeStatistics().turns }
            let body = try await BlockingThread.run {
                let client = try RawClient(port: port)
                try client.send("GET /large?\(count) HTTP/1.1\r\nHost: a\r\n\r\n")
                return try client.readAnswerBytes().body
            }
            #expect(body.count == count)
            let after = await loop.run { loop.takeStatistics().turns }
            // A turn writes a mebibyte where the socket has room, and goes on once where it has had room before.
            #expect(after - before >= count >> 21)
        }
    }

    @Test("a request that waits holds up those behind it and nobody else")
    func waitingHoldsUpItsConnectionOnly() async throws {
        try await HTTPTestServer.run { server in
            let port = server.port
            let gate = server.application.gate
            async let waiting = BlockingThread.run {
                let client = try RawClient(port: port)
                try client.send(Self.post("/wait", "") + Self.post("/echo", "behind"))
                return [try client.readAnswer().body, try client.readAnswer().body]
            }
            await gate.arrivals(1)
            let other = try await Self.exchange(server, Self.post("/echo", "other"))
            #expect(other.hasSuffix("other"))
            gate.open()
            #expect(try await waiting == ["waited", "behind"])
        }
    }

    @Test("every answer has a date, a length and its request's identifier")
    func answersHaveTheirFields() async throws {
        try await HTTPTestServer.run { server in
            let answer = try await Self.exchange(server, Self.post("/echo", "x"))
            #expect(answer.contains(/date: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n/))
            #expect(answer.contains("content-length: 1\r\n"))
            let identifier = /x-request-id: ([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})\r\n/
            let found = try #require(answer.firstMatch(of: identifier))
            #expect(server.application.finishedExchanges.map { "\($0.identifier)" } == [String(found.1)])
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let request: String
        let status: String
        let body: String
        var closes = false
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "HEAD has no body", request: "HEAD /large?5 HTTP/1.1\r\nHost: a\r\n\r\n", status: "200 OK", body: ""),
        Row(
            name: "an unknown path", request: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", status: "404 Not Found",
            body: "nothing here"),
        Row(
            name: "an unknown path with a body", request: post("/", "abc"), status: "404 Not Found",
            body: "nothing here"),
        Row(
            name: "a length beyond the limit",
            request: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4097\r\n\r\n",
            status: "413 Content Too Large", body: "the body has more than 4096 bytes", closes: true),
        Row(
            name: "chunks beyond the limit",
            request: "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + String(repeating: "400\r\n\(String(repeating: "a", count: 1024))\r\n", count: 5),
            status: "413 Content Too Large", body: "the body has more than 4096 bytes", closes: true),
        Row(
            name: "a body in another coding", request: post("/echo", "abc", "Content-Encoding: br\r\n"),
            status: "415 Unsupported Media Type", body: "the content-encodings served are gzip and deflate",
            closes: true),
        Row(
            name: "a body that is not in its coding", request: post("/echo", "abc", "Content-Encoding: gzip\r\n"),
            status: "400 Bad Request",
            body: "the body is not what its content-encoding says: expected gzip data, found something else at byte 2",
            closes: true),
        Row(
            name: "a malformed request", request: "GET / HTTP/1.1\r\nHost : a\r\n\r\n", status: "400 Bad Request",
            body: "a header field has a blank before its colon", closes: true),
        Row(
            name: "a client that wants to close", request: "GET /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            status: "200 OK", body: "", closes: true),
        Row(
            name: "HTTP/1.0 closes", request: "GET /echo HTTP/1.0\r\n\r\n", status: "200 OK", body: "", closes: true),
        Row(
            name: "HTTP/1.0 can ask to keep the connection",
            request: "GET /echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", status: "200 OK", body: ""),
    ]

    @Test("answers with status and body, and keeps the connection where it can", arguments: rows)
    func answers(_ row: Row) async throws {
        try await HTTPTestServer.run { server in
            let port = server.port
            let (head, body, next) = try await BlockingThread.run {
                let client = try RawClient(port: port)
                try client.send(row.request)
                let head = try client.read(through: "\r\n\r\n")
                let isHead = row.request.hasPrefix("HEAD")
                let body = isHead || row.body.isEmpty ? "" : try client.read(through: row.body)
                if row.closes { return (head, body, try client.readToEnd()) }
                try client.send(Self.post("/echo", "next"))
                return (head, body, try client.readAnswer().body)
            }
            #expect(head.hasPrefix("HTTP/1.1 \(row.status)\r\n"))
            #expect(head.contains("connection: close\r\n") == row.closes)
            #expect(body == row.body)
            #expect(next == (row.closes ? "" : "next"))
        }
    }

    @Test("tells a client to go on only when it waits for that and the body is wanted")
    func sendsContinue() async throws {
        try await HTTPTestServer.run { server in
            let port = server.port
            let (accepted, refused) = try await BlockingThread.run {
                let accepted = try RawClient(port: port)
                try accepted.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
                let interim = try accepted.read(through: "\r\n\r\n")
                try accepted.send("abc")
                let refused = try RawClient(port: port)
                try refused.send(
                    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\nExpect: 100-continue\r\n\r\n")
                return (interim + (try accepted.readAnswer().body), try refused.readToEnd())
            }
            #expect(accepted == "HTTP/1.1 100 Continue\r\n\r\nabc")
            #expect(refused.hasPrefix("HTTP/1.1 413 "))
        }
    }

    @Test("tells a client at once to go on that waits for it with nothing to send, and the connection goes on")
    func sendsContinueForNothing() async throws {
        try await HTTPTestServer.run { server in
            let port = server.port
            // One that collects its body, one that streams it, and one whose answer is known.
            for path in ["/echo", "/count", "/nowhere"] {
                let interims = try await BlockingThread.run {
                    let client = try RawClient(port: port)
                    return try (0..<2).map { _ in
                        try client.send(
                            "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n")
                        let interim = try client.read(through: "\r\n\r\n")
                        _ = try client.readAnswer()
                        return interim
                    }
                }
                #expect(interims == ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n"], "\(path)")
            }
        }
    }

    @Test("inflates a body, up to its limit, and compresses an answer that is worth it")
    func compresses() async throws {
        try await HTTPTestServer.run { server in
            let port = server.port
            func gzip(_ count: Int) -> [UInt8] {
                var pool = CompressionPool()
                var bytes: [UInt8] = []
                _ = [UInt8](repeating: 0x61, count: count).withUnsafeBytes { pool.gzip($0, into: &bytes) }
                return bytes
            }
            let (small, bomb) = (gzip(4096), gzip(4097))
            let answers = try await BlockingThread.run {
                try [small, bomb].map { body in
                    let client = try RawClient(port: port)
                    let fields = "Content-Encoding: gzip\r\nAccept-Encoding: gzip\r\nContent-Length: \(body.count)\r\n"
                    try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(fields)\r\n")
                    try client.send(body)
                    return try client.readToEnd()
                }
            }
            #expect(answers[0].hasPrefix("HTTP/1.1 200 OK\r\n") && answers[0].contains("content-encoding: gzip\r\n"))
            #expect(answers[0].utf8.count < 1024)
            #expect(answers[1].hasPrefix("HTTP/1.1 413 "))
        }
    }

    @Test(
        "says the digest of what was sent where that was compressed, in however many pieces", arguments: [1, 7, 4096])
    func sentDigests(pieceBytes: Int) async throws {
        try await HTTPTestServer.run { server in
            let port = server.port
            var pool = CompressionPool()
            var sent: [UInt8] = []
            _ = Array("a body that is sent, and another one".utf8).withUnsafeBytes { pool.gzip($0, into: &sent) }
            let body = sent
            let answers = try await BlockingThread.run {
                try ["Content-Encoding: gzip\r\n", "", "Content-Encoding: identity\r\n"].map { coding in
                    let client = try RawClient(port: port)
                    try client.send(
                        "POST /digest HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(coding)"
                            + "Content-Length: \(body.count)\r\n\r\n")
                    for start in stride(from: 0, to: body.count, by: pieceBytes) {
                        try client.send(Array(body[start..<min(start + pieceBytes, body.count)]))
                    }
                    return Substring(try client.readToEnd()).components(after: "\r\n\r\n")
                }
            }
            #expect(answers == [Hexadecimal.text(of: Digest.sha256.of(body)), "none", "none"])
        }
    }

    @Test("streams a body in, with the reader setting the pace")
    func streamsIn() async throws {
        var limits = HTTPLimits()
        limits.streamedBytes = 4096
        try await HTTPTestServer.run(limits: limits) { server in
            let port = server.port
            let body = try await BlockingThread.run {
                let client = try RawClient(port: port)
                let count = 8 * 1024 * 1024
                try client.send(
                    "PUT /count HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\nExpect: 100-continue\r\n\r\n")
                _ = try client.read(through: "100 Continue\r\n\r\n")
                try client.send([UInt8](repeating: 1, count: count))
                try client.send(Self.post("/echo", "next"))
                return [try client.readAnswer().body, try client.readAnswer().body]
            }
            #expect(body == ["8388608", "next"])
        }
    }

    @Test(
        "gives up what is of use only while it is waited for, when the client ends its side",
        arguments: ["/whileWaited", "/promisedWhileWaited"])
    func whileWaited(_ path: String) async throws {
        try await HTTPTestServer.run { server in
            let port = server.port
            let request = Self.post(path, "x")
            for isEarly in [true, false] {
                let client = try await BlockingThread.run {
                    let client = try RawClient(port: port)
                    try client.send(request)
                    if isEarly { client.finishSending() }
                    return client
                }
                if !isEarly {
                    await server.application.gate.arrivals(2)
                    client.finishSending()
                }
                #expect(try await BlockingThread.run { try client.readToEnd() }.hasSuffix("given up"))
            }
            // What is done for others as well is finished.
            let other = try await BlockingThread.run {
                let client = try RawClient(port: port)
                try client.send(Self.post("/wait", "x"))
                client.finishSending()
                return client
            }
            await server.application.gate.arrivals(3)
            server.application.gate.open()
            #expect(try await BlockingThread.run { try other.readToEnd() }.hasSuffix("waited"))
        }
    }

    @Test("streams a body out in chunks, and breaks off what was promised longer")
    func streamsOut() async throws {
        try await HTTPTestServer.run { server in
            let chunked = try await Self.exchange(server, "GET /stream?3 HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get)
            #expect(chunked.contains("transfer-encoding: chunked\r\n"))
            #expect(chunked.contains("\r\n\r\n2\r\n0\n\r\n2\r\n1\n\r\n2\r\n2\n\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n"))
            let old = try await Self.exchange(server, "GET /stream?3 HTTP/1.0\r\n\r\n")
            #expect(old.hasSuffix("\r\n\r\n0\n1\n2\n") && !old.contains("chunked"))
            let short = try await Self.exchange(server, "GET /short HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get)
            #expect(short.hasSuffix("\r\n\r\nabc"))
            #expect(server.application.finishedExchanges.map(\.isComplete) == [true, true, true, false])
        }
    }

    @Test("sends a part of a file")
    func sendsFiles() async throws {
        try await HTTPTestServer.run { server in
            let path = "/tmp/homeport-test-\(getpid())-\(server.port)"
            let descriptor = open(path, O_CREAT | O_RDWR | O_TRUNC, 0o600)
            defer {
                unlink(path)
                close(descriptor)
            }
            let content = [UInt8](repeating: 0x62, count: 3_000_000)
            _ = content.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            let answer = try await Self.exchange(server, "GET /file?\(path) HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get)
            #expect(answer.contains("content-length: 2999999\r\n"))
            #expect(answer.utf8.count > 2_999_999)
            #expect(answer.suffix(400).contains("content-length: 0\r\n"))
        }
    }

    @Test("gives a connection that begins to be stopped its answer, and loses no request in flight")
    func stopsGracefully() async throws {
        let server = try await HTTPTestServer(loops: 2)
        let port = server.port
        let count = 20
        async let answers = BlockingThread.run {
            let clients = try (0..<count).map { _ in try RawClient(port: port) }
            for client in clients { try client.send(Self.post("/wait", "")) }
            return try clients.map { try $0.readToEnd() }
        }
        await server.application.gate.arrivals(count)
        let idle = try RawClient(port: port)
        try idle.send(Self.get)
        _ = try idle.readAnswer()
        async let cutOff = server.server.stop()
        // An idle connection ends at once, and new ones are refused.
        #expect(try idle.readToEnd().isEmpty)
        // One loop has begun to stop. The other one has been told too, and does what it is told in order.
        for loop in server.group.loops { for _ in 0..<2 { await loop.run {} } }
        server.application.gate.open()
        for answer in try await answers {
            #expect(answer.hasSuffix("waited") && answer.contains("connection: close\r\n"))
        }
        #expect(await cutOff == 0)
        #expect(throws: (any Error).self) { try RawClient(port: port).readAnswer() }
        await server.stop()
    }

    @Test("requests that come before the server wait for it")
    func answersWhoCameBefore() async throws {
        try await HTTPTestServer.run(loops: 2) { server in
            let sockets = try ListeningSockets(on: [.loopback(port: 0)], loops: server.group.loops.count)
            let port = try #require(sockets.addresses.first?.port)
            let clients = try (0..<16).map { _ in try RawClient(port: port) }
            for client in clients { try client.send(Self.post("/echo", "early")) }
            let late = HTTPServer(server.application, options: HTTPServerOptions(), on: server.group)
            try await late.start(on: sockets)
            #expect(late.addresses == [.loopback(port: port)])
            for client in clients { #expect(try client.readAnswer().body == "early") }
            await late.stop()
        }
    }

    @Test("sockets that no server takes are closed, and who waits in them is let go")
    func closesUntakenSockets() async throws {
        var sockets: ListeningSockets? = try ListeningSockets(on: [.loopback(port: 0)], loops: 2)
        let port = try #require(sockets?.addresses.first?.port)
        let client = try RawClient(port: port)
        sockets = nil
        #expect(throws: (any Error).self) {
            guard try client.readToEnd().isEmpty else { return }
            _ = try RawClient(port: port)
        }
    }

    @Test("a port that somebody listens on is not shared with them")
    func refusesAPortInUse() async throws {
        try await HTTPTestServer.run { server in
            let other = HTTPServer(server.application, options: HTTPServerOptions(), on: server.group)
            await #expect(throws: SystemError(call: "bind", code: EADDRINUSE, subject: "127.0.0.1:\(server.port)")) {
                try await other.start(on: [.loopback(port: server.port)])
            }
        }
    }
}

extension Substring {
    func components(after separator: String) -> String? {
        firstRange(of: separator).map { String(self[$0.upperBound...]) }
    }
}
