import Access
import Blueprint
import Channels
import Console
import Crypto
import Engine
import JSON
import Network
import Realtime
import Resolvers
import Store
import Synchronization
import UserPool

/// The API of channels: recognises callers, asks the modes and the handlers of a namespace, and hands events to subscriptions.
final class ChannelService: Sendable {
    /// The API that is served; nil: there is none now.
    private let current: Mutex<ServedChannels?>
    private let begun = Mutex<Begun?>(nil)
    /// Told of each publish that a WebSocket carries, with its status; nil: nobody is.
    private let carried: (@Sendable (ReceivedPublish, Int) -> Void)?

    private struct Begun {
        let realtime: Realtime
        let temporary: any TemporaryCredentials
    }

    init(_ channels: ServedChannels?, carried: (@Sendable (ReceivedPublish, Int) -> Void)?) {
        self.carried = carried
        current = Mutex(channels)
    }

    var served: ServedChannels? { current.withLock { $0 } }

    /// Whether there is an API of channels now.
    var isServed: Bool { served != nil }

    /// Whose subscriptions get the events from now on.
    func begin(_ realtime: Realtime, _ temporary: any TemporaryCredentials) {
        begun.withLock { $0 = Begun(realtime: realtime, temporary: temporary) }
        served?.accept(temporary)
    }

    /// Goes on with another API, or with none. What it does not allow any more ends; what it allows goes on.
    func adopt(_ channels: ServedChannels?) {
        let begun = begun.withLock { $0 }
        if let begun { channels?.accept(begun.temporary) }
        current.withLock { $0 = channels }
        begun?.realtime.lookAgainAtChannels()
    }

    /// Why a request is refused whatever its body is; nil: the body has to be known.
    func refusal(ofHead head: HTTPRequestHead, from peer: SocketAddress) -> Refusal? {
        served?.authenticators.first?.refusal(ofHead: HeadFields(head, from: peer))
    }

    // MARK: Callers

    /// Who does something, if they may. Called on the shard's loop.
    ///
    /// An unknown namespace is refused as a caller without rights is: nobody learns which namespaces there are.
    fileprivate func caller(
        _ operation: ChannelOperation, in channel: String?, _ sent: CredentialRequest, on shard: CallerShard
    ) async -> Result<Admitted, ChannelFault> {
        guard let served else { return .failure(.noAPI) }
        let name = channel.flatMap { ChannelName($0) }
        let namespace = name.flatMap { served.api[$0.namespace] }
        let modes = served.api.modes(for: operation, in: namespace)
        var request = modes.contains(.apiKey) ? sent.preferringKey : sent
        request.question = ChannelQuestion(
            operation.authorizerName, namespace: namespace?.name, channel: namespace == nil ? nil : name?.path)
        let identity: Identity
        do throws(Refusal) {
            switch served.authenticators[shard.loop.index].identify(request) {
            case .identity(let known): identity = known
            case .refused(let refusal): throw refusal
            case .pending(let pending):
                // An authorizer is asked only about what may be.
                guard
                    !pending.asksAuthorizer || (modes.contains(.lambda) && (operation == .connect || namespace != nil))
                else { return .failure(.unauthorized(because: "the token is none of a mode that may do this")) }
                identity = try await pending.identity(using: shard.outside)
            }
        } catch {
            return .failure(ChannelFault(error.status, error.errorType, error.message, reason: error.reason))
        }
        if let fault = served.refusal(of: identity, operation, in: name) { return .failure(fault) }
        return .success(Admitted(identity: identity, channel: name, served: served))
    }

    /// Who was let in, where, and by which API.
    fileprivate struct Admitted {
        let identity: Identity
        let channel: ChannelName?
        let served: ServedChannels
    }

