/// Every limit of a conversation with a mail server, in one place. The times are shorter than those that RFC 5321 (4.5.3.2)
/// grants to servers that carry mails between each other: a server that takes mails from clients answers soon.
package struct SMTPLimits: Sendable, Equatable {
    /// How long it may take until a connection is open, the look-up of the name included.
    package var connectMilliseconds = 15_000
    /// How long the server may take to greet, its TLS handshake included: some let clients wait who hurry.
    package var greetingMilliseconds = 60_000
    /// How long the server may take to answer a command.
    package var commandMilliseconds = 60_000
    /// How long the server may take to read a mail.
    package var contentMilliseconds = 180_000
    /// How long the server may take to accept a mail that it has read: it may look at it before.
    package var acceptanceMilliseconds = 300_000
    /// How long an open connection waits for the next mail.
    package var restMilliseconds = 30_000
    /// How long the server may take to say goodbye.
    package var quitMilliseconds = 3_000
    /// How long the answer to a mail that is sent already is waited for when everything stops.
    package var stopMilliseconds = 3_000

    /// A line of a reply, its end included. The standard has 512.
    package var replyLineBytes = 1_024
    /// The lines of a reply.
    package var replyLines = 100
    /// Addresses of the server's name that are tried.
    package var addresses = 8

    package init() {}
}
