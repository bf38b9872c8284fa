import Crypto
import JSON

/// Texts of a mail's header as people read them: `=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=` is `Grüße` (RFC 2047). What is in another set of
/// characters than UTF-8 or ASCII stays as it is.
enum EncodedWords {
    static func decoded(_ text: String) -> String {
        guard text.contains(bytesOf: "=?") else { return text }
        var result = ""
        var wasEncoded = false
        for piece in text.parts(at: " ", keepingEmpty: true) {
            let word = word(of: piece)
            // Blanks between two encoded words are none of the text's.
            if !result.isEmpty, !(wasEncoded && word != nil) { result += " " }
            result += word ?? piece
            wasEncoded = word != nil
        }
        return result
    }

    private static func word(of piece: String) -> String? {
        let parts = piece.parts(at: "?", keepingEmpty: true)
        guard parts.count == 5, parts[0] == "=", parts[4] == "=",
            ["utf-8", "us-ascii"].contains(parts[1].lowercased())
        else { return nil }
        switch parts[2].lowercased() {
        case "b": return Base64.bytes(of: parts[3].utf8, .standard).flatMap { String(validating: $0, as: UTF8.self) }
        case "q": return String(validating: bytes(ofQuoted: parts[3]), as: UTF8.self)
        default: return nil
        }
    }

    private static func bytes(ofQuoted text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "="), rest.count >= 2,
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "_") ? UInt8(ascii: " ") : byte)
            }
        }
        return bytes
    }
}
