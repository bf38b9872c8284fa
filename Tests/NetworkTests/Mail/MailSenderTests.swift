import Delivery
import Synchronization
import TestSupport
import Testing

@testable import Network

@Suite("The sender of mails")
struct MailSenderTests {
    private static let start: Int64 = 1_000_000

    /// A sender with a queue, a clock and a server of its own.
    private final class Setup: Sendable {
        let server: SMTPTestServer
        let queue: TestMailQueue
        let clock = TestMailClock(at: MailSenderTests.start)
        let loop: EventLoop
        let sender: MailSender
        let reports = Reports()

        init(
            limits: MailSenderLimits = .init(), smtp: SMTPLimits = .init(), isKnownToBeEmpty: Bool = false,
            answer: @escaping @Sendable (Int, String) -> SMTPTestServer.Answer? = { _, _ in nil }
        ) throws {
            queue = TestMailQueue(isKnownToBeEmpty: isKnownToBeEmpty)
            var script = SMTPTestServer.Script()
            script.answer = answer
            server = SMTPTestServer(script)
            loop = try EventLoop(index: 0)
            try loop.start()
            let client = SMTPClient(on: loop, server: try MailURL("smtp://127.0.0.1:\(server.port)"), limits: smtp)
            sender = MailSender(
                of: queue, from: try MailParty("An App <app@app.test>"), by: client, limits: limits, clock: clock
            ) { [reports] in reports.add($0) }
        }

        final class Reports: Sendable {
            private let state = Mutex<[String]>([])
            var lines: [String] { state.withLock { $0 } }
            func add(_ line: String) { state.withLock { $0.append(line) } }
        }

        func add(
            _ id: Int64, to: String = "user@example.com", subject: String = "Your code", created: Int64? = nil,
            expires: Int64? = nil
        ) {
            queue.add(id, at: clock.milliseconds, to: to, subject: subject, created: created, expires: expires)
        }

        func stop() async {
            await sender.stop()
            loop.stop()
            loop.join()
            server.stop()
        }
    }

    private final class Flag: Sendable {
        private let value: Mutex<Bool>
        init(_ value: Bool) { self.value = Mutex(value) }
        var isSet: Bool {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }

    @Test("sends what waits at the start, and what comes, over one connection while there is more")
    func sends() async throws {
        let setup = try Setup()
        var fates = setup.queue.fates.makeAsyncIterator()
        for id in 1...20 { setup.add(Int64(id)) }
        setup.sender.start()
        for id in 1...20 { #expect(await fates.next() == .sent(Int64(id))) }
        setup.add(21)
        setup.sender.wake()
        #expect(await fates.next() == .sent(21))
        await setup.stop()
        #expect(setup.server.mails.count == 21)
        #expect((1...2).contains(setup.server.connections))
        #expect(setup.queue.count == 0)
        #expect(setup.server.commands.last == "QUIT")
    }

    @Test("ends a connection after so many mails")
    func mailsPerConnection() async throws {
        var limits = MailSenderLimits()
        limits.mailsPerConnection = 3
        let setup = try Setup(limits: limits)
        var fates = setup.queue.fates.makeAsyncIterator()
        for id in 1...7 { setup.add(Int64(id)) }
        setup.sender.start()
        for id in 1...7 { #expect(await fates.next() == .sent(Int64(id))) }
        await setup.stop()
        #expect(setup.server.connections == 3)
    }

    @Test("a mail that is refused for now is tried again, later each time, and others go on meanwhile")
    func backsOff() async throws {
        let setup = try Setup(answer: { _, command in
            command.hasPrefix("RCPT") ? .line("450 4.2.0 later") : nil
        })
        var fates = setup.queue.fates.makeAsyncIterator()
        var alarms = setup.clock.alarms.makeAsyncIterator()
        setup.add(1)
        setup.sender.start()
        var delay: Int64 = 30_000
        for _ in 0..<4 {
            let due = setup.clock.milliseconds + delay
            #expect(
                await fates.next()
                    == .failed(1, .at(due), words: "the mail server answered the recipient with 450 4.2.0 later"))
            // It sleeps until then, though it looks at the clock in between.
            while setup.clock.milliseconds < due {
                let wait = try #require(await alarms.next())
                #expect(wait == min(60_000, due - setup.clock.milliseconds))
                setup.clock.advance(by: wait)
            }
            delay *= 2
        }
        await setup.stop()
    }

    @Test("a mail that is refused for ever, has expired or is too old is given up")
    func givesUp() async throws {
        let isBusy = Flag(false)
        let setup = try Setup(answer: { _, command in
            guard command.hasPrefix("RCPT") else { return nil }
            return .line(isBusy.isSet ? "450 later" : "550 5.1.1 no such user")
        })
        var fates = setup.queue.fates.makeAsyncIterator()
        setup.add(1)
        setup.sender.start()
        #expect(
            await fates.next()
                == .failed(1, .never, words: "the mail server answered the recipient with 550 5.1.1 no such user"))
        let before = setup.server.commands.count { $0.hasPrefix("MAIL") }
        setup.add(2, expires: Self.start)
        setup.sender.wake()
        #expect(await fates.next() == .failed(2, .never, words: "the mail was not sent while it was of use"))
        #expect(setup.server.commands.count { $0.hasPrefix("MAIL") } == before)
        isBusy.isSet = true
        setup.add(3, created: Self.start - 3 * 24 * 3_600_000 + 29_999)
        setup.sender.wake()
        #expect(
            await fates.next() == .failed(3, .never, words: "the mail server answered the recipient with 450 later"))
        await setup.stop()
        #expect(setup.queue.count == 0)
    }

