import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Network

/// What connections may hold together, how slow each may be, and how long an end may take, over real sockets.
@Suite("Bounds of all connections together")
struct SharedBoundsTests {
    /// Routes: /collect counts a body of up to 64 MB, /large answers so many bytes, /gated writes in two steps, /socket
    /// becomes a WebSocket, everything else is refused with 404 before its body.
    private final class Routes: HTTPApplication {
        let gate = Gate()
        /// The requests that have come.
        let requests = Atomic(0)

        func receive(
            _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
        ) -> HTTPReception {
            requests.add(1, ordering: .relaxed)
            switch head.path {
            case "/collect":
                return .collect(bodyMax: 64 << 20) { request in
                    guard case .bytes(let bytes) = request.body else { return HTTPResponse(status: .notFound) }
                    return HTTPResponse(body: .bytes(Array("\(bytes.count)".utf8)))
                }
            case "/large":
                let count = Int(head.query) ?? 0
                return .collect(bodyMax: 0) { _ in HTTPResponse(body: .bytes([UInt8](repeating: 0x61, count: count))) }
            case "/gated":
                return .collect(bodyMax: 0) { [gate] _ in
                    HTTPResponse(
                        body: .stream(length: nil) { writer in
                            try await writer.write(Array("one".utf8))
                            await gate.pass()
                            try await writer.write(Array("two".utf8))
                        })
                }
            case "/socket":
                let upgrade = try? WebSocketHandshake.upgrade(
                    head, settings: WebSocketSettings(), choosingSubprotocol: { _ in nil }, handler: { Deaf() })
                return upgrade.map { .upgrade($0) } ?? .answer(HTTPResponse(status: .badRequest))
            default:
                return .answer(HTTPResponse(status: .notFound, body: .bytes(Array("nothing here".utf8))))
            }
        }

        func answer(to error: HTTPParseError, for head: HTTPRequestHead?) -> HTTPResponse {
            HTTPResponse(status: error.status, body: .bytes(Array(error.description.utf8)))
        }
    }

    private final class Deaf: WebSocketHandler {
        func webSocketDidOpen(_ connection: WebSocketConnection) {}
        func webSocket(_ connection: WebSocketConnection, didReceiveText text: [UInt8]) {}
        func webSocket(_ connection: WebSocketConnection, didReceiveBinary bytes: [UInt8]) {}
        func webSocketDidClose(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {}
    }

    /// Starts a server with these limits and runs the test on a thread that may wait.
    private static func run(
        loops: Int = 2, _ change: (inout HTTPLimits) -> Void,
        _ test: @escaping @Sendable (HTTPServer, UInt16, Routes) throws -> Void
    ) async throws {
        var limits = HTTPLimits()
        change(&limits)
        let routes = Routes()
        let loopback = try await LoopbackServer(routes, loops: loops, limits: limits)
        let server = loopback.server
        let port = loopback.port
        let outcome = await Task { try await BlockingThread.run { try test(server, port, routes) } }.result
        routes.gate.open()
        await loopback.stop()
        try outcome.get()
    }

    private static func post(_ length: Int, _ path: String = "/collect") -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
    }

