extension MailMessage {
    /// The mail as servers carry it (RFC 5322, RFC 2045): seven bits, short lines that end with CRLF, and no text of a user's
    /// but encoded, so that none can begin a header, a part or the end of the mail.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        func line(_ text: String) { bytes.append(contentsOf: "\(text)\r\n".utf8) }
        MailHeaderText.appendDate(seconds, to: &bytes)
        MailHeaderText.appendParty(from, field: "From", to: &bytes)
        line("To: \(to)")
        line("Message-ID: <\(Self.atom(of: identifier))@\(from.address.domain)>")
        MailHeaderText.append(subject, field: "Subject", to: &bytes)
        // Whoever answers mails by a machine leaves this one alone (RFC 3834).
        line("Auto-Submitted: auto-generated")
        MailContent.append(text, html: html, to: &bytes)
        return bytes
    }

    /// The text with all but letters, digits and hyphens as hexadecimal digits: different texts stay different.
    static func atom(of text: String) -> String {
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
