import JSON

/// The time that a client says it makes its claim at: `Sat Nov 7 08:05:09 UTC 2026`, as all of them write it.
package struct ClaimTimestamp: Sendable, Equatable {
    package let seconds: Int64

    /// How far it may be from the server's clock.
    package static let toleranceSeconds: Int64 = 300

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].map { Array($0.utf8) }
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ].map { Array($0.utf8) }
    private static let zone = Array("UTC".utf8)
    private static let bytesMax = 28

    /// Nil for every other form: with a zero before the day, in another language, or on a weekday that the day was not.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        let fields = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map(Array.init)
        guard fields.count == 6, let weekday = Self.weekdays.firstIndex(of: fields[0]),
            let month = Self.months.firstIndex(of: fields[1]), fields[2].count <= 2,
            fields[2].first != UInt8(ascii: "0"), fields[3].count == 8, fields[4] == Self.zone, fields[5].count == 4
        else { return nil }
        // The rest is as in the other form of a time, which knows the calendar.
        func pair(_ text: String) -> String { text.utf8.count < 2 ? "0\(text)" : text }
        let (day, clock, year) = (Self.text(fields[2]), Self.text(fields[3]), Self.text(fields[5]))
        // A leap second is none that a client's clock shows.
        guard fields[3].suffix(2) != Self.leapSecond[...],
            let time = Timestamp("\(year)-\(pair(String(month + 1)))-\(pair(day))T\(clock)Z")
        else { return nil }
        let days = time.seconds / 86_400 - (time.seconds % 86_400 < 0 ? 1 : 0)
        // The first day of 1970 was a Thursday.
        guard ((days + 4) % 7 + 7) % 7 == Int64(weekday) else { return nil }
        seconds = time.seconds
    }

    private static let leapSecond = Array("60".utf8)

    private static func text(_ field: [UInt8]) -> String { String(decoding: field, as: UTF8.self) }

    /// Returns whether a text is such a time, within five minutes of a moment in milliseconds since 1970.
    static func isTimely(_ text: String, now: Int64) -> Bool {
        ClaimTimestamp(text)?.isTimely(at: Timestamp(seconds: now / 1_000, milliseconds: 0)) ?? false
    }

    /// Returns whether it is within five minutes of a moment.
    package func isTimely(at now: Timestamp) -> Bool {
        (now.seconds - Self.toleranceSeconds...now.seconds + Self.toleranceSeconds).contains(seconds)
    }
}
