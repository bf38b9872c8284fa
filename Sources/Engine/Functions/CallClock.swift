import JSON
import Synchronization

/// The time that all calls of an operation have together.
///
/// Calls run a bounded number at a time. When one was waited for in vain, those that still wait for their turn are not
/// begun: three hundred calls of a function that hangs would take as long as five of them, one after the other.
final class CallClock: Sendable {
    let end: Int64
    private let hasTimedOut = Atomic(false)

    /// `end` is in milliseconds of the monotonic clock.
    init(end: Int64) {
        self.end = end
    }

    /// How long a call that begins now may take; nil when none may begin.
    func milliseconds(_ limits: EngineLimits) -> Int? {
        guard !hasTimedOut.load(ordering: .relaxed) else { return nil }
        let left = end.subtractingReportingOverflow(Timestamp.monotonicMilliseconds).partialValue
        return left > 0 ? min(limits.callMilliseconds, Int(clamping: left)) : nil
    }

    func noteTimeOut() { hasTimedOut.store(true, ordering: .relaxed) }
}
