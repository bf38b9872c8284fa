/// A point in time in UTC, as text in the form of RFC 3339.
package struct Timestamp: Sendable, Equatable {
    /// Seconds since the start of 1970.
    package let seconds: Int64
    /// The part of the second, 0 to 999.
    package let milliseconds: Int

    package init(seconds: Int64, milliseconds: Int = 0) {
        self.seconds = seconds
        self.milliseconds = milliseconds
    }

    /// Reads `2027-01-01T00:00:00Z`, with an optional fraction and `Z` or an offset such as `+02:00`.
    package init?(_ text: String) {
        var fields = FieldReader(text)
        guard let year = fields.number(digits: 4), fields.skip("-"), let month = fields.number(digits: 2),
            fields.skip("-"), let day = fields.number(digits: 2), fields.skip("T") || fields.skip("t"),
            let hour = fields.number(digits: 2), fields.skip(":"), let minute = fields.number(digits: 2),
            fields.skip(":"), let second = fields.number(digits: 2),
            (1...12).contains(month), (1...Self.days(of: month, year)).contains(day),
            hour < 24, minute < 60, second < 61
        else { return nil }
        var milliseconds = 0
        if fields.skip(".") {
            guard let fraction = fields.fraction() else { return nil }
            milliseconds = fraction
        }
        var offset = 0
        if !fields.skip("Z"), !fields.skip("z") {
            let isWest = fields.skip("-")
            guard isWest || fields.skip("+"), let hours = fields.number(digits: 2), fields.skip(":"),
                let minutes = fields.number(digits: 2), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (isWest ? -60 : 60)
        }
        guard fields.isAtEnd else { return nil }
        let clock = hour * 3600 + minute * 60 + second - offset
        self.init(seconds: Int64(Self.day(year, month, day) * 86_400 + clock), milliseconds: milliseconds)
    }

    /// Appends `2027-01-01T00:00:00.000Z`. Hot path: each log line starts with it.
    package func append(to buffer: inout [UInt8]) {
        // Years before 0 and after 9999 have no such form.
        let inRange = min(max(seconds, -62_167_219_200), 253_402_300_799)
        let day = Int(inRange >= 0 ? inRange / 86_400 : (inRange - 86_399) / 86_400)
        let clock = Int(inRange) - day * 86_400
        let (year, month, dayOfMonth) = Self.date(ofDay: day)
        Self.append(year, digits: 4, then: "-", to: &buffer)
        Self.append(month, digits: 2, then: "-", to: &buffer)
        Self.append(dayOfMonth, digits: 2, then: "T", to: &buffer)
        Self.append(clock / 3600, digits: 2, then: ":", to: &buffer)
        Self.append(clock / 60 % 60, digits: 2, then: ":", to: &buffer)
        Self.append(clock % 60, digits: 2, then: ".", to: &buffer)
        Self.append(milliseconds, digits: 3, then: "Z", to: &buffer)
    }

    private static func append(_ value: Int, digits: Int, then separator: Unicode.Scalar, to buffer: inout [UInt8]) {
        var scale = 1
        for _ in 1..<digits { scale *= 10 }
        while scale > 0 {
            buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / scale % 10))
            scale /= 10
        }
        buffer.append(UInt8(ascii: separator))
    }

    /// The days of a month.
    package static func days(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since the start of 1970. Years are counted from March, so that the leap day is the last of its year.
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = (month + 9) % 12
        let leaps = floored(marchYear, 4) - floored(marchYear, 100) + floored(marchYear, 400)
        return marchYear * 365 + leaps + (marchMonth * 153 + 2) / 5 + day - 1 - 719_468
    }

    private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        let days = day + 719_468
        let era = floored(days, 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func floored(_ value: Int, _ divisor: Int) -> Int {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }
}

/// Reads the fields of a timestamp one after the other.
private struct FieldReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8.prefix(64))
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// The digits after the point as milliseconds; more than three are cut off.
    mutating func fraction() -> Int? {
        guard var value = digit() else { return nil }
        var count = 1
        while let digit = digit() {
            if count < 3 { value = value * 10 + digit }
            count += 1
        }
        for _ in count..<max(count, 3) { value *= 10 }
        return value
    }

    private mutating func digit() -> Int? {
        guard index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return nil }
        defer { index += 1 }
        return Int(bytes[index] - UInt8(ascii: "0"))
    }
}
