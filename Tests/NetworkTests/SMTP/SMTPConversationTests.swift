import Testing

@testable import Network

/// Conversations with the machine, on a clock of their own: at so many milliseconds this happens, and the machine says that.
struct SMTPConversationTests {
    enum Event {
        /// The server's bytes; line ends are put behind the lines.
        case server(String)
        case bytes(String)
        case send(size: Int = 3)
        case flushed
        case timeIsUp
        case lost
        case quit
        case stop
    }

    struct Step {
        let (milliseconds, event, says): (Int, Event, [String])
    }

    static func at(_ milliseconds: Int, _ event: Event, _ says: String...) -> Step {
        Step(milliseconds: milliseconds, event: event, says: says)
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let settings: SMTPConversation.Settings
        let steps: [Step]

        init(_ name: String, _ settings: SMTPConversation.Settings = clear, _ steps: Step...) {
            (testDescription, self.settings, self.steps) = (name, settings, steps)
        }
    }

    private static func settings(
        _ security: SMTPConversation.Settings.Security, _ credentials: MailCredentials? = nil, isLocal: Bool = false
    ) -> SMTPConversation.Settings {
        var settings = SMTPConversation.Settings()
        settings.clientName = "me"
        settings.security = security
        settings.credentials = credentials
        settings.isLocal = isLocal
        (settings.limits.greetingMilliseconds, settings.limits.commandMilliseconds) = (1_000, 2_000)
        (settings.limits.contentMilliseconds, settings.limits.acceptanceMilliseconds) = (3_000, 4_000)
        (settings.limits.restMilliseconds, settings.limits.quitMilliseconds) = (5_000, 600)
        settings.limits.stopMilliseconds = 700
        return settings
    }

    // "app" and "hunter2" are in base64 YXBw and aHVudGVyMg==, the two of PLAIN AGFwcABodW50ZXIy.
    static let app = MailCredentials(user: "app", password: "hunter2")
    static let clear = settings(.clear)
    static let upgraded = settings(.upgraded)

