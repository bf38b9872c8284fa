import Channels
import JSON
import Network
import TestSupport
import Testing

@testable import Realtime

@Suite("Channels over sockets")
struct ChannelSessionTests {
    private static let ack = #"{"type":"connection_ack","connectionTimeoutMs":300000}"#
    private static let spoken = "aws-appsync-event-ws"

    private static func client(
        _ server: RealtimeTestServer, key: String? = "good", protocols: [String] = [spoken]
    ) throws -> WebSocketClient {
        try WebSocketClient(
            port: server.port, path: "/event/realtime", protocols: protocols,
            fields: key.map { [("x-api-key", $0)] } ?? [])
    }

    /// A client that may subscribe.
    private static func acknowledged(_ server: RealtimeTestServer) throws -> WebSocketClient {
        var client = try client(server)
        try expect(ack, from: &client)
        return client
    }

    private static func expect(_ answer: String, from client: inout WebSocketClient) throws {
        let text = try client.next()
        guard text == answer else { throw WebSocketClient.Failure(description: "\(text), not \(answer)") }
    }

    private static func subscribe(_ id: String, _ channel: String, key: String = "good") -> String {
        #"{"type":"subscribe","id":"\#(id)","channel":"\#(channel)","authorization":{"x-api-key":"\#(key)"}}"#
    }

    private static func publish(
        _ id: String, _ channel: String, _ events: String = #"["1"]"#, key: String = "good"
    ) -> String {
        #"{"type":"publish","id":"\#(id)","channel":"\#(channel)","events":\#(events),"#
            + #""authorization":{"x-api-key":"\#(key)"}}"#
    }

