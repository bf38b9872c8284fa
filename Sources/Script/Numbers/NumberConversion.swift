/// The conversions of numbers (ECMAScript 2023, 7.1): none of them traps, whatever the number.
package enum NumberConversion {
    package static let maxSafeInteger = 9_007_199_254_740_991.0

    /// `ToIntegerOrInfinity`: without its fraction; NaN and -0 are 0.
    package static func integerOrInfinity(_ value: Double) -> Double {
        value.isNaN ? 0 : value.rounded(.towardZero) + 0
    }

    /// `ToInt32`.
    @inline(__always)
    package static func int32(_ value: Double) -> Int32 {
        Int32(exactly: value) ?? Int32(truncatingIfNeeded: modulo(value))
    }

    /// `ToUint32`.
    package static func uint32(_ value: Double) -> UInt32 {
        UInt32(truncatingIfNeeded: modulo(value))
    }

    /// `ToUint16`.
    package static func uint16(_ value: Double) -> UInt16 {
        UInt16(truncatingIfNeeded: modulo(value))
    }

    /// `ToLength`.
    package static func length(_ value: Double) -> Int {
        let integer = integerOrInfinity(value)
        return integer <= 0 ? 0 : Int(min(integer, maxSafeInteger))
    }

    /// `ToIndex`; nil where the language throws a `RangeError`.
    package static func index(_ value: Double) -> Int? {
        let integer = integerOrInfinity(value)
        return integer >= 0 && integer <= maxSafeInteger ? Int(integer) : nil
    }

    /// A relative place as `slice` and `at` take it: from the end when negative, and inside of 0...count.
    package static func relativeIndex(_ value: Double, count: Int) -> Int {
        let integer = integerOrInfinity(value)
        if integer < 0 { return max(clamped(integer) &+ count, 0) }
        return min(clamped(integer), count)
    }

    /// The integer inside of ±2^53, which no arithmetic on places overflows.
    package static func clamped(_ value: Double) -> Int {
        value.isNaN ? 0 : Int(min(max(value, -maxSafeInteger), maxSafeInteger))
    }

    /// The integer part modulo 2^64, of which the lower bits are those modulo 2^32 and 2^16.
    private static func modulo(_ value: Double) -> Int64 {
        if let integer = Int64(exactly: value.rounded(.towardZero)) { return integer }
        guard value.isFinite else { return 0 }
        // A number this large is its significand moved left; past 64 places nothing of it is left.
        let shift = Int(value.exponent) - 52
        guard shift < 64 else { return 0 }
        let significand = Int64(bitPattern: value.significandBitPattern | 1 << 52)
        let moved = significand << Int64(shift)
        return value < 0 ? 0 &- moved : moved
    }
}
