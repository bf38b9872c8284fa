import JSON
import Network
import TestSupport
import Testing

@testable import Realtime

@Suite("Subscriptions over sockets")
struct RealtimeSocketTests {
    static let query = "subscription { onCreateMessage { id room } }"

    static func event(_ id: String, _ number: Int, room: String = "red") -> String {
        #"{"id":"\#(id)","type":"data","payload":{"data":{"onCreateMessage":{"id":"\#(number)","room":"\#(room)"}}}}"#
    }

    @Test("a client of AppSync's protocol subscribes, receives, stops and goes on")
    func appSync() async throws {
        let server = try await RealtimeTestServer()
        do {
            var client = try WebSocketClient(port: server.port, key: "good")
            #expect(client.head.fields["sec-websocket-protocol"] == "graphql-ws")
            try client.send(#"{"type":"connection_init"}"#)
            #expect(try client.nextWithKeepAlive() == AppSyncMachineTests.ack)
            #expect(try client.nextWithKeepAlive() == #"{"type":"ka"}"#)
            try client.subscribe("a", Self.query)
            try client.subscribe("b", Self.query)
            server.create(1)
            #expect(try client.next() == Self.event("a", 1))
            #expect(try client.next() == Self.event("b", 1))
            try client.send(#"{"id":"a","type":"stop"}"#)
            #expect(try client.next() == #"{"id":"a","type":"complete"}"#)
            server.create(2)
            #expect(try client.next() == Self.event("b", 2))
            try client.send(WebSocketClient.start("c", "subscription { onDeleteMessage { id } }"))
            #expect(
                try client.next()
                    == #"{"id":"c","type":"error","payload":{"errors":[{"errorType":"Unauthorized","message":"Not Authorized to access onDeleteMessage on type Subscription"}]}}"#
            )
            try client.send(WebSocketClient.start("q", "{ listMessages { items { id } } }"))
            #expect(
                try client.next()
                    == #"{"id":"q","type":"error","payload":{"errors":[{"errorType":"UnsupportedOperation","message":"query not supported through the realtime channel"}]}}"#
            )
            try client.send(WebSocketClient.start("k", Self.query, key: "bad"))
            #expect(
                try client.next()
                    == #"{"id":"k","type":"error","payload":{"errors":[{"errorType":"UnauthorizedException","message":"You are not authorized to make this call."}]}}"#
            )
            try client.subscribe("o", Self.query, key: "owner1")
            server.create(3, room: "owner1")
            #expect(try client.next() == Self.event("b", 3, room: "owner1"))
            #expect(try client.next() == Self.event("o", 3, room: "owner1"))
            server.create(4)
            #expect(try client.next() == Self.event("b", 4))
            client.finishSending()
        }
        #expect(try await server.waits(for: .subscriptionsEnded, toBe: 3))
        #expect(try await server.waits(for: .connectionsClosed, toBe: 1))
        #expect(!server.realtime.hasSubscribers)
        await server.stop()
        #expect(server.occurrences.all.first == "connected graphql-ws")
        #expect(
            server.occurrences.all.contains(
                "denied Unauthorized Not Authorized to access onDeleteMessage on type Subscription"))
    }

    @Test(
        "where events may be missing, subscriptions end with an error behind those that came and before all others, and can begin again"
    )
    func interrupted() async throws {
        let server = try await RealtimeTestServer(isRenewable: true)
        do {
            var client = try WebSocketClient(port: server.port, key: "good")
            try client.initialise()
            try client.subscribe("a", Self.query)
            // The loop hears of all three at once.
            await server.loop.run {
                server.create(1)
                server.realtime.interrupt()
                server.create(7)
            }
            #expect(try client.next() == Self.event("a", 1))
            #expect(
                try client.next()
                    == #"{"id":"a","type":"error","payload":{"errors":[{"errorType":"EventsMissing","message":"Events may be missing: subscribe again, and read what has changed"}]}}"#
            )
            try client.subscribe("b", Self.query)
            server.create(2)
            #expect(try client.next() == Self.event("b", 2))
            client.finishSending()
        }
        await server.stop()
    }

    @Test(
        "a refused client is told so and closed, whether or not it says anything",
        arguments: ["", #"{"type":"connection_init"}"#])
    func refuses(_ first: String) async throws {
        var limits = RealtimeLimits()
        limits.refusalMilliseconds = 20
        let server = try await RealtimeTestServer(limits: limits)
        for key in ["bad", nil] {
            var client = try WebSocketClient(port: server.port, key: key)
            if !first.isEmpty { try client.send(first) }
            #expect(try client.next() == AppSyncMachineTests.unauthorized)
            #expect(try client.nextClose() == "1008 connection_error")
        }
        await server.stop()
    }

    @Test("a client without a protocol is told so and closed")
    func noProtocol() async throws {
        let server = try await RealtimeTestServer()
        var client = try WebSocketClient(port: server.port, protocols: nil)
        #expect(try client.next().contains("NoProtocolError"))
        #expect(try client.nextClose() == "1008 connection_error")
        await server.stop()
    }

    @Test("a client of the older protocol gets data without start_ack, for queries too", arguments: ["good", nil])
    func legacy(_ key: String?) async throws {
        let server = try await RealtimeTestServer()
        var client = try WebSocketClient(port: server.port, key: key)
        try client.send(#"{"type":"connection_init","payload":{"x-api-key":"slow"}}"#)
        // Sent before the gate has answered.
        try client.send(#"{"id":"1","type":"start","payload":{"query":"{ __typename }"}}"#)
        #expect(try client.next().contains("connection_ack"))
        #expect(try client.next() == #"{"id":"1","type":"data","payload":{"data":{"__typename":"Query"}}}"#)
        #expect(try client.next() == #"{"id":"1","type":"complete"}"#)
        try client.send(#"{"id":"2","type":"start","payload":{"query":"\#(Self.query)"}}"#)
        #expect(try await server.waits(for: .subscriptionsStarted, toBe: 1))
        server.create(1)
        #expect(try client.next() == Self.event("2", 1))
        try client.send(#"{"id":"2","type":"stop"}"#)
        #expect(try await server.waits(for: .subscriptionsEnded, toBe: 1))
        await server.stop()
    }

    @Test(
        "a client of graphql-transport-ws queries and subscribes, wherever its documents are prepared",
        arguments: [8 << 10, -1])
    func transport(turnDocumentBytes: Int) async throws {
        var limits = RealtimeLimits()
        limits.turnDocumentBytes = turnDocumentBytes
        let server = try await RealtimeTestServer(limits: limits)
        var client = try WebSocketClient(
            port: server.port, protocols: "graphql-ws, graphql-transport-ws", key: nil)
        #expect(client.head.fields["sec-websocket-protocol"] == "graphql-transport-ws")
        try client.send(#"{"type":"connection_init","payload":{"headers":{"X-Api-Key":"good"}}}"#)
        #expect(try client.next() == #"{"type":"connection_ack"}"#)
        try client.send(#"{"id":"1","type":"subscribe","payload":{"query":"{ __typename }"}}"#)
        #expect(try client.next() == #"{"id":"1","type":"next","payload":{"data":{"__typename":"Query"}}}"#)
        #expect(try client.next() == #"{"id":"1","type":"complete"}"#)
        try client.send(#"{"id":"1","type":"subscribe","payload":{"query":"\#(Self.query)"}}"#)
        #expect(try await server.waits(for: .subscriptionsStarted, toBe: 1))
        server.create(1)
        #expect(
            try client.next()
                == #"{"id":"1","type":"next","payload":{"data":{"onCreateMessage":{"id":"1","room":"red"}}}}"#)
        try client.send(#"{"id":"2","type":"subscribe","payload":{"query":"subscription { nope }"}}"#)
        #expect(try client.next().hasPrefix(#"{"id":"2","type":"error","payload":[{"message":"Validation error"#))
        try client.send(#"{"id":"1","type":"subscribe","payload":{"query":"{ __typename }"}}"#)
        #expect(try client.nextClose() == "4409 Subscriber for 1 already exists")
        #expect(try await server.waits(for: .subscriptionsEnded, toBe: 1))

        var refused = try WebSocketClient(port: server.port, protocols: "graphql-transport-ws", key: "bad")
        try refused.send(#"{"type":"connection_init"}"#)
        #expect(try refused.nextClose() == "4403 Forbidden")
        await server.stop()
    }

    @Test(
        "a client that does not begin is closed, by each protocol's code",
        arguments: [
            ("graphql-ws", "1002 no connection_init"),
            ("graphql-transport-ws", "4408 Connection initialisation timeout"),
        ])
    func beginsInTime(_ row: (protocolName: String, close: String)) async throws {
        var limits = RealtimeLimits()
        (limits.initMilliseconds, limits.transportInitMilliseconds, limits.refusalMilliseconds) = (20, 20, 20)
        let server = try await RealtimeTestServer(limits: limits)
        var client = try WebSocketClient(port: server.port, protocols: row.protocolName)
        #expect(try client.nextClose() == row.close)
        await server.stop()
    }

    @Test("a client that does not read is closed with a reason, counted, and delays nobody")
    func slowConsumer() async throws {
        var limits = RealtimeLimits()
        limits.outboundBytes = 256 * 1024
        let server = try await RealtimeTestServer(limits: limits, settings: WebSocketSettings())
        let query = "subscription { onCreateMessage { id text } }"
        var slow = try WebSocketClient(port: server.port, receiveBuffer: 4096)
        try slow.initialise()
        try slow.subscribe("s", query)
        var quick = try WebSocketClient(port: server.port)
        try quick.initialise()
        try quick.subscribe("q", query)
        let text = String(repeating: "x", count: 60_000)
        var count = 0
        while server.realtime.total(.slowCloses) == 0, count < 1_000 {
            count += 1
            server.realtime.publish([TestAPI.event("createMessage", #"{"id":"\#(count)","text":"\#(text)"}"#)])
            #expect(
                try quick.next().hasPrefix(
                    #"{"id":"q","type":"data","payload":{"data":{"onCreateMessage":{"id":"\#(count)""#))
        }
        #expect(server.realtime.total(.slowCloses) == 1)
        #expect(try slow.nextClose() == "1008 too slow: more than 262144 bytes wait to be read")
        #expect(try await server.waits(for: .subscriptionsEnded, toBe: 1))
        server.create(0)
        #expect(try quick.next().contains(#""id":"0""#))
        await server.stop()
        #expect(
            server.occurrences.all.contains("closed by us: 1008 too slow: more than 262144 bytes wait to be read"))
    }

    @Test("a compressed event is the same event")
    func compression() async throws {
        let server = try await RealtimeTestServer()
        var client = try WebSocketClient(
            port: server.port,
            fields: [("sec-websocket-extensions", "permessage-deflate; client_no_context_takeover")])
        try client.initialise()
        try client.subscribe("1", "subscription { onCreateMessage { text } }")
        let text = String(repeating: "all work and no play ", count: 500)
        server.realtime.publish([TestAPI.event("createMessage", #"{"text":"\#(text)"}"#)])
        #expect(
            try client.next()
                == #"{"id":"1","type":"data","payload":{"data":{"onCreateMessage":{"text":"\#(text)"}}}}"#)
        await server.stop()
    }

    @Test(
        "an event stream has a query's answer, a subscription's events, and an error",
        arguments: [
            (
                "{ __typename }",
                "event: next\ndata: {\"data\":{\"__typename\":\"Query\"}}\n\nevent: complete\ndata:\n\n"
            ),
            (
                "subscription { nope }",
                "event: next\ndata: {\"errors\":[{\"message\":\"Validation error of type FieldUndefined: Field 'nope' in type 'Subscription' is undefined @ 'nope'\"}]}\n\nevent: complete\ndata:\n\n"
            ),
            (query, "event: next\ndata: {\"data\":{\"onCreateMessage\":{\"id\":\"1\",\"room\":\"red\"}}}\n\n"),
        ])
    func eventStream(_ row: (query: String, text: String)) async throws {
        let server = try await RealtimeTestServer()
        let client = try RawClient(port: server.port)
        let body = #"{"query":"\#(row.query)"}"#
        try client.send(
            "POST /stream HTTP/1.1\r\nhost: localhost\r\nx-api-key: good\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        let head = try client.read(through: "\r\n\r\n")
        #expect(head.contains("content-type: text/event-stream; charset=utf-8\r\n"))
        #expect(try client.read(through: ":\n\n").hasSuffix("\r\n:\n\n"))
        if row.query == Self.query {
            #expect(try await server.waits(for: .subscriptionsStarted, toBe: 1))
            server.create(1)
        }
        #expect(try client.read(through: row.text).contains(row.text))
        await server.stop()
        _ = try client.readToEnd()
        #expect(server.realtime.total(.subscriptionsEnded) == server.realtime.total(.subscriptionsStarted))
    }

    static let complete = "event: complete"

    private static func stream(_ query: String, from server: RealtimeTestServer) throws -> RawClient {
        let client = try RawClient(port: server.port)
        let body = #"{"query":"\#(query)"}"#
        try client.send(
            "POST /stream HTTP/1.1\r\nhost: localhost\r\nx-api-key: good\r\nconnection: close\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        return client
    }

    @Test("an event stream has its first bytes with its head")
    func beginsAtOnce() async throws {
        let server = try await RealtimeTestServer()
        let client = try Self.stream(Self.query, from: server)
        let first = String(decoding: try #require(try client.bytes(until: .now + .seconds(30))), as: UTF8.self)
        #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(first.hasSuffix("\r\n\r\n3\r\n:\n\n\r\n"))
        await server.stop()
    }

    @Test("what an event stream keeps for a client that does not read counts with what all connections hold")
    func countsWhatStreamsKeep() async throws {
        var limits = RealtimeLimits()
        limits.outboundBytes = 4 << 20
        var settings = RealtimeTestServer.quick
        settings.outboundBytesMax = limits.outboundBytes
        let server = try await RealtimeTestServer(limits: limits, settings: settings)
        let slow = try Self.stream("subscription { onCreateMessage { id text } }", from: server)
        #expect(try await server.waits(for: .subscriptionsStarted, toBe: 1))
        var quick = try WebSocketClient(port: server.port)
        try quick.initialise()
        try quick.subscribe("q", Self.query)
        let text = String(repeating: "x", count: 60_000)
        var count = 0
        // The connection itself holds as much as a streamed body may have of its client's, and a piece.
        while server.bounds.held.outgoingBytes < 2 << 20, server.realtime.total(.slowCloses) == 0, count < 1_000 {
            count += 1
            server.realtime.publish([TestAPI.event("createMessage", #"{"id":"\#(count)","text":"\#(text)"}"#)])
            // When this one has it, the loop has given it to the other one.
            _ = try quick.next()
        }
        #expect(server.bounds.held.outgoingBytes >= 2 << 20)
        #expect(server.realtime.total(.slowCloses) == 0)
        withExtendedLifetime(slow) {}
        await server.stop()
        #expect(server.bounds.held.outgoingBytes == 0)
    }

    @Test("a stop ends subscriptions without complete, those that begin later too; a query is answered to its end")
    func stopsStreams() async throws {
        let server = try await RealtimeTestServer()
        let early = try Self.stream(Self.query, from: server)
        #expect(try await server.waits(for: .subscriptionsStarted, toBe: 1))
        server.realtime.stop()
        #expect(try !early.readToEnd().contains(Self.complete))
        let late = try Self.stream(Self.query, from: server).readToEnd()
        #expect(late.hasSuffix("\r\n\r\n3\r\n:\n\n\r\n0\r\n\r\n"), "\(late)")
        let query = try Self.stream("{ __typename }", from: server).readToEnd()
        #expect(query.contains("data: {\"data\":{\"__typename\":\"Query\"}}\n\n\(Self.complete)\ndata:\n\n"))
        await server.stop()
        #expect(server.realtime.total(.subscriptionsEnded) == 2)
    }

    @Test("an identical start under an id that runs is acknowledged again, any other is refused")
    func startsAgain() async throws {
        let server = try await RealtimeTestServer()
        var client = try WebSocketClient(port: server.port)
        try client.initialise()
        let start = WebSocketClient.start("1", Self.query, key: "owner1")
        let acknowledgement = #"{"id":"1","type":"start_ack"}"#
        let duplicate =
            #"{"id":"1","type":"error","payload":{"errors":[{"errorType":"DuplicatedOperationError","message":"Duplicated operation with id 1"}]}}"#
        // The second comes while the first is being let in.
        try client.send(start)
        try client.send(start)
        for _ in 1...2 { #expect(try client.next() == acknowledgement) }
        let rows: [(start: String, answer: String)] = [
            (start, acknowledgement),
            (WebSocketClient.start("1", Self.query, key: "owner2"), duplicate),
            (WebSocketClient.start("1", Self.query, key: "bad"), duplicate),
            (WebSocketClient.start("1", Self.query), duplicate),
            (WebSocketClient.start("1", Self.query, variables: #"{"a":1}"#, key: "owner1"), duplicate),
            (WebSocketClient.start("1", "subscription { onCreateMessage { id } }", key: "owner1"), duplicate),
            (#"{"id":"1","type":"start","payload":{"data":7}}"#, duplicate), (start, acknowledgement),
        ]
        for row in rows {
            try client.send(row.start)
            #expect(try client.next() == row.answer, "\(row.start)")
        }
        server.create(1, room: "owner1")
        #expect(try client.next() == Self.event("1", 1, room: "owner1"))
        try client.send(#"{"id":"1","type":"stop"}"#)
        // An event that came twice would come before this.
        #expect(try client.next() == #"{"id":"1","type":"complete"}"#)
        #expect(server.realtime.total(.subscriptionsStarted) == 1)
        try client.send(start)
        #expect(try client.next() == acknowledgement)
        await server.stop()
    }

    @Test("what a client asks for again while its caller is being found out is bounded")
    func asksAgainWithinBounds() async throws {
        var limits = RealtimeLimits()
        limits.subscriptionsPerConnection = 2
        let server = try await RealtimeTestServer(limits: limits)
        var client = try WebSocketClient(port: server.port)
        try client.initialise()
        let start = WebSocketClient.start("1", Self.query, key: "slow")
        // All in one piece, so that they are read before the gate has answered.
        let frames = Array(repeating: WebSocketClient.frame(start), count: 4).joined()
        try client.send(Array(frames))
        let answers = try (1...4).map { _ in try client.next() }
        #expect(answers.count(where: { $0.contains("start_ack") }) == 3)
        #expect(answers.count(where: { $0.contains("DuplicatedOperationError") }) == 1)
        await server.stop()
    }

    /// How a client speaks, and the codes after which it connects again: at a stop, and at the end of a connection's life.
    static let codes: [(protocols: String, isOlder: Bool, stop: String, endOfLife: String)] = [
        ("graphql-ws", false, "1011", "1011"), ("graphql-ws", true, "1011", "1011"),
        ("graphql-transport-ws", false, "1001", "1000"),
    ]

    private static func subscribed(
        _ row: (protocols: String, isOlder: Bool, stop: String, endOfLife: String), on server: RealtimeTestServer
    ) async throws -> WebSocketClient {
        var client = try WebSocketClient(port: server.port, protocols: row.protocols)
        try client.initialise()
        switch (row.protocols, row.isOlder) {
        case ("graphql-ws", false): try client.subscribe("1", query)
        case ("graphql-ws", true): try client.send(#"{"id":"1","type":"start","payload":{"query":"\#(query)"}}"#)
        default: try client.send(#"{"id":"1","type":"subscribe","payload":{"query":"\#(query)"}}"#)
        }
        try #require(try await server.waits(for: .subscriptionsStarted, toBe: 1))
        return client
    }

    @Test("a server that stops closes with a code after which the client connects again", arguments: codes)
    func stops(_ row: (protocols: String, isOlder: Bool, stop: String, endOfLife: String)) async throws {
        let server = try await RealtimeTestServer()
        var client = try await Self.subscribed(row, on: server)
        let stopping = server.beginStop()
        #expect(try client.nextClose() == "\(row.stop) the server stops")
        client.finishSending()
        await stopping.value
        await server.stop()
    }

    @Test(
        "a connection at the end of its life is closed with a code after which the client connects again",
        arguments: codes)
    func livesSoLong(_ row: (protocols: String, isOlder: Bool, stop: String, endOfLife: String)) async throws {
        var limits = RealtimeLimits()
        (limits.keepAliveSeconds, limits.connectionSeconds) = (1, 1)
        let server = try await RealtimeTestServer(limits: limits)
        var client = try await Self.subscribed(row, on: server)
        #expect(try client.nextClose() == "\(row.endOfLife) the connection has lived its 1 s")
        client.finishSending()
        await server.stop()
    }
}
