import Glibc

/// The processor time that the work takes on this thread. Other processes of a busy machine add nothing to it, as they do to
/// time by a clock.
package func processorTime(of work: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let began = now()
    try work()
    return now() - began
}
