/// The form of an address that mail can go to: `local@domain`, after RFC 822.
enum EmailAddress {
    static func isValid(_ text: [UInt8]) -> Bool {
        guard let at = text.lastIndex(of: UInt8(ascii: "@")) else { return false }
        return isLocalPart(text[..<at]) && isDomain(text[(at + 1)...])
    }

    /// Words with dots between them, or anything in double quotes.
    private static func isLocalPart(_ text: ArraySlice<UInt8>) -> Bool {
        if text.count >= 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") {
            return isQuoted(text.dropFirst().dropLast())
        }
        return areWords(text)
    }

    private static func isQuoted(_ text: ArraySlice<UInt8>) -> Bool {
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

    private static func isDomain(_ text: ArraySlice<UInt8>) -> Bool {
        if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]"), text.count > 2 {
            return text.dropFirst().dropLast().allSatisfy {
                isAtom($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":")
            }
        }
        return areWords(text)
    }

    private static func areWords(_ text: ArraySlice<UInt8>) -> Bool {
        text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtom) }
    }

    /// Everything but spaces, control characters and the specials of RFC 822.
    private static func isAtom(_ byte: UInt8) -> Bool {
        guard byte > 0x20, byte != 0x7F else { return false }
        return !"()<>@,;:\\\".[]".utf8.contains(byte)
    }
}
