/// An exact decimal number with up to 38 significant digits, from 1E-130 to 9.99…E+125 and their negatives, and zero.
///
/// It is `coefficient` × 10^`exponent`. A coefficient has no zeros at its end, so each number has one form.
package struct ItemNumber: Sendable {
    /// Without zeros at its end; 0 for zero.
    let coefficient: UInt128
    /// 0 for zero.
    let exponent: Int16
    let isNegative: Bool
    /// The text that came where it is another one than `description`. DynamoDB gives numbers within lists and maps back as
    /// they were written, and those that are attributes in one form: see `canonical`.
    let written: [UInt8]?

    /// The most significant digits.
    package static let digitsMax = 38
    /// The power of ten of the first digit: at most this.
    static let magnitudeMax = 125
    /// And at least this.
    static let magnitudeMin = -130

    init(coefficient: UInt128, exponent: Int16, isNegative: Bool, written: [UInt8]? = nil) {
        self.coefficient = coefficient
        self.exponent = exponent
        self.isNegative = isNegative
        self.written = written
    }

    package static var zero: ItemNumber { ItemNumber(coefficient: 0, exponent: 0, isNegative: false) }

    package init(_ integer: Int) {
        // Half the width, whose divisions are a single step of the processor.
        var coefficient = integer.magnitude
        var exponent: Int16 = 0
        while coefficient != 0, coefficient % 10 == 0 {
            coefficient /= 10
            exponent += 1
        }
        self.init(coefficient: UInt128(coefficient), exponent: exponent, isNegative: integer < 0)
    }

    package var isZero: Bool { coefficient == 0 }

    /// The same number without the text it was written with.
    package var canonical: ItemNumber {
        written == nil ? self : ItemNumber(coefficient: coefficient, exponent: exponent, isNegative: isNegative)
    }

    /// How many digits the coefficient has; 1 for zero.
    var digitCount: Int { Self.digitCount(of: coefficient) }

    /// The power of ten of the first digit.
    var magnitude: Int { Int(exponent) + digitCount - 1 }

    /// 10^0, 10^1, … 10^38, the largest power that 128 bits hold.
    static let powers: [UInt128] = {
        var powers: [UInt128] = [1]
        for _ in 0..<digitsMax { powers.append((powers.last ?? 1) * 10) }
        return powers
    }()

    static func digitCount(of coefficient: UInt128) -> Int {
        // The number of bits times log10(2) is the count, or one too few.
        let bits = 128 - coefficient.leadingZeroBitCount
        let estimate = (bits * 1233) >> 12
        guard estimate < powers.count else { return powers.count }
        return max(1, coefficient >= powers[estimate] ? estimate + 1 : estimate)
    }
}

extension ItemNumber: Hashable {
    package static func == (left: ItemNumber, right: ItemNumber) -> Bool {
        left.coefficient == right.coefficient && left.exponent == right.exponent && left.isNegative == right.isNegative
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(coefficient)
        hasher.combine(exponent)
        hasher.combine(isNegative)
    }
}

extension ItemNumber: Comparable {
    package static func < (left: ItemNumber, right: ItemNumber) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.isSmallerInSize(than: left) : left.isSmallerInSize(than: right)
    }

    /// Whether it is smaller when the signs are left out.
    private func isSmallerInSize(than other: ItemNumber) -> Bool {
        if isZero || other.isZero { return !other.isZero }
        let (count, otherCount) = (digitCount, other.digitCount)
        let (magnitude, otherMagnitude) = (Int(exponent) + count, Int(other.exponent) + otherCount)
        if magnitude != otherMagnitude { return magnitude < otherMagnitude }
        // Both have their first digit at the same place: with zeros behind them, they are whole numbers of one length.
        let length = max(count, otherCount)
        return coefficient * Self.powers[length - count] < other.coefficient * Self.powers[length - otherCount]
    }
}
