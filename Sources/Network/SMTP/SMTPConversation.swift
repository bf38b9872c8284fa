/// A client's conversation with a mail server (RFC 5321): what is said next, what the answer means, and how long it may take.
/// Pure: no socket, no loop, and the time comes with each event.
///
///     greeting ─▶ EHLO ─▶ STARTTLS ─▶ EHLO ─▶ AUTH ─▶ rest ◀────────────────────────────────────────────┐
///                   └──────────────────────────▶┘      │                                                │
///                                                      ├─▶ MAIL ─▶ RCPT ─▶ DATA ─▶ the mail ─▶ accepted ┤
///                                                      │     └───────┴───────┴─ refused ─▶ RSET ────────┘
///                                                      └─▶ QUIT
///
/// Each event is a method that answers with what is to be done, in order. `deadline` is when `timeIsUp` has something to do.
/// The server has the word once for each command: whatever it says beyond that ends the conversation. So nothing that somebody
/// puts behind the answer to STARTTLS is ever taken for something that was said under TLS.
struct SMTPConversation: ~Copyable {
    struct Settings: Sendable {
        enum Security: Sendable {
            /// The connection has TLS from its first byte on.
            case secured
            /// The server is asked for TLS before anything else.
            case upgraded
            case clear
        }

        /// How the client calls itself: an address in brackets, or a name.
        var clientName = "localhost"
        var security = Security.clear
        var credentials: MailCredentials?
        /// True if the bytes never leave this machine.
        var isLocal = false
        var limits = SMTPLimits()
    }

    enum Action: Equatable {
        case send([UInt8])
        /// Put TLS on the connection: what is sent and received from here on is under it.
        case secure
        case tell(Outcome)
        /// Close the connection at once: what has not left is not worth anything.
        case close
    }

    enum Outcome: Equatable {
        /// The server takes mails.
        case ready
        /// The server has taken the mail.
        case sent
        case failed(MailFailure)
    }

    private enum State {
        case greeting
        case hello(isExtended: Bool)
        case startTLS
        case signIn(SignIn)
        case rest
        case sender(SMTPEnvelope)
        case recipient(SMTPEnvelope)
        case data(SMTPEnvelope)
        /// True if all of the mail has left.
        case content(isGone: Bool)
        /// A mail was refused; that is told when the server is ready for another one.
        case reset(MailFailure)
        case quit
        case over
    }

    /// The next question of the server.
    private enum SignIn {
        case nothing
        case token
        case user
        case password
    }

    private let settings: Settings
    private let secrets: [[UInt8]]
    private var parser: SMTPReplyParser
    private var extensions = SMTPExtensions()
    private var isSecure: Bool
    private var state = State.greeting

    /// When `timeIsUp` is to be called.
    private(set) var deadline: MonotonicTime

    /// The most bytes of a command (RFC 5321, 4.5.3.1.4).
    private static let commandBytesMax = 512

    /// The connection is open.
    init(_ settings: Settings, now: MonotonicTime) {
        self.settings = settings
        secrets = Self.secrets(of: settings.credentials)
        parser = SMTPReplyParser(settings.limits)
        isSecure = settings.security == .secured
        deadline = now.advanced(byMilliseconds: settings.limits.greetingMilliseconds)
    }

    /// True if a mail can be sent.
    var isReady: Bool {
        if case .rest = state { return true }
        return false
    }

    // MARK: What the server says

    mutating func received(_ bytes: [UInt8], now: MonotonicTime) -> [Action] {
        if case .over = state { return [] }
        var rest = bytes[...]
        let reply: SMTPReply
        let asked = stage
        do throws(SMTPReplyError) {
            guard let next = try parser.next(&rest) else { return [] }
            reply = withoutSecrets(next)
        } catch {
            return end(.unacceptable(error, asked))
        }
        let actions = reply.code == SMTPReply.closing ? end(.refused(reply, asked)) : answer(to: reply, now: now)
        if case .over = state { return actions }
        guard rest.isEmpty else {
            // What is said next would be said to one who does not listen.
            return actions.filter { if case .tell = $0 { true } else { false } } + end(.unasked(asked))
        }
        return actions
    }

