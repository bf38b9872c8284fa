import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Network

@Suite("The client of mail servers")
struct SMTPClientTests {
    /// A client on a loop of its own.
    private final class Client: Sendable {
        let loop: EventLoop
        let client: SMTPClient

        init(
            _ url: String, limits: SMTPLimits = .init(), trust: TLSTrust = .file(TestCertificates.authority),
            resolver: NameResolver = .shared
        ) throws {
            loop = try EventLoop(index: 0)
            try loop.start()
            client = SMTPClient(
                on: loop, server: try MailURL(url), limits: limits,
                tls: TLSClientContext(trusting: trust, asksForHTTP: false), resolver: resolver)
        }

        /// Sends mails over one connection, and answers why it failed; nil where all were taken.
        func failure(_ messages: MailMessage...) async throws -> MailFailure? {
            do {
                let connection = try await client.open()
                do {
                    for message in messages { try await connection.send(message) }
                } catch {
                    await connection.quit()
                    throw error
                }
                await connection.quit()
                return nil
            } catch let failure as MailFailure {
                return failure
            }
        }

        func stop() {
            loop.stop()
            loop.join()
        }
    }

    private static func message(_ text: String = "It is 123456.") throws -> MailMessage {
        try MailMessageTests.message(text: text)
    }

    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var script = SMTPTestServer.Script()
        let url: String
        let (isSecure, user): (Bool, String?)
    }

    private static func script(
        isSecure: Bool = false, _ extensions: String..., isSlow: Bool = false
    ) -> SMTPTestServer.Script {
        var script = SMTPTestServer.Script()
        (script.isSecure, script.extensions, script.isSlow) = (isSecure, extensions, isSlow)
        return script
    }

    static let ways = [
        Way(testDescription: "in clear on this machine", url: "smtp://127.0.0.1:PORT", isSecure: false, user: nil),
        Way(
            testDescription: "signed in on this machine", script: script("AUTH LOGIN"),
            url: "smtp://app:hunter2@localhost:PORT",
            isSecure: false, user: "app"),
        Way(
            testDescription: "by STARTTLS", script: script("STARTTLS", "AUTH PLAIN LOGIN"),
            url: "smtp://app:hunter2@127.0.0.1:PORT?starttls=always", isSecure: true, user: "app"),
        Way(
            testDescription: "by STARTTLS, a byte at a time", script: script("STARTTLS", "AUTH LOGIN", isSlow: true),
            url: "smtp://app:hunter2@localhost:PORT?starttls=always", isSecure: true, user: "app"),
        Way(
            testDescription: "with TLS from the start", script: script(isSecure: true, "AUTH PLAIN"),
            url: "smtps://app:hunter2@localhost:PORT", isSecure: true, user: "app"),
        Way(
            testDescription: "with TLS from the start, a byte at a time", script: script(isSecure: true, isSlow: true),
            url: "smtps://localhost.:PORT", isSecure: true, user: nil),
    ]

    private static func url(_ text: String, _ server: SMTPTestServer) -> String {
        text.replacing("PORT", with: String(server.port))
    }

    @Test("hands over several mails on one connection", arguments: ways)
    func sends(way: Way) async throws {
        let server = SMTPTestServer(way.script)
        let resolver = NameResolver { _, port in .success([.loopback(port: port)]) }
        let client = try Client(Self.url(way.url, server), resolver: resolver)
        let texts = ["one", ".", "a\n.\nQUIT\n..b", String(repeating: "long line ", count: 50_00)]
        let messages = try texts.map(Self.message)
        #expect(try await client.failure(messages[0], messages[1], messages[2], messages[3]) == nil)
        let mails = server.mails
        #expect(mails.count == texts.count)
        for (mail, message) in zip(mails, messages) {
            #expect(mail.from == "app@app.test" && mail.to == "user@example.com")
            #expect(mail.isSecure == way.isSecure && mail.user == way.user)
            #expect(mail.text + "\n" == String(decoding: message.bytes, as: UTF8.self).replacing("\r\n", with: "\n"))
        }
        #expect(server.connections == 1)
        #expect(server.commands.first == "EHLO [127.0.0.1]")
        #expect(server.commands.last == "QUIT")
        client.stop()
        server.stop()
    }

    @Test("speaks to no server but the one that the certificate names")
    func certificates() async throws {
        for (script, scheme, query) in [
            (Self.script(isSecure: true), "smtps", ""), (Self.script("STARTTLS"), "smtp", "?starttls=always"),
        ] {
            let server = SMTPTestServer(script)
            // Another authority, and another name.
            let resolver = NameResolver { _, port in .success([.loopback(port: port)]) }
            for (trust, host) in [(TLSTrust.system, "localhost"), (.file(TestCertificates.authority), "mail.test")] {
                let client = try Client(
                    "\(scheme)://app:hunter2@\(host):\(server.port)\(query)", trust: trust, resolver: resolver)
                let failure = try await client.failure(Self.message())
                guard case .insecure(.untrusted) = failure?.reason else {
                    Issue.record("\(String(describing: failure))")
                    continue
                }
                #expect(failure?.isPermanent == false && failure?.endsConnection == true)
                client.stop()
            }
            #expect(!server.commands.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
            server.stop()
        }
    }

    @Test("says nothing in clear to another machine, nor believes what was said in clear")
    func clear() async throws {
        // A server without TLS, for one who wants it.
        let plain = SMTPTestServer()
        var client = try Client("smtp://app:hunter2@localhost:\(plain.port)?starttls=always")
        #expect(try await client.failure(Self.message())?.reason == .noStartTLS)
        #expect(plain.commands == ["EHLO [127.0.0.1]"])
        client.stop()
        plain.stop()
        for injection in ["250 AUTH PLAIN", "x", String(repeating: "250 ok\r\n", count: 20_000)] {
            var script = Self.script("STARTTLS", "AUTH PLAIN")
            script.injection = injection
            let server = SMTPTestServer(script)
            client = try Client("smtp://app:hunter2@localhost:\(server.port)?starttls=always")
            let failure = try await client.failure(Self.message())
            // However it was cut: what came later was no TLS.
            switch failure?.reason {
            case .unasked(.startTLS), .insecure(.protocolFailure): break
            default: Issue.record("\(String(describing: failure))")
            }
            #expect(server.commands == ["EHLO [127.0.0.1]", "STARTTLS"])
            client.stop()
            server.stop()
        }
    }

    struct Lie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let command: String
        let answer: SMTPTestServer.Answer
        let reason: MailFailure.Reason
    }

    static let lies = [
        Lie(testDescription: "ends before its greeting", command: "CONNECT", answer: .end, reason: .closed(.greeting)),
        Lie(
            testDescription: "does not greet", command: "CONNECT", answer: .silence,
            reason: .timedOut(.greeting, milliseconds: 200)),
        Lie(
            testDescription: "is no mail server", command: "CONNECT", answer: .line("hello"),
            reason: .unacceptable(.noCode, .greeting)),
        Lie(
            testDescription: "talks on and on", command: "CONNECT",
            answer: .line(String(repeating: "220-a\r\n", count: 200) + "220 a"),
            reason: .unacceptable(.tooManyLines(limit: 100), .greeting)),
        Lie(
            testDescription: "talks without an end", command: "CONNECT",
            answer: .line(String(repeating: "2", count: 100_000)),
            reason: .unacceptable(.lineTooLong(limit: 1_024), .greeting)),
        Lie(testDescription: "ends at the sender", command: "MAIL", answer: .end, reason: .closed(.sender)),
        Lie(
            testDescription: "is silent at the recipient", command: "RCPT", answer: .silence,
            reason: .timedOut(.recipient, milliseconds: 250)),
        Lie(testDescription: "ends in the middle of DATA", command: "DATA", answer: .end, reason: .closed(.data)),
        Lie(testDescription: "ends behind the mail", command: ".", answer: .end, reason: .closed(.content)),
        Lie(
            testDescription: "does not say what became of the mail", command: ".", answer: .silence,
            reason: .timedOut(.content, milliseconds: 300)),
        Lie(
            testDescription: "refuses the mail", command: ".", answer: .line("554 5.7.1 spam"),
            reason: .refused(SMTPReply(code: 554, lines: ["5.7.1 spam"]), .content)),
        Lie(
            testDescription: "is busy at the recipient", command: "RCPT", answer: .line("450 4.2.0 later"),
            reason: .refused(SMTPReply(code: 450, lines: ["4.2.0 later"]), .recipient)),
    ]

    @Test("ends with a reason when the server", arguments: lies)
    func ends(lie: Lie) async throws {
        var script = Self.script("STARTTLS")
        script.answer = { _, command in command.hasPrefix(lie.command) ? lie.answer : nil }
        let server = SMTPTestServer(script)
        var limits = SMTPLimits()
        // Only those times end anything here that are waited for.
        if case .silence = lie.answer {
            (limits.greetingMilliseconds, limits.commandMilliseconds) = (200, 250)
            limits.acceptanceMilliseconds = 300
        }
        let client = try Client("smtp://localhost:\(server.port)", limits: limits)
        let failure = try await client.failure(Self.message())
        // On a busy machine a short time can be over earlier.
        if case .silence = lie.answer {
            guard case .timedOut = failure?.reason else {
                Issue.record("\(String(describing: failure))")
                return
            }
        } else {
            #expect(failure?.reason == lie.reason)
        }
        client.stop()
        server.stop()
    }

    @Test("a refused recipient does not keep the next mail from its own")
    func refusedRecipient() async throws {
        var script = SMTPTestServer.Script()
        let box = Counter()
        script.answer = { _, command in
            command.hasPrefix("RCPT") && box.next() == 1 ? .line("550 5.1.1 no such user") : nil
        }
        let server = SMTPTestServer(script)
        let client = try Client("smtp://localhost:\(server.port)")
        let connection = try await client.client.open()
        let failure = await #expect(throws: MailFailure.self) { try await connection.send(Self.message("one")) }
        #expect(failure?.isPermanent == true && failure?.endsConnection == false)
        try await connection.send(Self.message("two"))
        async let other: Void = connection.quit()
        await connection.quit()
        await other
        #expect(server.mails.count == 1)
        #expect(server.connections == 1)
        let again = await #expect(throws: MailFailure.self) { try await connection.send(Self.message("three")) }
        #expect(again?.endsConnection == true)
        client.stop()
        server.stop()
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }

    @Test("a server that is not there, or has no address, is told as that")
    func unreachable() async throws {
        let server = SMTPTestServer()
        let port = server.port
        server.stop()
        var client = try Client("smtp://127.0.0.1:\(port)")
        guard case .connect = try await client.failure(Self.message())?.reason else {
            Issue.record("it is there")
            return
        }
        client.stop()
        let resolver = NameResolver { _, _ in .failure(.system("no such name")) }
        client = try Client("smtp://mail.test:\(port)", resolver: resolver)
        #expect(try await client.failure(Self.message())?.reason == .lookup(.system("no such name")))
        client.stop()
    }

    @Test("a task that is cancelled gives up what it waits for", arguments: ["CONNECT", "EHLO", "RCPT"])
    func cancels(command: String) async throws {
        let (waits, signal) = AsyncStream<Void>.makeStream()
        var script = SMTPTestServer.Script()
        script.answer = { _, said in
            guard said.hasPrefix(command) else { return nil }
            signal.yield()
            return .silence
        }
        let server = SMTPTestServer(script)
        let client = try Client("smtp://localhost:\(server.port)")
        let task = Task { try await client.failure(Self.message()) }
        for await _ in waits { break }
        task.cancel()
        #expect(try await task.value?.reason == .cancelled)
        client.stop()
        server.stop()
    }

    @Test("a task that is cancelled while a name is looked up does not wait for it")
    func cancelsLookup() async throws {
        let (waits, signal) = AsyncStream<Void>.makeStream()
        let answer = AwaitedValue<Bool>()
        let resolver = NameResolver { _, _ in
            signal.yield()
            _ = answer.wait()
            return .failure(.system("too late"))
        }
        let client = try Client("smtp://mail.test", resolver: resolver)
        let task = Task { try await client.failure(Self.message()) }
        for await _ in waits { break }
        task.cancel()
        #expect(try await task.value?.reason == .cancelled)
        answer.finish(with: true)
        client.stop()
    }
}
