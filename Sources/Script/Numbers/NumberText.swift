/// Numbers as texts (ECMAScript 2023, 6.1.6.1.20 and 21.1.3). All texts are ASCII.
package enum NumberText {
    /// `Number::toString` with radix 10.
    package static func decimal(_ value: Double) -> String {
        if let special = special(value) { return special }
        if let small = Int32(exactly: value) { return String(small) }
        let decimal = DecimalDigits(shortest: value.magnitude)
        var text = value < 0 ? "-" : ""
        let digits = ascii(decimal.digits)
        let count = decimal.digits.count
        let exponent = decimal.exponent
        switch exponent {
        case count...21: text += digits + zeros(exponent - count)
        case 1...21: text += digits.prefix(exponent) + "." + digits.dropFirst(exponent)
        case -5...0: text += "0." + zeros(-exponent) + digits
        default: text += scientific(digits, exponent - 1)
        }
        return text
    }

    /// The same as the units of a text.
    static func units(_ value: Double) -> [UInt16] { Array(decimal(value).utf16) }

    /// `toString` with any radix of `NumberLimits.radixes`. The fraction has as many digits as V8 gives it: those that tell
    /// the number from its neighbours.
    package static func text(_ value: Double, radix: Int) -> String {
        if radix == 10 || !NumberLimits.radixes.contains(radix) { return decimal(value) }
        if let special = special(value) { return special }
        let number = value.magnitude
        var integer = number.rounded(.down)
        var fraction = number - integer
        var fractionDigits: [UInt8] = []
        var delta = max(0.5 * (number.nextUp - number), Double.leastNonzeroMagnitude)
        let base = Double(radix)
        if fraction >= delta {
            repeat {
                fraction *= base
                delta *= base
                let digit = UInt8(fraction)
                fractionDigits.append(digit)
                fraction -= Double(digit)
                if fraction > 0.5 || (fraction == 0.5 && digit & 1 == 1), fraction + delta > 1 {
                    // Up, with a carry that can go through the point.
                    while true {
                        guard let last = fractionDigits.popLast() else {
                            integer += 1
                            break
                        }
                        if Int(last) + 1 < radix {
                            fractionDigits.append(last + 1)
                            break
                        }
                    }
                    break
                }
            } while fraction >= delta
        }
        var integerDigits: [UInt8] = []
        // Digits that the number does not have are zeros.
        while integer / base >= 0x1p53 {
            integer /= base
            integerDigits.append(0)
        }
        repeat {
            let rest = integer.truncatingRemainder(dividingBy: base)
            integerDigits.append(UInt8(rest))
            integer = (integer - rest) / base
        } while integer > 0
        let text = (value < 0 ? "-" : "") + ascii(integerDigits.reversed())
        return fractionDigits.isEmpty ? text : text + "." + ascii(fractionDigits)
    }

    /// `toFixed`.
    package static func fixed(_ value: Double, digits count: Int) -> String {
        if let special = special(value), value != 0 { return special }
        let count = min(max(count, 0), NumberLimits.fixedDigits.upperBound)
        if value.magnitude >= 1e21 { return decimal(value) }
        var digits: [UInt8] = []
        var exponent = 0
        if value != 0 {
            var decimal = DecimalDigits(exactly: value.magnitude)
            decimal.round(to: decimal.exponent + count)
            digits = decimal.digits
            exponent = decimal.exponent
        }
        // The sign stays where the digits have become zero: (-0.0000001).toFixed(2) is "-0.00".
        var text = value < 0 ? "-" : ""
        text += exponent > 0 ? ascii(digits.prefix(exponent)) + zeros(exponent - min(exponent, digits.count)) : "0"
        guard count > 0 else { return text }
        var fraction =
            exponent > 0
            ? Array(digits.dropFirst(exponent)) : Array(repeating: 0, count: min(-exponent, count)) + digits
        if fraction.count > count { fraction.removeLast(fraction.count - count) }
        return text + "." + ascii(fraction) + zeros(count - fraction.count)
    }

    /// `toExponential`; without a number of digits as many as needed.
    package static func exponential(_ value: Double, digits count: Int?) -> String {
        if let special = special(value), value != 0 { return special }
        let count = count.map { min(max($0, 0), NumberLimits.exponentialDigits.upperBound) }
        guard value != 0 else { return scientific("0" + zeros(count ?? 0), 0) }
        var decimal = count == nil ? DecimalDigits(shortest: value.magnitude) : DecimalDigits(exactly: value.magnitude)
        if let count { decimal.round(to: count + 1) }
        let padding = count.map { zeros(max($0 + 1 - decimal.digits.count, 0)) } ?? ""
        return (value < 0 ? "-" : "") + scientific(ascii(decimal.digits) + padding, decimal.exponent - 1)
    }

    /// `toPrecision`.
    package static func precision(_ value: Double, digits count: Int) -> String {
        if let special = special(value), value != 0 { return special }
        let count = min(max(count, 1), NumberLimits.precisions.upperBound)
        var digits = zeros(count)
        var exponent = 0
        if value != 0 {
            var decimal = DecimalDigits(exactly: value.magnitude)
            decimal.round(to: count)
            digits = ascii(decimal.digits) + zeros(max(count - decimal.digits.count, 0))
            exponent = decimal.exponent - 1
        }
        let sign = value < 0 ? "-" : ""
        if exponent < -6 || exponent >= count { return sign + scientific(digits, exponent) }
        if exponent == count - 1 { return sign + digits }
        if exponent >= 0 { return sign + digits.prefix(exponent + 1) + "." + digits.dropFirst(exponent + 1) }
        return sign + "0." + zeros(-exponent - 1) + digits
    }

    private static func special(_ value: Double) -> String? {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        return value == 0 ? "0" : nil
    }

    /// d.ddde±x
    private static func scientific(_ digits: String, _ exponent: Int) -> String {
        let mantissa = digits.utf8.count > 1 ? digits.prefix(1) + "." + digits.dropFirst(1) : digits
        return mantissa + "e" + (exponent < 0 ? "-" : "+") + String(abs(exponent))
    }

    private static func ascii(_ digits: some Sequence<UInt8>) -> String {
        String(decoding: digits.map { $0 < 10 ? $0 &+ 48 : $0 &+ 87 }, as: UTF8.self)
    }

    private static func zeros(_ count: Int) -> String {
        String(repeating: "0", count: max(count, 0))
    }
}

extension NumberText {
    /// As node prints a number for `en-US`: groups of three, at most three digits behind the point, a half away from zero.
    package static func grouped(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-∞" : "∞" }
        var integer: [UInt8] = []
        var fraction: [UInt8] = []
        if value != 0 {
            var decimal = DecimalDigits(shortest: value.magnitude)
            decimal.round(to: decimal.exponent + 3)
            let count = max(decimal.exponent, 0)
            integer =
                Array(decimal.digits.prefix(count)) + Array(repeating: 0, count: max(count - decimal.digits.count, 0))
            if !decimal.digits.isEmpty {
                fraction = Array(repeating: 0, count: max(-decimal.exponent, 0)) + decimal.digits.dropFirst(count)
            }
        }
        if integer.isEmpty { integer = [0] }
        var bytes: [UInt8] = value.sign == .minus ? [UInt8(ascii: "-")] : []
        for (place, digit) in integer.enumerated() {
            if place > 0, (integer.count - place) % 3 == 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(digit &+ 48)
        }
        while fraction.last == 0 { fraction.removeLast() }
        if !fraction.isEmpty {
            bytes.append(UInt8(ascii: "."))
            for digit in fraction { bytes.append(digit &+ 48) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
