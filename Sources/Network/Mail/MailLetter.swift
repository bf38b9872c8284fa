/// A mail of an app's to several people, as all of them read it. Each is sent it apart, those in blind copy too.
package struct MailLetter: Sendable {
    package var from: MailParty
    package var to: [MailParty] = []
    package var copies: [MailParty] = []
    package var answersTo: [MailParty] = []
    package var subject: String
    package var text: String?
    package var html: String?
    /// The header fields that the app adds.
    package var fields: [MailField] = []
    package var parts: [MailPart] = []

    package init(from: MailParty, subject: String) {
        self.from = from
        self.subject = subject
    }

    /// The mail as servers carry it.
    ///
    /// - Parameters:
    ///   - identifier: what tells it from all others of its sender. Any text.
    ///   - seconds: when it was written, since 1970.
    package func bytes(identifier: String, seconds: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        MailHeaderText.appendDate(seconds, to: &bytes)
        MailHeaderText.appendParty(from, field: "From", to: &bytes)
        for (field, parties) in [("Reply-To", answersTo), ("To", to), ("Cc", copies)] where !parties.isEmpty {
            MailHeaderText.append(parties, field: field, to: &bytes)
        }
        bytes.append(
            contentsOf: "Message-ID: <\(MailMessage.atom(of: identifier))@\(from.address.domain)>\r\n".utf8)
        MailHeaderText.append(subject, field: "Subject", to: &bytes)
        for field in fields { bytes.append(contentsOf: "\(field.name): \(field.value)\r\n".utf8) }
        MailContent.append(text, html: html, with: parts, to: &bytes)
        return bytes
    }
}

/// A mail that somebody else has put together, as it is handed to a server for one of its readers.
package struct WholeMail: Sendable, Equatable {
    package let from: MailAddress
    package let bytes: [UInt8]

    package init(from: MailAddress, _ bytes: [UInt8]) {
        self.from = from
        self.bytes = bytes
    }
}
