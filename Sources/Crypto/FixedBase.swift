import COpenSSL

/// One base that is raised to many secret powers below 2 to the 256: what does not depend on them is done once.
///
/// A comb: the bits of an exponent stand in rows, and one multiplication does for a column of them, so that a power takes 104
/// multiplications instead of 320.
///
///     exponent = row 4 │ row 3 │ row 2 │ row 1 │ row 0, of 52 bits each
///     table[column] = base^(shift + the sum of 2^(52 · row) for each row with a bit in the column)
///
/// A column is looked up by reading the whole table. The shift keeps the number 1 out of it, and others with a zero in front,
/// which OpenSSL handles in another time; what it adds is taken off in the end.
package final class FixedBase: @unchecked Sendable {
    // Safe to share: after the start all of it is only read.
    private let modulus: Modulus
    private let words: Int
    private let table: [UInt64]
    private let correction: BigNumber

    package static let exponentBytes = 32
    private static let rows = 5
    private static let columns = (exponentBytes * 8 + rows - 1) / rows
    private static let entries = 1 << rows
    /// One of ten numbers does not do; a base like 1 has no others.
    private static let shiftMax = 1_000

    /// Nil for a base without an inverse, or without powers that fill the modulus' words, which are whole.
    package init?(_ base: [UInt8], modulus: Modulus) {
        let base = modulus.remainder(of: BigNumber(base))
        guard modulus.byteCount.isMultiple(of: 8), let inverse = modulus.inverse(of: base) else { return nil }
        let rows = (0..<Self.rows).map { row in
            modulus.power(of: base, known: BigNumber(Self.bytes(of: 1, shifted: row * Self.columns))).bytes
        }
        for shift in 1..<Self.shiftMax {
            let exponent = BigNumber(Self.bytes(of: UInt64(shift), shifted: 0))
            let first = modulus.power(of: base, known: exponent)
            guard let table = Self.table(first, rows, modulus) else { continue }
            self.table = table
            self.modulus = modulus
            words = modulus.byteCount / 8
            // Behind each column it is squared with all before it.
            let rest = BigNumber(Self.bytes(of: 1 << UInt64(Self.columns) - 1, shifted: 0))
            correction = modulus.power(of: modulus.power(of: inverse, known: exponent), known: rest)
            return
        }
        return nil
    }

    /// Hot path: every round of a sign-in, and every password. The time depends on nothing.
    package func power(secret exponent: [UInt8]) -> BigNumber {
        precondition(exponent.count <= Self.exponentBytes, "an exponent of \(exponent.count) bytes")
        let exponent = [UInt8](repeating: 0, count: Self.exponentBytes - exponent.count) + exponent
        let factor = BigNumber()
        var entry = [UInt64](repeating: 0, count: words)
        return BigNumber.make { result, workspace in
            var isMade = true
            func multiply(_ factor: OpaquePointer) {
                isMade =
                    isMade && BN_mod_mul_montgomery(result, result, factor, modulus.montgomery, workspace) == 1
            }
            for column in (0..<Self.columns).reversed() {
                homeport_look_up(&entry, table, Self.entries, words, Self.bits(of: column, in: exponent))
                isMade = isMade && Self.read(entry, into: factor.pointer)
                if column == Self.columns - 1 {
                    isMade = isMade && BN_copy(result, factor.pointer) != nil
                } else {
                    multiply(result)
                    multiply(factor.pointer)
                }
            }
            // The one factor that is not in Montgomery's form: after it the product isn't, either.
            multiply(correction.pointer)
            return isMade ? 1 : 0
        }
    }

    /// The bits of a column, that of row 0 the lowest.
    private static func bits(of column: Int, in exponent: [UInt8]) -> UInt64 {
        var bits: UInt64 = 0
        for row in 0..<rows {
            let place = row * columns + column
            // Where the highest row has no more, which does not depend on the exponent.
            guard place < exponentBytes * 8 else { break }
            bits |= UInt64(exponent[exponentBytes - 1 - place / 8] >> UInt8(place % 8) & 1) << UInt64(row)
        }
        return bits
    }

    private static func read(_ words: [UInt64], into number: OpaquePointer) -> Bool {
        words.withUnsafeBytes { bytes in
            BN_lebin2bn(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(clamping: bytes.count), number) != nil
        }
    }

    /// The entries in Montgomery's form, the lowest word first; nil when one has a zero in front.
    private static func table(_ first: borrowing BigNumber, _ rows: [[UInt8]], _ modulus: Modulus) -> [UInt64]? {
        var numbers = [first.bytes]
        var table: [UInt64] = []
        for column in 0..<entries {
            if column > 0 {
                let before = BigNumber(numbers[column & (column - 1)])
                numbers.append(modulus.product(before, BigNumber(rows[column.trailingZeroBitCount])).bytes)
            }
            let entry = BigNumber(numbers[column])
            let bytes = BigNumber.make { BN_to_montgomery($0, entry.pointer, modulus.montgomery, $1) }.bytes
            guard bytes.count == modulus.byteCount else { return nil }
            for end in stride(from: bytes.count, to: 0, by: -8) {
                // In memory the words are as OpenSSL reads bytes: the lowest first.
                table.append(bytes[end - 8..<end].reduce(0) { $0 << 8 | UInt64($1) }.littleEndian)
            }
        }
        return table
    }

    private static func bytes(of number: UInt64, shifted bits: Int) -> [UInt8] {
        // Whole bytes behind, and the rest within the number: columns make it fit.
        let shifted = number << UInt64(bits % 8)
        return withUnsafeBytes(of: shifted.bigEndian) { Array($0) } + [UInt8](repeating: 0, count: bits / 8)
    }
}
