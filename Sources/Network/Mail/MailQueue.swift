/// Where mails wait to be sent, and what is kept of their fates. Times are milliseconds since 1970.
///
/// Its answers must last: a mail that was marked as sent is not due again, not even after a restart.
package protocol MailQueue: Sendable {
    /// True if no mail waits from before, so that nobody need look before one comes.
    var isKnownToBeEmpty: Bool { get }
    /// The mails whose time has come, the one that has waited longest first, at most so many.
    func due(at now: Int64, max: Int) async throws -> [QueuedMail]
    /// When the next mail is due; nil while there is none.
    func nextDue() async throws -> Int64?
    /// A server has taken the mail.
    func sent(_ id: Int64) async throws
    /// The mail was not taken. It is due again at that time, or never. The words are for the people who run the server: they
    /// are in one line, and no secret is in them.
    func failed(_ id: Int64, _ retry: MailRetry, words: String) async throws
}

extension MailQueue {
    package var isKnownToBeEmpty: Bool { false }
}

/// A mail that waits to be sent, as a queue has it: whether it can be sent is seen when it is.
package struct QueuedMail: Sendable, Equatable {
    package let id: Int64
    /// An address, perhaps one that no mail can be sent to.
    package let to: String
    package let subject: String
    package let text: String
    /// The same as a page of HTML; nil: there is none.
    package let html: String?
    /// How often it was tried in vain.
    package let tries: Int
    /// When it was put into the queue.
    package let created: Int64
    /// From when on nobody has any use for it, such as that of a code; nil: it is always of use.
    package let expires: Int64?
    /// The mail as it is sent, whatever else is said of it; nil: it is made of subject, text and page.
    package let whole: WholeMail?

    package init(
        id: Int64, to: String, subject: String, text: String, html: String? = nil, tries: Int, created: Int64,
        expires: Int64? = nil, whole: WholeMail? = nil
    ) {
        self.id = id
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
        self.tries = tries
        self.created = created
        self.expires = expires
        self.whole = whole
    }

    /// The mail, with an identifier that it keeps from try to try. The time is a part of it: in a new database the numbers
    /// begin again, and readers drop what they have seen already.
    private func message(from sender: MailParty) throws -> MailMessage {
        try MailMessage(
            from: sender, to: MailAddress(to), subject: subject, text: text, html: html, identifier: "\(created)-\(id)",
            seconds: created / 1_000)
    }

    /// The envelope for a server; `sender` is the sender of mails that name none.
    func envelope(from sender: MailParty) throws -> SMTPEnvelope {
        guard let whole else { return SMTPEnvelope(try message(from: sender)) }
        return SMTPEnvelope(from: whole.from, to: try MailAddress(to), content: whole.bytes)
    }
}

/// When a mail that was not taken is tried again.
package enum MailRetry: Sendable, Equatable {
    case at(Int64)
    case never
}
