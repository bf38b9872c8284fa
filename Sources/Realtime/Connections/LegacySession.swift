import Network

/// A client of subscriptions-transport-ws: carries out what `LegacyMachine` answers. It takes over from an
/// `AppSyncSession`, which asks the gate for it.
final class LegacySession: RealtimeSession, OperationOwner, @unchecked Sendable {
    // Safe to share: every method is called on the loop's thread only; the tasks here run on it too.

    private let link: SessionLink
    private let operations: ConnectionOperations
    private var machine: LegacyMachine
    private var caller: RealtimeCaller?
    /// Held until the end: the gate's answer and the expiry of the caller come through it.
    private var predecessor: AppSyncSession?

    init(
        _ link: SessionLink, caller: RealtimeCaller?, isInitAwaitingIdentity: Bool, predecessor: AppSyncSession
    ) {
        self.link = link
        self.caller = caller
        self.predecessor = predecessor
        machine = LegacyMachine(
            limits: link.shard.limits, isIdentified: caller != nil, isInitAwaitingIdentity: isInitAwaitingIdentity)
        operations = ConnectionOperations(link.shard, runsEverything: true)
    }

    func begin() {
        operations.belong(to: self)
    }

    func end() {
        operations.end()
        predecessor?.end()
        predecessor = nil
    }

    // MARK: Who is calling

    func identified(_ answer: Identification) {
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
        case .fail(let frame): link.fail(frame)
        case .nothing: break
        }
    }

    func expired() {
        machine.identityExpired()
    }

    // MARK: Messages

    func received(_ text: [UInt8]) -> (any RealtimeSession)? {
        switch machine.received(text) {
        case .send(let frame): link.send(frame)
        case .acknowledge(let frame): acknowledge(frame)
        case .start(let start): run(start)
        case .stop(let number): operations.stop(number)
        case .close(let close): link.close(close)
        case .nothing: break
        }
        return nil
    }

    private func acknowledge(_ frame: [UInt8]) {
        link.send(frame)
        link.startKeepAlive(isSaid: true)
    }

    private func run(_ start: LegacyMachine.Start) {
        if let replaced = start.replaced { operations.stop(replaced) }
        guard let caller else { return }
        operations.run(
            ConnectionOperations.Operation(number: start.number, id: start.id, request: start.request),
            for: .known(caller))
    }

    // MARK: Operations

    func operation(_ operation: ConnectionOperations.Operation, became outcome: ConnectionOperations.Outcome) {
        switch outcome {
        case .subscribed:
            break
        case .answered(let response):
            for frame in machine.answered(operation.id, operation.number, response) { link.send(frame) }
        case .failed(let failure):
            link.reportDenial(failure)
            if let frame = machine.failed(operation.id, operation.number, failure) { link.send(frame) }
        }
    }

    var hasOneSubscription: Bool { operations.count == 1 }

    func carry(_ batch: EventBatch, to subscriber: Subscriber) {
        link.carry(batch, to: subscriber)
    }

    var lane: EventLane? { link.lane }

    func laneIsFull() { link.laneIsFull() }
}