    private static func unsubscribe(_ id: String) -> String { #"{"type":"unsubscribe","id":"\#(id)"}"# }

    private static func success(_ type: String, _ id: String) -> String {
        #"{"type":"\#(type)_success","id":"\#(id)"}"#
    }

    private static func error(_ type: String, _ id: String?, _ name: String, _ message: String?) -> String {
        let id = id.map { #","id":"\#($0)""# } ?? ""
        let message = message.map { #","message":"\#($0)""# } ?? ""
        return #"{"type":"\#(type)"\#(id),"errors":[{"errorType":"\#(name)"\#(message)}]}"#
    }

    private static func published(_ id: String) -> String {
        #"{"type":"publish_success","id":"\#(id)","failed":[],"successful":[{"identifier":"name","index":0}]}"#
    }

    private static func data(_ id: String, _ number: Int) -> String {
        #"{"id":"\#(id)","type":"data","event":"{\"n\":\#(number)}"}"#
    }

    /// Hands out events with these numbers.
    private static func deliver(_ numbers: Int..., to channel: String, on server: RealtimeTestServer) throws {
        let name = try #require(ChannelName(channel))
        #expect(server.realtime.publish(ChannelDelivery(name, numbers.map { #"{"n":\#($0)}"# })))
    }

    @Test("where events may be missing, subscriptions end with an error behind those that came and before all others")
    func interrupted() async throws {
        let server = try await RealtimeTestServer(channels: TestChannelGate(), isRenewable: true)
        var client = try Self.acknowledged(server)
        try client.send(Self.subscribe("a", "/default/a"))
        try Self.expect(Self.success("subscribe", "a"), from: &client)
        // The loop hears of all three at once.
        let outcome = await server.loop.run {
            Result {
                try Self.deliver(1, to: "/default/a", on: server)
                server.realtime.interrupt()
                try Self.deliver(2, to: "/default/a", on: server)
            }
        }
        try outcome.get()
        try Self.expect(Self.data("a", 1), from: &client)
        let text = try client.next()
        #expect(text.contains("EventsMissing"), "\(text)")
        try client.send(Self.subscribe("b", "/default/a"))
        try Self.expect(Self.success("subscribe", "b"), from: &client)
        try Self.deliver(3, to: "/default/a", on: server)
        try Self.expect(Self.data("b", 3), from: &client)
        client.finishSending()
        await server.stop()
    }

    // MARK: Handshake

    @Test(
        "a client is acknowledged without connection_init, wherever it shows its key",
        arguments: [("good", [spoken]), (nil, ["header-eyJ4LWFwaS1rZXkiOiJnb29kIn0", spoken])])
    func connects(_ key: String?, _ protocols: [String]) async throws {
        let server = try await RealtimeTestServer(channels: TestChannelGate())
        var client = try Self.client(server, key: key, protocols: protocols)
        #expect(client.head.fields["sec-websocket-protocol"] == Self.spoken)
        #expect(try client.nextWithKeepAlive() == Self.ack)
        // Nothing answers a connection_init.
        try client.send(#"{"type":"connection_init"}"#)
        try client.send(Self.unsubscribe("x"))
        try Self.expect(
            Self.error("unsubscribe_error", "x", "UnknownOperationError", "Unknown operation id x"), from: &client)
        await server.stop()
    }

    @Test(
        "a client that is not let in is told so and closed, and gets nothing for what it says",
        arguments: [
            ("bad", spoken, true, "UnauthorizedException", nil), (nil, spoken, true, "UnauthorizedException", nil),
            (
                "good", "other", true, "UnsupportedOperation",
                "a connection without aws-appsync-event-ws is not supported"
            ),
            (
                "good", spoken, false, "UnsupportedOperation",
                "a connection without aws-appsync-event-ws is not supported"
            ),
        ] as [(String?, String, Bool, String, String?)])
    func refuses(
        _ key: String?, _ offered: String, _ hasChannels: Bool, _ name: String, _ message: String?
    ) async throws {
        var limits = RealtimeLimits()
        limits.closeAfterErrorMilliseconds = 20
        let server = try await RealtimeTestServer(limits: limits, channels: hasChannels ? TestChannelGate() : nil)
        var client = try Self.client(server, key: key, protocols: [offered])
        try client.send(Self.subscribe("a", "/default/a"))
        try Self.expect(Self.error("connection_error", nil, name, message), from: &client)
        do {
            Issue.record("\(try client.next()) came")
        } catch let end as WebSocketClient.Failure {
            #expect(end.description == "closed 1000 connection_error")
        }
        #expect(server.realtime.total(.subscriptionsStarted) == 0)
        await server.stop()
    }

    // MARK: Answers

    private static let denied = "You are not authorized to make this call."

    /// What a client says, and the answer.
    private static let dialogue: [(said: String, answer: String)] = [
        ("{", error("error", nil, "InvalidInputError", "The message is not a JSON object with a type")),
        (#"{"type":"start","id":"x"}"#, error("error", "x", "UnsupportedOperation", "start is not supported")),
        (
            subscribe("a b", "/default/a"),
            error(
                "error", nil, "InvalidInputError",
                "Invalid operation id: expected 1 to 128 letters, digits, - _ and +")
        ),
        (unsubscribe("a"), error("unsubscribe_error", "a", "UnknownOperationError", "Unknown operation id a")),
        (subscribe("a", "/default/a", key: "bad"), error("subscribe_error", "a", "UnauthorizedException", denied)),
        (subscribe("a", "/other/a"), error("subscribe_error", "a", "UnauthorizedException", nil)),
        (subscribe("a", "/default/refused"), error("subscribe_error", "a", "Unauthorized", denied)),
        (subscribe("a", "/default//a"), error("subscribe_error", "a", "BadRequestException", "Invalid Channel Format")),
        // A refused subscription leaves its id free.
        (subscribe("a", "/default/a"), success("subscribe", "a")),
        (
            subscribe("a", "/default/b"),
            error("subscribe_error", "a", "DuplicatedOperationError", "Duplicated operation with id a")
        ),
        // A publish may have the id of a subscription.
        (publish("a", "/default/b"), published("a")),
        (publish("p", "/default/b", key: "bad"), error("publish_error", "p", "UnauthorizedException", denied)),
        (
            publish("p", "/default/*"),
            error(
                "publish_error", "p", "BadRequestException",
                "Invalid Channel Format: a wildcard is not a channel to publish to")
        ),
        (
            publish("p", "/default/b", #"["1","2","3","4","5","6"]"#),
            error("publish_error", "p", "InvalidInputError", "input exceeded 5 event limit")
        ),
        (
            publish("p", "/default/b", #"["{"]"#),
            error("publish_error", "p", "InvalidEventException", "Event should be a valid JSON string")
        ),
        (unsubscribe("a"), success("unsubscribe", "a")),
        (unsubscribe("a"), error("unsubscribe_error", "a", "UnknownOperationError", "Unknown operation id a")),
        (subscribe("a", "/default/a"), success("subscribe", "a")),
    ]

    @Test("each message has its answer, and no refusal ends the connection")
    func answers() async throws {
        let server = try await RealtimeTestServer(channels: TestChannelGate())
        var client = try Self.acknowledged(server)
        for (said, answer) in Self.dialogue {
            try client.send(said)
            #expect(try client.next() == answer, "\(said)")
        }
        // The log has the reasons, which the client does not get.
        #expect(server.occurrences.all.contains("denied UnauthorizedException the namespace other"))
        await server.stop()
    }

    @Test(
        "a connection and a loop have no more subscriptions than their limits, until one ends",
        arguments: [true, false])
    func limits(_ isOfConnection: Bool) async throws {
        var limits = RealtimeLimits()
        if isOfConnection { limits.subscriptionsPerConnection = 2 } else { limits.subscriptionsPerLoop = 2 }
        let refusal =
            isOfConnection
            ? Self.error(
                "subscribe_error", "c", "MaxSubscriptionsReachedError", "Max number of 2 subscriptions reached")
            : Self.error("subscribe_error", "c", "LimitExceededError", "Rate limit exceeded")
        let server = try await RealtimeTestServer(limits: limits, channels: TestChannelGate())
        var client = try Self.acknowledged(server)
        for (said, answer) in [
            (Self.subscribe("a", "/default/a"), Self.success("subscribe", "a")),
            (Self.subscribe("b", "/default/a"), Self.success("subscribe", "b")),
            (Self.subscribe("c", "/default/a"), refusal),
            (Self.unsubscribe("a"), Self.success("unsubscribe", "a")),
            (Self.subscribe("c", "/default/a"), Self.success("subscribe", "c")),
        ] {
            try client.send(said)
            #expect(try client.next() == answer, "\(said)")
        }
        await server.stop()
    }

    // MARK: Delivery

    @Test("an event goes to the channel's own subscriptions and to the wildcards above, each in a frame of its own")
    func delivers() async throws {
        let server = try await RealtimeTestServer(channels: TestChannelGate())
        var client = try Self.acknowledged(server)
        for (id, channel) in [
            ("all", "/default/*"), ("x", "default/x/"), ("top", "/default"), ("below", "/default/x/*"),
        ] {
            try client.send(Self.subscribe(id, channel))
            try Self.expect(Self.success("subscribe", id), from: &client)
        }
        for (number, (channel, ids)) in [
            ("/default/x", ["x", "all"]), ("/default/x/y/z", ["all", "below"]), ("/default", ["top"]),
            ("/default/X", ["all"]), ("/defaults/x", []), ("/default/y", ["all"]),
        ].enumerated() {
            try Self.deliver(number, to: channel, on: server)
            for id in ids { #expect(try client.next() == Self.data(id, number), "\(channel)") }
        }
        try Self.deliver(10, 11, to: "/default/x", on: server)
        for (id, number) in [("x", 10), ("all", 10), ("x", 11), ("all", 11)] {
            #expect(try client.next() == Self.data(id, number))
        }
        await server.stop()
    }

    @Test("nothing is delivered behind unsubscribe_success, also where the subscription was not let in yet")
    func unsubscribes() async throws {
        let gate = TestChannelGate()
        let server = try await RealtimeTestServer(channels: gate)
        var client = try Self.acknowledged(server)
        try client.send(Self.subscribe("early", "/default/held"))
        try await eventually("the gate is asked") { gate.heldCount == 1 }
        // The id is taken already.
        try client.send(Self.subscribe("early", "/default/held"))
        try Self.expect(
            Self.error("subscribe_error", "early", "DuplicatedOperationError", "Duplicated operation with id early"),
            from: &client)
        try client.send(Self.unsubscribe("early"))
        try Self.expect(Self.success("unsubscribe", "early"), from: &client)
        gate.release()
        for id in ["ended", "left"] {
            try client.send(Self.subscribe(id, "/default/held"))
            try Self.expect(Self.success("subscribe", id), from: &client)
        }
        try client.send(Self.unsubscribe("ended"))
        try Self.expect(Self.success("unsubscribe", "ended"), from: &client)
        for number in 1...2 {
            try Self.deliver(number, to: "/default/held", on: server)
            #expect(try client.next() == Self.data("left", number))
        }
        #expect(server.realtime.total(.subscriptionsStarted) == 2)
        await server.stop()
    }

    @Test("a connection that ends takes its subscriptions with it, also one that is let in afterwards")
    func ends() async throws {
        let gate = TestChannelGate()
        let server = try await RealtimeTestServer(channels: gate)
        do {
            var client = try Self.acknowledged(server)
            try client.send(Self.subscribe("a", "/default/*"))
            try Self.expect(Self.success("subscribe", "a"), from: &client)
            try client.send(Self.subscribe("late", "/default/held"))
            try await eventually("the gate is asked") { gate.heldCount == 1 }
            client.finishSending()
        }
        #expect(try await server.waits(for: .connectionsClosed, toBe: 1))
        #expect(server.realtime.total(.subscriptionsEnded) == 1)
        gate.release()
        // The late one begins for a moment, since its connection is asked about last.
        #expect(try await server.waits(for: .subscriptionsEnded, toBe: 2))
        try Self.deliver(1, to: "/default/held", on: server)
        #expect(server.realtime.total(.events) == 0)
        await server.stop()
    }

    // MARK: Another API

    @Test("what another API does not allow ends with a reason, also what was asked for before it came")
    func looksAgain() async throws {
        let gate = TestChannelGate()
        var limits = RealtimeLimits()
        limits.closeAfterErrorMilliseconds = 20
        let server = try await RealtimeTestServer(limits: limits, channels: gate, isRenewable: true)
        var client = try Self.acknowledged(server)
        for id in ["a", "b"] {
            try client.send(Self.subscribe(id, "/default/\(id)"))
            try Self.expect(Self.success("subscribe", id), from: &client)
        }
        gate.closed.withLock { $0 = "/default/a" }
        server.realtime.lookAgainAtChannels()
        try Self.expect(Self.error("subscribe_error", "a", "UnauthorizedException", Self.denied), from: &client)
        for (number, channel) in ["/default/a", "/default/b"].enumerated() {
            try Self.deliver(number, to: channel, on: server)
        }
        try Self.expect(Self.data("b", 1), from: &client)
        #expect(server.realtime.total(.subscriptionsEnded) == 1)
        // The id is free again.
        try client.send(Self.subscribe("a", "/default/held"))
        try await eventually("the gate is asked") { gate.heldCount == 1 }
        gate.closed.withLock { $0 = "/default/held" }
        server.realtime.lookAgainAtChannels()
        try client.send(Self.unsubscribe("b"))
        try Self.expect(Self.success("unsubscribe", "b"), from: &client)
        gate.release()
        try Self.expect(Self.success("subscribe", "a"), from: &client)
        try Self.expect(Self.error("subscribe_error", "a", "UnauthorizedException", Self.denied), from: &client)
        gate.closed.withLock { $0 = "" }
        server.realtime.lookAgainAtChannels()
        try Self.expect(Self.error("connection_error", nil, "UnauthorizedException", Self.denied), from: &client)
        #expect(try client.nextClose() == "1000 connection_error")
        await server.stop()
    }

    // MARK: Waiting

    @Test(
        "messages before the acknowledgement wait, up to their number and bytes",
        arguments: [
            (ChannelLimits.waitingMessagesMax, 0, false), (ChannelLimits.waitingMessagesMax + 1, 0, true),
            (2, ChannelLimits.waitingBytesMax / 2, false), (3, ChannelLimits.waitingBytesMax / 3 + 1, true),
        ])
    func waits(_ count: Int, _ bytes: Int, _ isTooMuch: Bool) async throws {
        let gate = TestChannelGate()
        let server = try await RealtimeTestServer(channels: gate)
        var client = try Self.client(server, key: "held")
        let text = #"{"type":"connection_init"}"#
        let frame = WebSocketClient.frame(text + String(repeating: " ", count: max(0, bytes - text.utf8.count)))
        try client.send(repeatElement(frame, count: count).flatMap { $0 })
        if isTooMuch {
            #expect(try client.nextClose() == "1008 too fast: too many messages wait for the ones before them")
            gate.release()
        } else {
            gate.release()
            try Self.expect(Self.ack, from: &client)
            try client.send(Self.subscribe("a", "/default/a"))
            try Self.expect(Self.success("subscribe", "a"), from: &client)
        }
        await server.stop()
    }

    @Test("a message behind many publishes waits until one of them has its answer")
    func waitsForPublishes() async throws {
        let gate = TestChannelGate()
        let server = try await RealtimeTestServer(channels: gate)
        var client = try Self.acknowledged(server)
        let publishes = (0..<ChannelLimits.publishesMax).map { Self.publish("p\($0)", "/default/held") }
        let messages = publishes + [Self.subscribe("s", "/default/s")]
        try client.send(messages.flatMap { WebSocketClient.frame($0) })
        try await eventually("all publishes are asked about") { gate.heldCount == publishes.count }
        gate.release()
        var answers: [String] = []
        for _ in messages { answers.append(try client.next()) }
        #expect(answers.first == Self.published("p0"))
        #expect(answers.contains(Self.success("subscribe", "s")))
        await server.stop()
    }
}
