/// The digits of π behind the point, which Blowfish begins with: numbers that nobody has chosen.
///
/// By the series of Chudnovsky, each term of which gives 47 bits, summed by halves:
///
///     π = 426880 · √10005 · Q / (13591409 · Q + R)
enum CirclePart {
    private static let guardBits = 64
    private static let termBits = 47

    /// As many bytes of it.
    static func bytes(count: Int) -> [UInt8] {
        let bits = count * 8 + guardBits
        let sums = Sums(1..<bits / termBits + 2)
        let divisor = BigNumber(13_591_409) * sums.q + sums.r
        let pi = BigNumber(426_880) * sums.q * root(BigNumber(10_005) << (2 * bits), bits: 2 * bits + 14) / divisor
        let part = (pi - (BigNumber(3) << bits)) >> guardBits
        return part.bytes(count: count) ?? []
    }

    private struct Sums: ~Copyable {
        let p: BigNumber
        let q: BigNumber
        let r: BigNumber

        init(_ terms: Range<Int>) {
            let (first, middle) = (terms.lowerBound, (terms.lowerBound + terms.upperBound) / 2)
            guard terms.count > 1 else {
                let term = UInt64(first)
                p = BigNumber(0) - BigNumber((6 * term - 5) * (2 * term - 1) * (6 * term - 1))
                q = BigNumber(10_939_058_860_032_000) * BigNumber(term * term * term)
                r = p * BigNumber(545_140_134 * term + 13_591_409)
                return
            }
            let left = Sums(first..<middle)
            let right = Sums(middle..<terms.upperBound)
            p = left.p * right.p
            q = left.q * right.q
            r = right.q * left.r + left.p * right.r
        }
    }

    /// The square root of a number of so many bits, but for its last few: that of its first half, and a step of Newton's.
    private static func root(_ number: borrowing BigNumber, bits: Int) -> BigNumber {
        guard bits > 52 else {
            let value = number.bytes.reduce(0) { $0 << 8 | UInt64($1) }
            return BigNumber(UInt64(Double(value).squareRoot()))
        }
        let half = bits / 4
        let near = root(number >> (2 * half), bits: bits - 2 * half) << half
        return (near + number / near) >> 1
    }
}
