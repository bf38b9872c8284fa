import Cloud

/// Addresses of mail and telephone, as a code can be sent to them.
enum ContactAddress {
    private static let emailBytesMax = 254
    private static let localBytesMax = 64

    /// One mailbox: nothing that a mail's header could take for two, or for something else, and nothing that a reader does not see:
    /// blanks, ends of lines and marks of direction of any script.
    static func isEmail(_ text: String) -> Bool {
        guard text.utf8.count <= emailBytesMax, MemberPattern.name.admits(text),
            let at = text.utf8.lastIndex(of: UInt8(ascii: "@"))
        else {
            return false
        }
        let local = text.utf8[..<at]
        let domain = text.utf8[text.utf8.index(after: at)...]
        guard (1...localBytesMax).contains(local.count), local.allSatisfy(isLocal), local.first != UInt8(ascii: "."),
            local.last != UInt8(ascii: ".")
        else { return false }
        let labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.allSatisfy(isDomain) && label.first != UInt8(ascii: "-")
                    && label.last != UInt8(ascii: "-")
            }
    }

    /// A number of E.164.
    static func isPhone(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.first == UInt8(ascii: "+") && (3...16).contains(bytes.count)
            && bytes.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isLocal(_ byte: UInt8) -> Bool {
        switch byte {
        // What separates, quotes or comments in the header of a mail.
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\\"),
            UInt8(ascii: "\""), UInt8(ascii: "@"):
            false
        default: byte > 0x20 && byte != 0x7F
        }
    }

    private static func isDomain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: byte >= 0x80
        }
    }

    /// The address as it is told to whoever asked for a code: `a***@e***`, `+*******9934`.
    static func masked(_ address: String) -> String {
        if let at = address.utf8.firstIndex(of: UInt8(ascii: "@")) {
            let domain = address[address.index(after: at)...]
            return "\(address.prefix(1))***@\(domain.prefix(1))***"
        }
        let digits = address.dropFirst()
        return "+" + String(repeating: "*", count: max(0, digits.count - 4)) + digits.suffix(4)
    }
}