    private mutating func answer(to reply: SMTPReply, now: MonotonicTime) -> [Action] {
        switch state {
        case .greeting:
            guard reply.isPositive else { return end(.refused(reply, .greeting)) }
            return sayHello(now: now)
        case .hello(let isExtended):
            return answerHello(reply, isExtended: isExtended, now: now)
        case .startTLS:
            guard reply.code == 220 else { return end(.refused(reply, .startTLS)) }
            isSecure = true
            // Whatever was said in clear, anybody may have said.
            extensions = SMTPExtensions()
            return [.secure] + sayHello(now: now)
        case .signIn(let step):
            return answerSignIn(reply, step, now: now)
        case .sender(let envelope):
            guard reply.isPositive else { return refuse(.refused(reply, .sender), now: now) }
            return say("RCPT TO:<\(envelope.to)>", .recipient(envelope), now: now)
        case .recipient(let envelope):
            guard reply.isPositive else { return refuse(.refused(reply, .recipient), now: now) }
            return say("DATA", .data(envelope), now: now)
        case .data(let envelope):
            guard reply.code == 354 else { return refuse(.refused(reply, .data), now: now) }
            expect(.content(isGone: false), within: settings.limits.contentMilliseconds, now: now)
            return [.send(envelope.data)]
        case .content(let isGone):
            return answerContent(reply, isGone: isGone, now: now)
        case .reset(let failure):
            guard reply.isPositive else { return end(failure.reason) }
            return [.tell(.failed(failure))] + rest(now: now)
        case .quit:
            return close()
        case .rest:
            return end(.unasked(.rest))
        case .over:
            return []
        }
    }

    private mutating func sayHello(now: MonotonicTime) -> [Action] {
        say("EHLO \(settings.clientName)", .hello(isExtended: true), now: now)
    }

    private mutating func answerHello(_ reply: SMTPReply, isExtended: Bool, now: MonotonicTime) -> [Action] {
        guard reply.isPositive else {
            guard isExtended, reply.isPermanent else { return end(.refused(reply, .hello)) }
            return say("HELO \(settings.clientName)", .hello(isExtended: false), now: now)
        }
        extensions = isExtended ? SMTPExtensions(reply) : SMTPExtensions()
        if settings.security == .upgraded, !isSecure {
            guard extensions.startTLS else { return end(.noStartTLS) }
            return say("STARTTLS", .startTLS, now: now)
        }
        guard let credentials = settings.credentials else { return [.tell(.ready)] + rest(now: now) }
        return signIn(credentials, now: now)
    }

    // MARK: Signing in

    private mutating func signIn(_ credentials: MailCredentials, now: MonotonicTime) -> [Action] {
        guard isSecure || settings.isLocal else { return end(.passwordInClear) }
        if extensions.signIns.contains("PLAIN") {
            let command = "AUTH PLAIN \(Self.token(of: credentials))"
            // A longer one has to wait until the server asks for the rest (RFC 4954, 4).
            guard command.utf8.count + 2 <= Self.commandBytesMax else {
                return say("AUTH PLAIN", .signIn(.token), now: now)
            }
            return say(command, .signIn(.nothing), now: now)
        }
        guard extensions.signIns.contains("LOGIN") else {
            return end(.noSignIn(isSecure: isSecure, offersTLS: extensions.startTLS))
        }
        return say("AUTH LOGIN", .signIn(.user), now: now)
    }

    private mutating func answerSignIn(_ reply: SMTPReply, _ step: SignIn, now: MonotonicTime) -> [Action] {
        let isAsked = reply.code == 334
        switch (step, settings.credentials) {
        case (.nothing, _) where reply.isPositive: return [.tell(.ready)] + rest(now: now)
        case (.token, let credentials?) where isAsked:
            return say(Self.token(of: credentials), .signIn(.nothing), now: now)
        case (.user, let credentials?) where isAsked:
            return say(MailHeaderText.base64(credentials.user.utf8), .signIn(.password), now: now)
        case (.password, let credentials?) where isAsked:
            return say(MailHeaderText.base64(credentials.password.utf8), .signIn(.nothing), now: now)
        default: return end(.refused(reply, .signIn))
        }
    }

    private static func token(of credentials: MailCredentials) -> String {
        MailHeaderText.base64([0] + Array(credentials.user.utf8) + [0] + Array(credentials.password.utf8))
    }

    /// The parts of the password that a server's words could contain, in small letters.
    private static func secrets(of credentials: MailCredentials?) -> [[UInt8]] {
        guard let credentials, !credentials.password.isEmpty else { return [] }
        let texts = [token(of: credentials), MailHeaderText.base64(credentials.password.utf8), credentials.password]
        return texts.map { $0.utf8.map(HTTPCharacters.lowercased) }
    }

    /// Some servers repeat what they do not understand: then their words are not for a log.
    private func withoutSecrets(_ reply: SMTPReply) -> SMTPReply {
        guard !secrets.isEmpty, !reply.isPositive || !isExtensionReply else { return reply }
        let words = reply.lines.joined(separator: " ").utf8.map(HTTPCharacters.lowercased)
        let isTold = secrets.contains { secret in words.indices.contains { words[$0...].starts(with: secret) } }
        guard isTold else { return reply }
        return SMTPReply(code: reply.code, lines: ["(its words have the password)"])
    }

    /// True if the words are read, and not shown to anybody.
    private var isExtensionReply: Bool {
        if case .hello(true) = state { return true }
        return false
    }

    // MARK: Mails

