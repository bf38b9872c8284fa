import COpenSSL

/// Comparison of secrets.
package enum ConstantTime {
    /// Returns whether two texts are the same, in a time that does not tell where they differ. Their lengths are no secret.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        areEqual(left.utf8, right.utf8)
    }

    /// Returns whether two runs of bytes are the same, in a time that does not tell where they differ.
    package static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        withBytes(of: left) { left in
            withBytes(of: right) { right in
                guard left.count == right.count else { return false }
                guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return true }
                return CRYPTO_memcmp(leftBase, rightBase, left.count) == 0
            }
        }
    }

    private static func withBytes(
        of bytes: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        bytes.withContiguousStorageIfAvailable(body) ?? Array(bytes).withUnsafeBufferPointer(body)
    }
}
