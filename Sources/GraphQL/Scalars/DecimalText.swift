import JSON

/// Reads the decimal numbers that Java's `BigDecimal` reads: `12`, `-1.50`, `+.5`, `1e3`.
enum DecimalText {
    /// Exponents beyond this are refused: no number of use has them.
    private static let exponentMax = 1_000

    /// The integer that a text stands for, when it is integral and fits 32 bits: `12.0` does, `12.5` does not.
    static func int32(_ text: String) -> Int32? {
        guard let parts = parts(text) else { return nil }
        var digits = parts.digits
        var scale = parts.scale
        while scale > 0, digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            scale -= 1
        }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        guard !significant.isEmpty else { return 0 }
        guard scale <= 0, significant.count - scale <= 10 else { return nil }
        var value: Int64 = 0
        for digit in significant { value = value * 10 + Int64(digit - UInt8(ascii: "0")) }
        for _ in 0..<(-scale) { value *= 10 }
        return Int32(exactly: parts.isNegative ? -value : value)
    }

    /// The number that a text stands for, rounded to a double.
    static func double(_ text: String) -> Double? {
        guard parts(text) != nil, let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// Sign, digits, and how many of the digits stand behind the point.
    private static func parts(_ text: String) -> (isNegative: Bool, digits: [UInt8], scale: Int)? {
        var bytes = Array(text.utf8)[...]
        var isNegative = false
        if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            bytes.removeFirst()
        }
        let whole = bytes.prefix(while: \.isDigit)
        bytes = bytes.dropFirst(whole.count)
        var fraction = bytes.prefix(0)
        if bytes.first == UInt8(ascii: ".") {
            fraction = bytes.dropFirst().prefix(while: \.isDigit)
            bytes = bytes.dropFirst(fraction.count + 1)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        var exponent = 0
        if let mark = bytes.first {
            guard mark | 0x20 == UInt8(ascii: "e"), let value = Int(String(decoding: bytes.dropFirst(), as: UTF8.self)),
                abs(value) <= exponentMax
            else { return nil }
            exponent = value
        }
        return (isNegative, Array(whole + fraction), fraction.count - exponent)
    }
}
