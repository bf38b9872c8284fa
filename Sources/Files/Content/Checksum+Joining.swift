extension Checksum {
    /// The polynomial by which a cyclic checksum divides, its highest power left out and its bits turned round; nil for the
    /// others.
    private var polynomial: UInt64? {
        switch self {
        case .crc32: 0xEDB8_8320
        case .crc32c: 0x82F6_3B78
        case .crc64nvme: 0x9A6C_9329_AC4B_C9B5
        case .sha1, .sha256, .md5: nil
        }
    }

    /// True if the checksum of a whole follows from those of its parts.
    package var isJoinable: Bool { polynomial != nil }

    /// The checksum of two runs of bytes, one behind the other, from that of each and the length of the second one; nil where
    /// it does not follow from them.
    ///
    /// A cyclic checksum is what remains of the bytes as a polynomial over two elements. To put bytes behind others multiplies
    /// those by a power of x, and adds: so the first one's remainder is multiplied by it.
    package func joined(_ first: [UInt8], _ second: [UInt8], secondLength: Int) -> [UInt8]? {
        guard let polynomial, first.count == byteCount, second.count == byteCount, secondLength >= 0 else { return nil }
        let factor = power(ofBits: UInt64(secondLength) &* 8, polynomial)
        let joined = product(factor, Self.number(first), polynomial) ^ Self.number(second)
        return (0..<byteCount).map { UInt8(truncatingIfNeeded: joined >> UInt64((byteCount - 1 - $0) * 8)) }
    }

    static func number(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// The highest bit is the coefficient of 1.
    private var one: UInt64 { 1 << UInt64(byteCount * 8 - 1) }

    private func product(_ left: UInt64, _ right: UInt64, _ polynomial: UInt64) -> UInt64 {
        var (product, right): (UInt64, UInt64) = (0, right)
        var bit = one
        while bit != 0 {
            if left & bit != 0 { product ^= right }
            right = right & 1 == 1 ? right >> 1 ^ polynomial : right >> 1
            bit >>= 1
        }
        return product
    }

    /// What remains of x to that power, by squaring.
    private func power(ofBits count: UInt64, _ polynomial: UInt64) -> UInt64 {
        var (power, square, count) = (one, one >> 1, count)
        while count > 0 {
            if count & 1 == 1 { power = product(power, square, polynomial) }
            square = product(square, square, polynomial)
            count >>= 1
        }
        return power
    }
}