    static let greetings = [
        Row(
            "without TLS and sign-in, the server is ready after its greetings", clear,
            at(1, .server("220 hello"), "EHLO me"), at(2, .server("250-hello\n250-SIZE 10\n250 HELP"), "ready")),
        Row(
            "a server that knows no EHLO is greeted with HELO", clear, at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("500 what?"), "HELO me"), at(3, .server("250 hello"), "ready")),
        Row(
            "a server that wants neither is left", clear, at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("502 no"), "HELO me"),
            at(3, .server("550 no"), "later, ends: the mail server answered EHLO with 550 no", "close")),
        Row(
            "one that greets with a refusal is left", clear,
            at(
                1, .server("554 5.7.1 no"), "later, ends: the mail server answered its greeting with 554 5.7.1 no",
                "close")),
        Row(
            "one that has no time is left", clear, at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("421 4.3.2 busy"), "later, ends: the mail server answered EHLO with 421 4.3.2 busy", "close")),
        Row(
            "one that is no mail server is left", clear,
            at(
                1, .server("HTTP/1.1 400 Bad Request"),
                "later, ends: the mail server's answer to its greeting is not acceptable: a line of its reply does not begin with a code",
                "close"),
            at(2, .server("220 hello")), at(2, .lost), at(2, .timeIsUp)),
    ]

    static let securing = [
        Row(
            "TLS comes before all else, and what was said before it is forgotten", upgraded,
            at(1, .server("220 hello"), "EHLO me"), at(2, .server("250-hello\n250-SIZE 2\n250 STARTTLS"), "STARTTLS"),
            at(3, .server("220 go"), "secure", "EHLO me"), at(4, .server("250 hello"), "ready"),
            at(5, .send(), "MAIL FROM:<from@app.test>")),
        Row(
            "STARTTLS is known in any letters", upgraded, at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("250-hello\n250 starttls"), "STARTTLS")),
        Row(
            "a server that does not offer TLS is told nothing", settings(.upgraded, app),
            at(1, .server("220 hello"), "EHLO me"),
            at(
                2, .server("250-hello\n250 AUTH PLAIN"),
                "later, ends: the mail server does not offer STARTTLS: give it as smtps:// if it speaks TLS from the start, "
                    + "or add ?starttls=never if nobody else can listen on the way to it", "close")),
        Row(
            "nor one that only knows HELO", upgraded, at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("500 what?"), "HELO me"),
            at(
                3, .server("250 hello"),
                "later, ends: the mail server does not offer STARTTLS: give it as smtps:// if it speaks TLS from the start, "
                    + "or add ?starttls=never if nobody else can listen on the way to it", "close")),
        Row(
            "nor one that takes its offer back", upgraded, at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("250-hello\n250 STARTTLS"), "STARTTLS"),
            at(
                3, .server("454 4.7.0 not now"),
                "later, ends: the mail server answered STARTTLS with 454 4.7.0 not now", "close")),
        Row(
            "what stands behind the answer to STARTTLS is believed by nobody", settings(.upgraded, app),
            at(1, .server("220 hello"), "EHLO me"), at(2, .server("250-hello\n250 STARTTLS"), "STARTTLS"),
            at(
                3, .server("220 go\n250-hello\n250 AUTH PLAIN"),
                "later, ends: the mail server said more than it was asked for behind its answer to STARTTLS", "close")),
        Row(
            "not even a byte of it", upgraded, at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("250-hello\n250 STARTTLS"), "STARTTLS"),
            at(
                3, .bytes("220 go\r\n "),
                "later, ends: the mail server said more than it was asked for behind its answer to STARTTLS", "close")),
        Row(
            "with TLS from the start nobody asks for it", settings(.secured), at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("250-hello\n250 STARTTLS"), "ready")),
        Row(
            "nor where it is not wanted", clear, at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("250-hello\n250 STARTTLS"), "ready")),
    ]

    static let signIns = [
        Row(
            "signs in by PLAIN in one step", settings(.secured, app), at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("250-hello\n250 AUTH LOGIN PLAIN"), "AUTH PLAIN AGFwcABodW50ZXIy"),
            at(3, .server("235 2.7.0 welcome"), "ready")),
        Row(
            "signs in by LOGIN", settings(.secured, app), at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("250-hello\n250 auth=login CRAM-MD5"), "AUTH LOGIN"),
            at(3, .server("334 VXNlcm5hbWU6"), "YXBw"), at(4, .server("334 UGFzc3dvcmQ6"), "aHVudGVyMg=="),
            at(5, .server("235 welcome"), "ready")),
        Row(
            "a long password waits until the server asks for it",
            settings(.secured, MailCredentials(user: "a", password: String(repeating: "p", count: 400))),
            at(1, .server("220 hello"), "EHLO me"), at(2, .server("250-hello\n250 AUTH PLAIN"), "AUTH PLAIN"),
            at(3, .server("334 "), "AGEA" + String(repeating: "cHBw", count: 133) + "cA=="),
            at(4, .server("235 welcome"), "ready")),
        Row(
            "no password goes over a network in clear", settings(.clear, app), at(1, .server("220 hello"), "EHLO me"),
            at(
                2, .server("250-hello\n250 AUTH PLAIN"),
                "later, ends: the password is not sent without TLS to another machine: leave ?starttls=never out, or user and password",
                "close")),
        Row(
            "on this machine it may", settings(.clear, app, isLocal: true), at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("250-hello\n250 AUTH PLAIN"), "AUTH PLAIN AGFwcABodW50ZXIy")),
        Row(
            "a wrong password is told without it", settings(.secured, app), at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("250-hello\n250 AUTH PLAIN"), "AUTH PLAIN AGFwcABodW50ZXIy"),
            at(
                3, .server("535 5.7.8 no"), "later, ends: the mail server answered the sign-in with 535 5.7.8 no",
                "close")),
        Row(
            "even where the server repeats it", settings(.secured, app), at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("250-hello\n250 AUTH PLAIN"), "AUTH PLAIN AGFwcABodW50ZXIy"),
            at(
                3, .server("500 what is AUTH PLAIN AGFWCABODW50ZXIY?"),
                "later, ends: the mail server answered the sign-in with 500 (its words have the password)", "close")),
        Row(
            "what a server says behind the sign-in is told", settings(.secured, app),
            at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("250-hello\n250 AUTH LOGIN"), "AUTH LOGIN"), at(3, .server("334 user"), "YXBw"),
            at(4, .server("334 password"), "aHVudGVyMg=="), at(5, .server("235 welcome"), "ready"),
            at(6, .send(), "MAIL FROM:<from@app.test>"),
            at(
                7, .server("421 bye"),
                "later, ends: the mail server answered the sender with 421 bye", "close")),
        Row(
            "a server without a way to sign in says what to do", settings(.secured, app),
            at(1, .server("220 hello"), "EHLO me"),
            at(
                2, .server("250-hello\n250 AUTH CRAM-MD5"),
                "later, ends: the mail server offers no sign-in by PLAIN or LOGIN: give it without user and password if it needs none",
                "close")),
        Row(
            "one that wants TLS before it too", settings(.clear, app, isLocal: true),
            at(1, .server("220 hello"), "EHLO me"),
            at(
                2, .server("250-hello\n250 STARTTLS"),
                "later, ends: the mail server offers no sign-in without TLS: add ?starttls=always", "close")),
        Row(
            "a server that asks on and on is left", settings(.secured, app), at(1, .server("220 hello"), "EHLO me"),
            at(2, .server("250-hello\n250 AUTH LOGIN"), "AUTH LOGIN"), at(3, .server("334 a"), "YXBw"),
            at(4, .server("334 b"), "aHVudGVyMg=="),
            at(5, .server("334 c"), "later, ends: the mail server answered the sign-in with 334 c", "close")),
    ]

    /// A conversation that is ready at 0.
    private static func mails(
        _ name: String, extensions: String = "250 HELP", _ steps: Step...
    ) -> Row {
        Row(
            name,
            steps: [at(0, .server("220 hello"), "EHLO me"), at(0, .server("250-hello\n\(extensions)"), "ready")] + steps
        )
    }

    static let mails = [
        mails(
            "several mails go over one connection",
            at(1, .send(), "MAIL FROM:<from@app.test>"), at(2, .server("250 ok"), "RCPT TO:<to@user.test>"),
            at(3, .server("250 ok"), "DATA"), at(4, .server("354 go"), "mail of 8 bytes"), at(4, .flushed),
            at(5, .server("250 2.0.0 queued as 1"), "sent"),
            at(6, .send(), "MAIL FROM:<from@app.test>"), at(7, .server("250 ok"), "RCPT TO:<to@user.test>"),
            at(8, .server("251 forwarded"), "DATA"), at(9, .server("354 go"), "mail of 8 bytes"), at(9, .flushed),
            at(10, .server("250-2.0.0\n250 queued"), "sent"), at(11, .quit, "QUIT"), at(12, .server("221 bye"), "close")
        ),
        mails(
            "the size is told where it may be", extensions: "250 SIZE",
            at(1, .send(), "MAIL FROM:<from@app.test> SIZE=3")),
        mails(
            "a mail that is too large is not tried", extensions: "250 size 100",
            at(1, .send(size: 100), "MAIL FROM:<from@app.test> SIZE=100"),
            at(2, .server("550 no"), "RSET"),
            at(3, .server("250 ok"), "later: the mail server answered the sender with 550 no"),
            at(4, .send(size: 101), "never: the mail has 101 bytes, and the mail server takes 100"),
            at(5, .send(), "MAIL FROM:<from@app.test> SIZE=3")),
        mails(
            "a size of 0 is none", extensions: "250 SIZE 0",
            at(1, .send(size: 200), "MAIL FROM:<from@app.test> SIZE=200")),
        mails(
            "a recipient who is refused is refused for ever, and the next mail goes on",
            at(1, .send(), "MAIL FROM:<from@app.test>"), at(2, .server("250 ok"), "RCPT TO:<to@user.test>"),
            at(3, .server("550 5.1.1 no such user"), "RSET"),
            at(4, .server("250 ok"), "never: the mail server answered the recipient with 550 5.1.1 no such user"),
            at(5, .send(), "MAIL FROM:<from@app.test>")),
        mails(
            "and stays so when the connection ends meanwhile",
            at(1, .send(), "MAIL FROM:<from@app.test>"), at(2, .server("250 ok"), "RCPT TO:<to@user.test>"),
            at(3, .server("550 no"), "RSET"),
            at(4, .lost, "never: the mail server answered the recipient with 550 no", "close")),
        mails(
            "or the server has enough", at(1, .send(), "MAIL FROM:<from@app.test>"),
            at(2, .server("250 ok"), "RCPT TO:<to@user.test>"), at(3, .server("550 no"), "RSET"),
            at(4, .server("421 bye"), "never: the mail server answered the recipient with 550 no", "close")),
        mails(
            "nothing is sent behind a DATA that is not wanted",
            at(1, .send(), "MAIL FROM:<from@app.test>"), at(2, .server("250 ok"), "RCPT TO:<to@user.test>"),
            at(3, .server("250 ok"), "DATA"),
            at(4, .server("250 ok"), "later, ends: the mail server answered DATA with 250 ok", "close")),
        mails(
            "an answer before all of the mail has left ends the connection: the rest would be taken for commands",
            at(1, .send(), "MAIL FROM:<from@app.test>"), at(2, .server("250 ok"), "RCPT TO:<to@user.test>"),
            at(3, .server("250 ok"), "DATA"), at(4, .server("354 go"), "mail of 8 bytes"),
            at(
                5, .server("552 5.3.4 too large"), "never: the mail server answered the mail with 552 5.3.4 too large",
                "close")),
        mails(
            "and one that thanks for it lies",
            at(1, .send(), "MAIL FROM:<from@app.test>"), at(2, .server("250 ok"), "RCPT TO:<to@user.test>"),
            at(3, .server("250 ok"), "DATA"), at(4, .server("354 go"), "mail of 8 bytes"),
            at(
                5, .server("250 ok"),
                "later, ends: the mail server said more than it was asked for behind its answer to the mail", "close")),
        mails(
            "answers that come before their questions end the connection",
            at(1, .send(), "MAIL FROM:<from@app.test>"),
            at(
                2, .server("250 ok\n250 ok"),
                "later, ends: the mail server said more than it was asked for behind its answer to the sender", "close")
        ),
        mails(
            "a mail that is taken stays so when the server goes on",
            at(1, .send(), "MAIL FROM:<from@app.test>"), at(2, .server("250 ok"), "RCPT TO:<to@user.test>"),
            at(3, .server("250 ok"), "DATA"), at(4, .server("354 go"), "mail of 8 bytes"), at(4, .flushed),
            at(
                5, .server("250 ok\n421 bye"), "sent",
                "later, ends: the mail server said more than it was asked for behind its answer to the mail", "close")),
        mails(
            "a server that ends a connection at rest says so",
            at(
                1, .server("421 4.4.2 idle"), "later, ends: the mail server answered no command with 421 4.4.2 idle",
                "close")),
        mails(
            "whatever else it says there, nobody asked for",
            at(
                1, .server("250 ok"),
                "later, ends: the mail server said more than it was asked for behind its answer to no command", "close")
        ),
        mails(
            "a connection that is lost is told with its place",
            at(1, .send(), "MAIL FROM:<from@app.test>"),
            at(2, .lost, "later, ends: the mail server closed the connection at the sender", "close"), at(3, .lost)),
    ]

    static let times = [
        Row(
            "a server that does not greet is left", clear, at(999, .timeIsUp),
            at(1_000, .timeIsUp, "later, ends: the mail server did not answer its greeting within 1000 ms", "close")),
        Row(
            "bytes of an answer do not buy time", clear, at(1, .server("220 hello"), "EHLO me"),
            at(1_900, .bytes("250-")),
            at(2_000, .timeIsUp),
            at(2_001, .timeIsUp, "later, ends: the mail server did not answer EHLO within 2000 ms", "close")),
        mails(
            "a server that does not read a mail is left", at(1, .send(), "MAIL FROM:<from@app.test>"),
            at(2, .server("250 ok"), "RCPT TO:<to@user.test>"), at(3, .server("250 ok"), "DATA"),
            at(4, .server("354 go"), "mail of 8 bytes"), at(3_003, .timeIsUp),
            at(3_004, .timeIsUp, "later, ends: the mail server did not answer the mail within 3000 ms", "close")),
        mails(
            "one that has read it may think", at(1, .send(), "MAIL FROM:<from@app.test>"),
            at(2, .server("250 ok"), "RCPT TO:<to@user.test>"), at(3, .server("250 ok"), "DATA"),
            at(4, .server("354 go"), "mail of 8 bytes"), at(1_000, .flushed), at(4_999, .timeIsUp), at(4_999, .flushed),
            at(5_000, .timeIsUp, "later, ends: the mail server did not answer the mail within 4000 ms", "close")),
        mails(
            "a connection that nobody uses says goodbye, and does not wait long", at(4_999, .timeIsUp),
            at(5_000, .timeIsUp, "QUIT"), at(5_599, .timeIsUp), at(5_600, .timeIsUp, "close")),
        mails(
            "what the server does at the end is no failure", at(1, .quit, "QUIT"), at(2, .lost, "close")),
        mails("nor are its words", at(1, .quit, "QUIT"), at(2, .server("what?"), "close")),
        mails(
            "a stop waits for the answer to a mail that has left", at(1, .send(), "MAIL FROM:<from@app.test>"),
            at(2, .server("250 ok"), "RCPT TO:<to@user.test>"), at(3, .server("250 ok"), "DATA"),
            at(4, .server("354 go"), "mail of 8 bytes"), at(5, .flushed), at(6, .stop), at(7, .server("250 ok"), "sent")
        ),
        mails(
            "but not for long", at(1, .send(), "MAIL FROM:<from@app.test>"),
            at(2, .server("250 ok"), "RCPT TO:<to@user.test>"), at(3, .server("250 ok"), "DATA"),
            at(4, .server("354 go"), "mail of 8 bytes"), at(5, .flushed), at(6, .stop), at(705, .timeIsUp),
            at(706, .timeIsUp, "later, ends: the mail server did not answer the mail within 4000 ms", "close")),
        mails(
            "and gives up one that has not", at(1, .send(), "MAIL FROM:<from@app.test>"),
            at(6, .stop, "later, ends: the mail was not sent before everything stopped", "close")),
        mails("a stop at rest is a goodbye", at(1, .stop, "QUIT"), at(2, .stop)),
    ]

    @Test("greetings, TLS, sign-in, mails and times", arguments: greetings + securing + signIns + mails + times)
    func conversations(row: Row) {
        var machine = SMTPConversation(row.settings, now: Self.time(0))
        for step in row.steps {
            let says = Self.play(step.event, at: Self.time(step.milliseconds), on: &machine)
            #expect(says == step.says, "at \(step.milliseconds): \(step.event)")
        }
    }

    @Test("the server's bytes mean the same however they are cut", arguments: greetings + signIns + mails)
    func cuts(row: Row) {
        // What comes before it is asked for is known by coming with an answer.
        let isOrderly = row.steps.allSatisfy { !$0.says.contains { $0.contains("more than it was asked") } }
        guard isOrderly else { return }
        var machine = SMTPConversation(row.settings, now: Self.time(0))
        for step in row.steps {
            let now = Self.time(step.milliseconds)
            guard case .server(let text) = step.event else {
                #expect(Self.play(step.event, at: now, on: &machine) == step.says)
                continue
            }
            var says: [String] = []
            for byte in Self.wire(text) { says += machine.received([byte], now: now).map(Self.text) }
            #expect(says == step.says, "at \(step.milliseconds): \(text)")
        }
    }

    private static func play(_ event: Event, at now: MonotonicTime, on machine: inout SMTPConversation) -> [String] {
        let actions: [SMTPConversation.Action]
        switch event {
        case .server(let text): actions = machine.received(wire(text), now: now)
        case .bytes(let text): actions = machine.received(Array(text.utf8), now: now)
        case .send(let size): actions = machine.send(envelope(size), now: now)
        case .flushed:
            machine.flushed(now: now)
            actions = []
        case .timeIsUp: actions = machine.timeIsUp(now: now)
        case .lost: actions = machine.lost()
        case .quit: actions = machine.quit(now: now)
        case .stop: actions = machine.stop(now: now)
        }
        return actions.map(text)
    }

    private static func wire(_ text: String) -> [UInt8] {
        text.split(separator: "\n", omittingEmptySubsequences: true).flatMap { Array($0.utf8) + [13, 10] }
    }

    private static func envelope(_ size: Int) -> SMTPEnvelope {
        guard let from = try? MailAddress("from@app.test"), let to = try? MailAddress("to@user.test") else {
            preconditionFailure()
        }
        return SMTPEnvelope(from: from, to: to, content: [UInt8](repeating: UInt8(ascii: "a"), count: size))
    }

    private static func time(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 1_000_000_000).advanced(byMilliseconds: milliseconds)
    }

    private static func text(_ action: SMTPConversation.Action) -> String {
        switch action {
        case .send(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            return text.hasSuffix("\r\n.\r\n") ? "mail of \(bytes.count) bytes" : String(text.dropLast())
        case .secure: return "secure"
        case .close: return "close"
        case .tell(.ready): return "ready"
        case .tell(.sent): return "sent"
        case .tell(.failed(let failure)):
            return "\(failure.isPermanent ? "never" : "later")\(failure.endsConnection ? ", ends" : ""): \(failure)"
        }
    }

    // MARK: Tables

    static let fates: [(String, SMTPStage, isPermanent: Bool)] = [
        ("450 4.2.0", .recipient, false), ("550", .recipient, true), ("550 5.1.1", .recipient, true),
        ("551", .recipient, true), ("552 5.2.2", .recipient, false), ("553", .recipient, true),
        ("554 5.7.1", .recipient, true), ("501", .recipient, true), ("500", .recipient, false),
        ("502", .recipient, false), ("503", .recipient, false), ("504", .recipient, false), ("530", .recipient, false),
        ("534", .recipient, false), ("538", .recipient, false), ("550", .sender, false), ("553", .sender, false),
        ("552", .sender, true), ("550 5.3.4", .sender, true), ("452 4.3.1", .sender, false), ("530", .sender, false),
        ("554", .data, true), ("451", .data, false), ("503", .data, false), ("554 5.6.0", .content, true),
        ("552", .content, true), ("451 4.7.1", .content, false), ("554", .greeting, false), ("550", .hello, false),
        ("535 5.7.8", .signIn, false), ("501", .startTLS, false),
    ]

    @Test("what a server refuses for ever is what it says of this mail and this recipient", arguments: fates)
    func fate(words: String, stage: SMTPStage, isPermanent: Bool) throws {
        var parser = SMTPReplyParser(SMTPLimits())
        var bytes = Array("\(words)\r\n".utf8)[...]
        let failure = MailFailure(.refused(try #require(try parser.next(&bytes)), stage))
        #expect(failure.isPermanent == isPermanent)
    }

    @Test(
        "nothing in a mail ends it but its end",
        arguments: [
            ("", ".\r\n"), ("a", "a\r\n.\r\n"), ("a\r\n", "a\r\n.\r\n"), (".", "..\r\n.\r\n"),
            ("a\r\n.\r\nQUIT\r\n", "a\r\n..\r\nQUIT\r\n.\r\n"), ("..a\r\n.b\r\n", "...a\r\n..b\r\n.\r\n"),
            ("a\n.\nQUIT\n", "a\r\n..\r\nQUIT\r\n.\r\n"), ("a\r.\rQUIT", "a\r\n..\r\nQUIT\r\n.\r\n"),
            ("a\n.\r\nQUIT", "a\r\n..\r\nQUIT\r\n.\r\n"), ("a\r\n.\rQUIT", "a\r\n..\r\nQUIT\r\n.\r\n"),
            ("a\r\r\n.\r\n", "a\r\n\r\n..\r\n.\r\n"), ("a.b\r\n", "a.b\r\n.\r\n"),
        ])
    func data(content: String, data: String) throws {
        let envelope = SMTPEnvelope(
            from: try MailAddress("a@b.test"), to: try MailAddress("a@b.test"), content: Array(content.utf8))
        #expect(String(decoding: envelope.data, as: UTF8.self) == data)
    }
}

extension SMTPConversationTests.Row {
    init(_ name: String, steps: [SMTPConversationTests.Step]) {
        (testDescription, settings, self.steps) = (name, SMTPConversationTests.clear, steps)
    }
}
