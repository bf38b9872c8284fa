import JSON
import Threads

extension DatePattern {
    /// The moment that a text says, in milliseconds since 1970; nil where it is not written as the pattern wants it, or says no date.
    ///
    /// - Parameter zone: whose clocks are meant where the text does not say.
    func moment(of text: String, in zone: TimeZoneName) -> Int64? {
        var reading = Reading(Array(text.utf8))
        guard reading.read(elements), reading.isAtEnd else { return nil }
        return reading.moment(in: zone)
    }

    /// The fields of a text.
    private struct Reading {
        private let text: [UInt8]
        private var place = 0
        private var numbers: [UInt8: Int] = [:]
        private var isPastNoon: Bool?
        private var zone: TimeZoneName?
        /// Digits behind the point, as nanoseconds.
        private var nanoseconds: Int?

        init(_ text: [UInt8]) {
            self.text = text
        }

        var isAtEnd: Bool { place == text.count }

        mutating func read(_ elements: [Element]) -> Bool {
            for (index, element) in elements.enumerated() {
                guard read(element, before: elements[(index + 1)...]) else { return false }
            }
            return true
        }

        private mutating func read(_ element: Element, before rest: ArraySlice<Element>) -> Bool {
            switch element {
            case .literal(let bytes):
                guard text[place...].starts(with: bytes) else { return false }
                place += bytes.count
                return true
            case .field(let letter, let count): return field(letter, count, rest)
            case .padded(let element, _):
                while place < text.count, text[place] == UInt8(ascii: " ") { place += 1 }
                return read(element, before: rest)
            case .optional(let elements):
                let before = self
                if !read(elements) { self = before }
                return true
            }
        }

        private mutating func field(_ letter: UInt8, _ count: Int, _ rest: ArraySlice<Element>) -> Bool {
            switch (Unicode.Scalar(letter), count) {
            case ("G", _): return name(["BC", "AD"], letter)
            case ("M", 3...), ("L", 3...):
                return name(DatePattern.months.map { DatePattern.form($0, count) }, UInt8(ascii: "M"), first: 1)
            case ("E", _), ("e", 3...), ("c", 3...):
                return name(DatePattern.weekdays.map { DatePattern.form($0, count) }, UInt8(ascii: "E"), first: 1)
            case ("a", _):
                guard name(["AM", "PM"], letter) else { return false }
                isPastNoon = numbers[letter] == 1
                return true
            case ("S", _): return fraction(count)
            case ("V", _), ("z", _): return zoneName()
            case ("X", _), ("x", _), ("Z", _), ("O", _): return offset(letter, count)
            default: return number(letter, count, rest)
            }
        }

        // MARK: Numbers

        private mutating func number(_ letter: UInt8, _ count: Int, _ rest: ArraySlice<Element>) -> Bool {
            var isNegative = false
            let isYear = [UInt8(ascii: "y"), UInt8(ascii: "u"), UInt8(ascii: "Y")].contains(letter)
            if isYear, count != 2, place < text.count, [UInt8(ascii: "-"), UInt8(ascii: "+")].contains(text[place]) {
                isNegative = text[place] == UInt8(ascii: "-")
                place += 1
            }
            let available = text[place...].prefix { (0x30...0x39).contains($0) }.count
            // Fields without anything between them share the digits.
            let reserved = Self.digits(of: rest)
            let most = isYear && count != 2 || count == 1 ? 15 : count
            let digits = min(max(available - reserved, count), most, available)
            guard digits >= count, digits > 0 else { return false }
            var value = text[place..<place + digits].reduce(0) { $0 * 10 + Int($1 - 0x30) }
            place += digits
            if isYear, count == 2 { value += 2_000 }
            let key = letter == UInt8(ascii: "L") ? UInt8(ascii: "M") : letter
            numbers[key] = isNegative ? -value : value
            return true
        }

        /// How many digits the numbers have that follow at once.
        private static func digits(of rest: ArraySlice<Element>) -> Int {
            var digits = 0
            for element in rest {
                guard case .field(let letter, let count) = element else { break }
                switch Unicode.Scalar(letter) {
                case "M", "L", "e", "c": if count > 2 { return digits }
                case "G", "E", "a", "V", "z", "X", "x", "Z", "O": return digits
                default: break
                }
                digits += count
            }
            return digits
        }

