import Glibc

/// The time of day, by which proofs end: that of the machine, or one that a test moves.
package struct WallClock: Sendable {
    /// Milliseconds since 1970.
    let milliseconds: @Sendable () -> Int64

    package init(milliseconds: @escaping @Sendable () -> Int64) {
        self.milliseconds = milliseconds
    }

    package static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
