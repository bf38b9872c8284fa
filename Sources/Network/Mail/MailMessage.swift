/// A mail to one address, as a value: `bytes` is what a server is given of it.
package struct MailMessage: Sendable, Equatable {
    package let from: MailParty
    package let to: MailAddress
    package let subject: String
    /// The text that every reader can show.
    package let text: String
    /// The same as a page of HTML, for readers that show it; nil: there is none.
    package let html: String?
    /// The identifier of this mail among those of its sender: a reader who gets it twice recognises it. Any text.
    package let identifier: String
    /// When it was written, in seconds since 1970.
    package let seconds: Int64

    package static let subjectBytesMax = 1_024
    /// Text and page, each.
    package static let bodyBytesMax = 256 * 1024
    package static let identifierBytesMax = 128

    package init(
        from: MailParty, to: MailAddress, subject: String, text: String, html: String? = nil, identifier: String,
        seconds: Int64
    ) throws(MailMessageError) {
        guard subject.utf8.count <= Self.subjectBytesMax else { throw .subjectTooLong(limit: Self.subjectBytesMax) }
        guard max(text.utf8.count, html?.utf8.count ?? 0) <= Self.bodyBytesMax else {
            throw .bodyTooLong(limit: Self.bodyBytesMax)
        }
        guard !identifier.isEmpty, identifier.utf8.count <= Self.identifierBytesMax else {
            throw .badIdentifier(limit: Self.identifierBytesMax)
        }
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
        self.identifier = identifier
        self.seconds = seconds
    }
}

/// Why there is no such mail.
package enum MailMessageError: Error, Equatable, Sendable, CustomStringConvertible {
    case subjectTooLong(limit: Int)
    case bodyTooLong(limit: Int)
    case badIdentifier(limit: Int)

    package var description: String {
        switch self {
        case .subjectTooLong(let limit): "the subject of a mail has at most \(limit) bytes"
        case .bodyTooLong(let limit): "the text of a mail has at most \(limit) bytes"
        case .badIdentifier(let limit): "the identifier of a mail has 1 to \(limit) bytes"
        }
    }
}
