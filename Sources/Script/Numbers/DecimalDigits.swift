/// A finite number above zero as decimal digits: 0.d₁d₂d₃… × 10^`exponent`, the first digit not 0.
struct DecimalDigits: Equatable {
    /// Values 0...9.
    var digits: [UInt8]
    var exponent: Int

    /// All digits of the number: every double has an end in decimals (767 digits at most).
    init(exactly value: Double) {
        let significand = value.significandBitPattern | (value.isNormal ? 1 << 52 : 0)
        let power = (value.isNormal ? Int(value.exponentBitPattern) : 1) - 1075
        // significand × 2^power, with a negative power as significand × 5^-power × 10^power.
        var number = [UInt32(truncatingIfNeeded: significand), UInt32(truncatingIfNeeded: significand >> 32)]
        if power >= 0 {
            Self.multiply(&number, by: 1 << 26, times: power / 26)
            Self.multiply(&number, by: 1 << UInt32(power % 26), times: 1)
        } else {
            Self.multiply(&number, by: 1_220_703_125, times: -power / 13)
            Self.multiply(&number, by: 5, times: -power % 13)
        }
        digits = Self.decimal(&number)
        exponent = digits.count + min(power, 0)
        while digits.last == 0 { digits.removeLast() }
    }

    /// The fewest digits that are read as the number again, and of those the ones nearest to it.
    init(shortest value: Double) {
        digits = []
        exponent = 0
        var power = 0
        var isPowerNegative = false
        var isInPower = false
        var point: Int?
        // The standard library prints these digits in one of the forms 123.0, 1.5e-07 or 1e+16.
        for byte in value.description.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isInPower { power = power &* 10 &+ Int(byte &- 48) } else { digits.append(byte &- 48) }
            case UInt8(ascii: "."): point = digits.count
            case UInt8(ascii: "e"): isInPower = true
            case UInt8(ascii: "-") where isInPower: isPowerNegative = true
            default: break
            }
        }
        exponent = (point ?? digits.count) + (isPowerNegative ? -power : power)
        let zeros = digits.prefix { $0 == 0 }.count
        digits.removeFirst(zeros)
        exponent -= zeros
        while digits.last == 0 { digits.removeLast() }
    }

    /// Keeps so many digits (none or fewer: below the first digit); a half goes up, as the language rounds.
    mutating func round(to count: Int) {
        guard count < digits.count else { return }
        guard count >= 0 else {
            digits = []
            return
        }
        let goesUp = digits[count] >= 5
        digits.removeLast(digits.count - count)
        guard goesUp else { return }
        var place = count - 1
        while place >= 0 {
            if digits[place] < 9 {
                digits[place] += 1
                return
            }
            digits[place] = 0
            place -= 1
        }
        digits.insert(1, at: 0)
        if count > 0 { digits.removeLast() }
        exponent += 1
    }

    private static func multiply(_ number: inout [UInt32], by factor: UInt32, times: Int) {
        for _ in 0..<times {
            var carry: UInt64 = 0
            for index in number.indices {
                let product = UInt64(number[index]) &* UInt64(factor) &+ carry
                number[index] = UInt32(truncatingIfNeeded: product)
                carry = product >> 32
            }
            if carry > 0 { number.append(UInt32(truncatingIfNeeded: carry)) }
        }
    }

    /// The decimal digits of a number in limbs of 32 bits, the lowest first.
    private static func decimal(_ number: inout [UInt32]) -> [UInt8] {
        var reversed: [UInt8] = []
        while number.last == 0 { number.removeLast() }
        while !number.isEmpty {
            var rest: UInt64 = 0
            for index in number.indices.reversed() {
                let value = rest << 32 | UInt64(number[index])
                number[index] = UInt32(truncatingIfNeeded: value / 1_000_000_000)
                rest = value % 1_000_000_000
            }
            while number.last == 0 { number.removeLast() }
            for _ in 0..<9 {
                reversed.append(UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            }
        }
        while reversed.last == 0 { reversed.removeLast() }
        return reversed.reversed()
    }
}
