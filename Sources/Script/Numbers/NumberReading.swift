/// Texts as numbers (ECMAScript 2023, 7.1.4.1, 19.2.4, 19.2.5 and 12.9.3).
package enum NumberReading {
    /// `StringToNumber`: the whole text is a number, perhaps between spaces; NaN when it is none.
    package static func number(_ text: UnsafeBufferPointer<UInt16>) -> Double {
        let text = trimmed(text)
        guard let first = text.first else { return 0 }
        if first == UInt16(ascii: "0"), text.count > 1, let radix = radix(text[text.startIndex + 1]) {
            let digits = text.dropFirst(2)
            guard !digits.isEmpty, digits.allSatisfy({ value($0) < radix }) else { return .nan }
            return integer(digits, radix: radix)
        }
        guard let (value, end) = decimalPrefix(text), end == text.endIndex else { return .nan }
        return value
    }

    package static func number(_ text: [UInt16]) -> Double {
        text.withUnsafeBufferPointer { number($0) }
    }

    /// `parseFloat`: the longest number that the text begins with.
    package static func parseFloat(_ text: UnsafeBufferPointer<UInt16>) -> Double {
        decimalPrefix(trimmed(text))?.value ?? .nan
    }

    package static func parseFloat(_ text: [UInt16]) -> Double {
        text.withUnsafeBufferPointer { parseFloat($0) }
    }

    /// `parseInt`; the radix as `ToInt32` gives it, 0 for none.
    package static func parseInt(_ text: UnsafeBufferPointer<UInt16>, radix: Int32) -> Double {
        var rest = trimmed(text)
        var isNegative = false
        if let sign = rest.first, sign == UInt16(ascii: "-") || sign == UInt16(ascii: "+") {
            isNegative = sign == UInt16(ascii: "-")
            rest = rest.dropFirst()
        }
        guard radix == 0 || (2...36).contains(radix) else { return .nan }
        var base = radix == 0 ? 10 : Int(radix)
        if radix == 0 || radix == 16, rest.count > 1, rest.first == UInt16(ascii: "0"),
            rest[rest.startIndex + 1] | 0x20 == UInt16(ascii: "x")
        {
            rest = rest.dropFirst(2)
            base = 16
        }
        let digits = rest.prefix { value($0) < base }
        guard !digits.isEmpty else { return .nan }
        let result = integer(digits, radix: base)
        return isNegative ? -result : result
    }

    package static func parseInt(_ text: [UInt16], radix: Int32) -> Double {
        text.withUnsafeBufferPointer { parseInt($0, radix: radix) }
    }

    /// The value of a numeric literal without its `n`: decimal, `0x 0o 0b`, with separators, and the older octal forms
    /// (`017`, `089`); whether the literal is allowed where it stands is the lexer's to know.
    package static func literal(_ text: UnsafeBufferPointer<UInt16>) -> Double {
        let plain = text.filter { $0 != UInt16(ascii: "_") }
        return plain.withUnsafeBufferPointer { plain in
            if plain.count > 1, plain[0] == UInt16(ascii: "0"), plain.allSatisfy({ value($0) < 8 }) {
                return integer(plain[1...], radix: 8)
            }
            return number(plain)
        }
    }

    package static func literal(_ text: [UInt16]) -> Double {
        text.withUnsafeBufferPointer { literal($0) }
    }

    // MARK: Parts

    private typealias Units = UnsafeBufferPointer<UInt16>.SubSequence

    private static func trimmed(_ text: UnsafeBufferPointer<UInt16>) -> Units {
        var rest = text[...]
        while let first = rest.first, CodePoints.isSpace(first) { rest.removeFirst() }
        while let last = rest.last, CodePoints.isSpace(last) { rest.removeLast() }
        return rest
    }

    /// The radix behind the 0 of a literal.
    private static func radix(_ unit: UInt16) -> Int? {
        switch unit | 0x20 {
        case UInt16(ascii: "x"): 16
        case UInt16(ascii: "o"): 8
        case UInt16(ascii: "b"): 2
        default: nil
        }
    }

    /// The value of a digit up to 35; 36 for what is none.
    private static func value(_ unit: UInt16) -> Int {
        switch unit {
        case 0x30...0x39: Int(unit) - 0x30
        case 0x41...0x5A: Int(unit) - 0x41 + 10
        case 0x61...0x7A: Int(unit) - 0x61 + 10
        default: 36
        }
    }

    /// The longest decimal number at the beginning: `Infinity`, or digits with a point and a power.
    private static func decimalPrefix(_ text: Units) -> (value: Double, end: Int)? {
        var index = text.startIndex
        let end = text.endIndex
        var bytes: [UInt8] = []
        var isNegative = false
        if index < end, text[index] == UInt16(ascii: "-") || text[index] == UInt16(ascii: "+") {
            isNegative = text[index] == UInt16(ascii: "-")
            index += 1
        }
        let infinity = "Infinity".utf16
        if text[index..<end].starts(with: infinity) {
            return (isNegative ? -.infinity : .infinity, index + infinity.count)
        }
        let start = index
        var small = 0
        while index < end, let digit = CodePoints.decimalDigit(text[index]) {
            if index - start < 15 { small = small &* 10 &+ digit }
            index += 1
        }
        var digitCount = index - start
        if digitCount > 0, digitCount <= 15, index == end {
            return (isNegative ? -Double(small) : Double(small), end)
        }
        bytes.reserveCapacity(end - start)
        for unit in text[start..<index] { bytes.append(UInt8(truncatingIfNeeded: unit)) }
        if index < end, text[index] == UInt16(ascii: ".") {
            var next = index + 1
            let fraction = next
            while next < end, CodePoints.decimalDigit(text[next]) != nil { next += 1 }
            if next > fraction || digitCount > 0 {
                if bytes.isEmpty { bytes.append(0x30) }
                bytes.append(0x2E)
                for unit in text[fraction..<next] { bytes.append(UInt8(truncatingIfNeeded: unit)) }
                if next == fraction { bytes.append(0x30) }
                digitCount += next - fraction
                index = next
            }
        }
        guard digitCount > 0 else { return nil }
        if index < end, text[index] | 0x20 == UInt16(ascii: "e") {
            var next = index + 1
            var sign: UInt8?
            if next < end, text[next] == UInt16(ascii: "-") || text[next] == UInt16(ascii: "+") {
                sign = UInt8(truncatingIfNeeded: text[next])
                next += 1
            }
            let power = next
            while next < end, CodePoints.decimalDigit(text[next]) != nil { next += 1 }
            if next > power {
                bytes.append(0x65)
                if let sign { bytes.append(sign) }
                // Zeros in front and powers beyond any number are cut, so that no reader counts them.
                let digits = text[power..<next].drop { $0 == 0x30 }
                for unit in digits.count > 9 ? "999999999".utf16.map({ $0 }) : Array(digits) {
                    bytes.append(UInt8(truncatingIfNeeded: unit))
                }
                if digits.isEmpty { bytes.append(0x30) }
                index = next
            }
        }
        let value = double(bytes)
        return (isNegative ? -value : value, index)
    }

    /// Correctly rounded; too large is infinite, too small is 0.
    private static func double(_ bytes: [UInt8]) -> Double {
        Double(String(decoding: bytes, as: UTF8.self)) ?? .nan
    }

    /// The integer that digits of a radix write, as the nearest double (for radixes that are neither 10 nor a power of 2, as
    /// near as V8 comes).
    private static func integer(_ digits: Units, radix: Int) -> Double {
        let digits = digits.drop { $0 == 0x30 }
        if digits.count <= 10 {
            var value = 0
            for digit in digits { value = value &* radix &+ Self.value(digit) }
            return Double(value)
        }
        if radix == 10 { return double(digits.map { UInt8(truncatingIfNeeded: $0) }) }
        if radix & (radix - 1) == 0 { return binaryInteger(digits, bits: radix.trailingZeroBitCount) }
        var result = 0.0
        var index = digits.startIndex
        while index < digits.endIndex {
            var part = 0
            var multiplier = 1
            while index < digits.endIndex, multiplier &* radix <= 0xFFFF_FFFF / 36 {
                part = part &* radix &+ value(digits[index])
                multiplier = multiplier &* radix
                index += 1
            }
            result = result * Double(multiplier) + Double(part)
        }
        return result
    }

    /// The first 64 bits and whether anything follows them say how the number rounds.
    private static func binaryInteger(_ digits: Units, bits: Int) -> Double {
        var head: UInt64 = 0
        var hasRest = false
        var power = 0
        for digit in digits {
            let value = UInt64(value(digit))
            for bit in (0..<bits).reversed() {
                let isSet = value >> UInt64(bit) & 1 == 1
                if head >> 62 == 0 {
                    head = head << 1 | (isSet ? 1 : 0)
                } else {
                    power = min(power + 1, 4096)
                    hasRest = hasRest || isSet
                }
            }
        }
        // The lowest bit of 63 stands for all that was cut: below the half, it only says "more than".
        let value = Double(head | (hasRest ? 1 : 0))
        return value * (power > 1000 ? .infinity : Double(sign: .plus, exponent: power, significand: 1))
    }
}
