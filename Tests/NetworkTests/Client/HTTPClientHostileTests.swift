import Glibc
import Network
import Synchronization
import TestSupport
import Testing

@Suite("The HTTP client, with a server that is broken or hostile", .timeLimit(.minutes(10)))
struct HTTPClientHostileTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let cases = HTTPResponseCase.good + HTTPResponseCase.bad + HTTPResponseCase.hostile

    @Test("understands what is sent whole, or fails with the reason", arguments: cases)
    func whole(case given: HTTPResponseCase) async throws {
        try await check(given) { $0.send(given.bytes) }
    }

    @Test("understands what is sent byte by byte, or fails with the reason", arguments: cases)
    func byteByByte(case given: HTTPResponseCase) async throws {
        try await check(given) { $0.sendByteByByte(given.bytes) }
    }

    private func check(_ given: HTTPResponseCase, send: @escaping @Sendable (ScriptedPeer) -> Void) async throws {
        let isEndless = HTTPResponseCase.hostile.contains { $0.name == given.name }
        let server = ScriptedServer { _, peer in
            guard peer.readHead() != nil else { return }
            send(peer)
            // A hostile server keeps the connection open: the client must come to its end by its own limits.
            if !isEndless { peer.endWriting() }
            peer.waitForEnd()
        }
        let client = try TestClient(limits: HTTPResponseCase.limits)
        let method = given.isAnswerToHead ? HTTPMethod.head : .get
        do {
            let response = try await client.send(method, "\(server.url)/")
            let expected = HTTPResponseCase.Expected.answer(response.status.code, response.text)
            guard case .answer(let status, let body, _) = given.expected else {
                Issue.record("\(given.name): expected a failure, got \(expected)")
                return
            }
            #expect(response.status.code == status)
            #expect(response.text == body)
        } catch let error as HTTPClientError {
            guard case .failure(let part) = given.expected else {
                Issue.record("\(given.name): \(error)")
                return
            }
            #expect(given.bytes.isEmpty ? error.problem == .closed : error.description.contains(part), "\(error)")
        }
        await client.stop()
        server.stop()
    }

    @Test("never takes what came behind one answer for the answer to the next request", arguments: [true, false])
    func smuggledAnswer(isLate: Bool) async throws {
        let server = ScriptedServer { number, peer in
            while peer.readHead() != nil {
                let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
                if number > 0 { peer.send(Self.ok) }
                if number == 0, !isLate { peer.send(Self.ok + evil) }
                if number == 0, isLate {
                    peer.send(Self.ok)
                    peer.send(evil)
                }
            }
        }
        let client = try TestClient()
        for round in 0..<3 {
            #expect(try await client.send(.get, "\(server.url)/").text == "ok")
            // Bytes that nobody asked for end the connection. Only those that come before the next request can be told
            // from an answer, so that they have come is waited for.
            guard round == 0 else { continue }
            try await eventually("the connection is closed") { await client.connections == 0 }
        }
        await client.stop()
        server.stop()
    }

    @Test("sends a request again when its kept connection was closed, once, and only what may be sent twice")
    func stale() async throws {
        let seen = Mutex<[String]>([])
        let server = ScriptedServer { number, peer in
            guard let first = peer.readHead() else { return }
            seen.withLock { $0.append("\(number) \(first.prefix { $0 != "/" })") }
            peer.send(Self.ok)
            guard let second = peer.readHead() else { return }
            seen.withLock { $0.append("\(number) \(second.prefix { $0 != "/" })lost") }
        }
        let client = try TestClient()
        #expect(try await client.send(.get, "\(server.url)/").text == "ok")
        #expect(try await client.send(.get, "\(server.url)/").text == "ok")
        #expect(try await client.problem(.post, "\(server.url)/") == .closed)
        #expect(seen.withLock { $0 } == ["0 GET ", "0 GET lost", "1 GET ", "1 POST lost"])
        await client.stop()
        server.stop()
    }

    @Test("does not send a request again to a server that closes every time")
    func closesAlways() async throws {
        let server = ScriptedServer { _, peer in _ = peer.readHead() }
        let client = try TestClient()
        #expect(try await client.problem(.get, "\(server.url)/") == .closed)
        #expect(server.connections == 1)
        await client.stop()
        server.stop()
    }

    @Test("gives up on an answer that drips when its time is over")
    func slowDrip() async throws {
        let server = ScriptedServer { _, peer in
            guard peer.readHead() != nil else { return }
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            while peer.send("x") { pause(.milliseconds(2), because: "the server drips") }
        }
        let client = try TestClient()
        // All of the body would take half an hour.
        let problem = try await client.problem(.get, "\(server.url)/", milliseconds: 300)
        #expect(problem == .timedOut(milliseconds: 300))
        await client.stop()
        server.stop()
    }

    @Test("gives up on a server that never answers, on one that never speaks TLS, and on one that takes no bytes")
    func silence() async throws {
        let server = ScriptedServer { _, peer in
            _ = peer.readHead()
            peer.waitForEnd()
        }
        let client = try TestClient()
        #expect(try await client.problem(.get, "\(server.url)/", milliseconds: 200) == .timedOut(milliseconds: 200))
        #expect(await client.connections == 0)
        await client.stop()
        var limits = HTTPClientLimits()
        limits.connectMilliseconds = 150
        let hasty = try TestClient(limits: limits)
        #expect(
            try await hasty.problem(.get, "https://127.0.0.1:\(server.port)/")
                == .connectTimedOut(milliseconds: 150))
        #expect(await hasty.connections == 0)
        await hasty.stop()
        server.stop()
    }

    @Test("fails when the answer to a TLS handshake is plain HTTP")
    func plainAnswer() async throws {
        let server = ScriptedServer { _, peer in
            peer.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            peer.waitForEnd()
        }
        let client = try TestClient()
        guard case .insecure(.protocolFailure) = try await client.problem(.get, "https://127.0.0.1:\(server.port)/")
        else {
            Issue.record("it did not fail")
            return
        }
        await client.stop()
        server.stop()
    }

    @Test("knows an answer that was cut off from one that ends with its TLS connection", arguments: [true, false])
    func truncation(isOrderly: Bool) async throws {
        let context = try TestCertificates.server()
        let server = ScriptedServer { _, peer in
            guard var session = try? TLSSession(serving: context, over: peer.descriptor) else { return }
            guard session.handshake() == .done else { return }
            var bytes = [UInt8](repeating: 0, count: 4096)
            _ = bytes.withUnsafeMutableBytes { session.read(into: $0) }
            _ = Array("HTTP/1.1 200 OK\r\n\r\nall of it".utf8).withUnsafeBytes { session.write($0) }
            if isOrderly { _ = session.shutdown() }
            peer.endWriting()
            peer.waitForEnd()
        }
        let client = try TestClient()
        if isOrderly {
            #expect(try await client.send(.get, "https://127.0.0.1:\(server.port)/").text == "all of it")
        } else {
            let problem = try await client.problem(.get, "https://127.0.0.1:\(server.port)/")
            #expect(problem == .insecure(.truncated))
        }
        await client.stop()
        server.stop()
    }

    @Test("does not use a connection on whose request was not read to its end")
    func earlyAnswer() async throws {
        let server = ScriptedServer { _, peer in
            guard peer.readHead() != nil else { return }
            peer.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
            peer.waitForEnd()
        }
        let client = try TestClient()
        let body = String(repeating: "x", count: 32 << 20)
        #expect(try await client.send(.post, "\(server.url)/", body: body).status.code == 413)
        #expect(await client.connections == 0)
        await client.stop()
        server.stop()
    }

    @Test("lets no more requests wait for a connection than its limit")
    func waiting() async throws {
        var limits = HTTPClientLimits()
        limits.connectionsPerHost = 1
        limits.waitingPerHost = 2
        let release = Mutex(false)
        let server = ScriptedServer { _, peer in
            while peer.readHead() != nil {
                try? eventually("the server may answer") { release.withLock { $0 } }
                peer.send(Self.ok)
            }
        }
        let client = try TestClient(limits: limits)
        let url = server.url
        let outcomes = await withTaskGroup(of: HTTPClientError.Problem?.self) { group in
            for _ in 0..<5 { group.addTask { try? await client.problem(.get, "\(url)/") } }
            var outcomes: [HTTPClientError.Problem?] = []
            for await outcome in group {
                outcomes.append(outcome)
                // The two that find no place fail at once; then the others may go on.
                if outcomes.count == 2 { release.withLock { $0 = true } }
            }
            return outcomes
        }
        #expect(outcomes.filter { $0 == .tooManyWaiting(limit: 2) }.count == 2)
        #expect(outcomes.filter { $0 == nil }.count == 3)
        #expect(server.connections == 1)
        await client.stop()
        server.stop()
    }

    @Test("closes the connection of a request that was cancelled")
    func cancellation() async throws {
        let arrived = Mutex(false)
        let server = ScriptedServer { _, peer in
            _ = peer.readHead()
            arrived.withLock { $0 = true }
            peer.waitForEnd()
        }
        let client = try TestClient()
        let url = server.url
        let task = Task { try await client.problem(.get, "\(url)/") }
        try await eventually("the request has arrived") { arrived.withLock { $0 } }
        task.cancel()
        #expect(try await task.value == .cancelled)
        #expect(await client.connections == 0)
        await client.stop()
        server.stop()
    }
}