    private static func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x62, count: count) }

    private static func wait(line: Int = #line, _ isDone: () -> Bool) throws {
        try eventually("the server holds what is expected", line: line, isDone)
    }

    // MARK: What is not complete

    @Test("a body that stops coming is ended, however quickly it came before", .timeLimit(.minutes(10)))
    func silentBody() async throws {
        try await Self.run({ $0.bodySilenceMilliseconds = 300 }) { _, port, _ in
            let client = try RawClient(port: port)
            try client.send(Self.post(1_000_001))
            try client.send(Self.bytes(1_000_000))
            #expect(try client.readToEnd().hasPrefix("HTTP/1.1 408 "))
        }
    }

    @Test("a body that only drips is ended, however quickly it came before", .timeLimit(.minutes(10)))
    func drippingBody() async throws {
        try await Self.run({
            $0.bodyGraceMilliseconds = 300
            $0.bodyBytesPerSecond = 10_000
        }) { _, port, _ in
            let client = try RawClient(port: port)
            try client.send(Self.post(10_000_000))
            try client.send(Self.bytes(1_000_000))
            var answer: [UInt8]?
            while answer == nil {
                // The server may have closed with its answer.
                try? client.send([0x62])
                answer = try client.bytes(until: .now + .milliseconds(10))
            }
            #expect(String(decoding: answer ?? [], as: UTF8.self).hasPrefix("HTTP/1.1 408 "))
        }
    }

    @Test("bodies that keep their rate are taken, however long they take")
    func steadyBody() async throws {
        let answer = Mutex("")
        // On a busy machine nothing may come for the whole of a short stretch.
        for stretch in [100, 1_000, 10_000] where answer.withLock({ $0 }) != "2000" {
            try await Self.run({
                $0.bodyGraceMilliseconds = stretch
                $0.bodyBytesPerSecond = 10
            }) { _, port, _ in
                let body = try? Self.answer(toSteadyBodyOn: port, pausing: .milliseconds(stretch / 5))
                answer.withLock { $0 = body ?? "" }
            }
        }
        #expect(answer.withLock { $0 } == "2000")
    }

    /// What a client gets that sends twenty pieces.
    private static func answer(toSteadyBodyOn port: UInt16, pausing length: Duration) throws -> String {
        let client = try RawClient(port: port)
        try client.send(Array(post(2_000).utf8) + bytes(100))
        for _ in 1..<20 {
            try client.send(bytes(100))
            pause(length, because: "the client sends at this rate")
        }
        return try client.readAnswer().body
    }

    @Test("bodies that wait have a bound together: beyond it 503, and room again when one is complete")
    func waitingBodies() async throws {
        try await Self.run({ $0.waitingBodyBytes = 600_000 }) { server, port, _ in
            let held = server.bounds.incoming
            let first = try RawClient(port: port)
            try first.send(Self.post(400_000))
            try first.send(Self.bytes(399_999))
            try Self.wait { held.bytes >= 399_999 }
            let second = try RawClient(port: port)
            try second.send(Self.post(400_000))
            try second.send(Self.bytes(399_999))
            let refused = try second.readToEnd()
            #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("connection: close"))
            // What is complete at once waits for nothing.
            let small = try RawClient(port: port)
            try small.send(Self.post(3) + "abc")
            #expect(try small.readAnswer().body == "3")
            try first.send([0x62])
            #expect(try first.readAnswer().body == "400000")
            try Self.wait { held.bytes == 0 }
            let third = try RawClient(port: port)
            try third.send(Self.post(400_000))
            try third.send(Self.bytes(399_999))
            try Self.wait { held.bytes >= 399_999 }
        }
    }

    @Test("heads and WebSocket messages that are not complete count towards the same bound", .timeLimit(.minutes(10)))
    func waitingHeadsAndMessages() async throws {
        try await Self.run({ $0.waitingBodyBytes = 20_000 }) { server, port, _ in
            let head = try RawClient(port: port)
            try head.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 24_000))
            #expect(try head.readToEnd().hasPrefix("HTTP/1.1 503 "))
            var socket = try WebSocketClient(port: port, path: "/socket")
            // The first fragment of a message that does not end.
            try socket.send([0x02, 0x80 | 126, 0x75, 0x30, 0, 0, 0, 0] + Self.bytes(30_000))
            #expect(try socket.next(until: .now + .seconds(30)) == .end(.tryAgainLater))
            try Self.wait { server.bounds.incoming.bytes == 0 }
        }
    }

    @Test("a connection that goes gives back what it held")
    func givesBack() async throws {
        try await Self.run({ _ in }) { server, port, _ in
            var clients: [RawClient] = []
            for _ in 0..<8 {
                let client = try RawClient(port: port)
                try client.send(Self.post(200_000))
                try client.send(Self.bytes(100_000))
                clients.append(client)
            }
            try Self.wait { server.bounds.incoming.bytes >= 800_000 }
            clients = []
            try Self.wait { server.bounds.incoming.bytes == 0 }
        }
    }

    // MARK: What nobody reads

    @Test(
        "answers that nobody reads have a bound together: the slowest are closed, who reads is not",
        .timeLimit(.minutes(10)))
    func unreadAnswers() async throws {
        let count = 16 << 20
        try await Self.run({ $0.unreadAnswerBytes = 40 << 20 }) { server, port, _ in
            var idle: [RawClient] = []
            for _ in 0..<6 {
                let client = try RawClient(port: port, receiveBuffer: 4096)
                try client.send("GET /large?\(count) HTTP/1.1\r\nHost: a\r\n\r\n")
                idle.append(client)
                let reader = try RawClient(port: port)
                try reader.send("GET /large?\(count) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try reader.readAnswer().body.utf8.count == count)
            }
            try Self.wait { server.bounds.outgoing.closed >= 3 && server.bounds.outgoing.bytes <= 40 << 20 }
            idle = []
            try Self.wait { server.bounds.outgoing.bytes == 0 }
        }
    }

    @Test(
        "a client that takes its answer too slowly is closed, also where the connection ends with it",
        .timeLimit(.minutes(10)), arguments: ["", "Connection: close\r\n"])
    func slowReader(field: String) async throws {
        let count = 64 << 20
        try await Self.run({
            $0.answerGraceMilliseconds = 300
            $0.answerBytesPerSecond = 1 << 30
        }) { _, port, _ in
            let client = try RawClient(port: port, receiveBuffer: 4096)
            try client.send("GET /large?\(count) HTTP/1.1\r\nHost: a\r\n\(field)\r\n")
            var read = 0
            while let piece = try? client.bytes(until: .now + .seconds(30)), !piece.isEmpty {
                read += piece.count
                pause(.milliseconds(5), because: "the client reads at this rate")
            }
            #expect(read < count)
        }
    }

    @Test(
        "a client that takes nothing is closed, also where the connection ends with the answer",
        .timeLimit(.minutes(10)), arguments: ["", "Connection: close\r\n"])
    func noReader(field: String) async throws {
        try await Self.run({ $0.writeStallMilliseconds = 200 }) { server, port, routes in
            let client = try RawClient(port: port, receiveBuffer: 4096)
            try client.send("GET /large?\(16 << 20) HTTP/1.1\r\nHost: a\r\n\(field)\r\n")
            try Self.wait { routes.requests.load(ordering: .relaxed) == 1 }
            try Self.wait { server.connections == 0 }
        }
    }

    @Test("a stream whose writer takes its time is not the client's fault")
    func patientStream() async throws {
        try await Self.run({
            $0.writeStallMilliseconds = 50
            $0.answerGraceMilliseconds = 50
        }) { server, port, routes in
            let client = try RawClient(port: port)
            try client.send("GET /gated HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client.read(through: "one")
            // One that came later, and takes nothing, is closed for that before.
            let idle = try RawClient(port: port, receiveBuffer: 4096)
            try idle.send("GET /large?\(16 << 20) HTTP/1.1\r\nHost: a\r\n\r\n")
            try Self.wait { routes.requests.load(ordering: .relaxed) == 2 }
            try Self.wait { server.connections == 1 }
            routes.gate.open()
            #expect(try client.read(through: "0\r\n\r\n").contains("two"))
        }
    }

    // MARK: The end of a connection

    @Test("a client that sends a large body reads its refusal when it has sent it", arguments: [2, 20, 40])
    func refusalOfLargeBody(megabytes: Int) async throws {
        try await Self.run({ _ in }) { _, port, _ in
            let client = try RawClient(port: port)
            try client.send(Self.post(megabytes << 20, "/nothing"))
            for _ in 0..<megabytes { try client.send(Self.bytes(1 << 20)) }
            #expect(try client.readToEnd().hasPrefix("HTTP/1.1 404 "))
            let tooLarge = try RawClient(port: port)
            try tooLarge.send(Self.post(100 << 20))
            for _ in 0..<megabytes { try tooLarge.send(Self.bytes(1 << 20)) }
            #expect(try tooLarge.readToEnd().hasPrefix("HTTP/1.1 413 "))
        }
    }

    @Test(
        "nobody is listened to for ever: there is a bound to time, to silence and to bytes", .timeLimit(.minutes(10)),
        arguments: ["time", "silence", "bytes"])
    func lingering(bound: String) async throws {
        try await Self.run({
            if bound == "time" { $0.lingerMilliseconds = 300 }
            if bound == "silence" { $0.lingerSilenceMilliseconds = 200 }
            if bound == "bytes" { $0.lingerBytes = 1 << 20 }
        }) { server, port, _ in
            let client = try RawClient(port: port)
            try client.send(Self.post(1 << 40, "/nothing"))
            _ = try client.read(through: "nothing here")
            if bound != "silence" {
                try eventually("the server takes no more") {
                    (try? client.send(Self.bytes(bound == "time" ? 1 : 64 << 10))) == nil
                }
            }
            try Self.wait { server.connections == 0 }
        }
    }

    @Test("a stop does not wait long for who is only listened to")
    func lingeringStop() async throws {
        var limits = HTTPLimits()
        limits.stopMilliseconds = 600_000
        limits.lingerMilliseconds = 600_000
        limits.lingerSilenceMilliseconds = 600_000
        let loopback = try await LoopbackServer(Routes(), limits: limits)
        let port = loopback.port
        let client = try await BlockingThread.run {
            let client = try RawClient(port: port)
            try client.send(Self.post(1 << 40, "/nothing"))
            _ = try client.read(through: "nothing here")
            return client
        }
        #expect(await loopback.stop() == 0)
        withExtendedLifetime(client) {}
    }
}
