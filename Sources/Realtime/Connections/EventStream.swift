import Network

/// One operation as server-sent events: the body of an HTTP answer, written for as long as the operation runs.
///
/// What comes is gathered here up to a bound while the client is slower; one that falls behind further is cut off.
final class EventStream: OperationOwner, EventCarrier, KeepAliveMember, LoopBound, @unchecked Sendable {
    private let shard: RealtimeShard
    var loop: EventLoop { shard.loop }
    let operations: ConnectionOperations
    private var machine = EventStreamMachine()
    private var waiting = EventStreamMachine.beginning {
        didSet { writer?.keeps(waiting.count) }
    }
    private var writer: HTTPBodyWriter?
    private var isOver = false
    private var isSubscribed = false
    private var isTooSlow = false
    private var reader: CheckedContinuation<Void, Never>?
    private var place: KeepAliveWheel.Place?

    /// The client reads too slowly.
    struct TooSlow: Error {}

    init(_ shard: RealtimeShard, of request: RequestIdentifier) {
        self.shard = shard
        operations = ConnectionOperations(
            shard, by: OperationCarrier(identifier: request, name: OperationCarrier.eventStream))
    }

    /// Runs the operation and writes what comes of it, until it is over or the client is gone.
    func run(
        _ request: OperationRequest, for asker: ConnectionOperations.Asker, to writer: HTTPBodyWriter
    ) async throws {
        checkLoop()
        operations.belong(to: self, runsEverything: true)
        place = shard.enter(self, isStream: true)
        self.writer = writer
        defer { end() }
        // A comment does no harm to a client that still reads, and one that has left is found by it.
        writer.whenClientEndsItsSide { [weak self] in self?.write(self?.machine.keepAlive()) }
        operations.run(OperationStart(number: 1, id: "", request: request), for: asker)
        while true {
            if isTooSlow { throw TooSlow() }
            if !waiting.isEmpty {
                let bytes = waiting
                waiting = []
                try await writer.write(bytes)
            } else if isOver {
                return
            } else {
                await withCheckedContinuation { reader = $0 }
            }
        }
    }

    private func end() {
        isOver = true
        waiting = []
        writer = nil
        operations.end()
        if let place { shard.leave(place, isStream: true) }
        place = nil
    }

    /// The server stops. A subscription ends so that its client comes back; a query or mutation still gets its answer.
    func stop() {
        if isSubscribed { cut() }
    }

    func proofEnds() { cut() }

    private func cut() {
        machine.cut()
        isOver = true
        wake()
    }

    private func write(_ bytes: [UInt8]?) {
        guard let bytes, !isOver, !isTooSlow else { return }
        if waiting.count + bytes.count > shard.limits.outboundBytes {
            isTooSlow = true
            waiting = []
            shard.counters.add(1, to: .slowCloses)
        } else {
            waiting += bytes
        }
        wake()
    }

    private func wake() {
        let reader = self.reader
        self.reader = nil
        reader?.resume()
    }

    func keepAlive(now: MonotonicTime) {
        checkLoop()
        write(machine.keepAlive())
    }

    var carrier: any EventCarrier { self }

    func operation(_ operation: OperationStart, became outcome: ConnectionOperations.Outcome) {
        switch outcome {
        case .subscribed:
            isSubscribed = true
            // What begins while the server stops learns it here.
            if shard.isStopping { cut() }
            return
        case .repeated: return
        case .answered(let response): write(machine.answered(response))
        case .completed: write(machine.completed())
        case .failed(let failure): write(machine.failed(failure))
        }
        isOver = machine.isOver
        wake()
    }

    var hasOneSubscription: Bool { true }

    func carry(_ batch: EventBatch, _ head: [UInt8]) {
        checkLoop()
        for payload in batch.payloads { write(machine.next(payload.response)) }
    }
}
