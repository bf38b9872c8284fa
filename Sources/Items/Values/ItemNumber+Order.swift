// The form of a number whose bytes are in the order of the numbers: a key of an index in SQLite, which compares BLOBs so.
//
//     zero      80
//     positive  C0, the power of ten of the first digit + 130, two digits in each byte (their value + 1)
//     negative  40, then the same with all bits turned round, and FF at its end: of two that begin alike the longer is less

extension ItemNumber {
    private static let zeroMark: UInt8 = 0x80
    private static let positiveMark: UInt8 = 0xC0
    private static let negativeMark: UInt8 = 0x40
    private static let negativeEnd: UInt8 = 0xFF

    /// The bytes, which are in the order of the numbers. At most 22.
    package var orderedBytes: [UInt8] {
        guard !isZero else { return [Self.zeroMark] }
        var digits: [UInt8] = []
        let count = digitCount
        var rest = coefficient
        if !count.isMultiple(of: 2) {
            digits.append(UInt8(truncatingIfNeeded: rest % 10) * 10 + 1)
            rest /= 10
        }
        while rest != 0 {
            digits.append(UInt8(truncatingIfNeeded: rest % 100) + 1)
            rest /= 100
        }
        let place = UInt8(truncatingIfNeeded: magnitude - Self.magnitudeMin)
        guard isNegative else { return [Self.positiveMark, place] + digits.reversed() }
        return [Self.negativeMark, ~place] + digits.reversed().map { ~$0 } + [Self.negativeEnd]
    }

    /// The number of such bytes; nil for others.
    package init?(orderedBytes bytes: [UInt8]) {
        guard let number = bytes.withUnsafeBytes({ ItemNumber(orderedBytes: $0) }) else { return nil }
        self = number
    }

    /// Hot path: no array is made for the numbers of a page.
    init?(orderedBytes bytes: UnsafeRawBufferPointer) {
        guard let mark = bytes.first else { return nil }
        guard mark != Self.zeroMark else {
            guard bytes.count == 1 else { return nil }
            self = .zero
            return
        }
        guard mark == Self.positiveMark || mark == Self.negativeMark else { return nil }
        let isNegative = mark == Self.negativeMark
        guard bytes.count >= (isNegative ? 4 : 3), bytes.count <= 2 + Self.digitsMax / 2 + (isNegative ? 1 : 0) else {
            return nil
        }
        guard !isNegative || bytes.last == Self.negativeEnd else { return nil }
        let turned: UInt8 = isNegative ? 0xFF : 0
        var coefficient: UInt128 = 0
        let pairs = bytes.dropFirst(2).dropLast(isNegative ? 1 : 0)
        for byte in pairs {
            let pair = byte ^ turned
            guard pair >= 1, pair <= 100 else { return nil }
            coefficient = coefficient * 100 + UInt128(pair - 1)
        }
        // The first pair has its first digit, whatever the number.
        guard let first = pairs.first, first ^ turned > 10 else { return nil }
        let exponent = Int(bytes[1] ^ turned) + Self.magnitudeMin - pairs.count * 2 + 1
        guard
            let number = try? Self.fitting(coefficient: coefficient, exponent: exponent, isNegative: isNegative)
        else { return nil }
        self = number
    }
}
