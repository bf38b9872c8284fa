import JSON

/// The forms of dates and times that AppSync takes: those of Java's ISO 8601 formatters.
enum DateText {
    /// `YYYY-MM-DD`, with an optional offset.
    static func isDate(_ text: UnsafeRawBufferPointer) -> Bool {
        var reader = Reader(text)
        return reader.date() && (reader.isAtEnd || reader.offset()) && reader.isAtEnd
    }

    /// `hh:mm[:ss[.fraction]]`, with an optional offset.
    static func isTime(_ text: UnsafeRawBufferPointer) -> Bool {
        var reader = Reader(text)
        return reader.time() && (reader.isAtEnd || reader.offset()) && reader.isAtEnd
    }

    /// A date, `T`, a time, and an offset, which must be there.
    static func isDateTime(_ text: UnsafeRawBufferPointer) -> Bool {
        if isUsualDateTime(text) { return true }
        var reader = Reader(text)
        return reader.date() && reader.take(UInt8(ascii: "T")) && reader.time() && reader.offset() && reader.isAtEnd
    }

    /// Returns whether it is surely one: `2026-05-17T12:30:00.000Z`, on any day but the 29th of February.
    ///
    /// Hot path: each record has two of this form, and eight bytes at a time are enough to know it.
    private static func isUsualDateTime(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count == 24, hasForm("0000-00-", text, at: 0), hasForm("00T00:00", text, at: 8),
            hasForm(":00.000Z", text, at: 16)
        else { return false }
        let number = { (place: Int) in Int(text[place] & 0xF) * 10 + Int(text[place + 1] & 0xF) }
        let (month, day) = (number(5), number(8))
        guard (1...12).contains(month), day >= 1 else { return false }
        let isThere = day <= 28 || (day <= 30 && month != 2) || (day == 31 && longMonths >> month & 1 == 1)
        return isThere && number(11) <= 23 && number(14) <= 59 && number(17) <= 59
    }

    /// A bit for each month of 31 days.
    private static let longMonths = 0b1_0101_1010_1010

    /// Returns whether eight bytes are those of a form, where `0` stands for any digit.
    @inline(__always)
    private static func hasForm(_ form: StaticString, _ text: UnsafeRawBufferPointer, at place: Int) -> Bool {
        let form = UnsafeRawPointer(form.utf8Start).loadUnaligned(as: UInt64.self)
        let bytes = text.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        // The bytes of the form that are digits have the sign bit here: no other byte of a form is as high.
        let zeros = UInt64(0x3030_3030_3030_3030)
        let digits = isZero(form ^ zeros)
        let low = digits >> 7 &* 0x0F
        // A digit differs from `0` by less than ten: six more do not reach the upper half of its byte.
        let difference = bytes ^ form
        return difference & ~low == 0 && (difference &+ digits >> 7 &* 0x06) & digits >> 3 == 0
    }

    /// The sign bit of each byte that is zero. Of bytes below 128 alone.
    @inline(__always)
    private static func isZero(_ bytes: UInt64) -> UInt64 {
        ~(bytes &+ 0x7F7F_7F7F_7F7F_7F7F) & 0x8080_8080_8080_8080
    }

    /// Takes the parts of a date off its start. Each function says whether its part was there.
    private struct Reader {
        private let text: UnsafeRawBufferPointer
        private var index = 0

        init(_ text: UnsafeRawBufferPointer) {
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
                take(UInt8(ascii: "-")), number(2, in: 1...Timestamp.days(of: month, year)) != nil
            else { return false }
            return true
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
