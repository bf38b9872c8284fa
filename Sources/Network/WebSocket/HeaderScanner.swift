/// A reader of tokens and separators in the value of a header. White space before each of them is skipped.
struct HeaderScanner {
    private var rest: Substring.UTF8View

    init(_ value: String) {
        rest = value[...].utf8
    }

    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return rest.isEmpty
        }
    }

    /// Returns whether the separator comes next; it is skipped then.
    mutating func skip(_ separator: Unicode.Scalar) -> Bool {
        skipSpace()
        guard rest.first == UInt8(ascii: separator) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func token() -> String? {
        skipSpace()
        let token = rest.prefix(while: Self.isTokenByte)
        guard !token.isEmpty else { return nil }
        rest = rest[token.endIndex...]
        return String(Substring(token))
    }

    /// A quoted string that holds a token.
    mutating func quotedToken() -> String? {
        guard skip("\"") else { return nil }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self) }
            guard let meant = byte == UInt8(ascii: "\\") ? rest.popFirst() : byte else { return nil }
            guard Self.isTokenByte(meant) else { return nil }
            bytes.append(meant)
        }
        return nil
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
