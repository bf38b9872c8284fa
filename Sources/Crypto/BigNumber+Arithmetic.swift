import COpenSSL

/// Arithmetic of numbers that are no secrets: its time depends on them. On the way they may be below zero.
extension BigNumber {
    init(_ number: UInt64) {
        self.init(withUnsafeBytes(of: number.bigEndian) { Array($0) })
    }

    static func + (left: borrowing BigNumber, right: borrowing BigNumber) -> BigNumber {
        make { result, _ in BN_add(result, left.pointer, right.pointer) }
    }

    static func - (left: borrowing BigNumber, right: borrowing BigNumber) -> BigNumber {
        make { result, _ in BN_sub(result, left.pointer, right.pointer) }
    }

    static func * (left: borrowing BigNumber, right: borrowing BigNumber) -> BigNumber {
        make { BN_mul($0, left.pointer, right.pointer, $1) }
    }

    /// The whole part of the quotient.
    static func / (left: borrowing BigNumber, right: borrowing BigNumber) -> BigNumber {
        make { BN_div($0, nil, left.pointer, right.pointer, $1) }
    }

    static func << (number: borrowing BigNumber, bits: Int) -> BigNumber {
        make { result, _ in BN_lshift(result, number.pointer, Int32(clamping: bits)) }
    }

    static func >> (number: borrowing BigNumber, bits: Int) -> BigNumber {
        make { result, _ in BN_rshift(result, number.pointer, Int32(clamping: bits)) }
    }
}
