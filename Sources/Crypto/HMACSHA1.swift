import COpenSSL

/// The HMAC of bytes with SHA-1 (RFC 2104): for codes that apps show for thirty seconds, and for nothing new.
package enum HMACSHA1 {
    package static let count = 20

    package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        let code = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let made = HMAC(
                EVP_sha1(), key, Int32(clamping: key.count), message, message.count, buffer.baseAddress, nil)
            initialized = made == nil ? 0 : count
        }
        precondition(code.count == count, "OpenSSL made no HMAC")
        return code
    }
}
