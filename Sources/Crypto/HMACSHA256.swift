import COpenSSL

/// The HMAC of bytes with SHA-256 (RFC 2104).
package enum HMACSHA256 {
    package static let count = 32

    /// The code of a message under a key, 32 bytes.
    package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var length: UInt32 = 0
        let code = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, initialized in
            let made = HMAC(
                EVP_sha256(), key, Int32(clamping: key.count), message, message.count, buffer.baseAddress, &length)
            initialized = made == nil ? 0 : Int(length)
        }
        // OpenSSL fails here only without memory; going on without a code would accept what is forged.
        precondition(code.count == count, "OpenSSL made no HMAC")
        return code
    }

    /// Whether two codes are the same, in a time that does not tell where they differ.
    package static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        ConstantTime.areEqual(left, right)
    }
}
