import JSON
import Threads

extension DatePattern {
    /// A moment as clocks show it.
    private struct Shown {
        let zone: TimeZoneName
        let moment: Int64
        let offset: Int
        let day: CivilDay
        let secondOfDay: Int
        let millisecond: Int

        init(_ milliseconds: Int64, _ zone: TimeZoneName) {
            self.zone = zone
            let (quotient, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
            moment = rest < 0 ? quotient - 1 : quotient
            millisecond = Int(rest < 0 ? rest + 1_000 : rest)
            offset = zone.offset(at: moment)
            let local = moment + Int64(offset)
            let (days, seconds) = local.quotientAndRemainder(dividingBy: 86_400)
            day = CivilDay(Int(seconds < 0 ? days - 1 : days))
            secondOfDay = Int(seconds < 0 ? seconds + 86_400 : seconds)
        }

        var hour: Int { secondOfDay / 3_600 }
    }

    func text(of milliseconds: Int64, in zone: TimeZoneName) -> String {
        let shown = Shown(milliseconds, zone)
        var text: [UInt8] = []
        for element in elements { Self.write(element, shown, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func write(_ element: Element, _ shown: Shown, to text: inout [UInt8]) {
        switch element {
        case .literal(let bytes): text += bytes
        case .field(let letter, let count): text += field(letter, count, shown).utf8
        case .optional(let elements):
            for element in elements { write(element, shown, to: &text) }
        case .padded(let element, let width):
            var part: [UInt8] = []
            write(element, shown, to: &part)
            text += repeatElement(UInt8(ascii: " "), count: max(width - part.count, 0)) + part
        }
    }

    /// Over 40 lines: a case for each letter.
    private static func field(_ letter: UInt8, _ count: Int, _ shown: Shown) -> String {
        let day = shown.day
        switch Unicode.Scalar(letter) {
        case "G":
            let names = day.year > 0 ? ["AD", "Anno Domini", "A"] : ["BC", "Before Christ", "B"]
            return names[max(count - 3, 0)]
        case "u": return year(day.year, count)
        case "y": return year(day.year > 0 ? day.year : 1 - day.year, count)
        case "Y": return year(CivilDay(day.number + 7 - day.weekday).year, count)
        case "D": return number(day.dayOfYear, count)
        case "M", "L": return count < 3 ? number(day.month, count) : form(months[day.month - 1], count)
        case "d": return number(day.day, count)
        case "Q", "q":
            let quarter = (day.month + 2) / 3
            if count == 4 { return quarters[quarter - 1] }
            return count == 3 ? "Q\(quarter)" : number(quarter, count == 5 ? 1 : count)
        case "w": return number(week(of: day), count)
        case "W":
            return "\((day.day + CivilDay(day.number - day.day + 1).weekday - 2) / 7 + 1)"
        case "E": return form(weekdays[day.weekday - 1], count)
        case "e", "c": return count < 3 ? number(day.weekday, count) : form(weekdays[day.weekday - 1], count)
        case "a": return shown.hour < 12 ? "AM" : "PM"
        case "h": return number((shown.hour + 11) % 12 + 1, count)
        case "K": return number(shown.hour % 12, count)
        case "k": return number((shown.hour + 23) % 24 + 1, count)
        case "H": return number(shown.hour, count)
        case "m": return number(shown.secondOfDay / 60 % 60, count)
        case "s": return number(shown.secondOfDay % 60, count)
        case "S": return String((number(shown.millisecond, 3) + "000000").prefix(count))
        case "A": return number(shown.secondOfDay * 1_000 + shown.millisecond, count)
        case "n": return number(shown.millisecond * 1_000_000, count)
        case "N": return number((shown.secondOfDay * 1_000 + shown.millisecond) * 1_000_000, count)
        case "V": return shown.zone.name
        case "z": return shown.zone.shortName(at: shown.moment)
        default: return offset(letter, count, shown.offset)
        }
    }

    /// `X`, `x`, `Z` and `O`.
    private static func offset(_ letter: UInt8, _ count: Int, _ offset: Int) -> String {
        let zero = letter == UInt8(ascii: "X") ? "Z" : nil
        switch (Unicode.Scalar(letter), count) {
        case ("O", _), ("Z", 4):
            guard offset != 0 else { return "GMT" }
            if letter == UInt8(ascii: "O"), count == 1, offset % 3_600 == 0 {
                return "GMT\(offset < 0 ? "-" : "+")\(abs(offset) / 3_600)"
            }
            return "GMT" + ZoneOffset.text(offset, .colons, zero: "")
        case ("Z", 5): return ZoneOffset.text(offset, .colons, zero: "Z")
        case ("Z", _): return ZoneOffset.text(offset, .minutes, zero: "+0000")
        case (_, 1): return ZoneOffset.text(offset, .hours, zero: zero ?? "+00")
        case (_, 2), (_, 4): return ZoneOffset.text(offset, .minutes, zero: zero ?? "+0000")
        default: return ZoneOffset.text(offset, .colons, zero: zero ?? "+00:00")
        }
    }

    /// Weeks begin with Sunday, the first is that with the first of January.
    private static func week(of day: CivilDay) -> Int {
        let last = CivilDay(day.number + 7 - day.weekday)
        return (last.dayOfYear - 1) / 7 + 1
    }

    private static func number(_ number: Int, _ width: Int) -> String {
        let digits = String(abs(number))
        let padding = String(repeating: "0", count: max(width - digits.count, 0))
        return (number < 0 ? "-" : "") + padding + digits
    }

    private static func year(_ year: Int, _ count: Int) -> String {
        if count == 2 { return number((year % 100 + 100) % 100, 2) }
        let text = number(year, count)
        // Years that are longer than the pattern have a sign.
        return count >= 4 && year > 0 && text.utf8.count > count ? "+" + text : text
    }
}