        private mutating func fraction(_ count: Int) -> Bool {
            let digits = text[place...].prefix(count)
            guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
            place += count
            nanoseconds = (0..<9).reduce(0) { value, index in
                value * 10 + (index < count ? Int(digits[digits.startIndex + index] - 0x30) : 0)
            }
            return true
        }

        // MARK: Names

        private mutating func name(_ names: [String], _ letter: UInt8, first: Int = 0) -> Bool {
            guard let index = names.firstIndex(where: { text[place...].starts(with: $0.utf8) }) else { return false }
            place += names[index].utf8.count
            numbers[letter] = index + first
            return true
        }

        private mutating func zoneName() -> Bool {
            let name = text[place...].prefix { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                    || [0x2F, 0x2D, 0x2B, 0x5F, 0x3A].contains(byte)
            }
            guard let zone = TimeZoneName(String(decoding: name, as: UTF8.self)) else { return false }
            place += name.count
            self.zone = zone
            return true
        }

        private mutating func offset(_ letter: UInt8, _ count: Int) -> Bool {
            let isLocal = letter == UInt8(ascii: "O") || letter == UInt8(ascii: "Z") && count == 4
            if isLocal {
                guard text[place...].starts(with: "GMT".utf8) else { return false }
                place += 3
            }
            let hasZero = letter == UInt8(ascii: "X") || letter == UInt8(ascii: "Z") && count == 5
            if hasZero, place < text.count, text[place] == UInt8(ascii: "Z") {
                place += 1
                zone = .utc
                return true
            }
            let part = text[place...].prefix { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x3A].contains($0) }
            if isLocal, part.isEmpty {
                zone = .utc
                return true
            }
            guard let offset = ZoneOffset.read(Substring(String(decoding: part, as: UTF8.self))) else { return false }
            place += part.count
            zone = TimeZoneName(offset: offset)
            return true
        }

        // MARK: The moment

        private func value(_ letter: Unicode.Scalar, _ range: ClosedRange<Int>, or other: Int) -> Int? {
            guard let value = numbers[UInt8(ascii: letter)] else { return other }
            return range.contains(value) ? value : nil
        }

        func moment(in zone: TimeZoneName) -> Int64? {
            guard let day, let millisecond else { return nil }
            let local = Int64(day) * 86_400 + Int64(millisecond / 1_000)
            let moment = (self.zone ?? zone).moment(ofLocal: local)
            return moment * 1_000 + Int64(millisecond % 1_000)
        }

        private var day: Int? {
            var year = numbers[UInt8(ascii: "u")] ?? numbers[UInt8(ascii: "y")] ?? numbers[UInt8(ascii: "Y")]
            if numbers[UInt8(ascii: "G")] == 0 { year = year.map { 1 - $0 } }
            guard let year, abs(year) <= LibraryLimits.yearMax else { return nil }
            if let dayOfYear = numbers[UInt8(ascii: "D")] {
                guard (1...366).contains(dayOfYear) else { return nil }
                return CivilDay(year: year, month: 1, day: dayOfYear).number
            }
            guard let month = value("M", 1...12, or: 1), let day = value("d", 1...31, or: 1) else { return nil }
            // Java takes the last day of a month for those beyond it.
            return CivilDay(year: year, month: month, day: min(day, CivilDay.days(ofMonth: month, year))).number
        }

        /// Of the day.
        private var millisecond: Int? {
            if let millisecond = numbers[UInt8(ascii: "A")] {
                return (0..<86_400_000).contains(millisecond) ? millisecond : nil
            }
            if let nanosecond = numbers[UInt8(ascii: "N")] {
                return (0..<86_400_000_000_000).contains(nanosecond) ? nanosecond / 1_000_000 : nil
            }
            guard let hour, let minute = value("m", 0...59, or: 0), let second = value("s", 0...59, or: 0),
                let nanosecond = value("n", 0...999_999_999, or: nanoseconds ?? 0)
            else { return nil }
            return (hour * 3_600 + minute * 60 + second) * 1_000 + nanosecond / 1_000_000
        }

        private var hour: Int? {
            if numbers[UInt8(ascii: "h")] != nil {
                return value("h", 1...12, or: 12).map { $0 % 12 + (isPastNoon == true ? 12 : 0) }
            }
            if numbers[UInt8(ascii: "K")] != nil {
                return value("K", 0...11, or: 0).map { $0 + (isPastNoon == true ? 12 : 0) }
            }
            if numbers[UInt8(ascii: "k")] != nil { return value("k", 1...24, or: 24).map { $0 % 24 } }
            return value("H", 0...23, or: 0)
        }
    }
}
