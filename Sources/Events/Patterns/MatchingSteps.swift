/// What rules may still look at of an event: bytes and values that are compared, some nanoseconds each.
///
///     on a loop ── used up ──▶ begun anew beside it ── used up ──▶ the call is refused
package final class MatchingSteps {
    private var left: Int
    private(set) var isSpent = false
    private(set) var used = 0

    init(_ steps: Int) { left = steps }

    func spend(_ steps: Int) throws(EventError) {
        used = used.addingReportingOverflow(max(1, steps)).partialValue
        left = left.subtractingReportingOverflow(max(1, steps)).partialValue
        guard left < 0 else { return }
        isSpent = true
        throw Self.isOver
    }

    private static let isOver = EventError(
        "InternalFailure", "The patterns take too long for an event of this size. Use fewer or simpler ones.",
        status: 500)

    /// What all filters of a message to a topic may look at, beside the loops.
    package static var ofMessage: MatchingSteps { MatchingSteps(EventLimits.stepsMax) }

    /// What takes no longer than a loop has time for is done there, all else beside it.
    static func work<Value: Sendable>(
        _ body: @escaping @Sendable (MatchingSteps) throws(EventError) -> Value
    ) async throws(EventError) -> Value {
        let steps = MatchingSteps(EventLimits.loopSteps)
        do throws(EventError) { return try body(steps) } catch {
            guard steps.isSpent else { throw error }
        }
        let outcome = await Task.detached {
            Result { () throws(EventError) in try body(MatchingSteps(EventLimits.stepsMax)) }
        }.value
        return try outcome.get()
    }
}
