import Network

/// A client of `graphql-transport-ws`: carries out what `TransportMachine` answers.
final class TransportSession: RealtimeSession, OperationOwner, @unchecked Sendable {
    // Safe to share: every method is called on the loop's thread only; the tasks here run on it too.

    private let link: SessionLink
    private let operations: ConnectionOperations
    private var machine: TransportMachine
    /// Until the gate has been asked.
    private var credentials: RealtimeCredentials
    private var caller: RealtimeCaller?

    init(_ link: SessionLink, _ credentials: RealtimeCredentials) {
        self.link = link
        self.credentials = credentials
        machine = TransportMachine(limits: link.shard.limits)
        operations = ConnectionOperations(link.shard, runsEverything: true)
    }

    func begin() {
        operations.belong(to: self)
        link.afterInit(milliseconds: link.shard.limits.transportInitMilliseconds) { [weak self] in
            guard let self else { return }
            act(machine.initTimeIsUp())
        }
    }

    func end() {
        operations.end()
        link.end()
    }

    private func act(_ action: TransportMachine.EndAction) {
        switch action {
        case .send(let frame): link.send(frame)
        case .close(let close): link.close(close)
        case .nothing: break
        }
    }

    // MARK: Messages

    func received(_ text: [UInt8]) -> (any RealtimeSession)? {
        switch machine.received(text) {
        case .send(let frame): link.send(frame)
        case .identify(let fields): identify(fields)
        case .start(let start): run(start)
        case .stop(let number): operations.stop(number)
        case .close(let close): link.close(close)
        case .nothing: break
        }
        return nil
    }

    private func identify(_ fields: [CredentialField]) {
        link.cancelInitTimer()
        let shown = credentials
        credentials = RealtimeCredentials(fields: [])
        var asked = shown
        if !shown.tellsSomething { asked.fields += fields.map { ($0.name.lowercased(), $0.value) } }
        Task(executorPreference: link.shard.loop) { [self, asked] in
            switch await link.shard.gate.identify(asked) {
            case .accepted(let caller):
                self.caller = caller
                act(machine.identified(isAccepted: true))
                link.startKeepAlive(isSaid: false)
                link.whenExpired(caller) { [weak self] in
                    guard let self else { return }
                    act(machine.identityExpired())
                }
            case .refused(let refusal):
                link.reportRefusal(refusal)
                act(machine.identified(isAccepted: false))
            }
        }
    }

    private func run(_ start: TransportMachine.Start) {
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
