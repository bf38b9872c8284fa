import COpenSSL

/// A key that signs.
package final class PrivateKey: @unchecked Sendable {
    // Safe to share: OpenSSL counts references atomically, and a key is not changed after it was made.
    private let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Makes a new RSA key. Takes some tenths of a second.
    package static func makeRSA(bits: Int = 2048) -> PrivateKey {
        guard let pointer = homeport_generate_rsa_key(bits) else {
            preconditionFailure("OpenSSL made no key")
        }
        return PrivateKey(owning: pointer)
    }

    /// Makes a new key on P-256.
    package static func makeP256() -> PrivateKey {
        guard let pointer = homeport_generate_p256_key() else { preconditionFailure("OpenSSL made no key") }
        return PrivateKey(owning: pointer)
    }

    /// The key in a PEM text without a passphrase; nil when there is none.
    package convenience init?(pem: [UInt8]) {
        // OpenSSL reads where the bytes are: they must stay there for as long as it does.
        let pointer: OpaquePointer? = pem.withUnsafeBytes { bytes in
            guard let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer {
                BIO_free(memory)
                ERR_clear_error()
            }
            return PEM_read_bio_PrivateKey(memory, nil, homeport_no_passphrase, nil)
        }
        guard let pointer else { return nil }
        self.init(owning: pointer)
    }

    /// The key as PEM text (PKCS #8), without a passphrase.
    package var pem: [UInt8] {
        guard let memory = BIO_new(BIO_s_mem()) else { return [] }
        defer { BIO_free(memory) }
        guard PEM_write_bio_PKCS8PrivateKey(memory, pointer, nil, nil, 0, nil, nil) == 1 else { return [] }
        var length = 0
        guard let bytes = homeport_memory_bytes(memory, &length), length > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: bytes, count: length))
    }

    /// The half that verifies what this one signs.
    package var publicKey: PublicKey {
        EVP_PKEY_up_ref(pointer)
        return PublicKey(owning: pointer)
    }

    /// The signature of a message; nil when the key does not fit the algorithm.
    package func signature(of message: [UInt8], by algorithm: SignatureAlgorithm) -> [UInt8]? {
        guard publicKey.fits(algorithm), let context = EVP_MD_CTX_new() else { return nil }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var length = Int(EVP_PKEY_get_size(pointer))
        guard length > 0, EVP_DigestSignInit(context, nil, algorithm.digest.method, nil, pointer) == 1 else {
            return nil
        }
        let capacity = length
        let signature = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            let made = EVP_DigestSign(context, buffer.baseAddress, &length, message, message.count)
            initialized = made == 1 ? min(length, capacity) : 0
        }
        guard !signature.isEmpty else { return nil }
        guard let curve = algorithm.curve else { return signature }
        let joinedCount = curve.byteCount * 2
        let joined = [UInt8](unsafeUninitializedCapacity: joinedCount) { buffer, initialized in
            let made = homeport_ecdsa_joined(
                signature, signature.count, buffer.baseAddress, Int32(clamping: curve.byteCount))
            initialized = made == 1 ? joinedCount : 0
        }
        return joined.isEmpty ? nil : joined
    }
}
