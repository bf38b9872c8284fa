/// The steps that patterns may still take on an event: bytes and values that are compared, some nanoseconds each.
///
///     on a loop ── used up ──▶ begun anew beside it ── used up ──▶ the call is refused
package final class MatchingSteps {
    private var left: Int
    package private(set) var isSpent = false
    private(set) var used = 0

    package init(_ steps: Int) { left = steps }

    package func spend(_ steps: Int) throws(EventPatternError) {
        used = used.addingReportingOverflow(max(1, steps)).partialValue
        left = left.subtractingReportingOverflow(max(1, steps)).partialValue
        guard left < 0 else { return }
        isSpent = true
        throw Self.isOver
    }

    private static let isOver = EventPatternError(
        "The patterns take too long for an event of this size. Use fewer or simpler ones.", isOfTime: true)

    /// The steps of all filters of a message to a topic, beside the loops.
    package static var ofMessage: MatchingSteps { MatchingSteps(EventPatternLimits.stepsMax) }

    /// Does short work on the loop, and longer work beside it.
    package static func work<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (MatchingSteps) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let steps = MatchingSteps(EventPatternLimits.loopSteps)
        do throws(Failure) { return try body(steps) } catch {
            guard steps.isSpent else { throw error }
        }
        let outcome = await Task.detached {
            Result { () throws(Failure) in try body(MatchingSteps(EventPatternLimits.stepsMax)) }
        }.value
        return try outcome.get()
    }
}
