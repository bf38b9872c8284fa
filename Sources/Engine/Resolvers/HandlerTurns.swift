import JSON
import Resolvers
import Threads

/// Where the handlers of one loop run: on it while they are short, beside it where they are not.
///
///     handler ─▶ on the loop, within the bounds of a brief one ─▶ outcome
///                   │ it takes longer, it did so lately, or handlers have had their share of this turn
///                   ▼
///                beside it, for a moment ─▶ outcome, back on the loop
///                   │ it takes longer than those may that others wait behind
///                   ▼
///                among the long ones, within the bounds of handlers ─▶ outcome, back on the loop
///
/// A handler does nothing but make its outcome, so one that was given up is begun anew. Nobody waits behind a long one but others that
/// have turned out to be long.
///
/// Unchecked: used on the thread of one loop only.
final class HandlerTurns: @unchecked Sendable {
    private let workers: HandlerWorkers
    private let turn: Duration
    /// Asks to have `turnEnded` called; false where loops have no turns, as in tests.
    private let noteTurn: () -> Bool
    private var isInTurn = false
    private var taken = Duration.zero

    init(_ workers: HandlerWorkers, _ limits: EngineLimits, noteTurn: @escaping () -> Bool) {
        self.workers = workers
        self.noteTurn = noteTurn
        turn = .milliseconds(limits.handlersTurnMilliseconds)
    }

    /// What comes of a handler on the loop; nil where it takes longer than a loop has time for. Called on the loop.
    func outcomeNow(
        of code: ResolverCode, _ handler: ResolverCode.Handler, _ context: ResolverContext
    ) -> ResolverOutcome? {
        guard taken < turn else { return nil }
        let begin = ContinuousClock.now
        let outcome = code.runBriefly(handler, context)
        take(ContinuousClock.now - begin)
        return outcome
    }

    /// What comes of a handler. Called on the loop. Throws where nobody has come to it in its operation's time.
    ///
    /// - Parameter isTried: whether it has taken too long for the loop already.
    func outcome(
        of code: ResolverCode, _ handler: ResolverCode.Handler, _ context: ResolverContext, until end: Int64,
        isTried: Bool = false
    ) async throws(CallFailure) -> ResolverOutcome {
        if !isTried, let outcome = outcomeNow(of: code, handler, context) { return outcome }
        if let outcome = try await Self.outcome(
            on: workers.usual, until: end,
            of: {
                code.runBesideLoop(handler, context)
            })
        {
            return outcome
        }
        return try await Self.outcome(on: workers.long, until: end) { code.runLong(handler, context) }
    }

    private static func outcome<Outcome: Sendable>(
        on workers: WorkersAside, until end: Int64, of run: @escaping @Sendable () -> Outcome
    ) async throws(CallFailure) -> Outcome {
        let made = await workers.value { () -> Result<Outcome, CallFailure> in
            guard Timestamp.monotonicMilliseconds < end else { return .failure(.timedOut) }
            return .success(run())
        }
        guard let made else { throw tooMany }
        return try made.get()
    }

    private func take(_ duration: Duration) {
        if !isInTurn { isInTurn = noteTurn() }
        if isInTurn { taken += duration }
    }

    func turnEnded() {
        isInTurn = false
        taken = .zero
    }

    private static let tooMany = CallFailure(
        "Too many handlers wait for those that run. Try again later.", type: "ThrottlingException")
}

/// The threads beside all loops that run handlers.
struct HandlerWorkers: Sendable {
    let usual: WorkersAside
    /// For those that take long, which give way to the others.
    let long: WorkersAside

    private static let longNiceness: Int32 = 10

    init(waitingMax: Int) {
        usual = WorkersAside(waitingMax: waitingMax)
        long = WorkersAside(waitingMax: waitingMax, niceness: Self.longNiceness)
    }
}
