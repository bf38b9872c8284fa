import Glibc

extension MailMessage {
    /// The mail as servers carry it (RFC 5322, RFC 2045): seven bits, short lines that end with CRLF, and no text of a user's
    /// but encoded, so that none can begin a header, a part or the end of the mail.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        func line(_ text: String) { bytes.append(contentsOf: "\(text)\r\n".utf8) }
        // The zone by its number: names are a thing of the past in mails.
        line("Date: \(HTTPDate.text(of: time_t(seconds)).dropLast(3))+0000")
        MailHeaderText.appendParty(from, field: "From", to: &bytes)
        line("To: \(to)")
        line("Message-ID: <\(Self.atom(of: identifier))@\(from.address.domain)>")
        MailHeaderText.append(subject, field: "Subject", to: &bytes)
        // Whoever answers mails by a machine leaves this one alone (RFC 3834).
        line("Auto-Submitted: auto-generated")
        line("MIME-Version: 1.0")
        guard let html else {
            Self.append(text, type: "text/plain", to: &bytes)
            return bytes
        }
        line("Content-Type: multipart/alternative; boundary=\"\(Self.boundary)\"")
        line("")
        for (text, type) in [(text, "text/plain"), (html, "text/html")] {
            line("--\(Self.boundary)")
            Self.append(text, type: type, to: &bytes)
        }
        line("--\(Self.boundary)--")
        return bytes
    }

    /// No encoded text has it: behind an equals sign stand hexadecimal digits, or the line ends.
    private static let boundary = "=_part_=_"

    private static func append(_ text: String, type: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "Content-Type: \(type); charset=utf-8\r\n".utf8)
        bytes.append(contentsOf: "Content-Transfer-Encoding: quoted-printable\r\n\r\n".utf8)
        MailQuotedPrintable.append(text, to: &bytes)
    }

    /// The text with all but letters, digits and hyphens as hexadecimal digits: different texts stay different.
    private static func atom(of text: String) -> String {
        var atom: [UInt8] = []
        for byte in text.utf8 {
            if HTTPCharacters.isDigit(byte) || HTTPCharacters.lowercased(byte) &- 0x61 < 26 || byte == UInt8(ascii: "-")
            {
                atom.append(byte)
            } else {
                MailQuotedPrintable.appendEscape(of: byte, to: &atom)
            }
        }
        return String(decoding: atom, as: UTF8.self)
    }
}
