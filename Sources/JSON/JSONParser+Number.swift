extension JSONParser {
    /// A number: an integer when it has neither fraction nor exponent, else a double.
    ///
    /// Hot path: integers, and decimals of up to 2⁵³ with an exponent of up to 22, need no conversion of text: both
    /// parts are exact as doubles, so that one multiplication or division rounds correctly.
    mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        let isNegative = skip(UInt8(ascii: "-"))
        var digits = Digits()
        if skip(UInt8(ascii: "0")) {
            guard !isDigit else { throw unexpected("no digit after a leading zero") }
        } else {
            guard isDigit else { throw unexpected("a digit") }
            readDigits(into: &digits)
        }
        var scale = 0
        var isInteger = true
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            guard isDigit else { throw unexpected("a digit after the decimal point") }
            let point = index
            readDigits(into: &digits)
            scale = point - index
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            scale += try exponent()
        }
        guard index - start <= limits.numberBytesMax else {
            throw beyond("a number of at most \(limits.numberBytesMax) bytes", found: "\(index - start)", at: start)
        }
        if isInteger { return integer(digits, isNegative, start..<index) }
        if let exact = digits.scaled(by: scale) { return .double(isNegative ? -exact : exact) }
        let converted = Double(String(decoding: bytes[start..<index], as: UTF8.self))
        guard let converted, converted.isFinite else {
            throw beyond("a number within the range of a double", found: "a larger one", at: start)
        }
        return .double(converted)
    }

    /// Digits as they are read: their value as long as it fits.
    private struct Digits {
        var value: UInt64 = 0
        var isExact = true

        private static let powersOfTen: [Double] = [
            1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
            1e19, 1e20, 1e21, 1e22,
        ]

        mutating func append(_ digit: UInt8) {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
            guard isExact, !overflow, !carry else {
                isExact = false
                return
            }
            value = sum
        }

        /// The digits times that power of ten, if one rounding gives it.
        func scaled(by scale: Int) -> Double? {
            guard isExact, value <= 1 << 53, (-22...22).contains(scale) else { return nil }
            return scale < 0 ? Double(value) / Self.powersOfTen[-scale] : Double(value) * Self.powersOfTen[scale]
        }
    }

    private var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(current) }

    @inline(__always)
    private mutating func readDigits(into digits: inout Digits) {
        while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
            digits.append(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
    }

    private mutating func exponent() throws(JSONError) -> Int {
        let isNegative = current == UInt8(ascii: "-")
        if isNegative || current == UInt8(ascii: "+") { index += 1 }
        guard isDigit else { throw unexpected("a digit in the exponent") }
        var digits = Digits()
        readDigits(into: &digits)
        // Far beyond any double: more digits make no difference.
        let value = digits.isExact ? Int(min(digits.value, 1_000_000)) : 1_000_000
        return isNegative ? -value : value
    }

    private func integer(_ digits: Digits, _ isNegative: Bool, _ range: Range<Int>) -> JSONValue {
        if digits.isExact {
            if !isNegative, let value = Int64(exactly: digits.value) { return .integer(value) }
            if isNegative, digits.value <= Int64.min.magnitude {
                return .integer(Int64(truncatingIfNeeded: 0 &- digits.value))
            }
        }
        return .largeInteger(String(decoding: bytes[range], as: UTF8.self))
    }
}
