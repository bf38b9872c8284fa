import COpenSSL

/// Bytes that others keep for us and can neither read nor change: AES-256 with GCM (SP 800-38D).
///
///     nonce (12 bytes, random) │ the bytes, encrypted │ tag (16 bytes)
///
/// A key may seal 2 to the 32 times before two nonces are likely to be the same, which would give away what they sealed:
/// enough for every sign-in, too few for every page of a list, whose tokens the Store makes otherwise.
package struct Seal: Sendable {
    private let key: [UInt8]

    package static let keyBytes = 32
    /// How much longer bytes are when they are sealed.
    package static let extraBytes = nonceBytes + tagBytes
    /// The most that is sealed, or opened, at once.
    package static let bytesMax = 1 << 20
    private static let nonceBytes = 12
    private static let tagBytes = 16

    /// The key has 32 bytes.
    package init(key: [UInt8]) {
        precondition(key.count == Self.keyBytes, "a key of \(key.count) bytes seals nothing")
        self.key = key
    }

    /// The bytes, sealed for a purpose: only who names the same one opens them. Never the same twice.
    package func seal(_ bytes: [UInt8], for purpose: [UInt8]) -> [UInt8] {
        precondition(bytes.count <= Self.bytesMax, "\(bytes.count) bytes are sealed at once")
        let nonce = RandomBytes.make(count: Self.nonceBytes)
        var tag = [UInt8](repeating: 0, count: Self.tagBytes)
        let sealed = withCipher(EVP_EncryptInit_ex, nonce) { context in
            var count: Int32 = 0
            guard EVP_EncryptUpdate(context, nil, &count, purpose, Int32(clamping: purpose.count)) == 1 else {
                return nil
            }
            let sealed = Self.bytes(bytes.count) { EVP_EncryptUpdate(context, $0, &count, bytes, Int32(bytes.count)) }
            guard EVP_EncryptFinal_ex(context, &tag, &count) == 1,
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagBytes), &tag) == 1
            else { return nil }
            return sealed
        }
        // OpenSSL fails here only without memory; unsealed bytes must not go out.
        guard let sealed else { preconditionFailure("OpenSSL sealed nothing") }
        return nonce + sealed + tag
    }

    /// Opens what was sealed for a purpose; nil for anything else.
    package func open(_ sealed: some Collection<UInt8>, for purpose: [UInt8]) -> [UInt8]? {
        let sealed = Array(sealed)
        let count = sealed.count - Self.extraBytes
        guard (0...Self.bytesMax).contains(count) else { return nil }
        let encrypted = Array(sealed[Self.nonceBytes..<Self.nonceBytes + count])
        var tag = Array(sealed.suffix(Self.tagBytes))
        return withCipher(EVP_DecryptInit_ex, Array(sealed.prefix(Self.nonceBytes))) { context in
            var written: Int32 = 0
            guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagBytes), &tag) == 1,
                EVP_DecryptUpdate(context, nil, &written, purpose, Int32(clamping: purpose.count)) == 1,
                let bytes = Self.bytes(count, { EVP_DecryptUpdate(context, $0, &written, encrypted, Int32(count)) })
            else { return nil }
            var rest: [UInt8] = [0]
            return EVP_DecryptFinal_ex(context, &rest, &written) == 1 ? bytes : nil
        }
    }

    private typealias Start = (
        OpaquePointer?, OpaquePointer?, OpaquePointer?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?
    ) -> Int32

    private func withCipher(
        _ start: Start, _ nonce: [UInt8], _ body: (OpaquePointer) -> [UInt8]?
    ) -> [UInt8]? {
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("OpenSSL made no cipher") }
        defer { EVP_CIPHER_CTX_free(context) }
        guard start(context, EVP_aes_256_gcm(), nil, key, nonce) == 1 else { return nil }
        return body(context)
    }

    /// As many bytes as a body writes; nil when it fails.
    private static func bytes(_ count: Int, _ write: (UnsafeMutablePointer<UInt8>?) -> Int32) -> [UInt8]? {
        var isWritten = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            // Nothing to write: OpenSSL takes a missing place for more of the purpose.
            isWritten = count == 0 || write(buffer.baseAddress) == 1
            initialized = isWritten ? count : 0
        }
        return isWritten ? bytes : nil
    }
}
