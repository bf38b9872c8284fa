import Glibc
import TestSupport
import Testing

@testable import Network

/// Every limit of the server is met once, with times short enough for a test.
@Suite("HTTP limits")
struct HTTPLimitsTests {
    private static func limits(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
        var limits = HTTPLimits()
        change(&limits)
        return limits
    }

    private static func post(_ path: String, _ body: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// Whether another client gets its answer while the first one does what it does.
    private static func isServed(_ port: UInt16) throws -> Bool {
        let client = try RawClient(port: port)
        try client.send(post("/echo", "other"))
        return try client.readAnswer().body == "other"
    }

    @Test("a head that does not come is answered with 408, and holds up nobody")
    func slowHead() async throws {
        try await HTTPTestServer.run(limits: Self.limits { $0.headMilliseconds = 200 }) { server in
            let port = server.port
            let (answer, isOtherServed) = try await BlockingThread.run {
                let client = try RawClient(port: port)
                try client.send("GET /echo HTTP/1.1\r\nHo")
                let answer = try client.readToEnd()
                // On a busy machine the other may have no more of its head there in time.
                let isOtherServed = try (0..<20).contains { _ in try Self.isServed(port) }
                return (answer, isOtherServed)
            }
            #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n") && answer.contains("connection: close"))
            #expect(isOtherServed)
        }
    }

    @Test("a head that comes byte by byte has no more time than one that does not come")
    func trickledHead() async throws {
        try await HTTPTestServer.run(limits: Self.limits { $0.headMilliseconds = 200 }) { server in
            let port = server.port
            let answer = try await BlockingThread.run {
                let client = try RawClient(port: port)
                for byte in "GET /echo HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 500))".utf8 {
                    // The server closes in the middle.
                    do { try client.send([byte]) } catch { break }
                    pause(.milliseconds(1), because: "the client sends at this rate")
                }
                return try? client.readToEnd()
            }
            #expect(answer?.hasPrefix("HTTP/1.1 408 ") ?? true)
            #expect(server.application.finishedExchanges.first?.status == .requestTimeout)
        }
    }

    @Test("a body that comes too slowly is answered with 408, collected or streamed", arguments: ["/echo", "/count"])
    func slowBody(_ path: String) async throws {
        let limits = Self.limits {
            $0.bodyGraceMilliseconds = 1000
            $0.bodyBytesPerSecond = 100
        }
        try await HTTPTestServer.run(limits: limits) { server in
            let port = server.port
            let (answer, isOtherServed) = try await BlockingThread.run {
                let client = try RawClient(port: port)
                try client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc")
                return (try client.readToEnd(), try Self.isServed(port))
            }
            #expect(answer.hasPrefix("HTTP/1.1 408 "))
            #expect(isOtherServed)
        }
    }

    @Test("a client that does not read its answer is closed, and the server holds no more than it had to send")
    func slowReader() async throws {
        let limits = Self.limits {
            $0.writeStallMilliseconds = 300
            $0.streamedBytes = 16 * 1024
        }
        try await HTTPTestServer.run(limits: limits) { server in
            let port = server.port
            try await BlockingThread.run {
                let client = try RawClient(port: port, receiveBuffer: 4096)
                let requests = String(repeating: "GET /large?1000000 HTTP/1.1\r\nHost: a\r\n\r\n", count: 50)
                try client.send(requests)
                #expect(try Self.isServed(port))
                // The end of the connection comes although most is not read: that is the closing for which we wait.
                try eventually("the connection is closed") { server.server.connections == 0 }
            }
            let answered = server.application.finishedExchanges.filter { $0.bytesSent > 100_000 }.count
            #expect(answered < 20)
        }
    }

    @Test("an idle connection is closed after a while")
    func idle() async throws {
        var rest: String?
        // On a busy machine a short time may be over before the request has come.
        for time in [100, 1_000, 10_000] where rest == nil {
            try await HTTPTestServer.run(limits: Self.limits { $0.idleMilliseconds = time }) { server in
                let port = server.port
                rest = try? await BlockingThread.run {
                    let client = try RawClient(port: port)
                    try client.send(Self.post("/echo", "x"))
                    _ = try client.readAnswer()
                    return try client.readToEnd()
                }
            }
        }
        #expect(rest == "")
    }

    @Test("a connection beyond the limit is told so, and there is place again when another has gone")
    func tooManyConnections() async throws {
        try await HTTPTestServer.run(limits: Self.limits { $0.connections = 2 }) { server in
            let port = server.port
            let (refused, isServedLater) = try await BlockingThread.run {
                var clients: [RawClient] = []
                for _ in 0..<2 {
                    let client = try RawClient(port: port)
                    try client.send(Self.post("/echo", "x"))
                    _ = try client.readAnswer()
                    clients.append(client)
                }
                let refused = try RawClient(port: port).readToEnd()
                clients.removeLast()
                try eventually("the other has gone") { server.server.connections <= 1 }
                return (refused, try Self.isServed(port))
            }
            #expect(refused.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            #expect(isServedLater)
        }
    }

    @Test("requests that are sent ahead wait in the client when there are too many")
    func tooMuchAhead() async throws {
        try await HTTPTestServer.run(limits: Self.limits { $0.pipelinedBytes = 1024 }) { server in
            let port = server.port
            let gate = server.application.gate
            let count = 20_000
            async let bodies = BlockingThread.run {
                let client = try RawClient(port: port)
                try client.send(Self.post("/wait", ""))
                // More than the buffers of both kernels take: sending blocks until the gate opens.
                BlockingThread.detach { try? client.send(String(repeating: Self.post("/echo", "x"), count: count)) }
                return try (0...count).map { _ in try client.readAnswer().body }
            }
            await gate.arrivals(1)
            gate.open()
            let answers = try await bodies
            #expect(answers.first == "waited" && answers.dropFirst().allSatisfy { $0 == "x" })
        }
    }
}
