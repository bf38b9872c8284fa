import COpenSSL

/// A private key.
final class TLSPrivateKey {
    /// Freed with this object, which must outlive its use.
    let pointer: OpaquePointer

    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }
}