    /// Sends a mail; its outcome is told. There has to be no other.
    mutating func send(_ envelope: SMTPEnvelope, now: MonotonicTime) -> [Action] {
        guard case .rest = state else { return [.tell(.failed(MailFailure(.closed(stage))))] }
        if let limit = extensions.sizeMax, envelope.content.count > limit {
            return [.tell(.failed(MailFailure(.tooLarge(bytes: envelope.content.count, limit: limit))))]
        }
        // Mails are of seven bits, so nothing has to be said of their bytes but how many there are.
        let size = extensions.takesSize ? " SIZE=\(envelope.content.count)" : ""
        return say("MAIL FROM:<\(envelope.from)>\(size)", .sender(envelope), now: now)
    }

    /// All that was sent has left.
    mutating func flushed(now: MonotonicTime) {
        guard case .content(false) = state else { return }
        expect(.content(isGone: true), within: settings.limits.acceptanceMilliseconds, now: now)
    }

    private mutating func answerContent(_ reply: SMTPReply, isGone: Bool, now: MonotonicTime) -> [Action] {
        guard isGone else {
            // The server would take the rest of the mail for commands.
            return end(reply.isPositive ? .unasked(.content) : .refused(reply, .content))
        }
        guard reply.isPositive || reply.code >= 400 else { return end(.refused(reply, .content)) }
        let outcome = reply.isPositive ? Outcome.sent : .failed(MailFailure(.refused(reply, .content)))
        return [.tell(outcome)] + rest(now: now)
    }

    /// The mail is refused: the server has to forget what it knows of it.
    private mutating func refuse(_ reason: MailFailure.Reason, now: MonotonicTime) -> [Action] {
        guard case .refused(let reply, _) = reason, reply.code >= 400 else { return end(reason) }
        return say("RSET", .reset(MailFailure(reason)), now: now)
    }

    private mutating func rest(now: MonotonicTime) -> [Action] {
        expect(.rest, within: settings.limits.restMilliseconds, now: now)
        return []
    }

    // MARK: Time

    mutating func timeIsUp(now: MonotonicTime) -> [Action] {
        guard now >= deadline else { return [] }
        switch state {
        case .rest: return quit(now: now)
        case .quit: return close()
        default: return end(.timedOut(stage, milliseconds: milliseconds))
        }
    }

    private var milliseconds: Int {
        switch state {
        case .greeting: settings.limits.greetingMilliseconds
        case .content(false): settings.limits.contentMilliseconds
        case .content(true): settings.limits.acceptanceMilliseconds
        default: settings.limits.commandMilliseconds
        }
    }

    // MARK: Endings

    /// Says goodbye. A mail that is on its way is given up.
    mutating func quit(now: MonotonicTime) -> [Action] {
        guard case .rest = state else { return end(.cancelled) }
        return say("QUIT", .quit, within: settings.limits.quitMilliseconds, now: now)
    }

    /// Everything stops. The answer to a mail that has left is waited for, for a while: without it, it would be sent again.
    mutating func stop(now: MonotonicTime) -> [Action] {
        switch state {
        case .content(true):
            deadline = min(deadline, now.advanced(byMilliseconds: settings.limits.stopMilliseconds))
            return []
        case .rest: return quit(now: now)
        case .quit, .over: return []
        default: return end(.cancelled)
        }
    }

    /// The connection has ended; nil: the server has closed it.
    mutating func lost(_ reason: MailFailure.Reason? = nil) -> [Action] {
        end(reason ?? .closed(stage))
    }

    /// Where it is, for whoever has to say why it ended.
    var stage: SMTPStage {
        switch state {
        case .greeting: .greeting
        case .hello: .hello
        case .startTLS: .startTLS
        case .signIn: .signIn
        case .rest, .over: .rest
        case .sender: .sender
        case .recipient: .recipient
        case .data: .data
        case .content: .content
        case .reset: .reset
        case .quit: .quit
        }
    }

    private mutating func end(_ reason: MailFailure.Reason) -> [Action] {
        switch state {
        case .over: return []
        case .quit: return close()
        case .reset(let failure):
            // What happened since says nothing of the mail.
            return [.tell(.failed(failure))] + close()
        default: return [.tell(.failed(MailFailure(reason)))] + close()
        }
    }

    private mutating func close() -> [Action] {
        state = .over
        deadline = .never
        return [.close]
    }

    // MARK: What is said

    private mutating func say(
        _ command: String, _ next: State, within milliseconds: Int? = nil, now: MonotonicTime
    ) -> [Action] {
        expect(next, within: milliseconds ?? settings.limits.commandMilliseconds, now: now)
        return [.send(Array("\(command)\r\n".utf8))]
    }

    private mutating func expect(_ next: State, within milliseconds: Int, now: MonotonicTime) {
        state = next
        deadline = now.advanced(byMilliseconds: milliseconds)
    }
}
