import Access
import Blueprint
import Channels
import Console
import Engine
import GraphQL
import JSON
import Network
import Realtime
import Store
import Synchronization
import TestSupport
import Testing

@testable import Server

@Suite("POST /event")
struct ChannelRouteTests {
    /// The route and the WebSockets of channels, as the server puts them together.
    private struct Application: HTTPApplication {
        let route: ChannelRoute
        let realtime: Realtime
        let shards: [CallerShard]

        func receive(
            _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
        ) -> HTTPReception {
            guard head.path == "/event/realtime" else {
                return route.reception(head, from: peer, CrossOrigin(allowsPrivateNetworkAccess: false)) {
                    [shards] loop in
                    shards[loop.index]
                }
            }
            do throws(WebSocketHandshake.Refusal) {
                return .upgrade(try realtime.upgradeToChannels(head))
            } catch {
                return .answer(answer(to: error.error, for: head))
            }
        }
    }

    /// Nobody has a subscription of GraphQL here.
    private struct ClosedGate: RealtimeGate {
        func identify(_ credentials: RealtimeCredentials) async -> Identification { .refused(.unauthorized) }

        func admit(_ caller: Identity, to subscription: SubscriptionRequest) async -> Admission {
            .denied(.unauthorized)
        }

        func respond(
            to operation: OperationRequest, for caller: Identity, noting note: OperationNote
        ) async -> OperationAnswer { .refused(.unauthorized) }
    }

    private struct NoCredentials: TemporaryCredentials {
        func credential(ofKey accessKeyID: String, sessionToken: String) -> TemporaryCredential? { nil }
    }

    /// The namespaces `default`, to which keys may publish, and `closed`, to which only users may.
    private static let api = ChannelAPI(
        connect: [.apiKey], publish: [.apiKey], subscribe: [.apiKey],
        namespaces: [ChannelNamespace("default"), ChannelNamespace("closed", publish: [.userPools])])

    private static func withServer(
        noted: (@Sendable (RequestOutline) -> Void)? = nil, _ body: (UInt16) throws -> Void
    ) async throws {
        try await withService(noted: noted) { port, _, _ in try body(port) }
    }

    private static func withService(
        noted: (@Sendable (RequestOutline) -> Void)? = nil,
        _ body: (UInt16, ChannelService, Authenticator) throws -> Void
    ) async throws {
        let source = "type Note @model @auth(rules: [{ allow: public }]) { id: ID! }"
        let blueprint = try #require(SDLReader.read(source).blueprint)
        let store = try Store(.memory, for: blueprint, nowMilliseconds: 0) { Issue.record("\($0)") }
        let engine = try Engine(APISchema.generate(from: blueprint).schema, of: blueprint, over: store)
        var settings = CredentialSettings(modes: api.modes)
        settings.apiKeys = [APIKey("good")]
        let authenticator = try Authenticator(settings)
        let service = ChannelService(ServedChannels(api, [authenticator], rights: nil), carried: nil)
        let server = try await LoopbackServer(loops: 1) { group in
            let shards = group.loops.map { CallerShard(engine, authenticator, on: $0) }
            let realtime = Realtime(
                schema: engine.schema, loops: group.loops, isRenewable: true,
                channels: { ChannelDesk(service: service, shard: shards[$0.index], noted: noted) },
                gate: { _ in ClosedGate() })
            service.begin(realtime, NoCredentials())
            let route = ChannelRoute(service: service, forwarding: Forwarding([]))
            return Application(route: route, realtime: realtime, shards: shards)
        }
        try body(server.port, service, authenticator)
        await server.stop()
        try store.close()
    }

    private static func head(_ key: String?, length: Int) -> String {
        let key = key.map { "x-api-key: \($0)\r\n" } ?? ""
        return "POST /event HTTP/1.1\r\nHost: localhost\r\n\(key)Content-Length: \(length)\r\n\r\n"
    }

    private static func publish(
        _ body: String, key: String? = "good", port: UInt16
    ) throws -> (head: AnswerHead, body: String) {
        let client = try RawClient(port: port)
        try client.send(head(key, length: body.utf8.count) + body)
        let (head, body) = try client.readAnswer()
        return (try AnswerHead(head), body)
    }

