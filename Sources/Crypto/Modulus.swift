import COpenSSL

/// An odd number that others are counted round: sums, products and powers of them leave a remainder below it.
///
/// A modulus, with the work that depends on it alone done once. Operands must be below it: `remainder` makes them so.
package final class Modulus: @unchecked Sendable {
    // Safe to share: after the start both are only read.
    let number: BigNumber
    let montgomery: OpaquePointer

    /// How many bytes what is below it has at the most.
    package let byteCount: Int

    /// Nil for a number that is even, or 1.
    package convenience init?(_ bytes: [UInt8]) {
        self.init(BigNumber(bytes))
    }

    private init?(_ number: consuming BigNumber) {
        guard BN_is_odd(number.pointer) == 1, BN_is_one(number.pointer) == 0 else { return nil }
        guard let montgomery = BN_MONT_CTX_new() else { preconditionFailure("OpenSSL made no modulus") }
        BigNumber.withWorkspace { workspace in
            precondition(BN_MONT_CTX_set(montgomery, number.pointer, workspace) == 1, "OpenSSL made no modulus")
        }
        byteCount = Int(BN_num_bits(number.pointer) + 7) / 8
        self.montgomery = montgomery
        self.number = number
    }

    deinit { BN_MONT_CTX_free(montgomery) }

    /// The prime of 3072 bits of RFC 3526, group 15.
    package static let modp3072: Modulus = {
        guard let pointer = BN_get_rfc3526_prime_3072(nil), let modulus = Modulus(BigNumber(owning: pointer)) else {
            preconditionFailure("OpenSSL made no modulus")
        }
        return modulus
    }()

    /// Its own bytes, the greatest first.
    package var bytes: [UInt8] { number.bytes }

    /// Returns whether a number is below it.
    package func exceeds(_ number: borrowing BigNumber) -> Bool { BN_ucmp(number.pointer, self.number.pointer) < 0 }

    /// The remainder of a number that may be above. The time depends on the number.
    package func remainder(of number: borrowing BigNumber) -> BigNumber {
        BigNumber.make { BN_nnmod($0, number.pointer, self.number.pointer, $1) }
    }

    package func sum(_ left: borrowing BigNumber, _ right: borrowing BigNumber) -> BigNumber {
        demand(left)
        demand(right)
        return BigNumber.make { result, _ in BN_mod_add_quick(result, left.pointer, right.pointer, number.pointer) }
    }

    package func product(_ left: borrowing BigNumber, _ right: borrowing BigNumber) -> BigNumber {
        demand(left)
        demand(right)
        // One factor in Montgomery's form is enough, and no division: its time would depend on the factors.
        return BigNumber.make { result, workspace in
            guard BN_to_montgomery(result, left.pointer, montgomery, workspace) == 1 else { return 0 }
            return BN_mod_mul_montgomery(result, result, right.pointer, montgomery, workspace)
        }
    }

    /// A power, in a time that tells no more of base and exponent than how long the exponent is, in machine words.
    package func power(of base: borrowing BigNumber, secret exponent: borrowing BigNumber) -> BigNumber {
        demand(base)
        return BigNumber.make {
            BN_mod_exp_mont_consttime($0, base.pointer, exponent.pointer, number.pointer, $1, montgomery)
        }
    }

    /// A power with an exponent that everybody may know: a sixth faster.
    package func power(of base: borrowing BigNumber, known exponent: borrowing BigNumber) -> BigNumber {
        demand(base)
        return BigNumber.make { BN_mod_exp_mont($0, base.pointer, exponent.pointer, number.pointer, $1, montgomery) }
    }

    /// The inverse of a number; nil when there is none. Not in constant time.
    func inverse(of number: borrowing BigNumber) -> BigNumber? {
        let result = BigNumber()
        var isMade = false
        BigNumber.withWorkspace { workspace in
            isMade = BN_mod_inverse(result.pointer, number.pointer, self.number.pointer, workspace) != nil
            if !isMade { ERR_clear_error() }
        }
        guard isMade else { return nil }
        return result
    }

    /// Without being below the modulus, numbers would lead to wrong ones.
    private func demand(_ number: borrowing BigNumber) {
        let isBelow = exceeds(number)
        precondition(isBelow, "a number is counted with that is not below the modulus")
    }
}
