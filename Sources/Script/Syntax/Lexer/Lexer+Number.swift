extension Lexer {
    mutating func scanNumber() throws(SyntaxRefusal) {
        let start = position
        token.kind = .number
        if scanSmallInteger() { return }
        if units[position] == 0x30 {
            switch unit(at: position + 1) | 0x20 {
            case 0x78: return try scanInteger(bitsPerDigit: 4, from: start)
            case 0x6F: return try scanInteger(bitsPerDigit: 3, from: start)
            case 0x62: return try scanInteger(bitsPerDigit: 1, from: start)
            default: break
            }
            switch unit(at: position + 1) {
            case 0x30...0x37:
                throw refuse(
                    "Octal literals are not allowed in strict mode.", at: place(at: start),
                    hint: "Write 0o before the digits.")
            case 0x38...0x39:
                throw refuse("Decimals with leading zeros are not allowed in strict mode.", at: place(at: start))
            case 0x5F:
                throw refuse("Numeric separator can not be used after leading 0.", at: place(at: position + 1))
            default: break
            }
        }
        try scanDecimal(from: start)
    }

    /// Up to nine digits and nothing else, as nearly all numbers are.
    private mutating func scanSmallInteger() -> Bool {
        var value = 0
        var index = position
        while index < units.count, units[index] >= 0x30, units[index] <= 0x39 {
            value = value * 10 + Int(units[index] - 0x30)
            index += 1
            if index - position > 9 { return false }
        }
        let length = index - position
        guard length > 0, length == 1 || units[position] != 0x30 else { return false }
        let after = unit(at: index)
        let lower = after | 0x20
        guard after < 0x80, after != 0x2E, after != 0x5F, after != 0x5C, lower < 0x61 || lower > 0x7A else {
            return false
        }
        position = index
        token.number = Double(value)
        return true
    }

    /// Digits with single `_` between them; how many there are.
    private mutating func scanDigits(
        _ isDigit: (UInt16) -> Bool, _ take: (UInt16) -> Void
    ) throws(SyntaxRefusal) -> Int {
        var count = 0
        while position < units.count {
            let unit = units[position]
            if isDigit(unit) {
                take(unit)
                count += 1
                position += 1
            } else if unit == 0x5F {
                guard count > 0, isDigit(self.unit(at: position + 1)) else {
                    throw refuse(
                        self.unit(at: position + 1) == 0x5F
                            ? "Only one underscore is allowed as numeric separator"
                            : "Numeric separators are not allowed at the end of numeric literals",
                        at: place(at: position))
                }
                position += 1
            } else {
                break
            }
        }
        return count
    }

    private mutating func scanDecimal(from start: Int) throws(SyntaxRefusal) {
        var digits: UInt64 = 0
        var isExact = true
        var digitsBehindPoint = 0
        let isDecimal: (UInt16) -> Bool = { $0 >= 0x30 && $0 <= 0x39 }
        let take: (UInt16) -> Void = { unit in
            if digits < 900_719_925_474_099 {
                digits = digits * 10 + UInt64(unit - 0x30)
            } else {
                isExact = false
            }
        }
        if unit(at: position) != 0x2E {
            _ = try scanDigits(isDecimal, take)
            if unit(at: position) == 0x6E { return try endBigInteger() }
        }
        if unit(at: position) == 0x2E {
            position += 1
            if unit(at: position) == 0x5F { throw invalidToken(at: position) }
            digitsBehindPoint = try scanDigits(isDecimal, take)
        }
        if unit(at: position) | 0x20 == 0x65 {
            isExact = false
            position += 1
            if unit(at: position) == 0x2B || unit(at: position) == 0x2D { position += 1 }
            if try scanDigits(isDecimal, { _ in }) == 0 { throw invalidToken(at: position) }
        }
        try expectEndOfNumber()
        if isExact, digitsBehindPoint == 0 {
            token.number = Double(digits)
        } else if isExact, digitsBehindPoint <= 15 {
            // Both are exact, so the quotient is the nearest number to what is written.
            var power = 1.0
            for _ in 0..<digitsBehindPoint { power *= 10 }
            token.number = Double(digits) / power
        } else {
            var spelling = String(
                decoding: units[start..<position].lazy.filter { $0 != 0x5F }, as: UTF16.self)
            if spelling.first == "." { spelling = "0" + spelling }
            spelling = Lexer.withDigitsBehindPoint(spelling)
            token.number = Double(spelling) ?? .nan
        }
    }

    /// `1.e5` and `1.` get a digit, because not every reader of numbers takes them without.
    private static func withDigitsBehindPoint(_ spelling: String) -> String {
        var result = ""
        var isBehindPoint = false
        for character in spelling.unicodeScalars {
            if isBehindPoint, !("0"..."9").contains(character) { result.unicodeScalars.append("0") }
            result.unicodeScalars.append(character)
            isBehindPoint = character == "."
        }
        return isBehindPoint ? result + "0" : result
    }

    private mutating func scanInteger(bitsPerDigit: UInt64, from start: Int) throws(SyntaxRefusal) {
        position += 2
        // The first 64 bits, and whether any that follow are set: as much as rounding asks for.
        var bits: UInt64 = 0
        var isMore = false
        var droppedBits = 0
        let limit = UInt32(1) << UInt32(bitsPerDigit)
        let digitValue: (UInt16) -> UInt32? = { unit in
            guard let value = Lexer.hexadecimalValue(unit), value < limit else { return nil }
            return value
        }
        let count = try scanDigits(
            { digitValue($0) != nil },
            { unit in
                let value = UInt64(digitValue(unit) ?? 0)
                if bits >> (64 - bitsPerDigit) == 0, droppedBits == 0 {
                    bits = bits << bitsPerDigit | value
                } else {
                    droppedBits += Int(bitsPerDigit)
                    if value != 0 { isMore = true }
                }
            })
        if count == 0 { throw invalidToken(at: position) }
        if unit(at: position) == 0x6E { return try endBigInteger() }
        try expectEndOfNumber()
        if droppedBits == 0 {
            token.number = Double(bits)
        } else if droppedBits > 2000 {
            token.number = .infinity
        } else {
            // The kept bits begin with at most three zeros, so the last of 64 is far behind the last of a double.
            token.number = Double(sign: .plus, exponent: droppedBits, significand: Double(isMore ? bits | 1 : bits))
        }
    }

    static func hexadecimalValue(_ unit: UInt16) -> UInt32? {
        switch unit {
        case 0x30...0x39: UInt32(unit) - 0x30
        case 0x41...0x46: UInt32(unit) - 0x37
        case 0x61...0x66: UInt32(unit) - 0x57
        default: nil
        }
    }

    private mutating func endBigInteger() throws(SyntaxRefusal) {
        position += 1
        token.kind = .bigInteger
        try expectEndOfNumber()
    }

    private mutating func expectEndOfNumber() throws(SyntaxRefusal) {
        if isNameStartHere() {
            throw refuse("Invalid or unexpected token", at: place(at: position), hint: "A number ends right before it.")
        }
    }
}