    private static func body(_ channel: String, _ events: String) -> String {
        #"{"channel":"\#(channel)","events":\#(events)}"#
    }

    /// The text of an event with that many bytes.
    private static func event(bytes: Int) -> String { "\"" + String(repeating: "a", count: bytes - 2) + "\"" }

    private static func list(_ events: [String]) -> String { JSONWriter.text(of: .array(events.map(JSONValue.string))) }

    @Test(
        "events reach a subscriber as they are, and each has an identifier of its own",
        arguments: [(3, 8), (1, 100 << 10), (ChannelLimits.eventsMax, ChannelLimits.eventBytesMax)])
    func publishes(_ count: Int, _ bytes: Int) async throws {
        let texts = Array(repeating: Self.event(bytes: bytes), count: count)
        try await Self.withServer { port in
            var client = try WebSocketClient(
                port: port, path: "/event/realtime", protocols: ["aws-appsync-event-ws"],
                fields: [("x-api-key", "good")])
            let end = ContinuousClock.now + patience
            #expect(
                try client.next(until: end) == .text(#"{"type":"connection_ack","connectionTimeoutMs":300000}"#))
            try client.send(
                #"{"type":"subscribe","id":"s","channel":"/default/*","authorization":{"x-api-key":"good"}}"#)
            #expect(try client.next(until: end) == .text(#"{"type":"subscribe_success","id":"s"}"#))
            let (head, answer) = try Self.publish(Self.body("default/a", Self.list(texts)), port: port)
            #expect(head.status == 200)
            #expect(head.fields["content-type"] == "application/json;charset=UTF-8")
            #expect(head.fields["access-control-allow-origin"] == "*")
            let report = try JSONReader.value(of: answer)
            let successful = try #require(report["successful"]?.array)
            #expect(successful.map { $0["index"] } == texts.indices.map { .integer(Int64($0)) })
            #expect(Set(successful.compactMap { $0["identifier"]?.string }).count == texts.count)
            #expect(report["failed"]?.array?.isEmpty == true)
            for text in texts {
                let text = JSONWriter.text(of: .string(text))
                #expect(try client.next(until: end) == .text(#"{"id":"s","type":"data","event":\#(text)}"#))
            }
        }
    }

    @Test("a publish that a WebSocket carries is a row for people who look, and says why it was refused")
    func isNoted() async throws {
        let rows = Mutex<[String]>([])
        let note: @Sendable (RequestOutline) -> Void = { row in
            let call = "\(row.call?.service ?? "") \(row.call?.name ?? "") \(row.status) \(row.transport)"
            rows.withLock { $0.append(call + (row.reason == nil ? "" : " because")) }
        }
        try await Self.withServer(noted: note) { port in
            var client = try WebSocketClient(
                port: port, path: "/event/realtime", protocols: ["aws-appsync-event-ws"],
                fields: [("x-api-key", "good")])
            let end = ContinuousClock.now + patience
            _ = try client.next(until: end)
            for channel in ["/default/a", "/closed/a"] {
                try client.send(
                    #"{"type":"publish","id":"p","channel":"\#(channel)","events":["1"],"authorization":{"x-api-key":"good"}}"#
                )
                _ = try client.next(until: end)
            }
        }
        #expect(
            rows.withLock { $0 } == [
                "channels publish /default/a 200 aws-appsync-event-ws",
                "channels publish /closed/a 401 aws-appsync-event-ws because",
            ])
    }

    /// The API that comes, and what becomes of a connection with a subscription to `/default/a`.
    private static let changes: [(api: ChannelAPI?, frame: String?)] = [
        (api, nil),
        (
            ChannelAPI(
                connect: [.apiKey], publish: [], subscribe: [.apiKey],
                namespaces: [ChannelNamespace("default", publish: []), ChannelNamespace("more")]), nil
        ),
        (
            ChannelAPI(connect: [.apiKey], publish: [], subscribe: [.apiKey], namespaces: []),
            #"{"type":"subscribe_error","id":"s","errors":[{"errorType":"UnauthorizedException"}]}"#
        ),
        (
            ChannelAPI(
                connect: [.apiKey], publish: [], subscribe: [.apiKey],
                namespaces: [ChannelNamespace("default", subscribe: [.userPools])]),
            #"{"type":"subscribe_error","id":"s","errors":[{"errorType":"UnauthorizedException","message":"\#(denied)"}]}"#
        ),
        (
            ChannelAPI(
                connect: [.userPools], publish: [], subscribe: [.apiKey], namespaces: [ChannelNamespace("default")]),
            #"{"type":"connection_error","errors":[{"errorType":"UnauthorizedException","message":"\#(denied)"}]}"#
        ),
        (nil, #"{"type":"connection_error","errors":[{"errorType":"UnauthorizedException"}]}"#),
    ]

    @Test("another API ends what it does not allow any more with a reason, and what it allows goes on")
    func followsTheProject() async throws {
        for change in Self.changes {
            try await Self.withService { port, service, authenticator in
                var client = try WebSocketClient(
                    port: port, path: "/event/realtime", protocols: ["aws-appsync-event-ws"],
                    fields: [("x-api-key", "good")])
                let end = ContinuousClock.now + patience
                _ = try client.next(until: end)
                try client.send(
                    #"{"type":"subscribe","id":"s","channel":"/default/a","authorization":{"x-api-key":"good"}}"#)
                #expect(try client.next(until: end) == .text(#"{"type":"subscribe_success","id":"s"}"#))
                service.adopt(
                    change.api.map { ServedChannels($0, [authenticator], rights: nil, after: service.served) })
                let place = "\(String(describing: change.api))"
                if let frame = change.frame {
                    #expect(try client.next(until: end) == .text(frame), "\(place)")
                }
                // The next answer tells that nothing else came before it.
                if change.frame?.hasPrefix(#"{"type":"connection_error""#) != true {
                    try client.send(#"{"type":"unsubscribe","id":"s"}"#)
                    let answer =
                        change.frame == nil
                        ? #"{"type":"unsubscribe_success","id":"s"}"#
                        : #"{"type":"unsubscribe_error","id":"s","errors":[{"errorType":"UnknownOperationError","message":"Unknown operation id s"}]}"#
                    #expect(try client.next(until: end) == .text(answer), "\(place)")
                }
                #expect(service.isServed == (change.api != nil))
            }
        }
    }

    private static let denied = "You are not authorized to make this call."

    /// A key, a body and the refusal.
    private static let refusals: [(key: String?, body: String, status: Int, type: String, message: String?)] = [
        ("bad", body("/default/a", #"["1"]"#), 401, "UnauthorizedException", denied),
        ("good", body("/other/a", #"["1"]"#), 401, "UnauthorizedException", nil),
        ("good", body("/Default/a", #"["1"]"#), 401, "UnauthorizedException", nil),
        ("good", body("/closed/a", #"["1"]"#), 401, "UnauthorizedException", denied),
        ("good", body("/default//a", #"["1"]"#), 400, "BadRequestException", "Invalid Channel Format"),
        (
            "good", body("/default/*", #"["1"]"#), 400, "BadRequestException",
            "Invalid Channel Format: a wildcard is not a channel to publish to"
        ),
        ("good", "{", 400, "BadRequestException", "Invalid Channel Format"),
        (
            "good", body("/default/a", "[]"), 400, "BadRequestException",
            "input has no events: expected a list of 1 to 5 strings"
        ),
        (
            "good", body("/default/a", #"["1","2","3","4","5","6"]"#), 400, "BadRequestException",
            "input exceeded 5 event limit"
        ),
        (
            "good", body("/default/a", list([event(bytes: ChannelLimits.eventBytesMax + 1)])), 400,
            "BadRequestException",
            "input exceeded 240 KB event size limit"
        ),
        (
            "good", body("/default/a", #"["1","{"]"#), 400, "InvalidEventException",
            "Event should be a valid JSON string"
        ),
        ("good", body("/default/a", "[1]"), 400, "InvalidEventException", "Event should be a valid JSON string"),
    ]

    @Test("a publish that is refused says why, in AppSync's words")
    func refuses() async throws {
        try await Self.withServer { port in
            for row in Self.refusals {
                let (head, answer) = try Self.publish(row.body, key: row.key, port: port)
                let shown = "\(row.body.prefix(80))"
                #expect(head.status == row.status, "\(shown)")
                #expect(head.fields["x-amzn-errortype"] == row.type, "\(shown)")
                let message = row.message.map { #","message":"\#($0)""# } ?? ""
                #expect(answer == #"{"errors":[{"errorType":"\#(row.type)"\#(message)}]}"#, "\(shown)")
            }
        }
    }

    /// Channels that look like `/default/room`, and wildcards that would reach more than a namespace.
    private static let foreignChannels = [
        "/d\u{435}fault/room", "/default\u{200B}/room", "/default/ro\u{F8}m", "/default\u{FF0F}room", "/DEFAULT/room",
        "/default /room",
        "/de\u{301}fault/room", "/default\\/..\\/closed", "/default/../closed/room", "/./default/room",
        "/default/%2e%2e/closed", "/*",
        "*", "/*/room", "/def*", "/default*", "/default/**", "/default/*/*",
        "/default/room\u{0}", String(repeating: "/a", count: 100_000),
    ]

    @Test("a channel that only looks like one with rights gets nothing, and nothing passes through it")
    func foreign() async throws {
        try await Self.withServer { port in
            var client = try WebSocketClient(
                port: port, path: "/event/realtime", protocols: ["aws-appsync-event-ws"],
                fields: [("x-api-key", "good")])
            let end = ContinuousClock.now + patience
            _ = try client.next(until: end)
            func answer(_ message: JSONValue) throws -> JSONValue {
                try client.send(JSONWriter.text(of: message))
                guard case .text(let text) = try client.next(until: end) else { return .null }
                return try JSONReader.value(of: text)
            }
            func subscribe(_ channel: String, _ key: String = "good") throws -> JSONValue {
                try answer([
                    "type": "subscribe", "id": "s", "channel": .string(channel),
                    "authorization": ["x-api-key": .string(key)],
                ])
            }
            #expect(try subscribe("/default/*", "bad")["type"] == "subscribe_error")
            for channel in Self.foreignChannels {
                #expect(try subscribe(channel)["type"] == "subscribe_error", "\(channel.prefix(40))")
                let body = JSONWriter.text(of: ["channel": .string(channel), "events": ["1"]])
                let status = try Self.publish(body, port: port).head.status
                #expect(status == 400 || status == 401, "\(channel.prefix(40))")
            }
            #expect(try subscribe("/default/*")["type"] == "subscribe_success")
            // What was refused has left nothing behind: the next event is the only one.
            _ = try Self.publish(Self.body("/default/room", #"["1"]"#), port: port)
            #expect(try client.next(until: end) == .text(#"{"id":"s","type":"data","event":"1"}"#))
        }
    }

    /// Events and bodies that would cost more to read than to send.
    private static let bombs: [(body: String, type: String)] = [
        (body("/default/a", list([String(repeating: "[", count: 100_000)])), "InvalidEventException"),
        (
            body("/default/a", list([String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000)])),
            "InvalidEventException"
        ),
        (body("/default/a", list(["[" + String(repeating: "0,", count: 100_000)])), "InvalidEventException"),
        (body("/default/a", "[" + String(repeating: "\"1\",", count: 100_000) + "\"1\"]"), "BadRequestException"),
        (body("/default/a", String(repeating: "[", count: 100_000)), "BadRequestException"),
        (body("/default/a", String(repeating: #"{"a":"#, count: 1_000)), "BadRequestException"),
        (body(String(repeating: "/a", count: 1_000_000), "[\"1\"]"), "BadRequestException"),
        ("[" + String(repeating: "{},", count: 100_000) + "{}]", "BadRequestException"),
    ]

    @Test("events that would cost more to read than to send are refused, and the next publish is served")
    func refusesBombs() async throws {
        try await Self.withServer { port in
            for bomb in Self.bombs {
                let (head, _) = try Self.publish(bomb.body, port: port)
                #expect(head.status == 400 && head.fields["x-amzn-errortype"] == bomb.type, "\(bomb.body.prefix(60))")
            }
            #expect(try Self.publish(Self.body("/default/a", #"["1"]"#), port: port).head.status == 200)
        }
    }

    @Test("a long body is not waited for where nobody may send it", arguments: ["bad", nil])
    func refusesByHead(_ key: String?) async throws {
        try await Self.withServer { port in
            let client = try RawClient(port: port)
            try client.send(Self.head(key, length: 100 << 10))
            #expect(try AnswerHead(client.readAnswer().head).status == 401)
        }
    }
}
