/// The classes of bytes that HTTP's grammar (RFC 9110, RFC 9112) knows. Hot path: two words of bits each, no tables.
enum HTTPCharacters {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let colon: UInt8 = 0x3A

    // One bit for each of "!#$%&'*+-.^_`|~", the digits and the letters, as literals: a constant that is computed when
    // it is first used costs a check at every use.
    private static let tokenLow: UInt64 = 0x03FF_6CFA_0000_0000
    private static let tokenHigh: UInt64 = 0x57FF_FFFF_C7FF_FFFE

    /// `tchar`: what a method or a field name consists of.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        byte < 128 && ((byte < 64 ? tokenLow : tokenHigh) >> UInt64(byte & 63)) & 1 == 1
    }

    /// The bytes of a field value: printing characters, space, tab, and bytes above ASCII.
    @inline(__always)
    static func isFieldValue(_ byte: UInt8) -> Bool {
        byte >= 0x20 ? byte != 0x7F : byte == tab
    }

    /// Returns whether a field value may hold eight bytes, none of which is a tab: none is below 0x20 or is 0x7F.
    @inline(__always)
    static func areFieldValue(_ bytes: UInt64) -> Bool {
        let controls = (bytes &- 0x2020_2020_2020_2020) & ~bytes
        let deletion = bytes ^ 0x7F7F_7F7F_7F7F_7F7F
        let deletions = (deletion &- 0x0101_0101_0101_0101) & ~deletion
        return (controls | deletions) & 0x8080_8080_8080_8080 == 0
    }

    /// The bytes of a request target.
    @inline(__always)
    static func isTarget(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == space || byte == tab
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }

    @inline(__always)
    static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }
}
