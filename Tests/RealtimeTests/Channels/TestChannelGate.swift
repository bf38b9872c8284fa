import Access
import Channels
import JSON
import Synchronization

@testable import Realtime

/// Lets in who shows the key "good" or "held", to channels of the namespace `default`.
///
/// A question with the key "held", or about a channel whose name ends with `/held`, has no answer before `release`.
final class TestChannelGate: ChannelGate {
    private struct Held {
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isReleased = false
    }

    private let held = Mutex(Held())
    private static let caller = Identity(
        mode: .userPools, proof: .token(TokenClaims(claims: JSONObject([("username", "somebody")]))))

    /// Questions without an answer.
    var heldCount: Int { held.withLock { $0.waiting.count } }

    /// Answers the questions that are held, and holds none from now on.
    func release() {
        let waiting = held.withLock { held in
            let waiting = held.waiting
            held = Held(waiting: [], isReleased: true)
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func waitForRelease() async {
        await withCheckedContinuation { continuation in
            let isReleased = held.withLock { held in
                if !held.isReleased { held.waiting.append(continuation) }
                return held.isReleased
            }
            if isReleased { continuation.resume() }
        }
    }

    private func answer(_ channel: String?, _ shown: RealtimeCredentials) async -> Result<Identity, ChannelFault> {
        let key = shown["x-api-key"] ?? "none"
        if key == "held" || channel?.hasSuffix("/held") ?? false { await waitForRelease() }
        guard key == "good" || key == "held" else { return .failure(.unauthorized(because: "the key \(key)")) }
        guard let channel else { return .success(Self.caller) }
        guard let name = ChannelName(channel) else { return .failure(.badChannel) }
        guard name.namespace == "default" else {
            return .failure(.unauthorizedSilently(because: "the namespace \(name.namespace)"))
        }
        return .success(Self.caller)
    }

    func connect(_ shown: RealtimeCredentials) async -> Result<Identity, ChannelFault> { await answer(nil, shown) }

    func subscribe(
        _ request: ChannelMessage.Subscribe, _ shown: RealtimeCredentials
    ) async -> Result<Identity, ChannelFault> {
        if request.channel == "/default/refused" { return .failure(.refused(.subscribe)) }
        return await answer(request.channel, shown)
    }

    /// The channel to which nobody may subscribe from now on; nil: to all. An empty one: nobody may connect.
    let closed = Mutex<String?>(nil)

    func refusal(of caller: Identity, for request: ChannelMessage.Subscribe?) async -> ChannelFault? {
        let isClosed = closed.withLock { $0?.utf8.elementsEqual((request?.channel ?? "").utf8) ?? false }
        return isClosed ? .unauthorized(because: "it is closed") : nil
    }

    func publish(
        _ request: ChannelMessage.Publish, _ shown: RealtimeCredentials
    ) async -> Result<PublishReport, ChannelFault> {
        do throws(ChannelFault) {
            _ = try await answer(request.channel, shown).get()
            guard let name = ChannelName(request.channel) else { throw .badChannel }
            let publish = try ChannelPublish(name, request.events) { "name" }
            return .success(PublishReport(successful: publish.events))
        } catch {
            return .failure(error)
        }
    }
}
