/// Identifiers in the form of RFC 9562, in lower case.
package enum UUIDText {
    /// A new one that nobody can foretell.
    package static func random() -> String { versionFour(of: RandomBytes.make(count: 16)) }

    /// Sixteen bytes as a random identifier: the bits of its version are set.
    package static func versionFour(of bytes: [UInt8]) -> String {
        var bytes = bytes
        guard bytes.count == 16 else { return text(of: bytes) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return text(of: bytes)
    }

    /// Sixteen bytes in that form.
    package static func text(of bytes: [UInt8]) -> String {
        let digits = Array(Hexadecimal.text(of: bytes).utf8)
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
            String(decoding: digits.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
        }
        return groups.joined(separator: "-")
    }

    /// Tells whether a text has that form.
    package static func isOne(_ text: String) -> Bool { isOne(text[...]) }

    /// Not generic: a room that cannot see what is generic looks its types up when the program runs.
    package static func isOne(_ text: Substring) -> Bool {
        guard text.utf8.count == 36 else { return false }
        for (place, byte) in text.utf8.enumerated() {
            let isRight =
                switch place {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                default:
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
                }
            guard isRight else { return false }
        }
        return true
    }
}
