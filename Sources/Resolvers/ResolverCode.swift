import JSON
import Synchronization
import Threads

/// The code of one resolver or function, read once and shared by threads.
package final class ResolverCode: Sendable {
    package enum Handler: Sendable {
        case request, response
    }

    /// What the code is likely to be refused for when it is deployed, although it runs here.
    package let warnings: [ResolverCodeError.Finding]
    private let program: any HandlerProgram
    /// Whether the handler has lately taken longer than a loop has time for.
    private let isRequestLong = Atomic(false)
    private let isResponseLong = Atomic(false)

    init(_ program: any HandlerProgram, warnings: [ResolverCodeError.Finding] = []) {
        self.program = program
        self.warnings = warnings
    }

    /// Code of the runtime APPSYNC_JS 1.0.0.
    ///
    /// - Parameters:
    ///   - file: what messages call it.
    /// - Throws: what is no program, what the lint's preset `base` refuses, and what cannot run.
    package convenience init(
        javaScript text: String, file: String = "code.js", isTypeScript: Bool = false,
        charactersMax: Int = ResolverLimits.codeCharactersMax
    ) throws(ResolverCodeError) {
        let (program, warnings) = try JavaScriptProgram.read(
            text, file: file, isTypeScript: isTypeScript, charactersMax: charactersMax)
        self.init(program, warnings: warnings)
    }

    /// Evaluates one handler afresh: nothing of an earlier run is left, and nothing of this one stays but what the outcome has.
    package func run(
        _ handler: Handler, _ context: ResolverContext, limits: ResolverLimits = ResolverLimits(),
        in surroundings: ResolverSurroundings = .live
    ) -> ResolverOutcome {
        program.run(handler, context, limits, surroundings)
    }

    // MARK: Loops

    /// The same on a loop on which others wait: nil where it takes longer than that, or may.
    ///
    /// A handler does nothing but make its outcome. What was begun here and given up has never been, so it is begun anew, with
    /// `runBesideLoop`. Faults are given up as well: they may be those of limits that are lower here.
    package func runBriefly(
        _ handler: Handler, _ context: ResolverContext, in surroundings: ResolverSurroundings = .live
    ) -> ResolverOutcome? {
        guard !isLong(handler), !context.isLarge else { return nil }
        let outcome = program.run(handler, context, .brief, surroundings)
        if outcome.isCut { return nil }
        if case .failed(let error) = outcome.end, error.isFault { return nil }
        return outcome
    }

    /// The same beside the loops: nil where it takes longer than those may that others wait behind, so that it has to be begun anew
    /// among the long ones, with `runLong`.
    package func runBesideLoop(
        _ handler: Handler, _ context: ResolverContext, in surroundings: ResolverSurroundings = .live
    ) -> ResolverOutcome? {
        var limits = ResolverLimits()
        limits.milliseconds = min(limits.milliseconds, ResolverLimits.besideMilliseconds)
        let worked = SystemClock.thread.allNanoseconds
        let outcome = run(handler, context, limits: limits, in: surroundings)
        // By the thread's own time: a machine that is busy with other things makes no handler a long one.
        note(handler, isLong: SystemClock.thread.allNanoseconds - worked > ResolverLimits.briefNanoseconds)
        if case .failed(let error) = outcome.end, error.isOutOfTime { return nil }
        return outcome
    }

    /// The same among those that take as long as they may.
    package func runLong(
        _ handler: Handler, _ context: ResolverContext, in surroundings: ResolverSurroundings = .live
    ) -> ResolverOutcome {
        run(handler, context, in: surroundings)
    }

    private func note(_ handler: Handler, isLong: Bool) {
        switch handler {
        case .request: isRequestLong.store(isLong, ordering: .relaxed)
        case .response: isResponseLong.store(isLong, ordering: .relaxed)
        }
    }

    private func isLong(_ handler: Handler) -> Bool {
        switch handler {
        case .request: isRequestLong.load(ordering: .relaxed)
        case .response: isResponseLong.load(ordering: .relaxed)
        }
    }
}

/// Handlers in one of the languages.
protocol HandlerProgram: Sendable {
    func run(
        _ handler: ResolverCode.Handler, _ context: ResolverContext, _ limits: ResolverLimits,
        _ surroundings: ResolverSurroundings
    ) -> ResolverOutcome
}
