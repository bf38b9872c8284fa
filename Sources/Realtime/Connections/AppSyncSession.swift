import Network

/// A client of AppSync's protocol: carries out what `AppSyncMachine` answers.
final class AppSyncSession: RealtimeSession, OperationOwner, @unchecked Sendable {
    // Safe to share: every method is called on the loop's thread only; the tasks here run on it too.

    private let link: SessionLink
    private let operations: ConnectionOperations
    private var machine: AppSyncMachine
    /// Until the gate has been asked.
    private var credentials: RealtimeCredentials?
    private var caller: RealtimeCaller?
    private let hasProtocol: Bool
    /// What a signature may be over.
    private let authority: String?
    /// Who goes on when the client turns out to speak the older protocol.
    private var successor: LegacySession?

    init(_ link: SessionLink, _ credentials: RealtimeCredentials, hasProtocol: Bool) {
        self.link = link
        self.credentials = credentials
        self.hasProtocol = hasProtocol
        authority = credentials.authority
        machine = AppSyncMachine(
            limits: link.shard.limits, isIdentityAsked: hasProtocol && credentials.tellsSomething)
        operations = ConnectionOperations(link.shard, runsEverything: false)
    }

    func begin() {
        operations.belong(to: self)
        guard hasProtocol else { return link.fail(machine.hasNoProtocol()) }
        if credentials?.tellsSomething == true { identify([]) }
        link.afterInit(milliseconds: link.shard.limits.refusalMilliseconds) { [weak self] in self?.askAboutNobody() }
    }

    func end() {
        operations.end()
        link.end()
    }

    // MARK: Who is calling

    private func identify(_ fields: [CredentialField]) {
        var credentials = self.credentials ?? RealtimeCredentials(fields: [])
        self.credentials = nil
        if !fields.isEmpty {
            credentials.fields += fields.map { ($0.name.lowercased(), $0.value) }
        }
        Task(executorPreference: link.shard.loop) { [self, credentials] in
            let answer = await link.shard.gate.identify(credentials)
            identified(answer)
        }
    }

    /// The client has shown nothing and said nothing for a while.
    private func askAboutNobody() {
        if machine.mustIdentify() { identify([]) }
        waitForBeginning(milliseconds: link.shard.limits.initMilliseconds)
    }

    private func waitForBeginning(milliseconds: Int) {
        guard !machine.isBegun else { return }
        link.afterInit(milliseconds: milliseconds) { [weak self] in
            guard let self else { return }
            switch machine.initTimeIsUp() {
            case .fail(let frame): link.fail(frame)
            case .close(let close): link.close(close)
            case .nothing: break
            }
        }
    }

    private func identified(_ answer: Identification) {
        if let successor { return successor.identified(answer) }
        var refusal: RealtimeRefusal?
        switch answer {
        case .accepted(let caller):
            self.caller = caller
            link.whenExpired(caller) { [weak self] in self?.expired() }
        case .refused(let reason):
            refusal = reason
            link.reportRefusal(reason)
        }
        switch machine.identified(refusal) {
        case .proceed(let acknowledgement, let starts):
            if let acknowledgement { acknowledge(acknowledgement) }
            for start in starts { run(start) }
        case .fail(let frame):
            link.fail(frame)
        case .waitToFail:
            waitForBeginning(milliseconds: link.shard.limits.refusalMilliseconds)
        case .nothing:
            break
        }
    }

    private func expired() {
        machine.identityExpired()
        successor?.expired()
    }

    // MARK: Messages

    func received(_ text: [UInt8]) -> (any RealtimeSession)? {
        switch machine.received(text) {
        case .send(let frame): link.send(frame)
        case .identify(let fields):
            link.cancelInitTimer()
            identify(fields)
        case .acknowledge(let frame): acknowledge(frame)
        case .fail(let frame): link.fail(frame)
        case .start(let start): run(start)
        case .stop(let number, let frame):
            operations.stop(number)
            link.send(frame)
        case .close(let close): link.close(close)
        case .handOver: return handOver()
        case .nothing: if machine.isBegun { link.cancelInitTimer() }
        }
        return nil
    }

    private func acknowledge(_ frame: [UInt8]) {
        link.cancelInitTimer()
        link.send(frame)
        link.startKeepAlive(isSaid: true)
    }

    private func run(_ start: AppSyncMachine.Start) {
        link.cancelInitTimer()
        let asker: ConnectionOperations.Asker
        if var credentials = start.credentials {
            credentials.authority = authority
            asker = .shown(credentials)
        } else if let caller {
            asker = .known(caller)
        } else {
            asker = .shown(RealtimeCredentials(fields: []))
        }
        operations.run(
            ConnectionOperations.Operation(number: start.number, id: start.id, request: start.request), for: asker)
    }

    private func handOver() -> LegacySession {
        link.cancelInitTimer()
        let successor = LegacySession(
            link, caller: caller, isInitAwaitingIdentity: machine.isInitAwaitingIdentity, predecessor: self)
        self.successor = successor
        if machine.mustIdentify() { identify([]) }
        return successor
    }

    // MARK: Operations

    func operation(_ operation: ConnectionOperations.Operation, became outcome: ConnectionOperations.Outcome) {
        switch outcome {
        case .subscribed:
            if let frame = machine.started(operation.id, operation.number) { link.send(frame) }
        case .failed(let failure):
            link.reportDenial(failure)
            if let frame = machine.failed(operation.id, operation.number, failure) { link.send(frame) }
        case .answered:
            break
        }
    }

    var hasOneSubscription: Bool { operations.count == 1 }

    func carry(_ batch: EventBatch, to subscriber: Subscriber) {
        link.carry(batch, to: subscriber)
    }

    var lane: EventLane? { link.lane }

    func laneIsFull() { link.laneIsFull() }
}
