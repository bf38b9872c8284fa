/// The grammar of an authority: a host, and perhaps a port (RFC 3986, section 3.2; RFC 9110, section 7.2).
enum HTTPAuthority {
    // One bit for each of "!$&'()*+,-.;=_~", the digits and the letters: what a name may hold but for escapes.
    private static let nameLow: UInt64 = 0x2BFF_7FD2_0000_0000
    private static let nameHigh: UInt64 = 0x47FF_FFFE_87FF_FFFE

    @inline(__always)
    private static func isName(_ byte: UInt8) -> Bool {
        byte < 128 && ((byte < 64 ? nameLow : nameHigh) >> UInt64(byte & 63)) & 1 == 1
    }

    /// Returns whether the bytes are one. A user's name is none of it in HTTP, and an empty host is no host. Hot path.
    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        if first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), end > bytes.startIndex + 1 else { return false }
            let isAddress = bytes[bytes.startIndex + 1..<end].allSatisfy {
                isName($0) || $0 == HTTPCharacters.colon || $0 == UInt8(ascii: "%")
            }
            return isAddress && isPort(bytes[(end + 1)...])
        }
        var index = bytes.startIndex
        while index < bytes.endIndex, bytes[index] != HTTPCharacters.colon {
            if bytes[index] == UInt8(ascii: "%") {
                guard bytes.endIndex - index > 2, HTTPCharacters.hexadecimalValue(bytes[index + 1]) != nil,
                    HTTPCharacters.hexadecimalValue(bytes[index + 2]) != nil
                else { return false }
                index += 3
            } else {
                guard isName(bytes[index]) else { return false }
                index += 1
            }
        }
        return index > bytes.startIndex && isPort(bytes[index...])
    }

    /// Nothing, or a colon with digits, be it none.
    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.isEmpty || bytes.first == HTTPCharacters.colon && bytes.dropFirst().allSatisfy(HTTPCharacters.isDigit)
    }
}
