#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A moment on one of the machine's two clocks, which are read here and nowhere else.
package struct SystemClock: Sendable {
    /// Whole seconds, and the nanoseconds beyond them.
    package let seconds: Int64
    package let nanoseconds: Int64

    /// The time of day: since 1970. Somebody may set it.
    @inlinable
    package static var wall: SystemClock { SystemClock(CLOCK_REALTIME) }
    /// The time since an arbitrary start. Nobody sets it: for what lies between two moments.
    @inlinable
    package static var monotonic: SystemClock { SystemClock(CLOCK_MONOTONIC) }

    @inlinable
    package init(_ clock: clockid_t) {
        var time = timespec()
        clock_gettime(clock, &time)
        seconds = Int64(time.tv_sec)
        nanoseconds = Int64(time.tv_nsec)
    }

    /// All of it in milliseconds.
    package var milliseconds: Int64 { seconds * 1_000 + nanoseconds / 1_000_000 }
}
