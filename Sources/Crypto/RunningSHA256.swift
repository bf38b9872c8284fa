import COpenSSL

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece, without an allocation.
///
/// Hot path: each signed request is digested twice, and a third and fourth time for its code.
package struct RunningSHA256: Sendable {
    package static let byteCount = 32

    private var state = SHA256_CTX()

    package init() {
        precondition(homeport_sha256_begin(&state) == 1, "OpenSSL began no digest")
    }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        precondition(homeport_sha256_add(&state, start, bytes.count) == 1, "OpenSSL went on with no digest")
    }

    package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

    /// Hands the digest to the closure. Nothing may be added behind it: what was kept of the bytes is gone.
    package mutating func end<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 8) { digest in
            // A digest that was not made would equal another one.
            let isMade = homeport_sha256_end(&state, digest.baseAddress?.assumingMemoryBound(to: UInt8.self)) == 1
            precondition(isMade, "OpenSSL made no digest")
            defer { forget() }
            return body(UnsafeRawBufferPointer(digest))
        }
    }

    package mutating func end() -> [UInt8] { end { Array($0) } }

    /// Overwrites what it has of the bytes, which may be a key.
    mutating func forget() {
        withUnsafeMutableBytes(of: &state) { OPENSSL_cleanse($0.baseAddress, $0.count) }
    }
}
