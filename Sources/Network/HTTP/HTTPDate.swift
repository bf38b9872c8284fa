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
        // Hot path: each answer with an object says when that was changed.
        var text: [UInt8] = []
        text.reserveCapacity(bytes)
        func add(_ letters: String) { text += letters.utf8 }
        func add(_ number: Int32, _ sign: UInt8) {
            for digit in [number / 10 % 10, number % 10] { text.append(UInt8(ascii: "0") + UInt8(clamping: digit)) }
            text.append(sign)
        }
        add(days[Int(parts.tm_wday) % 7])
        add(", ")
        add(parts.tm_mday, UInt8(ascii: " "))
        add(months[Int(parts.tm_mon) % 12])
        add(" \(1900 + Int(parts.tm_year)) ")
        add(parts.tm_hour, UInt8(ascii: ":"))
        add(parts.tm_min, UInt8(ascii: ":"))
        add(parts.tm_sec, UInt8(ascii: " "))
        add("GMT")
        return String(decoding: text, as: UTF8.self)
    }

    private static let bytes = "Sun, 06 Nov 1994 08:49:37 GMT".utf8.count
}
