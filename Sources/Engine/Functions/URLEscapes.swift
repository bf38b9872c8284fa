import JSON

/// Percent escapes, for the parts of a URL.
enum URLEscapes {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// A value: everything but letters, digits and `-._~` is escaped.
    static func encoded(_ text: String) -> String {
        // A segment of dots would lead to another place.
        if text == "." || text == ".." { return String(repeating: "%2E", count: text.utf8.count) }
        return encoded(text) { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                true
            default: false
            }
        }
    }

    /// A part of a URL that the schema's author wrote: only what no URL may hold is escaped.
    static func encodedURLPart(_ text: String) -> String {
        encoded(text) { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }
    }

    private static func encoded(_ text: String, _ isKept: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
