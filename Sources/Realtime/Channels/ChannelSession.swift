import Access
import Channels
import JSON
import Network
import Threads

/// A client of Events on a WebSocket: publishes, and subscribes to channels.
///
/// Each publish and each subscription shows its own credentials; the handshake's only open the connection. Messages are taken in
/// their order; those that come before the caller is known wait.
final class ChannelSession: RealtimeSession, LoopBound, @unchecked Sendable {
    let link: SessionLink
    private let channels: ChannelShard?
    private let hasProtocol: Bool
    private var isOpen = false
    private var isRefused = false
    /// The subscriptions by the client's ids, also those that are not registered yet.
    private var ids = OperationNumbers()
    /// Publishes that are under way.
    private var publishing = 0
    /// Messages that wait for the ones before them, and their bytes.
    private var waiting = MessageQueue()
    /// True while a long message is read beside the loop.
    private var isReading = false
    /// The subscriptions and their callers, where another API may come to be served.
    private var admitted: [OperationNumber: (request: ChannelMessage.Subscribe, caller: Identity)] = [:]

    init(_ link: SessionLink, _ channels: ChannelShard?, hasProtocol: Bool) {
        self.link = link
        self.channels = channels
        self.hasProtocol = hasProtocol
    }

    func begin() {
        link.begin(self, runsEverything: false)
        guard let channels, hasProtocol else {
            return refuse(.unsupported("a connection without aws-appsync-event-ws"))
        }
        channels.enter(self)
        let generation = channels.generation
        link.identify(
            [],
            asking: { [gate = channels.gate] shown in
                switch await gate.connect(shown) {
                case .success(let caller): .accepted(caller)
                case .failure(let fault):
                    .refused(
                        RealtimeRefusal(
                            errorType: fault.type, message: fault.message ?? "", errorCode: fault.status,
                            reason: fault.reason))
                }
            },
            then: { [self] refusal in identified(refusal, generation) })
    }

    /// AppSync tells a refused client nothing but the type.
    private func identified(_ refusal: RealtimeRefusal?, _ generation: Int) {
        checkLoop()
        if let refusal { return refuse(.unauthorizedSilently(because: refusal.reason ?? refusal.message)) }
        isOpen = true
        // Clients for Swift and Android say no connection_init, so nobody waits for one.
        link.send(ChannelFrame.acknowledgement(timeoutMilliseconds: link.shard.limits.connectionTimeoutMilliseconds))
        link.startKeepAlive(isSaid: true, isSaidAtOnce: false)
        if generation != channels?.generation { lookAgainSoon() }
        goOn()
    }

    private func refuse(_ fault: ChannelFault) {
        isRefused = true
        drop()
        link.fail(ChannelFrame.error("connection_error", fault))
    }

    private func drop() { waiting = MessageQueue() }

    // MARK: Messages

    func received(_ text: [UInt8]) -> (any RealtimeSession)? {
        checkLoop()
        guard !isRefused else { return nil }
        link.operations.lookForEndOfHandshake()
        if waiting.isEmpty, canTake, text.count <= ChannelLimits.turnBytesMax {
            take(ChannelMessage(text))
            return nil
        }
        guard waiting.count < ChannelLimits.waitingMessagesMax,
            waiting.bytes + text.count <= ChannelLimits.waitingBytesMax
        else {
            drop()
            link.close(WebSocketClose(.policyViolation, "too fast: too many messages wait for the ones before them"))
            return nil
        }
        waiting.append(text)
        goOn()
        return nil
    }

    /// True if a message can be taken now.
    private var canTake: Bool {
        isOpen && !isReading && publishing < ChannelLimits.publishesMax && link.socket.isOpen
    }

    /// Takes what waits, as far as that goes.
    private func goOn() {
        while canTake, let text = waiting.popFirst() {
            guard text.count > ChannelLimits.turnBytesMax else {
                take(ChannelMessage(text))
                continue
            }
            isReading = true
            Task(executorPreference: loop) { [self] in
                let message = await Task.detached { ChannelMessage(text) }.value
                isReading = false
                take(message)
                goOn()
            }
        }
        if !link.socket.isOpen { drop() }
    }

    private func take(_ message: ChannelMessage) {
        checkLoop()
        guard let channels else { return }
        switch message {
        case .begin: break
        case .subscribe(let request): subscribe(request, channels)
        case .publish(let request): publish(request, channels)
        case .unsubscribe(let id): unsubscribe(id)
        case .refused(let fault, let id): link.send(ChannelFrame.error("error", id: id, fault))
        }
    }

    // MARK: Subscriptions

    private func subscribe(_ request: ChannelMessage.Subscribe, _ channels: ChannelShard) {
        let max = link.shard.limits.subscriptionsPerConnection
        guard ids[request.id] == nil else { return refuse(request.id, .duplicate(request.id)) }
        guard ids.count < max else { return refuse(request.id, .tooManySubscriptions(max)) }
        let number = ids.begin(request.id)
        let shown = link.credentials(request.authorization, signed: request.signed)
        let generation = channels.generation
        Task(executorPreference: loop) { [self] in
            let answer = await channels.gate.subscribe(request, shown)
            checkLoop()
            // The client may have unsubscribed meanwhile.
            guard ids[request.id] == number else { return }
            switch answer {
            case .success(let caller):
                register(request, number, for: caller, channels)
                if generation != channels.generation { lookAgainSoon() }
            case .failure(let fault):
                _ = ids.end(request.id, number)
                refuse(request.id, fault)
            }
        }
    }

