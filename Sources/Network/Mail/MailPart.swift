/// Something that is attached to a mail, or that its page shows.
package struct MailPart: Sendable, Equatable {
    /// How it travels; readers get the same bytes.
    package enum Encoding: Sendable {
        case base64
        case quotedPrintable
    }

    package let name: String
    /// As `Content-Type` says it.
    package let type: String
    package let bytes: [UInt8]
    package var isInline = false
    /// By which a page names it: `cid:logo`.
    package var identifier: String?
    package var note: String?
    package var encoding = Encoding.base64

    private static let lineBytes = 57

    package init(_ name: String, type: String, _ bytes: [UInt8]) {
        (self.name, self.type, self.bytes) = (name, type, bytes)
    }

    /// How much of a mail it takes, but for the ends of its lines.
    package var sentBytes: Int {
        switch encoding {
        case .base64: (bytes.count + 2) / 3 * 4
        case .quotedPrintable: bytes.reduce(0) { $0 + (MailQuotedPrintable.isPlain($1) ? 1 : 3) }
        }
    }

    /// Its own fields, an empty line, and what it is.
    func append(to mail: inout [UInt8]) {
        func line(_ text: String) { mail.append(contentsOf: "\(MailHeaderText.cleaned(text))\r\n".utf8) }
        line("Content-Type: \(type)")
        line("Content-Disposition: \(isInline ? "inline" : "attachment"); \(Self.parameter("filename", name))")
        if let identifier { line("Content-ID: <\(identifier)>") }
        if let note { MailHeaderText.append(note, field: "Content-Description", to: &mail) }
        switch encoding {
        case .base64:
            line("Content-Transfer-Encoding: base64")
            line("")
            var rest = bytes[...]
            while !rest.isEmpty {
                line(MailHeaderText.base64(rest.prefix(Self.lineBytes)))
                rest = rest.dropFirst(Self.lineBytes)
            }
        case .quotedPrintable:
            line("Content-Transfer-Encoding: quoted-printable")
            line("")
            MailQuotedPrintable.append(whole: bytes, to: &mail)
        }
    }

    /// A parameter of a field: between quotes where it is plain, else by its bytes (RFC 2231).
    private static func parameter(_ name: String, _ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        if isPlain { return "\(name)=\"\(text)\"" }
        var coded = ""
        for byte in text.utf8 {
            if HTTPCharacters.isDigit(byte) || HTTPCharacters.lowercased(byte) &- 0x61 < 26 || byte == UInt8(ascii: ".")
            {
                coded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                var escape: [UInt8] = []
                MailQuotedPrintable.appendEscape(of: byte, to: &escape)
                coded += "%" + String(decoding: escape.dropFirst(), as: UTF8.self)
            }
        }
        return "\(name)*=UTF-8''\(coded)"
    }
}
