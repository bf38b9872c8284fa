import Glibc

extension Timestamp {
    /// This moment.
    package static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), milliseconds: time.tv_nsec / 1_000_000)
    }

    /// A clock that nobody sets, for the time between two moments.
    package static var monotonicMilliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    package var millisecondsSince1970: Int64 { seconds * 1000 + Int64(milliseconds) }

    /// The text of it.
    package var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
