import Network

/// A client of AppSync's protocol: carries out what `AppSyncMachine` answers.
final class AppSyncSession: RealtimeSession, LoopBound, @unchecked Sendable {
    let link: SessionLink
    private var machine: AppSyncMachine
    private let hasProtocol: Bool
    /// Who goes on when the client turns out to speak the older protocol.
    private var successor: LegacySession?

    init(_ link: SessionLink, hasProtocol: Bool) {
        self.link = link
        self.hasProtocol = hasProtocol
        machine = AppSyncMachine(limits: link.shard.limits, isIdentityAsked: hasProtocol && link.showsCaller)
    }

    func begin() {
        link.begin(self, runsEverything: false)
        guard hasProtocol else { return link.fail(machine.hasNoProtocol()) }
        if link.showsCaller { identify([]) }
        link.afterInit(milliseconds: link.shard.limits.refusalMilliseconds) { [weak self] in self?.askAboutNobody() }
    }

    // MARK: Who is calling

    private func identify(_ fields: [CredentialField]) {
        link.identify(fields) { [self] refusal in
            if let successor { successor.identified(refusal) } else { identified(refusal) }
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

    private func identified(_ refusal: RealtimeRefusal?) {
        switch machine.identified(refusal) {
        case .proceed(let acknowledgement, let starts):
            if let acknowledgement { acknowledge(acknowledgement) }
            for start in starts { run(start) }
        case .fail(let frame): link.fail(frame)
        case .waitToFail: waitForBeginning(milliseconds: link.shard.limits.refusalMilliseconds)
        case .nothing: break
        }
    }

    // MARK: Messages

    func received(_ text: [UInt8]) -> (any RealtimeSession)? {
        checkLoop()
        link.operations.lookForEndOfHandshake()
        switch machine.received(text) {
        case .send(let frame): link.send(frame)
        case .identify(let fields):
            link.cancelInitTimer()
            identify(fields)
        case .acknowledge(let frame): acknowledge(frame)
        case .fail(let frame): link.fail(frame)
        case .start(let start): run(start)
        case .stop(let number, let frame):
            link.operations.stop(number)
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

    private func run(_ start: OperationStart) {
        link.cancelInitTimer()
        link.run(start)
    }

    private func handOver() -> LegacySession {
        link.cancelInitTimer()
        let successor = LegacySession(link, isInitAwaitingIdentity: machine.isInitAwaitingIdentity)
        self.successor = successor
        if machine.mustIdentify() { identify([]) }
        return successor
    }

    func proofEnds() { link.close(.proofEnds) }

    func handshakeEnds() { machine.handshakeEnds() }

    func operation(_ operation: OperationStart, became outcome: ConnectionOperations.Outcome) {
        link.send(machine.frames(of: operation, after: outcome), after: outcome)
    }
}
