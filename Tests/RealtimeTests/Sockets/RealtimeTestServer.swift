import Access
import Engine
import JSON
import Network
import Synchronization
import TestSupport
import Testing

@testable import Realtime

/// A server of ours on a free port of the loopback, with subscriptions on `/graphql`, event streams on `/stream` and channels
/// on `/event/realtime`.
final class RealtimeTestServer: Sendable {
    let realtime: Realtime
    let occurrences: Occurrences
    private let loopback: LoopbackServer

    init(
        loops: Int = 1, limits: RealtimeLimits = RealtimeLimits(), settings: WebSocketSettings = quick,
        clock: TestClock = TestClock(), channels: TestChannelGate? = nil,
        isRenewable: Bool = false
    ) async throws {
        let occurrences = Occurrences()
        self.occurrences = occurrences
        var http = HTTPLimits()
        http.stopMilliseconds = 2_000
        var realtime: Realtime?
        loopback = try await LoopbackServer(loops: loops, limits: http) { group in
            let made = Realtime(
                schema: TestAPI.schema, loops: group.loops, settings: settings, limits: limits,
                isRenewable: isRenewable, clock: clock.wallClock, report: { occurrences.add($0) },
                channels: channels.map { gate in { _ in gate } }, gate: { _ in TestGate() })
            realtime = made
            return RealtimeTestApplication(realtime: made)
        }
        self.realtime = try #require(realtime)
    }

    var port: UInt16 { loopback.port }
    /// The first one.
    var loop: EventLoop { loopback.group.loops[0] }
    var bounds: SharedBounds { loopback.server.bounds }

    /// For tests that stop with clients that never answer.
    static let quick = {
        var settings = WebSocketSettings()
        settings.closeMillisecondsMax = 100
        return settings
    }()

    /// Says goodbye to all clients while the caller goes on: on a loop, since other tests may keep the threads of all
    /// tasks busy. `stop` ends the loops.
    func beginStop() -> Task<Void, Never> {
        Task(executorPreference: loop) {
            self.realtime.stop()
            _ = await self.loopback.server.stop()
        }
    }

    func stop() async {
        realtime.stop()
        await loopback.stop()
    }

    /// Waits until a counter has a value. There is nothing to wait for but the loop that counts.
    func waits(for counter: RealtimeCounters.Counter, toBe value: UInt64) async throws -> Bool {
        try await eventually("\(counter) is \(value), not \(realtime.total(counter))") {
            realtime.total(counter) == value
        }
        return true
    }

    func create(_ id: Int, room: String = "red") {
        let event = TestAPI.event(
            "createMessage", #"{"id":"\#(id)","room":"\#(room)","text":"t"}"#, sequence: UInt64(id))
        realtime.publish([event])
    }
}

/// What has happened to clients.
final class Occurrences: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ occurrence: RealtimeOccurrence) {
        let text =
            switch occurrence {
            case .connected(_, _, let protocolName): "connected \(protocolName)"
            case .refused(_, let errorType, _): "refused \(errorType)"
            case .denied(_, let errorType, let message): "denied \(errorType) \(message)"
            case .closed(_, let reason): "closed \(reason)"
            case .eventTooLarge: "event too large"
            }
        texts.withLock { $0.append(text) }
    }

    var all: [String] { texts.withLock { $0 } }
}

/// Lets in who shows the key "good", "until" and a number until so many milliseconds, in whole seconds, after the start of the test's clock, and
/// answers late to who shows "slow". Subscribers with an owner get the room of that name.
final class TestGate: RealtimeGate {
    private static func named(_ name: String, until expires: Int64? = nil) -> Identity {
        Identity(
            mode: .userPools, proof: .token(TokenClaims(claims: JSONObject([("username", .string(name))]))),
            expires: expires)
    }

    func identify(_ credentials: RealtimeCredentials) async -> Identification {
        switch credentials["x-api-key"] {
        case "good": return .accepted(Self.named("good"))
        case "slow":
            try? await pause(.milliseconds(50), because: "who shows this key is answered late")
            return .accepted(Self.named("good"))
        case let key? where key.hasPrefix("until"):
            let milliseconds = Int64(key.dropFirst("until".count)) ?? 0
            return .accepted(Self.named("until", until: (TestClock.start + milliseconds) / 1000))
        case let key? where key.hasPrefix("owner"): return .accepted(Self.named(key))
        default: return .refused(.unauthorized)
        }
    }

    func admit(_ caller: Identity, to subscription: SubscriptionRequest) async -> Admission {
        guard subscription.field != "onDeleteMessage" else { return .denied(.field(subscription.field)) }
        guard let owner = caller.token?.username, owner.hasPrefix("owner") else {
            return .granted(SubscriptionGrant())
        }
        return .granted(SubscriptionGrant(filter: .equals("room", .text(ByteText(owner)))))
    }

    func respond(
        to operation: OperationRequest, for caller: Identity, noting note: OperationNote
    ) async -> OperationAnswer {
        .response(Array(#"{"data":{"__typename":"Query"}}"#.utf8))
    }
}

struct RealtimeTestApplication: HTTPApplication {
    let realtime: Realtime

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        if head.path == "/stream" {
            return .collect(bodyMax: 1 << 16) { [realtime] request in
                guard case .bytes(let body) = request.body, let value = try? JSONReader.value(of: body),
                    let operation = OperationRequest(value)
                else { return HTTPResponse(status: .badRequest) }
                return HTTPResponse(
                    fields: Realtime.eventStreamFields,
                    body: .stream(length: nil) { writer in
                        let key = request.head.fields["x-api-key"] ?? "good"
                        guard
                            case .accepted(let caller) = await TestGate().identify(
                                RealtimeCredentials(fields: [("x-api-key", key)]))
                        else { return }
                        try await realtime.writeEventStream(
                            operation, of: request.identifier, for: caller, on: request.loop, to: writer)
                    })
            }
        }
        do throws(WebSocketHandshake.Refusal) {
            let isForChannels = head.path == "/event/realtime"
            return .upgrade(
                try isForChannels ? realtime.upgradeToChannels(head) : realtime.upgrade(head))
        } catch {
            return .answer(answer(to: error.error, for: head))
        }
    }
}
