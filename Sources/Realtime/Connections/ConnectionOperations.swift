import Access
import Engine
import JSON
import Network

/// Who is told what becomes of its operations. All calls come on the loop's thread.
protocol OperationOwner: AnyObject, Sendable {
    /// Who brings it the events.
    var carrier: any EventCarrier { get }

    func operation(_ operation: OperationStart, became outcome: ConnectionOperations.Outcome)

    /// A proof on which something rested is about to end: the connection has to end, without a word to its operations, so
    /// that the client comes back with a new proof. Nothing runs any more.
    func proofEnds()

    /// The handshake's proof is about to end, and nothing that runs rests on it.
    func handshakeEnds()
}

extension OperationOwner {
    func handshakeEnds() {}
}

/// The operations of one connection, in whatever protocol: asks the gate, registers subscriptions, and ends them when they
/// are stopped, when the connection is over, or when a proof of who asks is about to end.
final class ConnectionOperations: LoopBound, @unchecked Sendable {
    enum Outcome: Sendable {
        /// It is registered: events may follow at once.
        case subscribed
        /// The response to a query or mutation.
        case answered([UInt8])
        case failed(OperationFailure)
        /// The app's own code has ended the subscription.
        case completed
        /// It was asked for once more while it ran: by its own caller, or by another one.
        case repeated(isSameCaller: Bool)
    }

    /// Who asks: a caller who is known, or one who has to be found out first.
    enum Asker: Sendable {
        case known(Identity)
        case shown(RealtimeCredentials)

        typealias Headers = [(name: String, value: String)]

        /// What came with the operation, where it came with something of its own.
        var headers: Headers {
            if case .shown(let credentials) = self { credentials.fields } else { [] }
        }
    }

    private struct Running {
        var subscriber: Subscriber?
        /// Who asked for it, once that is known.
        var caller: Identity?
        /// When what rests on its proof has to end.
        var ends: Int64?
        /// What was asked for, where it may have to be looked at again, and of which schema it is.
        var start: OperationStart?
        var generation = 0
        /// What ends it, where its handler has said so.
        var ending: (field: String, filter: EventFilter)?
        /// Ends what is registered elsewhere.
        var whenOver: (() -> Void)?
        /// Who asked for it once more before it was registered.
        var repeats: [(start: OperationStart, caller: Identity)] = []
    }

    private let shard: RealtimeShard
    var loop: EventLoop { shard.loop }
    private let carrier: OperationCarrier
    /// Whether queries and mutations are run too.
    private var runsEverything = false
    private var running: [OperationNumber: Running] = [:]
    /// When what rests on the handshake's proof has to end.
    private var handshakeEnds: Int64?
    /// One timer, for the first proof that ends.
    private var endTimer: (token: TimerToken, ends: Int64)?
    /// Operations that were asked for once more, and whose askers are being found out.
    private var repeating = 0
    /// Its connection; nil when that is over.
    private var owner: (any OperationOwner)?

    init(_ shard: RealtimeShard, by carrier: OperationCarrier) {
        self.shard = shard
        self.carrier = carrier
    }

    /// Whose operations they are. Until `end`, the two hold each other.
    func belong(to owner: any OperationOwner, runsEverything: Bool) {
        self.owner = owner
        self.runsEverything = runsEverything
    }

    var count: Int { running.count }

    // MARK: Running

    /// Starts an operation. Its owner hears of the outcome, unless it is stopped before.
    func run(_ operation: OperationStart, for asker: Asker) {
        checkLoop()
        guard owner != nil else { return }
        running[operation.number] = Running()
        countChanged()
        let account = OperationAccount()
        Task(executorPreference: shard.loop) { [self] in
            switch await caller(asker) {
            case .accepted(let caller):
                running[operation.number]?.caller = caller
                account.note.caller = CallerKind(caller.mode)
                account.note.identity = caller
                if shard.isWatched { account.note.story = story(of: operation, by: caller) }
                await run(operation, for: caller, account, asker.headers)
            case .refused(let refusal): finish(operation, .failed(OperationFailure(refusal)), account)
            }
        }
    }

    /// What happens to an operation, for somebody who looks.
    private func story(of operation: OperationStart, by caller: Identity) -> OperationStory {
        let story = OperationStory(
            of: operation.request.body, by: caller, trace: DecisionTrace(subject: caller.name))
        story.mark("asked for by \(carrier.name)", "connection \(carrier.identifier)")
        return story
    }

    private func caller(_ asker: Asker) async -> Identification {
        switch asker {
        case .known(let caller): .accepted(caller)
        case .shown(let credentials): await shard.gate.identify(credentials)
        }
    }

