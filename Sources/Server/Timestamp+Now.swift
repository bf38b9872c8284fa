import Glibc

extension Timestamp {
    /// This moment.
    package static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), milliseconds: time.tv_nsec / 1_000_000)
    }
}
