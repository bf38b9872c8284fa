/// The escapes of URLs: `%41` is `A` (RFC 3986). They are in this room because rooms without HTTP sign, write and read URLs too.
package enum PercentCoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Returns whether a byte stays as it is: letters, digits and `-._~`.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"): true
        default: byte.isAlphanumeric
        }
    }

    /// Appends the escape of a byte.
    package static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
    }

    /// The bytes with everything escaped but what is kept.
    package static func encoded(
        _ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool = isUnreserved
    ) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            if isKept(byte) { encoded.append(byte) } else { appendEscape(of: byte, to: &encoded) }
        }
        return encoded
    }

    package static func encoded(_ text: String, keeping isKept: (UInt8) -> Bool = isUnreserved) -> String {
        String(decoding: encoded(text.utf8, keeping: isKept), as: UTF8.self)
    }

    /// The bytes behind the escapes; what is no escape stays as it is.
    package static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
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

    /// The bytes of a form's name or value, where a plus is a blank; nil where a percent sign begins no escape.
    package static func decodedForm(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
                    return nil
                }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        return decoded
    }

    /// The value of the two digits behind a percent sign.
    package static func escape<Bytes: Collection<UInt8>>(_ bytes: Bytes, at index: Bytes.Index) -> UInt8? {
        let digits = bytes[index...].dropFirst().prefix(2)
        guard digits.count == 2, let first = digits.first?.hexadecimalValue,
            let second = digits.dropFirst().first?.hexadecimalValue
        else { return nil }
        return first << 4 | second
    }
}
