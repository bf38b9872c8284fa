import COpenSSL

/// A key that verifies signatures.
package final class PublicKey: @unchecked Sendable {
    // Safe to share: OpenSSL counts references atomically, and a key is not changed after it was made.
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    /// An RSA key by its two numbers, big-endian. Nil when they are none, or the size is out of `bits`.
    package convenience init?(rsaModulus modulus: [UInt8], exponent: [UInt8], bits: ClosedRange<Int>) {
        let significant = Array(modulus.drop { $0 == 0 })
        guard let first = significant.first, !exponent.isEmpty, exponent.count <= 8,
            bits.contains(significant.count * 8 - first.leadingZeroBitCount),
            // Even numbers, and 1, are no exponents.
            let last = exponent.last, last & 1 == 1, exponent.contains(where: { $0 > 1 }) || exponent.count > 1,
            let pointer = homeport_rsa_public_key(significant, significant.count, exponent, exponent.count)
        else { return nil }
        self.init(owning: pointer)
    }

    /// A point of a curve by its coordinates. Nil when it is not on the curve.
    package convenience init?(_ curve: Curve, x: [UInt8], y: [UInt8]) {
        guard x.count == curve.byteCount, y.count == curve.byteCount else { return nil }
        let point: [UInt8] = [4] + x + y
        guard let pointer = homeport_ec_public_key(curve.systemName, point, point.count) else {
            ERR_clear_error()
            return nil
        }
        self.init(owning: pointer)
    }

    /// Returns whether the key is of the kind that an algorithm needs.
    package func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        guard let curve = algorithm.curve else { return homeport_is_rsa(pointer) == 1 }
        return homeport_is_p256_or_p384(pointer, curve.systemName) == 1
    }

    /// Returns whether a signature was made over a message with the private half of this key.
    package func verifies(_ signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
        guard fits(algorithm), let signature = Self.systemForm(of: signature, algorithm) else { return false }
        return verifies(systemForm: signature, of: message, by: algorithm)
    }

    /// The same for a signature in the form that OpenSSL has, and authenticators: of a curve two numbers in DER.
    package func verifies(
        systemForm signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm
    ) -> Bool {
        guard fits(algorithm), let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            // A refused signature leaves an entry that the next user of this thread's queue would take for theirs.
            ERR_clear_error()
        }
        return EVP_DigestVerifyInit(context, nil, algorithm.digest.method, nil, pointer) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    private static func systemForm(of signature: [UInt8], _ algorithm: SignatureAlgorithm) -> [UInt8]? {
        guard let curve = algorithm.curve else { return signature }
        guard signature.count == curve.byteCount * 2 else { return nil }
        // Two numbers, each with a tag, a length and perhaps a zero in front, in a sequence.
        let capacity = signature.count + 16
        let der = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            initialized = Int(
                homeport_ecdsa_der(signature, curve.byteCount, buffer.baseAddress, Int32(clamping: capacity)))
        }
        return der.isEmpty ? nil : der
    }

    /// The two numbers of an RSA key, big-endian; nil for other keys.
    package var rsaNumbers: (modulus: [UInt8], exponent: [UInt8])? {
        guard let modulus = number("n"), let exponent = number("e") else { return nil }
        return (modulus, exponent)
    }

    private func number(_ name: String) -> [UInt8]? {
        let capacity = 2048
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            initialized = Int(homeport_rsa_number(pointer, name, buffer.baseAddress, capacity))
        }
        return bytes.isEmpty ? nil : bytes
    }
}
