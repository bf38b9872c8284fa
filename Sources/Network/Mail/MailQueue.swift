/// Where mails wait to be sent, and what is kept of their fates. Times are milliseconds since 1970.
///
/// What it answers has to last: a mail that was told to be sent is not due again, after a restart neither.
package protocol MailQueue: Sendable {
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

/// A mail that waits to be sent.
package struct QueuedMail: Sendable, Equatable {
    package let id: Int64
    package let message: MailMessage
    /// How often it was tried in vain.
    package let tries: Int
    /// When it was put into the queue.
    package let created: Int64
    /// From when on nobody has any use for it, such as that of a code; nil: it is always of use.
    package let expires: Int64?

    package init(id: Int64, message: MailMessage, tries: Int, created: Int64, expires: Int64? = nil) {
        self.id = id
        self.message = message
        self.tries = tries
        self.created = created
        self.expires = expires
    }
}

/// When a mail that was not taken is tried again.
package enum MailRetry: Sendable, Equatable {
    case at(Int64)
    case never
}
