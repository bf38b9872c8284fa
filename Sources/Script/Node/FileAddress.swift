/// Addresses of files: `file:///folder/a%20b.ts`.
package enum FileAddress {
    /// The address of an absolute path.
    package static func address(of path: String) -> String {
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes.append(0x25)
                for digit in [byte >> 4, byte & 15] { bytes.append(digit < 10 ? 0x30 + digit : 0x37 + digit) }
            }
        }
        return "file://" + String(decoding: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
        default: "/-_.~!$&'()*+,;=:@".utf8.contains(byte)
        }
    }

    /// The path that an address means.
    static func path(of address: [UInt16], _ realm: Realm) throws(Thrown) -> [UInt16] {
        let text = String(decoding: address, as: UTF16.self)
        guard text.lowercased().hasPrefix("file:") else {
            let colon = text.firstIndex(of: ":")
            throw realm.typeError(colon == nil ? "Invalid URL" : "The URL must be of scheme file")
        }
        var rest = text.dropFirst(5)
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let host = rest.prefix { $0 != "/" }
            guard host.isEmpty || host == "localhost" else {
                throw realm.typeError("File URL host must be \"localhost\" or empty on \(host)")
            }
            rest = rest.dropFirst(host.count)
        }
        var bytes: [UInt8] = []
        let source = Array(rest.prefix { $0 != "?" && $0 != "#" }.utf8)
        var index = 0
        while index < source.count {
            let byte = source[index]
            index += 1
            guard byte == 0x25, index + 1 < source.count, let high = Lexer.hexadecimalValue(UInt16(source[index])),
                let low = Lexer.hexadecimalValue(UInt16(source[index + 1]))
            else {
                bytes.append(byte)
                continue
            }
            let decoded = UInt8(truncatingIfNeeded: high << 4 | low)
            if decoded == 0x2F {
                throw realm.typeError("File URL path must not include encoded / characters")
            }
            bytes.append(decoded)
            index += 2
        }
        let path = Array(String(decoding: bytes, as: UTF8.self).utf16)
        return NodePath.isAbsolute(path) ? NodePath.resolve([path], from: []) : [0x2F] + path
    }
}
