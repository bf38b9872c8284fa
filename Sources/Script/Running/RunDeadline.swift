import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Until when a program runs: until its thread has had so much time, which takes longer on a busy machine, up to `busyFactor` times as long.
///
/// The time that passes is cheap to ask, and never less than what the thread has had. So the thread's own, which costs a call of the kernel, is
/// asked at the first look, a few thousand steps in, and again where as much has passed as may be left of it.
package struct RunDeadline {
    /// Nanoseconds that the thread may still have.
    private var left: Int64
    /// What it had when it was asked last; nil: it was not asked yet.
    private var last: Moment?
    /// When it is asked again, in nanoseconds that pass.
    private var next: Int64
    /// When it is over whatever the thread has had: who waits for it does not wait for ever.
    private let end: Int64

    /// How much longer than on a machine of its own a program may take.
    static let busyFactor: Int64 = 5

    /// What a thread has had.
    package struct Moment {
        let thread: pthread_t
        let nanoseconds: Int64
    }

    package init(milliseconds: Int, at passed: Int64 = Self.passed) {
        left = Int64(clamping: milliseconds).multipliedReportingOverflow(by: 1_000_000).partialValue
        next = passed &+ left
        end = passed &+ left.multipliedReportingOverflow(by: Self.busyFactor).partialValue
    }

    /// Looks at the time.
    package mutating func isOver(at passed: Int64 = Self.passed, _ thread: () -> Moment = Self.ofThread) -> Bool {
        guard passed <= end else { return true }
        guard let before = last else {
            last = thread()
            // What it has had until here cannot be asked any more: it is no more than what has passed.
            guard passed > next else { return false }
            next = passed &+ left
            return false
        }
        guard passed > next else { return false }
        let now = thread()
        last = now
        // Another thread goes on with it: what the one before has had since it was asked is its own.
        if pthread_equal(now.thread, before.thread) != 0 { left -= max(now.nanoseconds - before.nanoseconds, 0) }
        next = passed &+ max(left, 0)
        return left <= 0
    }

    /// Nanoseconds since an arbitrary start.
    package static var passed: Int64 { SystemClock.monotonic.allNanoseconds }

    package static func ofThread() -> Moment {
        Moment(thread: pthread_self(), nanoseconds: SystemClock.thread.allNanoseconds)
    }
}
