import COpenSSL

/// The digest SHA-1 (FIPS 180-4): for what others define by it, never for proof.
package enum FormerDigest {
    package static let byteCount = 20

    /// The digest of a message.
    package static func of(_ message: [UInt8]) -> [UInt8] {
        let digest = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
            let made = EVP_Digest(message, message.count, buffer.baseAddress, nil, EVP_sha1(), nil)
            initialized = made == 1 ? byteCount : 0
        }
        // OpenSSL fails here only without memory; an empty digest would equal another one.
        precondition(digest.count == byteCount, "OpenSSL made no digest")
        return digest
    }
}
