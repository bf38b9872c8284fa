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

@Suite("POST /event", .onItsOwnThread)
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
        let source = "type Note @model @auth(rules: [{ allow: public }]) { id: ID! }"
        let blueprint = try #require(SDLReader.read(source).blueprint)
        let store = try Store(.memory, for: blueprint, nowMilliseconds: 0) { Issue.record("\($0)") }
        let engine = try Engine(APISchema.generate(from: blueprint).schema, of: blueprint, over: store)
        var settings = CredentialSettings(modes: api.modes)
        settings.apiKeys = [APIKey("good")]
        let authenticator = try Authenticator(settings)
        let service = ChannelService(api, [:], [authenticator], rights: nil, carried: nil)
        let server = try await LoopbackServer(loops: 1) { group in
            let shards = group.loops.map { CallerShard(engine, authenticator, on: $0) }
            let realtime = Realtime(
                schema: engine.schema, loops: group.loops,
                channels: { ChannelDesk(service: service, shard: shards[$0.index], noted: noted) },
                gate: { _ in ClosedGate() })
            service.begin(realtime, NoCredentials())
            let route = ChannelRoute(service: service, forwarding: Forwarding([]))
            return Application(route: route, realtime: realtime, shards: shards)
        }
        try body(server.port)
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

    @Test("a long body is not waited for where nobody may send it", arguments: ["bad", nil])
    func refusesByHead(_ key: String?) async throws {
        try await Self.withServer { port in
            let client = try RawClient(port: port)
            try client.send(Self.head(key, length: 100 << 10))
            #expect(try AnswerHead(client.readAnswer().head).status == 401)
        }
    }
}
