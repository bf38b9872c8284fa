import Crypto

/// The escapes of URLs, as bytes: what is signed need not be text.
enum PercentBytes {
    /// The bytes behind the escapes; what is no escape stays as it is.
    static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), let value = escape(bytes, at: index) {
                decoded.append(value)
                bytes.formIndex(&index, offsetBy: 3)
                continue
            }
            decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            bytes.formIndex(after: &index)
        }
        return decoded
    }

    /// The value of the two digits behind a percent sign.
    private static func escape<Bytes: Collection<UInt8>>(_ bytes: Bytes, at index: Bytes.Index) -> UInt8? {
        let digits = bytes[index...].dropFirst().prefix(2)
        guard digits.count == 2, let first = digits.first.flatMap(Hexadecimal.value(of:)),
            let second = digits.dropFirst().first.flatMap(Hexadecimal.value(of:))
        else { return nil }
        return first << 4 | second
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The bytes with everything escaped but letters, digits and `-._~`.
    static func encoded(_ bytes: some Sequence<UInt8>, keepsSlashes: Bool = false) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            if keepsSlashes, byte == UInt8(ascii: "/") { encoded.append(byte) } else { append(byte, to: &encoded) }
        }
        return encoded
    }

    /// A path with each escape that is needed written in the one way, and none that is not.
    static func normalized(path: some Collection<UInt8>, isSlashEscaped: Bool) -> [UInt8] {
        var normalized: [UInt8] = []
        normalized.reserveCapacity(path.count)
        var index = path.startIndex
        while index < path.endIndex {
            let byte = path[index]
            if byte == UInt8(ascii: "%"), let value = escape(path, at: index) {
                if value == UInt8(ascii: "/"), !isSlashEscaped {
                    normalized.append(value)
                } else {
                    append(value, to: &normalized)
                }
                path.formIndex(&index, offsetBy: 3)
                continue
            }
            if byte == UInt8(ascii: "/") { normalized.append(byte) } else { append(byte, to: &normalized) }
            path.formIndex(after: &index)
        }
        return normalized
    }

    /// Returns whether a byte stays as it is (RFC 3986).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func append(_ byte: UInt8, to encoded: inout [UInt8]) {
        guard !isUnreserved(byte) else { return encoded.append(byte) }
        encoded.append(UInt8(ascii: "%"))
        encoded.append(digits[Int(byte >> 4)])
        encoded.append(digits[Int(byte & 15)])
    }
}
