import Crypto

extension Hexadecimal {
    /// Returns whether the bytes are a SHA-256, or a signature, as clients write them: 64 digits in lower case.
    static func areDigest(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count == 64
            && bytes.allSatisfy { value(of: $0) != nil && !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }
    }
}
