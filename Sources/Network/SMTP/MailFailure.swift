/// Why a mail was not sent: what went wrong, and whether another try may help.
package struct MailFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        /// The server's name has no addresses.
        case lookup(NameResolverError)
        /// No address takes a connection; the error of the first that was tried.
        case connect(SystemError)
        case timedOut(SMTPStage, milliseconds: Int)
        /// TLS failed, or the server is not the one it should be.
        case insecure(TLSError)
        /// Our own TLS setup is not usable.
        case configuration(TLSConfigurationError)
        /// The connection broke.
        case broken(SystemError, SMTPStage)
        /// The server closed the connection.
        case closed(SMTPStage)
        /// The server's bytes are no reply.
        case unacceptable(SMTPReplyError, SMTPStage)
        /// The server went on after its reply, before anything more was asked.
        case unasked(SMTPStage)
        /// The server must be spoken to with TLS, and does not offer it.
        case noStartTLS
        /// The server offers no way to sign in that is known here.
        case noSignIn(isSecure: Bool, offersTLS: Bool)
        /// The password would have gone over the network in clear.
        case passwordInClear
        case refused(SMTPReply, SMTPStage)
        /// The server takes no mail of this size.
        case tooLarge(bytes: Int, limit: Int)
        /// Nobody waits for it any more.
        case cancelled
    }

    package let reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }

    /// True if this mail will never be taken: another try is of no use.
    ///
    /// An operator may correct a refusal that comes before the recipient is named: the sender's address, the
    /// password. So is what it does not understand, for that says nothing of the mail.
    package var isPermanent: Bool {
        switch reason {
        case .tooLarge: true
        case .refused(let reply, .sender): reply.code == 552 || reply.status == "5.3.4"
        // Too many recipients, or a full mailbox: to be taken for a passing trouble (RFC 5321, 4.5.3.1.10).
        case .refused(let reply, .recipient): reply.isPermanent && reply.code != 552 && !reply.isAboutCommands
        case .refused(let reply, .data), .refused(let reply, .content): reply.isPermanent && !reply.isAboutCommands
        default: false
        }
    }

    /// Whether it is the server's or the connection's, and no other mail would have fared better.
    package var endsConnection: Bool {
        switch reason {
        case .tooLarge: false
        case .refused(let reply, .sender), .refused(let reply, .recipient), .refused(let reply, .data),
            .refused(let reply, .content):
            reply.code == SMTPReply.closing || reply.code < 400
        default: true
        }
    }

    /// True if the connection ended before anything was said of the mail: servers close those that rest.
    package var isBeforeMail: Bool {
        switch reason {
        case .closed(.rest), .closed(.sender), .broken(_, .rest), .broken(_, .sender), .unasked(.rest): true
        case .refused(let reply, .rest), .refused(let reply, .sender): reply.code == SMTPReply.closing
        case .timedOut(.rest, _): true
        default: false
        }
    }

    package var description: String {
        switch reason {
        case .lookup(let error): "the mail server's name has no address: \(error)"
        case .connect(let error): error.description
        case .timedOut(let stage, let milliseconds): "the mail server did not answer \(stage) within \(milliseconds) ms"
        case .insecure(let error): error.description
        case .configuration(let error): error.description
        case .broken(let error, let stage): "the connection to the mail server broke at \(stage): \(error)"
        case .closed(let stage): "the mail server closed the connection at \(stage)"
        case .unacceptable(let error, let stage): "the mail server's answer to \(stage) is not acceptable: \(error)"
        case .unasked(let stage): "the mail server said more than it was asked for behind its answer to \(stage)"
        case .noStartTLS:
            "the mail server does not offer STARTTLS: give it as smtps:// if it speaks TLS from the start, "
                + "or add ?starttls=never if nobody else can listen on the way to it"
        case .noSignIn(true, _), .noSignIn(false, false):
            "the mail server offers no sign-in by PLAIN or LOGIN: give it without user and password if it needs none"
        case .noSignIn(false, true):
            "the mail server offers no sign-in without TLS: add ?starttls=always"
        case .passwordInClear:
            "the password is not sent without TLS to another machine: leave ?starttls=never out, or user and password"
        case .refused(let reply, let stage): "the mail server answered \(stage) with \(reply)"
        case .tooLarge(let bytes, let limit): "the mail has \(bytes) bytes, and the mail server takes \(limit)"
        case .cancelled: "the mail was not sent before everything stopped"
        }
    }
}

extension SMTPReply {
    /// The server ends the conversation, whatever it was asked (RFC 5321, 3.8).
    static let closing = 421

    /// True if it refuses how it was spoken to: a command that it does not know or expect, or one for those who have signed in.
    fileprivate var isAboutCommands: Bool { [500, 502, 503, 504, 530, 534, 538].contains(code) }
}
