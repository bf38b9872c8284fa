#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The zone of "local" times: UTC, or that of the process (its `TZ`), as the host decides.
package enum LocalTime: Sendable {
    case utc
    case system

    /// Milliseconds that local time is ahead of UTC at a time value.
    package func offset(at time: Double) -> Double {
        guard case .system = self, time.isFinite, let parts = Self.parts(at: time) else { return 0 }
        return Double(parts.tm_gmtoff) * 1000
    }

    package func local(from time: Double) -> Double {
        time + offset(at: time)
    }

    /// `UTC(t)`: a local time that the clock shows twice is the first of the two; one that it skips is read with the offset
    /// from before.
    package func utc(fromLocal local: Double) -> Double {
        guard local.isFinite, local.magnitude <= DateMath.maxTime + DateMath.millisecondsPerDay else { return .nan }
        let before = offset(at: local - DateMath.millisecondsPerDay)
        let after = offset(at: local + DateMath.millisecondsPerDay)
        if before == after { return local - before }
        let first = local - before
        if offset(at: first) == before { return first }
        let second = local - after
        return offset(at: second) == after ? second : first
    }

    /// The zone's name at a time value, in English where its abbreviation is a common one.
    package func name(at time: Double) -> String {
        guard case .system = self, time.isFinite, let parts = Self.parts(at: time) else {
            return "Coordinated Universal Time"
        }
        guard let zone = parts.tm_zone else { return "GMT" }
        let abbreviation = String(cString: zone)
        let minutes = parts.tm_gmtoff / 60
        return Self.names.first { $0.abbreviation == abbreviation && $0.minutes == minutes }?.name ?? abbreviation
    }

    private static let names: [(abbreviation: String, minutes: Int, name: String)] = [
        ("UTC", 0, "Coordinated Universal Time"), ("GMT", 0, "Greenwich Mean Time"), ("BST", 60, "British Summer Time"),
        ("IST", 60, "Irish Standard Time"), ("WET", 0, "Western European Standard Time"),
        ("WEST", 60, "Western European Summer Time"), ("CET", 60, "Central European Standard Time"),
        ("CEST", 120, "Central European Summer Time"), ("EET", 120, "Eastern European Standard Time"),
        ("EEST", 180, "Eastern European Summer Time"), ("MSK", 180, "Moscow Standard Time"),
        ("EST", -300, "Eastern Standard Time"), ("EDT", -240, "Eastern Daylight Time"),
        ("CST", -360, "Central Standard Time"), ("CDT", -300, "Central Daylight Time"),
        ("MST", -420, "Mountain Standard Time"), ("MDT", -360, "Mountain Daylight Time"),
        ("PST", -480, "Pacific Standard Time"), ("PDT", -420, "Pacific Daylight Time"),
        ("AKST", -540, "Alaska Standard Time"), ("AKDT", -480, "Alaska Daylight Time"),
        ("HST", -600, "Hawaii-Aleutian Standard Time"), ("AST", -240, "Atlantic Standard Time"),
        ("ADT", -180, "Atlantic Daylight Time"), ("NST", -210, "Newfoundland Standard Time"),
        ("NDT", -150, "Newfoundland Daylight Time"), ("IST", 330, "India Standard Time"),
        ("JST", 540, "Japan Standard Time"), ("KST", 540, "Korean Standard Time"), ("CST", 480, "China Standard Time"),
        ("HKT", 480, "Hong Kong Standard Time"), ("PST", 480, "Philippine Standard Time"),
        ("WIB", 420, "Western Indonesia Time"), ("AEST", 600, "Australian Eastern Standard Time"),
        ("AEDT", 660, "Australian Eastern Daylight Time"), ("ACST", 570, "Australian Central Standard Time"),
        ("ACDT", 630, "Australian Central Daylight Time"), ("AWST", 480, "Australian Western Standard Time"),
        ("NZST", 720, "New Zealand Standard Time"), ("NZDT", 780, "New Zealand Daylight Time"),
        ("SAST", 120, "South Africa Standard Time"), ("WAT", 60, "West Africa Time"), ("EAT", 180, "East Africa Time"),
        ("IST", 120, "Israel Standard Time"), ("IDT", 180, "Israel Daylight Time"),
    ]

    private static let zoneIsRead: Void = tzset()

    private static func parts(at time: Double) -> tm? {
        _ = zoneIsRead
        var seconds = time_t((min(max(time, -9e15), 9e15) / 1000).rounded(.down))
        var parts = tm()
        return localtime_r(&seconds, &parts) == nil ? nil : parts
    }
}
