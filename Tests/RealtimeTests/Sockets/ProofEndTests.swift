import JSON
import Network
import TestSupport
import Testing

@testable import Realtime

/// What becomes of connections when a token or key ends, by a clock that stands still until it is moved.
@Suite("The end of a proof")
struct ProofEndTests {
    private static let query = RealtimeSocketTests.query
    private static let close = "1008 the token or key ends: connect again with a new one"

    /// How a client speaks.
    enum Dialect: CaseIterable {
        case appSync, legacy, transport
    }

    private static let limits = {
        var limits = RealtimeLimits()
        limits.proofMarginMilliseconds = 1_000
        limits.clockCheckMilliseconds = 5
        return limits
    }()

    /// A connection with a subscription `s` that is known to run.
    private static func subscribed(
        _ dialect: Dialect, on server: RealtimeTestServer, key: String, started: UInt64 = 1
    ) async throws -> WebSocketClient {
        var client = try WebSocketClient(
            port: server.port, protocols: dialect == .transport ? "graphql-transport-ws" : "graphql-ws", key: key)
        try client.initialise()
        switch dialect {
        case .appSync: try client.subscribe("s", query)
        case .legacy: try client.send(#"{"id":"s","type":"start","payload":{"query":"\#(query)"}}"#)
        case .transport: try client.send(#"{"id":"s","type":"subscribe","payload":{"query":"\#(query)"}}"#)
        }
        try #require(try await server.waits(for: .subscriptionsStarted, toBe: started))
        return client
    }

    @Test(
        "a little before the end of a token its socket is closed, without an error, by a code after which clients come back",
        arguments: [
            (Dialect.appSync, close), (.legacy, close), (.transport, "4403 Forbidden"),
        ])
    func closesBefore(_ row: (dialect: Dialect, close: String)) async throws {
        let clock = TestClock()
        let server = try await RealtimeTestServer(limits: Self.limits, clock: clock)
        var client = try await Self.subscribed(row.dialect, on: server, key: "until60000")
        clock.move(to: 58_999)
        server.create(1)
        #expect(try client.next().contains(#""id":"1""#))
        clock.move(to: 59_000)
        // Every frame before the close would be an answer to nothing.
        #expect(throws: WebSocketClient.Failure.self) { () throws in
            let text = try client.next()
            Issue.record("said \(text)")
        }
        #expect(try await server.waits(for: .subscriptionsEnded, toBe: 1))
        #expect(!server.realtime.hasSubscribers)
        await server.stop()
        #expect(server.occurrences.all.contains { $0.hasSuffix("by us: \(row.close)") })
        #expect(!server.occurrences.all.contains { $0.hasPrefix("denied") })
    }

    @Test("a proof that has less left than the margin is good until its end")
    func shorterThanTheMargin() async throws {
        let clock = TestClock()
        var limits = Self.limits
        limits.proofMarginMilliseconds = 2_000
        let server = try await RealtimeTestServer(limits: limits, clock: clock)
        var client = try await Self.subscribed(.appSync, on: server, key: "until1000")
        clock.move(to: 999)
        server.create(1)
        #expect(try client.next() == RealtimeSocketTests.event("s", 1))
        clock.move(to: 1_000)
        #expect(try client.nextClose() == Self.close)
        await server.stop()
    }

    @Test("of several proofs on a socket the first that ends closes it")
    func several() async throws {
        let clock = TestClock()
        let server = try await RealtimeTestServer(limits: Self.limits, clock: clock)
        var client = try await Self.subscribed(.appSync, on: server, key: "good")
        try client.subscribe("late", Self.query, key: "until90000")
        try client.subscribe("early", Self.query, key: "until60000")
        clock.move(to: 58_999)
        server.create(1)
        for id in ["s", "late", "early"] { #expect(try client.next() == RealtimeSocketTests.event(id, 1)) }
        // One that is over keeps nothing open, and closes nothing.
        try client.send(#"{"id":"early","type":"stop"}"#)
        #expect(try client.next() == #"{"id":"early","type":"complete"}"#)
        clock.move(to: 88_999)
        server.create(2)
        for id in ["s", "late"] { #expect(try client.next() == RealtimeSocketTests.event(id, 2)) }
        clock.move(to: 89_000)
        #expect(try client.nextClose() == Self.close)
        await server.stop()
    }

    @Test("a handshake's proof that ends closes what rests on it, and what would")
    func handshake() async throws {
        let clock = TestClock()
        let server = try await RealtimeTestServer(limits: Self.limits, clock: clock)
        var idle = try WebSocketClient(port: server.port, key: "until60000")
        try idle.initialise()
        var busy = try WebSocketClient(port: server.port, key: "until60000")
        try busy.initialise()
        try busy.subscribe("own", Self.query, key: "good")
        clock.move(to: 59_000)
        #expect(try idle.nextClose() == Self.close)
        // What has a proof of its own goes on, and may be followed by more of that kind.
        server.create(1)
        #expect(try busy.next() == RealtimeSocketTests.event("own", 1))
        try busy.subscribe("other", Self.query, key: "until90000")
        try busy.send(WebSocketClient.start("none", Self.query))
        #expect(try busy.nextClose() == Self.close)
        await server.stop()
    }

    @Test("an event stream ends without complete")
    func eventStream() async throws {
        let clock = TestClock()
        let server = try await RealtimeTestServer(limits: Self.limits, clock: clock)
        let client = try RawClient(port: server.port)
        let body = #"{"query":"\#(Self.query)"}"#
        try client.send(
            "POST /stream HTTP/1.1\r\nhost: localhost\r\nx-api-key: until60000\r\nconnection: close\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        #expect(try await server.waits(for: .subscriptionsStarted, toBe: 1))
        clock.move(to: 58_999)
        server.create(1)
        let event = "event: next\ndata: {\"data\":{\"onCreateMessage\":{\"id\":\"1\",\"room\":\"red\"}}}\n\n"
        #expect(try client.read(through: event).hasSuffix(event))
        clock.move(to: 59_000)
        #expect(try client.readToEnd() == "\r\n0\r\n\r\n")
        await server.stop()
    }

    @Test("a subscription that is asked for again with a newer proof of the same caller rests on that")
    func renewed() async throws {
        let clock = TestClock()
        let server = try await RealtimeTestServer(limits: Self.limits, clock: clock)
        var client = try WebSocketClient(port: server.port)
        try client.initialise()
        try client.subscribe("s", Self.query, key: "until60000")
        try client.subscribe("s", Self.query, key: "until90000")
        clock.move(to: 88_999)
        server.create(1)
        #expect(try client.next() == RealtimeSocketTests.event("s", 1))
        clock.move(to: 89_000)
        #expect(try client.nextClose() == Self.close)
        await server.stop()
    }
}
