import Network

/// A client of `graphql-transport-ws`: carries out what `TransportMachine` answers.
final class TransportSession: RealtimeSession, LoopBound, @unchecked Sendable {
    let link: SessionLink
    private var machine: TransportMachine

    init(_ link: SessionLink) {
        self.link = link
        machine = TransportMachine(limits: link.shard.limits)
    }

    func begin() {
        link.begin(self, runsEverything: true)
        link.afterInit(milliseconds: link.shard.limits.transportInitMilliseconds) { [weak self] in
            guard let self else { return }
            act(machine.initTimeIsUp())
        }
    }

    private func act(_ action: TransportMachine.EndAction) {
        switch action {
        case .send(let frame): link.send(frame)
        case .close(let close): link.close(close)
        case .nothing: break
        }
    }

    func received(_ text: [UInt8]) -> (any RealtimeSession)? {
        checkLoop()
        switch machine.received(text) {
        case .send(let frame): link.send(frame)
        case .identify(let fields): identify(fields)
        case .start(let start): link.run(start)
        case .stop(let number): link.operations.stop(number)
        case .close(let close): link.close(close)
        case .nothing: break
        }
        return nil
    }

    private func identify(_ fields: [CredentialField]) {
        link.cancelInitTimer()
        link.identify(fields) { [self] refusal in
            act(machine.identified(isAccepted: refusal == nil))
            if refusal == nil { link.startKeepAlive(isSaid: false) }
        }
    }

    /// All of the connection rests on one proof. Clients come back after this code too.
    func proofEnds() { act(machine.proofEnds()) }

    func operation(_ operation: OperationStart, became outcome: ConnectionOperations.Outcome) {
        link.send(machine.frames(of: operation, after: outcome), after: outcome)
    }
}
