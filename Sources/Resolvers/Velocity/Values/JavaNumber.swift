/// Numbers as Java prints them.
enum JavaNumber {
    /// `1500.0`, `1.0E10`, `NaN`.
    static func text(of value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity" }
        let sign = value.sign == .minus ? "-" : ""
        if value == 0 { return sign + "0.0" }
        // Swift's text has the fewest digits that read back: a mantissa with a point, and perhaps an exponent.
        var digits: [UInt8] = []
        var point: Int?
        var exponent = 0
        let bytes = Array(value.magnitude.description.utf8)
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "e") {
                exponent =
                    Int(String(decoding: bytes[(index + 1)...].drop { $0 == UInt8(ascii: "+") }, as: UTF8.self)) ?? 0
                break
            }
            if byte == UInt8(ascii: ".") { point = digits.count } else { digits.append(byte) }
        }
        var pointAt = (point ?? digits.count) + exponent
        let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        digits.removeFirst(zeros)
        pointAt -= zeros
        while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
        func text(_ part: some Sequence<UInt8>) -> String { String(decoding: Array(part), as: UTF8.self) }
        if (1e-3..<1e7).contains(value.magnitude) {
            if pointAt <= 0 { return sign + "0." + String(repeating: "0", count: -pointAt) + text(digits) }
            let whole = text(digits.prefix(pointAt)) + String(repeating: "0", count: max(0, pointAt - digits.count))
            let fraction = text(digits.dropFirst(pointAt))
            return sign + whole + "." + (fraction.isEmpty ? "0" : fraction)
        }
        let fraction = text(digits.dropFirst())
        return sign + text(digits.prefix(1)) + "." + (fraction.isEmpty ? "0" : fraction) + "E\(pointAt - 1)"
    }

    /// Java's `(int) value`.
    static func integer(_ value: Double) -> Int32 {
        value.isNaN ? 0 : value >= 2_147_483_647 ? .max : value <= -2_147_483_648 ? .min : Int32(value)
    }

    /// Java's `(long) value`.
    static func long(_ value: Double) -> Int64 {
        value.isNaN ? 0 : Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
}
