/// Which characters XML 1.0 can hold. It has no way to write the others, not even as a reference: most control characters, U+FFFE and U+FFFF.
package enum XMLCharacters {
    /// Returns whether XML can hold each character of a text.
    ///
    /// Hot path: the body of each message of a queue is asked for. U+FFFE and U+FFFF are EF BF BE and EF BF BF.
    package static func canHold(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var (last, lastButOne) = (UInt8(0), UInt8(0))
            for byte in bytes {
                if byte < 0x20 {
                    guard byte == 0x09 || byte == 0x0A || byte == 0x0D else { return false }
                } else if byte >= 0xBE, last == 0xBF, lastButOne == 0xEF {
                    return false
                }
                (lastButOne, last) = (last, byte)
            }
            return true
        }
    }

    package static func canHold(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x1_0000...: true
        default: false
        }
    }
}
