import Network

/// A client of subscriptions-transport-ws: carries out what `LegacyMachine` answers. It takes over from an
/// `AppSyncSession`, which asks the gate for it.
final class LegacySession: RealtimeSession, LoopBound, @unchecked Sendable {
    let link: SessionLink
    private var machine: LegacyMachine

    init(_ link: SessionLink, isInitAwaitingIdentity: Bool) {
        self.link = link
        machine = LegacyMachine(
            limits: link.shard.limits, isIdentified: link.caller != nil,
            isInitAwaitingIdentity: isInitAwaitingIdentity)
    }

    func begin() {
        link.begin(self, runsEverything: true)
    }

    func identified(_ refusal: RealtimeRefusal?) {
        switch machine.identified(refusal) {
        case .proceed(let acknowledgement, let starts):
            if let acknowledgement { acknowledge(acknowledgement) }
            for start in starts { link.run(start) }
        case .fail(let frame): link.fail(frame)
        case .nothing: break
        }
    }

    func received(_ text: [UInt8]) -> (any RealtimeSession)? {
        checkLoop()
        switch machine.received(text) {
        case .send(let frame): link.send(frame)
        case .acknowledge(let frame): acknowledge(frame)
        case .start(let start): link.run(start)
        case .stop(let number): link.operations.stop(number)
        case .close(let close): link.close(close)
        case .nothing: break
        }
        return nil
    }

    private func acknowledge(_ frame: [UInt8]) {
        link.send(frame)
        link.startKeepAlive(isSaid: true)
    }

    func proofEnds() { link.close(.proofEnds) }

    func operation(_ operation: OperationStart, became outcome: ConnectionOperations.Outcome) {
        link.send(machine.frames(of: operation, after: outcome), after: outcome)
    }
}
