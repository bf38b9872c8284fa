import Network

/// How mails are sent to users.
package struct MailSettings: Sendable {
    /// The server that takes them; nil: none are sent.
    package var smtp: MailURL?
    /// The sender.
    package var from: MailParty?
}

/// How messages are sent to telephones.
package struct SMSSettings: Sendable {
    /// The service that is called with each; nil: none are sent.
    package var webhook: Webhook?
}
