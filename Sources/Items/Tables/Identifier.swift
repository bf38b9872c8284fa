import Crypto

/// The texts that tables are told apart by.
enum Identifier {
    /// Sixteen bytes as `01234567-89ab-cdef-0123-456789abcdef`.
    static func text(of bytes: [UInt8]) -> String {
        let digits = Hexadecimal.text(of: bytes)
        var parts: [Substring] = []
        var rest = digits[...]
        for count in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return parts.joined(separator: "-")
    }
}
