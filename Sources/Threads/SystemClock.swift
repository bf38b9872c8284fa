import CSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A moment on one of the machine's clocks, which are read here and nowhere else.
package struct SystemClock: Sendable {
    /// Whole seconds, and the nanoseconds beyond them.
    package let seconds: Int64
    package let nanoseconds: Int64

    /// The time of day: since 1970. Somebody may set it, on the machine, or for this process (`moved`).
    @inlinable
    package static var wall: SystemClock {
        let moved = homeport_moved_time()
        return moved == 0 ? machine : machine.later(byMilliseconds: moved)
    }
    /// The time of day as the machine has it, for whoever compares it with that of other processes.
    @inlinable
    package static var machine: SystemClock { SystemClock(CLOCK_REALTIME) }
    /// The time since an arbitrary start. Nobody sets it: for what lies between two moments.
    @inlinable
    package static var monotonic: SystemClock { SystemClock(CLOCK_MONOTONIC) }

    /// The processor time of this thread. It does not advance while the thread waits; each read costs a call of the kernel.
    package static var thread: SystemClock { SystemClock(CLOCK_THREAD_CPUTIME_ID) }

    @inlinable
    package init(_ clock: clockid_t) {
        var time = timespec()
        clock_gettime(clock, &time)
        seconds = Int64(time.tv_sec)
        nanoseconds = Int64(time.tv_nsec)
    }

    @usableFromInline
    init(seconds: Int64, nanoseconds: Int64) {
        (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
    }

    /// How far this process's time of day is from the machine's, in milliseconds. Set by nobody but a test.
    package static var moved: Int64 {
        get { homeport_moved_time() }
        set { homeport_move_time(newValue) }
    }

    /// Not hot: no time is moved but under tests.
    @usableFromInline
    func later(byMilliseconds milliseconds: Int64) -> SystemClock {
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let sum = nanoseconds + rest * 1_000_000
        let carry: Int64 = sum < 0 ? -1 : sum / 1_000_000_000
        return SystemClock(seconds: seconds &+ whole &+ carry, nanoseconds: sum - carry * 1_000_000_000)
    }

    /// All of it in nanoseconds, for what lies between two moments.
    package var allNanoseconds: Int64 { seconds &* 1_000_000_000 &+ nanoseconds }

    /// All of it in milliseconds.
    package var milliseconds: Int64 { seconds * 1_000 + nanoseconds / 1_000_000 }
}
