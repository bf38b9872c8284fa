/// Sends the messages of a queue one after the other, and tries again what was not taken, later and later.
///
///     queue ──due──▶ sender ──MailCarrier──▶ mail server, or a service that is called
///       ▲              │
///       └─ sent, failed┘       asleep while nothing is due: `wake`, or the time of the next mail
///
/// Whoever puts a mail into the queue says `wake` and goes on. What became of a mail is written down before the next one is
/// sent: when that fails it is tried again, and nothing else is sent meanwhile, so that no mail is sent twice for it. A process
/// that ends between the server's answer and the queue's sends that one mail again, with the same identifier.
package final class MailSender: LoopBound, @unchecked Sendable {
    package let loop: EventLoop
    private let queue: any MailQueue
    private let carrier: any MailCarrier
    private let limits: MailSenderLimits
    private let clock: any MailClock
    private let report: @Sendable (String) -> Void
    private let rounds: WorkRounds
    /// Until when nothing is sent.
    private var pausedUntil = Int64.min
    /// The outcome of a mail that is not written down yet.
    private var unwritten: Fate?

    private enum Fate {
        case sent(QueuedMail)
        case failed(QueuedMail, MailRetry, String)
    }

    /// `report` is told when the queue fails, in a line for the log. What becomes of mails is told to the queue.
    package init(
        of queue: any MailQueue, by carrier: any MailCarrier, on loop: EventLoop, limits: MailSenderLimits = .init(),
        clock: any MailClock = SystemMailClock(), report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.queue = queue
        self.carrier = carrier
        self.loop = loop
        self.limits = limits
        self.clock = clock
        self.report = report
        rounds = WorkRounds(on: loop, clock: clock)
    }

    /// Of mails that a mail server takes.
    package convenience init(
        of queue: any MailQueue, from: MailParty, by client: SMTPClient, limits: MailSenderLimits = .init(),
        clock: any MailClock = SystemMailClock(), report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let carrier = SMTPCarrier(from: from, by: client, mailsPerConnection: limits.mailsPerConnection)
        self.init(of: queue, by: carrier, on: client.loop, limits: limits, clock: clock, report: report)
    }

    /// Begins to send. From any thread.
    package func start() {
        let look = limits.lookMilliseconds
        rounds.start(
            isAsleep: queue.isKnownToBeEmpty,
            { [self] in
                let next = await round()
                return WorkRounds.Rest(until: next, atMost: next == nil ? nil : look)
            }, end: { [self] in await carrier.rest() })
    }

    /// Says that there is a new mail. From any thread; nobody waits.
    package func wake() {
        loop.execute { [self] in
            // What comes during a pause is found when that is over.
            if clock.milliseconds >= pausedUntil { rounds.wake() }
        }
    }

    /// Ends the sending, and waits for that. A mail that is on its way is given up and stays due, but the answer to one that has
    /// left completely is waited for, for a while.
    package func stop() async {
        await rounds.stop()
    }

    // MARK: Rounds

    /// Does what there is to be done, and answers when there is more; nil: not before somebody says so.
    private func round() async -> Int64? {
        do {
            try await writeFate()
            guard clock.milliseconds >= pausedUntil else { return pausedUntil }
            let mails = try await queue.due(at: clock.milliseconds, max: limits.batchMails)
            for mail in mails where !rounds.isStopping && clock.milliseconds >= pausedUntil { try await send(mail) }
            if mails.isEmpty { await carrier.rest() }
            guard clock.milliseconds >= pausedUntil else { return pausedUntil }
            return mails.isEmpty ? try await queue.nextDue() : clock.milliseconds
        } catch {
            if !rounds.isStopping { report("the queue of mails failed: \(error)") }
            return Self.sum(clock.milliseconds, limits.queuePauseMilliseconds)
        }
    }

    private func writeFate() async throws {
        switch unwritten {
        case nil: return
        case .sent(let mail): try await queue.sent(mail.id)
        case .failed(let mail, let retry, let words): try await queue.failed(mail.id, retry, words: words)
        }
        unwritten = nil
    }

    // MARK: One mail

    private func send(_ mail: QueuedMail) async throws {
        if let expires = mail.expires, expires <= clock.milliseconds {
            unwritten = .failed(mail, .never, "the mail was not sent while it was of use")
            return try await writeFate()
        }
        do throws(Undelivered) {
            try await carrier.carry(mail)
            unwritten = .sent(mail)
        } catch {
            // Then it says nothing of the mail, which stays due.
            if rounds.isStopping, error.isCancelled { return }
            let now = clock.milliseconds
            let retry = error.isPermanent ? MailRetry.never : limits.backOff.retry(of: mail, now: now)
            unwritten = .failed(mail, retry, error.words)
            if error.isOfAll { pausedUntil = Self.sum(now, limits.serverPauseMilliseconds) }
        }
        try await writeFate()
    }

    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, isTooFar) = one.addingReportingOverflow(other)
        return isTooFar ? .max : sum
    }
}