    private func register(
        _ request: ChannelMessage.Subscribe, _ number: OperationNumber, for caller: Identity,
        _ channels: ChannelShard
    ) {
        guard let name = ChannelName(request.channel),
            let place = channels.add(
                ChannelShard.Member(
                    carrier: link, head: ServerFrame.head(request.id), caller: caller, name: name.key), to: name)
        else {
            _ = ids.end(request.id, number)
            return refuse(request.id, .overloaded)
        }
        guard link.operations.hold(number, for: caller, whenOver: { channels.remove(place) }) else {
            return channels.remove(place)
        }
        if channels.isRenewable { admitted[number] = (request, caller) }
        // Only now is it acknowledged: every event that comes later finds it.
        link.send(ChannelFrame.success("subscribe_success", request.id))
    }

    private func refuse(_ id: String, _ fault: ChannelFault) {
        note(fault)
        link.send(ChannelFrame.error("subscribe_error", id: id, fault))
    }

    private func unsubscribe(_ id: String) {
        guard let number = ids.end(id) else {
            return link.send(ChannelFrame.error("unsubscribe_error", id: id, .unknownOperation(id)))
        }
        stop(number)
        link.send(ChannelFrame.success("unsubscribe_success", id))
    }

    private func stop(_ number: OperationNumber) {
        admitted[number] = nil
        link.operations.stop(number)
    }

    // MARK: Another API

    private func lookAgainSoon() { Task(executorPreference: loop) { [self] in await lookAgain() } }

    /// Ends what the API that is served now does not allow any more. The rest goes on.
    func lookAgain() async {
        checkLoop()
        guard let channels, isOpen, !isRefused, let caller = link.caller else { return }
        if let fault = await channels.gate.refusal(of: caller, for: nil) {
            guard link.socket.isOpen, !isRefused else { return }
            for number in Array(admitted.keys) { stop(number) }
            note(fault)
            return refuse(fault)
        }
        for (number, (request, caller)) in admitted {
            guard let fault = await channels.gate.refusal(of: caller, for: request) else { continue }
            // The client may have unsubscribed meanwhile.
            guard admitted[number] != nil, ids.end(request.id, number) else { continue }
            stop(number)
            refuse(request.id, fault)
        }
    }

    /// Ends the subscriptions, since they may have missed events.
    func interrupt() {
        checkLoop()
        for (number, (request, _)) in admitted {
            guard ids.end(request.id, number) else { continue }
            stop(number)
            refuse(request.id, .eventsAreMissing)
        }
    }

    // MARK: Publishing

    private func publish(_ request: ChannelMessage.Publish, _ channels: ChannelShard) {
        publishing += 1
        // A long text is written once more only where a signature is over it.
        let signed = Self.isSigned(request.authorization) ? request.signed : []
        let shown = link.credentials(request.authorization, signed: signed)
        Task(executorPreference: loop) { [self] in
            let answer = await channels.gate.publish(request, shown)
            checkLoop()
            publishing -= 1
            switch answer {
            case .success(let report): link.send(ChannelFrame.published(request.id, report))
            case .failure(let fault):
                note(fault)
                link.send(ChannelFrame.error("publish_error", id: request.id, fault))
            }
            goOn()
        }
    }

    private static func isSigned(_ fields: [ChannelMessage.Field]) -> Bool {
        fields.contains { $0.name.inLowerCaseASCII == "authorization" && $0.value.hasPrefix("AWS4") }
    }

    /// Tells the log of a refusal.
    private func note(_ fault: ChannelFault) {
        link.shard.counters.add(1, to: .denials)
        link.shard.report(
            .denied(link.socket.identifier, errorType: fault.socketType, message: fault.reason ?? fault.message ?? ""))
    }

    // MARK: Ends

    func proofEnds() { link.close(.proofEnds) }

    func ended() {
        admitted = [:]
        channels?.leave(self)
    }

    func operation(_ operation: OperationStart, became outcome: ConnectionOperations.Outcome) {}
}

/// Messages in their order. Taking the first one moves none of the others.
private struct MessageQueue {
    private var messages: [[UInt8]] = []
    /// Those before it have been taken.
    private var next = 0
    private(set) var bytes = 0

    var count: Int { messages.count - next }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ message: [UInt8]) {
        messages.append(message)
        bytes += message.count
    }

    mutating func popFirst() -> [UInt8]? {
        guard next < messages.count else { return nil }
        let message = messages[next]
        messages[next] = []
        next += 1
        bytes -= message.count
        if next == messages.count || next > 1_024 {
            messages.removeFirst(next)
            next = 0
        }
        return message
    }
}
