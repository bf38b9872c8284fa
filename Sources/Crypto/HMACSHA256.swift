/// The HMAC of bytes with SHA-256 (RFC 2104).
package enum HMACSHA256 {
    package static let count = 32

    /// The code of a message under a key, 32 bytes. Who makes many under the same one keeps an `HMACKey`.
    package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] { HMACKey(key).code(of: message) }

    /// Returns whether two codes are the same, in a time that does not tell where they differ.
    package static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        ConstantTime.areEqual(left, right)
    }
}
