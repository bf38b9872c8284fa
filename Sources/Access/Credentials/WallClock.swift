import Glibc

/// The time of day, as tokens and signatures tell it.
package enum WallClock {
    /// Seconds since 1970.
    package static func seconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }
}