    private func run(
        _ operation: OperationStart, for caller: Identity, _ account: OperationAccount, _ headers: Asker.Headers
    ) async {
        do throws(OperationFailure) {
            let generation = shard.generation
            switch try await shard.prepare(operation.request) {
            case .other(let kind):
                guard runsEverything else { throw .unsupported(kind.rawValue) }
                switch await shard.gate.respond(to: operation.request, for: caller, noting: account.note) {
                case .response(let response): finish(operation, .answered(response), account)
                case .refused(let refusal): throw OperationFailure(refusal)
                }
            case .subscription(let subscription):
                account.note.story?.mark("read and checked", subscription.mutations.joined(separator: ", "))
                account.note.take(
                    number: shard.gate.number(ofSubscription: subscription.request.field), fieldCount: 1)
                var request = subscription.request
                request.headers = headers
                switch await shard.gate.admit(caller, to: request, noting: account.note) {
                case .denied(let refusal): throw OperationFailure(refusal)
                case .granted where generation != shard.generation:
                    await run(operation, for: caller, account, headers)
                case .granted(let grant): register(operation, subscription, grant, for: caller, account)
                }
            }
        } catch {
            finish(operation, .failed(error), account)
        }
    }

    /// Keeps what is registered elsewhere, on a caller's own proof: it ends with the connection, and the connection ends with the
    /// proof. False where the connection is over, or the proof.
    func hold(_ number: OperationNumber, for caller: Identity, whenOver: @escaping () -> Void) -> Bool {
        checkLoop()
        guard owner != nil else { return false }
        if let expiry = caller.expiresAtMilliseconds, expiry <= shard.clock.milliseconds() {
            endAll()
            return false
        }
        running[number] = Running(caller: caller, ends: end(of: caller), whenOver: whenOver)
        countChanged()
        waitForEnds()
        return true
    }

    private func register(
        _ operation: OperationStart, _ subscription: PreparedSubscription, _ grant: SubscriptionGrant,
        for caller: Identity, _ account: OperationAccount
    ) {
        checkLoop()
        guard running[operation.number] != nil, let owner else { return }
        if let expiry = caller.expiresAtMilliseconds, expiry <= shard.clock.milliseconds() { return endAll() }
        guard
            let subscriber = shard.add(
                subscription, grant, owner.carrier, head: ServerFrame.head(operation.id), caller: caller)
        else {
            return finish(operation, .failed(.overloaded), account)
        }
        let repeats = running[operation.number]?.repeats ?? []
        running[operation.number] = Running(
            subscriber: subscriber, caller: caller, ends: end(of: caller),
            start: shard.keepsRequests || grant.invalidation != nil ? operation : nil, generation: shard.generation,
            ending: grant.invalidation.map { (subscription.request.field, $0) })
        countChanged()
        waitForEnds()
        if let story = account.note.story {
            subscriber.story = story
            story.mark("registered: what is committed from here on is looked at", subscriber.group?.key.filter.text)
        }
        shard.carried(account.operation(operation.request, .subscribed, by: carrier))
        // Only now is it acknowledged: every commit that comes later finds it.
        owner.operation(operation, became: .subscribed)
        for again in repeats { answer(again.start, for: again.caller) }
    }

    // MARK: Invalidation

    /// Ends the subscriptions to a field whose handlers have said that such a payload does.
    func invalidate(_ field: String, _ payload: JSONObject) {
        checkLoop()
        let ended = running.values.filter { running in
            running.ending.map { $0.field == field && $0.filter.matches(payload) } ?? false
        }
        for start in ended.compactMap(\.start) { finish(start, .completed, OperationAccount()) }
    }

    /// Ends all subscriptions, since events may be missing.
    func interrupt() {
        checkLoop()
        for running in running.values where running.subscriber != nil {
            guard let start = running.start else { continue }
            finish(start, .failed(.eventsAreMissing), OperationAccount())
        }
    }

    // MARK: Another schema

    /// Looks at what runs again, with the schema that is served now.
    func renew() {
        checkLoop()
        guard shard.keepsRequests else { return }
        for running in running.values {
            guard let start = running.start, let caller = running.caller, running.subscriber != nil else { continue }
            let former = running.generation
            Task(executorPreference: shard.loop) { [self] in await renew(start, for: caller, of: former) }
        }
    }

    private func renew(_ start: OperationStart, for caller: Identity, of former: Int) async {
        let generation = shard.generation
        do throws(OperationFailure) {
            guard case .subscription(let subscription) = try await shard.prepare(start.request),
                case .granted(let grant) = await shard.gate.admit(caller, to: subscription.request)
            else { throw .schemaHasChanged }
            checkLoop()
            // It may have ended meanwhile, or there is a schema that is newer still.
            guard let owner, generation == shard.generation, let running = running[start.number],
                running.generation == former, let ended = running.subscriber
            else { return }
            let head = ServerFrame.head(start.id)
            guard
                let subscriber = shard.replace(
                    ended, by: subscription, grant, owner.carrier, head: head, caller: caller)
            else { throw .overloaded }
            subscriber.story = ended.story
            self.running[start.number]?.subscriber = subscriber
            self.running[start.number]?.generation = generation
            self.running[start.number]?.ending = grant.invalidation.map { (subscription.request.field, $0) }
            countChanged()
        } catch {
            guard generation == shard.generation, running[start.number]?.generation == former else { return }
            finish(start, .failed(.schemaHasChanged), OperationAccount())
        }
    }

