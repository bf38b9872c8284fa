/// Comparison of secrets.
package enum ConstantTime {
    /// Whether two texts are the same, in a time that does not tell where they differ. Their lengths are no secret.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        HMACSHA256.areEqual(left.utf8, right.utf8)
    }

    /// Whether two runs of bytes are the same, in a time that does not tell where they differ.
    package static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        HMACSHA256.areEqual(left, right)
    }
}
