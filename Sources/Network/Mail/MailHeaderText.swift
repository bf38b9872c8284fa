import COpenSSL
import Glibc

/// Texts of people in the header of a mail: as they are where they are short and plain, as encoded words (RFC 2047) else.
enum MailHeaderText {
    /// Bytes of an encoded word's text: in base64, with the longest field name before it, they fit into a line of 76.
    private static let wordBytesMax = 39
    private static let lineBytesMax = 76

    /// The field with its line end.
    static func append(_ text: String, field: String, to bytes: inout [UInt8]) {
        let text = cleaned(text)
        let isBlankAtEnd = text.hasPrefix(" ") || text.hasSuffix(" ")
        let isPlain = isASCII(text) && !isBlankAtEnd && field.utf8.count + 2 + text.utf8.count <= lineBytesMax
        bytes.append(contentsOf: "\(field): \(isPlain ? text : encoded(text))\r\n".utf8)
    }

    /// The field with the time of a mail, in seconds since 1970.
    static func appendDate(_ seconds: Int64, to bytes: inout [UInt8]) {
        // The zone by its number: names are a thing of the past in mails.
        bytes.append(contentsOf: "Date: \(HTTPDate.text(of: time_t(seconds)).dropLast(3))+0000\r\n".utf8)
    }

    /// A field with a name and an address.
    static func appendParty(_ party: MailParty, field: String, to bytes: inout [UInt8]) {
        append([party], field: field, to: &bytes)
    }

    /// A field with several of them, each in a line of its own.
    static func append(_ parties: [MailParty], field: String, to bytes: inout [UInt8]) {
        let texts = parties.map { text(of: $0, besideBytes: field.utf8.count + 2) }
        bytes.append(contentsOf: "\(field): \(texts.joined(separator: ",\r\n "))\r\n".utf8)
    }

    private static func text(of party: MailParty, besideBytes: Int) -> String {
        let name = cleaned(party.name ?? "")
        guard !name.isEmpty else { return party.address.text }
        let quoted = "\"\(name.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : "\($0)" }.joined())\""
        let isPlain = isASCII(name) && besideBytes + quoted.utf8.count <= lineBytesMax
        return "\(isPlain ? quoted : encoded(name))\r\n <\(party.address)>"
    }

    /// The text with a blank for whatever controls a line or a terminal.
    static func cleaned(_ text: String) -> String {
        var cleaned = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: cleaned.append(" ")
            default: cleaned.append(scalar)
            }
        }
        return String(cleaned)
    }

    /// Bytes in base64, in one line.
    static func base64(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        EVP_EncodeBlock(&text, bytes, Int32(clamping: bytes.count))
        return String(decoding: text.dropLast(), as: UTF8.self)
    }

    /// Returns whether readers show it as it is: one that looks like an encoded word would be decoded.
    private static func isASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
            && !text.utf8.indices.contains { text.utf8[$0...].starts(with: "=?".utf8) }
    }

    /// Encoded words, each in a line of its own and none with a part of a character. Readers join them.
    private static func encoded(_ text: String) -> String {
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = UTF8.encode(scalar).map(Array.init) ?? []
            if words[words.count - 1].count + bytes.count > wordBytesMax { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?UTF-8?B?\(base64($0))?=" }.joined(separator: "\r\n ")
    }
}