    // MARK: The same once more

    /// A client asks once more for what it has already. Its own caller is told that it has it; and the newer proof counts.
    func runAgain(_ operation: OperationStart, for asker: Asker) {
        checkLoop()
        guard owner != nil else { return }
        guard repeating < shard.limits.subscriptionsPerConnection else {
            owner?.operation(operation, became: .repeated(isSameCaller: false))
            return
        }
        repeating += 1
        Task(executorPreference: shard.loop) { [self] in
            let answer = await caller(asker)
            repeating -= 1
            guard running[operation.number] != nil else { return }
            switch answer {
            case .refused: owner?.operation(operation, became: .repeated(isSameCaller: false))
            case .accepted(let caller) where running[operation.number]?.subscriber == nil:
                running[operation.number]?.repeats.append((operation, caller))
            case .accepted(let caller): self.answer(operation, for: caller)
            }
        }
    }

    private func answer(_ again: OperationStart, for caller: Identity) {
        guard let first = running[again.number]?.caller, let owner else { return }
        let isSame = first.isSameCaller(as: caller)
        if isSame {
            running[again.number]?.caller = caller
            running[again.number]?.ends = end(of: caller)
            waitForEnds()
        }
        owner.operation(again, became: .repeated(isSameCaller: isSame))
    }

    /// Ends an operation with something to say. One that was stopped has nothing to say any more.
    private func finish(_ operation: OperationStart, _ outcome: Outcome, _ account: OperationAccount) {
        checkLoop()
        shard.carried(account.operation(operation.request, outcome, by: carrier))
        guard running[operation.number] != nil, let owner else { return }
        stop(operation.number)
        if case .failed = outcome { shard.counters.add(1, to: .denials) }
        owner.operation(operation, became: outcome)
    }

    // MARK: The end of a proof

    /// The connection rests on what its handshake has proved.
    func rest(on caller: Identity) {
        handshakeEnds = end(of: caller)
        waitForEnds()
    }

    /// When what rests on a proof has to end: a little before the proof does, or with it when it has less left.
    private func end(of caller: Identity) -> Int64? {
        caller.expiresAtMilliseconds.map { expiry in
            let (early, isFarBack) = expiry.subtractingReportingOverflow(
                Int64(shard.limits.proofMarginMilliseconds))
            return !isFarBack && early > shard.clock.milliseconds() ? early : expiry
        }
    }

    private func waitForEnds() {
        let first = running.values.reduce(handshakeEnds) { first, operation in
            guard let ends = operation.ends else { return first }
            return min(first ?? ends, ends)
        }
        guard owner != nil, first != endTimer?.ends else { return }
        if let endTimer { shard.loop.cancel(endTimer.token) }
        endTimer = first.map { (schedule(for: $0), $0) }
    }

    private func schedule(for end: Int64) -> TimerToken {
        let left = min(max(0, end - shard.clock.milliseconds()), Int64(shard.limits.clockCheckMilliseconds))
        return shard.loop.schedule(at: shard.loop.now.advanced(byMilliseconds: Int(left))) { [weak self] in
            self?.endTimer = nil
            self?.lookForEnds()
        }
    }

    /// For what a client asks in the moment in which the handshake's proof ends: the timer may not have come yet.
    func lookForEndOfHandshake() {
        if let ends = handshakeEnds, ends <= shard.clock.milliseconds() { lookForEnds() }
    }

    private func lookForEnds() {
        let now = shard.clock.milliseconds()
        if running.values.contains(where: { $0.ends.map { $0 <= now } ?? false }) { return endAll() }
        if let ends = handshakeEnds, ends <= now {
            guard !running.isEmpty else { return endAll() }
            handshakeEnds = nil
            owner?.handshakeEnds()
        }
        waitForEnds()
    }

    /// Everything on the connection ends, whatever it rests on: the client comes back with all of it.
    private func endAll() {
        let owner = self.owner
        end()
        owner?.proofEnds()
    }

    // MARK: Ending

    /// Ends an operation without a word.
    func stop(_ number: OperationNumber) {
        checkLoop()
        guard let ended = running.removeValue(forKey: number) else { return }
        if let subscriber = ended.subscriber { shard.remove(subscriber) }
        ended.whenOver?()
        countChanged()
    }

    /// An event for a subscription that is alone need not keep its place among those of others.
    private func countChanged() {
        guard running.count <= 2 else { return }
        for operation in running.values { operation.subscriber?.carrierChanged() }
    }

    /// Ends all of them: the connection is over.
    func end() {
        checkLoop()
        owner = nil
        if let endTimer { shard.loop.cancel(endTimer.token) }
        endTimer = nil
        for number in Array(running.keys) { stop(number) }
    }
}
