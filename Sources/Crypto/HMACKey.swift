import COpenSSL

/// A key for many codes of HMAC with SHA-256 (RFC 2104): what of the work depends on the key alone is done once.
package final class HMACKey: Sendable {
    private let key: homeport_hmac_key

    package init(_ key: [UInt8]) {
        let key = key.count > Int(SHA256_CBLOCK) ? Digest.sha256.of(key) : key
        self.key = homeport_hmac_key_of(key, key.count)
    }

    /// The code of the pieces of a message, one behind the other, 32 bytes.
    package func code(of pieces: [UInt8]...) -> [UInt8] {
        withUnsafePointer(to: key) { key in
            var state = key.pointee.inner
            for piece in pieces { homeport_hmac_add(&state, piece, piece.count) }
            return [UInt8](unsafeUninitializedCapacity: HMACSHA256.count) { buffer, initialized in
                homeport_hmac_end(key, &state, buffer.baseAddress)
                initialized = HMACSHA256.count
            }
        }
    }
}
