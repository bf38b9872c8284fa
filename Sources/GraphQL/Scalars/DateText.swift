/// The forms of dates and times that AppSync takes: those of Java's ISO 8601 formatters.
enum DateText {
    /// `YYYY-MM-DD`, with an optional offset.
    static func isDate(_ text: [UInt8]) -> Bool {
        var reader = Reader(text)
        return reader.date() && (reader.isAtEnd || reader.offset()) && reader.isAtEnd
    }

    /// `hh:mm[:ss[.fraction]]`, with an optional offset.
    static func isTime(_ text: [UInt8]) -> Bool {
        var reader = Reader(text)
        return reader.time() && (reader.isAtEnd || reader.offset()) && reader.isAtEnd
    }

    /// A date, `T`, a time, and an offset, which must be there.
    static func isDateTime(_ text: [UInt8]) -> Bool {
        var reader = Reader(text)
        return reader.date() && reader.take(UInt8(ascii: "T")) && reader.time() && reader.offset() && reader.isAtEnd
    }

    /// Takes the parts of a date off its start. Each function says whether its part was there.
    private struct Reader {
        private let text: [UInt8]
        private var index = 0

        init(_ text: [UInt8]) {
            self.text = text
        }

        var isAtEnd: Bool { index == text.count }

        mutating func take(_ byte: UInt8) -> Bool {
            guard index < text.count, text[index] == byte else { return false }
            index += 1
            return true
        }

        /// A number of a fixed count of digits.
        private mutating func number(_ digits: Int, in range: ClosedRange<Int>) -> Int? {
            guard index + digits <= text.count else { return nil }
            var value = 0
            for place in index..<(index + digits) {
                guard let digit = digit(at: place) else { return nil }
                value = value * 10 + digit
            }
            guard range.contains(value) else { return nil }
            index += digits
            return value
        }

        private func digit(at place: Int) -> Int? {
            guard place < text.count, text[place] >= UInt8(ascii: "0"), text[place] <= UInt8(ascii: "9") else {
                return nil
            }
            return Int(text[place] - UInt8(ascii: "0"))
        }

        /// A year has four digits. More, up to nine, need a sign; so do years before the year zero.
        private mutating func year() -> Int? {
            let isNegative = take(UInt8(ascii: "-"))
            let isPositive = !isNegative && take(UInt8(ascii: "+"))
            var digits = 0
            while digits < 10, digit(at: index + digits) != nil { digits += 1 }
            guard isPositive ? (5...9).contains(digits) : isNegative ? (4...9).contains(digits) : digits == 4 else {
                return nil
            }
            return number(digits, in: 0...999_999_999).map { isNegative ? -$0 : $0 }
        }

        mutating func date() -> Bool {
            guard let year = year(), take(UInt8(ascii: "-")), let month = number(2, in: 1...12),
                take(UInt8(ascii: "-")), number(2, in: 1...days(of: month, year)) != nil
            else { return false }
            return true
        }

        private func days(of month: Int, _ year: Int) -> Int {
            switch month {
            case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        }

        mutating func time() -> Bool {
            guard number(2, in: 0...23) != nil, take(UInt8(ascii: ":")), number(2, in: 0...59) != nil else {
                return false
            }
            guard take(UInt8(ascii: ":")) else { return true }
            guard number(2, in: 0...59) != nil else { return false }
            guard take(UInt8(ascii: ".")) else { return true }
            var digits = 0
            while digits < 9, digit(at: index) != nil {
                digits += 1
                index += 1
            }
            return digits > 0
        }

        /// `Z`, or `+hh:mm[:ss]` with either sign, of at most 18 hours.
        mutating func offset() -> Bool {
            if take(UInt8(ascii: "Z")) { return true }
            guard take(UInt8(ascii: "+")) || take(UInt8(ascii: "-")), let hours = number(2, in: 0...18),
                take(UInt8(ascii: ":")), let minutes = number(2, in: 0...59)
            else { return false }
            var seconds = 0
            if take(UInt8(ascii: ":")) {
                guard let value = number(2, in: 0...59) else { return false }
                seconds = value
            }
            return hours < 18 || (minutes == 0 && seconds == 0)
        }
    }
}
