/// The form of an address that mail can go to: `local@domain`, after RFC 822.
enum EmailAddress {
    static func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let at = text.lastIndex(of: UInt8(ascii: "@")) else { return false }
        return isLocalPart(text[..<at]) && isDomain(text[(at + 1)...])
    }

    /// Words with dots between them, or anything in double quotes.
    private static func isLocalPart(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        if text.count >= 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") {
            return isQuoted(text.dropFirst().dropLast())
        }
        return areWords(text)
    }

    private static func isQuoted(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        var isEscaped = false
        for byte in text {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") || byte < 0x20 || byte == 0x7F {
                return false
            }
        }
        return !isEscaped
    }

    private static func isDomain(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]"), text.count > 2 {
            return text.dropFirst().dropLast().allSatisfy {
                isAtom($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":")
            }
        }
        return areWords(text)
    }

    private static func areWords(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        var isWord = false
        for byte in text {
            let isDot = byte == UInt8(ascii: ".")
            guard isDot ? isWord : isAtom(byte) else { return false }
            isWord = !isDot
        }
        return isWord
    }

    /// Everything but spaces, control characters and the specials of RFC 822.
    private static func isAtom(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F: false
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "@"),
            UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "\\"), UInt8(ascii: "\""),
            UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"):
            false
        default: true
        }
    }
}
