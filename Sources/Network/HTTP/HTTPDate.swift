import Glibc
import Threads

/// The `date` field of answers, rendered once a second.
package struct HTTPDate {
    private var second: time_t = -1
    private var line: [UInt8] = []
    private var checked = MonotonicTime(nanoseconds: 0)

    static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// How long the wall clock is believed before it is read again.
    private static let checkNanoseconds: UInt64 = 100_000_000

    /// The field with its line end, for the time of day at the moment of the loop's clock.
    mutating func line(at now: MonotonicTime) -> [UInt8] {
        guard line.isEmpty || now.nanoseconds(since: checked) >= Self.checkNanoseconds else { return line }
        checked = now
        let current = time_t(SystemClock.wall.seconds)
        if current != second {
            second = current
            line = Array("date: \(Self.text(of: current))\r\n".utf8)
        }
        return line
    }

    /// In the preferred form of RFC 9110: "Sun, 06 Nov 1994 08:49:37 GMT".
    package static func text(of time: time_t) -> String {
        var time = time
        var parts = tm()
        gmtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let weekday = days[Int(parts.tm_wday) % 7]
        let month = months[Int(parts.tm_mon) % 12]
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(weekday), \(two(parts.tm_mday)) \(month) \(1900 + Int(parts.tm_year)) \(clock) GMT"
    }
}