    @Test("what is no mail, or has no address to go to, is given up, and told why")
    func impossible() async throws {
        let setup = try Setup()
        var fates = setup.queue.fates.makeAsyncIterator()
        setup.add(1, to: "a@b.test\r\nRCPT TO:<c@d.test>")
        setup.add(2, to: "é@example.com")
        setup.add(3, subject: String(repeating: "a", count: 2_000))
        setup.add(4)
        setup.sender.start()
        for (id, words) in [
            (1, "byte 8 cannot stand in an address"),
            (2, "byte 0 is not ASCII; such a domain is written in its form with xn--"),
            (3, "the subject of a mail has at most 1024 bytes"),
        ] {
            #expect(await fates.next() == .failed(Int64(id), .never, words: "no such mail can be sent: \(words)"))
        }
        #expect(await fates.next() == .sent(4))
        await setup.stop()
        #expect(setup.server.mails.map(\.to) == ["user@example.com"])
        #expect(setup.server.mails.first?.text.contains("Message-ID: <\(Self.start)-4@app.test>\n") == true)
    }

    @Test("a server that cannot be used is left alone for a while, however many mails wait and come")
    func serverPause() async throws {
        let isDown = Flag(true)
        let setup = try Setup(answer: { _, command in
            command == "CONNECT" && isDown.isSet ? .line("554 5.3.2 down") : nil
        })
        var fates = setup.queue.fates.makeAsyncIterator()
        var alarms = setup.clock.alarms.makeAsyncIterator()
        for id in 1...5 { setup.add(Int64(id)) }
        setup.sender.start()
        let words = "the mail server answered its greeting with 554 5.3.2 down"
        #expect(await fates.next() == .failed(1, .at(Self.start + 30_000), words: words))
        #expect(await alarms.next() == 30_000)
        setup.add(6)
        setup.sender.wake()
        setup.sender.wake()
        await setup.loop.run {}
        #expect(setup.server.connections == 1)
        setup.clock.advance(by: 30_000)
        #expect(await fates.next() == .failed(2, .at(Self.start + 60_000), words: words))
        #expect(await alarms.next() == 30_000)
        isDown.isSet = false
        setup.clock.advance(by: 30_000)
        for id in [3, 4, 5, 6, 1, 2] { #expect(await fates.next() == .sent(Int64(id))) }
        await setup.stop()
        #expect(setup.server.connections == 3)
    }

    @Test("a connection that the server closed at rest costs no mail a try")
    func staleConnection() async throws {
        let isFirst = Flag(true)
        // The first connection ends at its second mail.
        let setup = try Setup(answer: { connection, command in
            guard connection == 0, command.hasPrefix("MAIL") else { return nil }
            defer { isFirst.isSet = false }
            return isFirst.isSet ? nil : .end
        })
        var fates = setup.queue.fates.makeAsyncIterator()
        setup.add(1)
        setup.add(2)
        setup.sender.start()
        #expect(await fates.next() == .sent(1))
        #expect(await fates.next() == .sent(2))
        await setup.stop()
        #expect(setup.server.connections == 2)
    }

    @Test("a mail is not sent twice because the queue could not write down that it was sent")
    func writesDown() async throws {
        let setup = try Setup()
        var fates = setup.queue.fates.makeAsyncIterator()
        var alarms = setup.clock.alarms.makeAsyncIterator()
        setup.queue.fail(fates: 2)
        setup.add(1)
        setup.add(2)
        setup.sender.start()
        for _ in 0..<2 {
            #expect(await alarms.next() == 5_000)
            #expect(setup.server.mails.count == 1)
            setup.clock.advance(by: 5_000)
        }
        #expect(await fates.next() == .sent(1))
        #expect(await fates.next() == .sent(2))
        await setup.stop()
        #expect(setup.server.mails.count == 2)
        #expect(setup.reports.lines.count == 2)
    }

    @Test("a queue that fails is asked again later, and it is told")
    func queuePause() async throws {
        let setup = try Setup()
        var fates = setup.queue.fates.makeAsyncIterator()
        var alarms = setup.clock.alarms.makeAsyncIterator()
        setup.queue.fail(due: 1)
        setup.add(1)
        setup.sender.start()
        #expect(await alarms.next() == 5_000)
        setup.clock.advance(by: 5_000)
        #expect(await fates.next() == .sent(1))
        await setup.stop()
        #expect(setup.reports.lines == ["the queue of mails failed: Failure()"])
    }

    @Test("with nothing to send there is no alarm, and a stop ends it")
    func sleeps() async throws {
        let setup = try Setup()
        setup.sender.start()
        try await eventually("the queue is asked") { setup.queue.asked > 0 }
        await setup.stop()
        #expect(setup.server.connections == 0)
        var alarms = setup.clock.alarms.makeAsyncIterator()
        setup.clock.advance(by: 1)
        _ = setup.clock.alarm(after: 7, on: setup.loop) {}
        #expect(await alarms.next() == 7, "the first alarm of all")
    }

    @Test("a queue of which it is known that nothing waits is asked when a mail comes, and not before")
    func knownToBeEmpty() async throws {
        let setup = try Setup(isKnownToBeEmpty: true)
        var fates = setup.queue.fates.makeAsyncIterator()
        setup.sender.start()
        for _ in 0..<10 { await setup.loop.run {} }
        #expect(setup.queue.asked == 0)
        setup.add(1)
        setup.sender.wake()
        #expect(await fates.next() == .sent(1))
        await setup.stop()
    }

    @Test("a mail that comes before the start is sent, also where nothing was known to wait")
    func comesBeforeTheStart() async throws {
        let setup = try Setup(isKnownToBeEmpty: true)
        var fates = setup.queue.fates.makeAsyncIterator()
        setup.add(1)
        setup.sender.wake()
        setup.sender.start()
        #expect(await fates.next() == .sent(1))
        await setup.stop()
    }

    @Test("a stop gives up a mail that is on its way, which stays due", arguments: ["CONNECT", "RCPT"])
    func stops(command: String) async throws {
        let (waits, signal) = AsyncStream<Void>.makeStream()
        let setup = try Setup(answer: { _, said in
            guard said.hasPrefix(command) else { return nil }
            signal.yield()
            return .silence
        })
        setup.add(1)
        setup.sender.start()
        for await _ in waits { break }
        await setup.stop()
        #expect(setup.queue.count == 1)
        #expect(setup.queue.asked == 1)
    }

    @Test("a stop waits for the answer to a mail that has left")
    func stopsBehindMail() async throws {
        let (waits, signal) = AsyncStream<Void>.makeStream()
        let answer = AwaitedValue<Bool>()
        let asked = Flag(false)
        var smtp = SMTPLimits()
        smtp.stopMilliseconds = 600_000
        let setup = try Setup(
            smtp: smtp,
            answer: { _, said in
                guard said == ".", !asked.isSet else { return nil }
                asked.isSet = true
                signal.yield()
                _ = answer.wait()
                return nil
            })
        var fates = setup.queue.fates.makeAsyncIterator()
        setup.add(1)
        setup.sender.start()
        for await _ in waits { break }
        let stop = Task { await setup.sender.stop() }
        // What it does at the stop is done when the loop has come to what was asked of it later.
        for _ in 0..<3 { await setup.loop.run {} }
        answer.finish(with: true)
        await stop.value
        #expect(await fates.next() == .sent(1))
        await setup.stop()
    }

    static let delays: [(tries: Int, age: Int64, expires: Int64?, retry: Int64?)] = [
        (0, 0, nil, 30_000), (1, 0, nil, 60_000), (6, 0, nil, 1_920_000), (7, 0, nil, 3_600_000),
        (50, 0, nil, 3_600_000), (98, 0, nil, 3_600_000), (99, 0, nil, nil), (.max - 1, 0, nil, nil),
        (-1, 0, nil, 30_000), (0, 259_170_000, nil, 30_000), (0, 259_170_001, nil, nil), (0, .max, nil, nil),
        (0, .min + 2_000_000, nil, 30_000), (0, 0, 30_001, 30_000), (0, 0, 30_000, nil),
    ]

    @Test("the time between two tries grows to a bound, and the tries end", arguments: delays)
    func delay(tries: Int, age: Int64, expires: Int64?, retry: Int64?) throws {
        let now = Self.start
        let mail = QueuedMail(
            id: 1, to: "a@b.test", subject: "", text: "", tries: tries, created: age == .max ? .min : now - age,
            expires: expires.map { now + $0 })
        let retries = MailSenderLimits().retries
        func next(now: Int64) -> Int64? {
            retries.next(after: Int64(tries), since: mail.created, now: now, before: mail.expires ?? .max)
        }
        #expect(next(now: now) == retry.map { now + $0 })
        #expect(next(now: .max) == nil)
    }
}
