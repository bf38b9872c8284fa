import COpenSSL

/// A key for many codes of HMAC with SHA-256 (RFC 2104): what of the work depends on the key alone is done once.
package final class HMACKey: @unchecked Sendable {
    // Safe to share: after the start both contexts are only copied from, which does not change them.
    private let inner: OpaquePointer
    private let outer: OpaquePointer

    private static let blockCount = 64

    package init(_ key: [UInt8]) {
        let key = key.count > Self.blockCount ? Digest.sha256.of(key) : key
        let block = key + [UInt8](repeating: 0, count: Self.blockCount - key.count)
        inner = Self.context(block.map { $0 ^ 0x36 })
        outer = Self.context(block.map { $0 ^ 0x5C })
    }

    deinit {
        EVP_MD_CTX_free(inner)
        EVP_MD_CTX_free(outer)
    }

    private static func context(_ bytes: [UInt8]) -> OpaquePointer {
        // OpenSSL fails here only without memory; going on without a code would accept what is forged.
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1,
            EVP_DigestUpdate(context, bytes, bytes.count) == 1
        else { preconditionFailure("OpenSSL made no HMAC") }
        return context
    }

    /// The code of the pieces of a message, one behind the other, 32 bytes.
    package func code(of pieces: [UInt8]...) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("OpenSSL made no HMAC") }
        defer { EVP_MD_CTX_free(context) }
        return Self.digest(context, from: outer, of: [Self.digest(context, from: inner, of: pieces)])
    }

    private static func digest(_ context: OpaquePointer, from start: OpaquePointer, of pieces: [[UInt8]]) -> [UInt8] {
        var isMade = EVP_MD_CTX_copy_ex(context, start) == 1
        for piece in pieces { isMade = isMade && EVP_DigestUpdate(context, piece, piece.count) == 1 }
        let digest = [UInt8](unsafeUninitializedCapacity: HMACSHA256.count) { buffer, initialized in
            isMade = isMade && EVP_DigestFinal_ex(context, buffer.baseAddress, nil) == 1
            initialized = isMade ? HMACSHA256.count : 0
        }
        precondition(digest.count == HMACSHA256.count, "OpenSSL made no HMAC")
        return digest
    }
}
