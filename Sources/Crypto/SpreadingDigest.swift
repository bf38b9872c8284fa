import COpenSSL

/// The digest MD5 (RFC 1321): for spreading and for what others define by it, never for proof.
package enum SpreadingDigest {
    package static let byteCount = 16

    /// The digest of a message.
    package static func of(_ message: [UInt8]) -> [UInt8] {
        let digest = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
            let made = EVP_Digest(message, message.count, buffer.baseAddress, nil, Method.md5.pointer, nil)
            initialized = made == 1 ? byteCount : 0
        }
        // OpenSSL fails here only without memory; an empty digest would equal another one.
        precondition(digest.count == byteCount, "OpenSSL made no digest")
        return digest
    }

    /// The algorithm, fetched once: looking it up costs more than a short digest does.
    private struct Method: @unchecked Sendable {
        // Safe to share: nothing changes it, and it is never given back.
        let pointer: OpaquePointer

        static let md5: Method = {
            guard let pointer = EVP_MD_fetch(nil, "MD5", nil) else { preconditionFailure("OpenSSL has no MD5") }
            return Method(pointer: pointer)
        }()
    }
}