    /// Why a caller that was let in before may not go on; nil: it may. The handler of a namespace is asked where it has changed.
    fileprivate func refusal(
        of identity: Identity, for request: ChannelMessage.Subscribe?, on shard: CallerShard
    ) async -> ChannelFault? {
        guard let served else { return .noAPI }
        guard let request else { return served.refusal(of: identity, .connect, in: nil) }
        guard let name = ChannelName(request.channel) else { return .badChannel }
        if let fault = served.refusal(of: identity, .subscribe, in: name) { return fault }
        guard served.hasChanged(name.namespace) else { return nil }
        do throws(ChannelFault) {
            try await ask(
                Admitted(identity: identity, channel: name, served: served), name,
                from: Origin(addresses: [], fields: request.authorization), on: shard)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Publishing and subscribing

    /// Tells of a publish that a WebSocket has carried.
    fileprivate func note(_ request: ChannelMessage.Publish, status: Int) {
        carried?(ReceivedPublish(channel: request.channel, events: request.events), status)
    }

    /// The addresses and fields of a request, for handlers.
    struct Origin: Sendable {
        let addresses: [String]
        let fields: [(name: String, value: String)]
    }

    func publish(
        _ channel: String, _ events: JSONValue, _ request: CredentialRequest, from origin: Origin,
        on shard: CallerShard
    ) async -> Result<PublishReport, ChannelFault> {
        do throws(ChannelFault) {
            let caller = try await caller(.publish, in: channel, request, on: shard).get()
            guard let name = caller.channel else { throw .badChannel }
            // Up to a megabyte of events is read and written beside the loop.
            let isLong = Self.bytes(of: events) > BesideLoop.bytesMax
            let publish = try await Self.work(isLong) { () throws(ChannelFault) in
                try ChannelPublish(name, events) { UUIDText.random() }
            }
            let answer = try await answer(to: publish, isLong: isLong, for: caller, from: origin, on: shard)
            if !answer.delivered.isEmpty { try await deliver(answer.delivered, to: name, on: shard) }
            return .success(answer.report)
        } catch {
            return .failure(error)
        }
    }

    /// Hands out events here, or on all nodes where there are several: in the order of their commits, this one's own subscribers among them.
    private func deliver(
        _ texts: [String], to name: ChannelName, on shard: CallerShard
    ) async throws(ChannelFault) {
        do throws(StoreError) {
            if try await shard.api.isShared(texts, to: name.path) { return }
        } catch {
            throw .unavailable(because: error.message)
        }
        guard let realtime = begun.withLock({ $0?.realtime }) else { return }
        guard realtime.publish(ChannelDelivery(name, texts)) else { throw .overloaded }
    }

    private static func bytes(of events: JSONValue) -> Int {
        (events.array ?? []).reduce(0) { $0 + ($1.string?.utf8.count ?? 0) }
    }

    private static func work<Value: Sendable>(
        _ isLong: Bool, _ work: @escaping @Sendable () throws(ChannelFault) -> Value
    ) async throws(ChannelFault) -> Value {
        guard isLong else { return try work() }
        return try await BesideLoop.always { Result { () throws(ChannelFault) in try work() } }.get()
    }

    private func answer(
        to publish: ChannelPublish, isLong: Bool, for caller: Admitted, from origin: Origin, on shard: CallerShard
    ) async throws(ChannelFault) -> HandlerAnswer {
        guard let handler = caller.served[publish.channel.namespace].onPublish else {
            return HandlerAnswer(forwarding: publish)
        }
        let payloads = try await Self.work(isLong) { publish.payloads }
        let call = ChannelCall(
            info: publish.channel.info(of: .publish), events: payloads, from: origin.addresses,
            fields: origin.fields)
        switch await shard.api.outcome(of: handler, call, for: caller.identity, on: shard.engine) {
        case .returned(let value):
            return try await Self.work(isLong) { () throws(ChannelFault) in
                try HandlerAnswer(returned: value, for: publish)
            }
        case .answered(let value):
            return try await Self.work(isLong) { () throws(ChannelFault) in
                try HandlerAnswer(answered: value, for: publish)
            }
        case .told: return HandlerAnswer(forwarding: publish)
        case .unauthorized: throw .refused(.publish)
        case .refused(let message, let type): throw .custom(message, type: type)
        case .failed(let reason): throw .failed(.publish, because: reason)
        case .functionFailed(let reason): throw .dependency(because: reason)
        }
    }

    func subscribe(
        to channel: String, _ request: CredentialRequest, from origin: Origin, on shard: CallerShard
    ) async -> Result<Identity, ChannelFault> {
        do throws(ChannelFault) {
            let caller = try await caller(.subscribe, in: channel, request, on: shard).get()
            guard let name = caller.channel else { throw .badChannel }
            try await ask(caller, name, from: origin, on: shard)
            return .success(caller.identity)
        } catch {
            return .failure(error)
        }
    }

    /// Asks the handler of a namespace whether somebody may subscribe.
    private func ask(
        _ caller: Admitted, _ name: ChannelName, from origin: Origin, on shard: CallerShard
    ) async throws(ChannelFault) {
        guard let handler = caller.served[name.namespace].onSubscribe else { return }
        let call = ChannelCall(info: name.info(of: .subscribe), from: origin.addresses, fields: origin.fields)
        switch await shard.api.outcome(of: handler, call, for: caller.identity, on: shard.engine) {
        case .returned, .told: break
        case .answered(let value):
            if let message = value["error"]?.string { throw .custom(message) }
            guard value.isNull else { throw .dependency(because: "the function of onSubscribe answered no null") }
        case .unauthorized: throw .refused(.subscribe)
        case .refused(let message, let type): throw .custom(message, type: type)
        case .failed(let reason): throw .failed(.subscribe, because: reason)
        case .functionFailed(let reason): throw .dependency(because: reason)
        }
    }
}

/// The channels as the WebSockets of one loop ask for them.
struct ChannelDesk: ChannelGate {
    let service: ChannelService
    let shard: CallerShard
    /// Told of each publish that has ended, for people who look; nil: nobody is.
    var noted: (@Sendable (RequestOutline) -> Void)?

    private static let path = "/event"

    private func request(_ shown: RealtimeCredentials) -> CredentialRequest {
        shown.request(at: Self.path, connectingAt: Self.path, identifier: UUIDText.random())
    }

    func connect(_ shown: RealtimeCredentials) async -> Result<Identity, ChannelFault> {
        await service.caller(.connect, in: nil, request(shown), on: shard).map { $0.identity }
    }

    func subscribe(
        _ request: ChannelMessage.Subscribe, _ shown: RealtimeCredentials
    ) async -> Result<Identity, ChannelFault> {
        await service.subscribe(to: request.channel, self.request(shown), from: origin(shown), on: shard)
    }

    func refusal(of caller: Identity, for request: ChannelMessage.Subscribe?) async -> ChannelFault? {
        await service.refusal(of: caller, for: request, on: shard)
    }

    func publish(
        _ request: ChannelMessage.Publish, _ shown: RealtimeCredentials
    ) async -> Result<PublishReport, ChannelFault> {
        let begun = MonotonicTime.now
        let answer = await service.publish(
            request.channel, request.events, self.request(shown), from: origin(shown), on: shard)
        var status = 200
        if case .failure(let fault) = answer { status = fault.status }
        service.note(request, status: status)
        if let noted {
            let taken = MonotonicTime.now.nanoseconds(since: begun)
            var outline = RequestOutline(
                publishTo: request.channel, carriedBy: ReceivedPublish.carrier, status: status, nanoseconds: taken)
            if case .failure(let fault) = answer { outline.reason = fault.reason ?? fault.message }
            noted(outline)
        }
        return answer
    }

    private func origin(_ shown: RealtimeCredentials) -> ChannelService.Origin {
        ChannelService.Origin(addresses: shown.peer.map { [$0] } ?? [], fields: shown.fields)
    }
}

extension CredentialRequest {
    /// The same without its token where it has a key: AppSync Events asks no authorizer then.
    fileprivate var preferringKey: CredentialRequest {
        guard !fields.values(of: "x-api-key").isEmpty, !fields.values(of: "authorization").isEmpty else { return self }
        return CredentialRequest(fields: KeyFields(fields: fields), body: body) { self.line }
    }
}

/// The fields of a request without its token.
private struct KeyFields: CredentialFields {
    let fields: any CredentialFields

    private static let token = "authorization"

    func values(of name: String) -> [String] { name == Self.token ? [] : fields.values(of: name) }

    func forEachValue(of name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        if !name.elementsEqual(Self.token.utf8) { fields.forEachValue(of: name, body) }
    }

    var all: [(name: String, value: String)] { fields.all.filter { $0.name.inLowerCaseASCII != Self.token } }
    var source: RequestSource { fields.source }
    var areFromThisMachine: Bool { fields.areFromThisMachine }
}
