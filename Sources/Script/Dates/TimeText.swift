/// Time values as texts (ECMAScript 2023, 21.4.4), those of a locale as node prints them in its default, `en-US`.
package enum TimeText {
    package static let invalid = "Invalid Date"
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `Sun Nov 22 2026 18:12:43 GMT+0000 (Coordinated Universal Time)`
    package static func full(_ time: Double, in zone: LocalTime) -> String {
        guard time.isFinite else { return invalid }
        return date(time, in: zone) + " " + self.time(time, in: zone)
    }

    /// `Sun Nov 22 2026`
    package static func date(_ time: Double, in zone: LocalTime) -> String {
        guard time.isFinite else { return invalid }
        let fields = DateMath.fields(zone.local(from: time))
        return "\(weekdays[fields.weekday]) \(months[fields.month]) \(padded(fields.day, 2)) \(year(fields.year))"
    }

    /// `18:12:43 GMT+0000 (Coordinated Universal Time)`
    package static func time(_ time: Double, in zone: LocalTime) -> String {
        guard time.isFinite else { return invalid }
        let offset = Int(zone.offset(at: time)) / 60_000
        let minutes = abs(offset)
        return clock(DateMath.fields(zone.local(from: time)))
            + " GMT\(offset < 0 ? "-" : "+")\(padded(minutes / 60, 2))\(padded(minutes % 60, 2)) (\(zone.name(at: time)))"
    }

    /// `2026-11-22T18:12:43.000Z`; nil where the language throws a `RangeError`.
    package static func iso(_ time: Double) -> String? {
        guard time.isFinite else { return nil }
        let fields = DateMath.fields(time)
        let year =
            (0...9999).contains(fields.year)
            ? padded(fields.year, 4) : (fields.year < 0 ? "-" : "+") + padded(abs(fields.year), 6)
        return
            "\(year)-\(padded(fields.month + 1, 2))-\(padded(fields.day, 2))T\(clock(fields)).\(padded(fields.millisecond, 3))Z"
    }

    /// `Sun, 22 Nov 2026 18:12:43 GMT`
    package static func utc(_ time: Double) -> String {
        guard time.isFinite else { return invalid }
        let fields = DateMath.fields(time)
        return
            "\(weekdays[fields.weekday]), \(padded(fields.day, 2)) \(months[fields.month]) \(year(fields.year)) \(clock(fields)) GMT"
    }

    /// `11/22/2026, 6:12:43 PM`
    package static func locale(_ time: Double, in zone: LocalTime) -> String {
        guard time.isFinite else { return invalid }
        return localeDate(time, in: zone) + ", " + localeTime(time, in: zone)
    }

    /// `11/22/2026`; a year before 1 is counted backwards, as that calendar does, without its era.
    package static func localeDate(_ time: Double, in zone: LocalTime) -> String {
        guard time.isFinite else { return invalid }
        let fields = DateMath.fields(zone.local(from: time))
        return "\(fields.month + 1)/\(fields.day)/\(fields.year > 0 ? fields.year : 1 - fields.year)"
    }

    /// `6:12:43 PM`
    package static func localeTime(_ time: Double, in zone: LocalTime) -> String {
        guard time.isFinite else { return invalid }
        let fields = DateMath.fields(zone.local(from: time))
        let hour = fields.hour % 12 == 0 ? 12 : fields.hour % 12
        return "\(hour):\(padded(fields.minute, 2)):\(padded(fields.second, 2)) \(fields.hour < 12 ? "AM" : "PM")"
    }

    private static func clock(_ fields: DateMath.Fields) -> String {
        "\(padded(fields.hour, 2)):\(padded(fields.minute, 2)):\(padded(fields.second, 2))"
    }

    private static func year(_ year: Int) -> String {
        (year < 0 ? "-" : "") + padded(abs(year), 4)
    }

    private static func padded(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return text.utf8.count >= count ? text : String(repeating: "0", count: count - text.utf8.count) + text
    }
}
