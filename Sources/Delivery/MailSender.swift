import Network

/// Sends the messages of a queue one after the other, and tries again what was not taken, later and later.
///
///     queue ──due──▶ sender ──MailCarrier──▶ mail server, or a service that is called
///       ▲              │
///       └─ sent, failed┘       asleep while nothing is due: `wake`, or the time of the next mail
///
/// The sender knows nothing of how a message is handed over: that is a `MailCarrier`'s, of which `SMTPCarrier` is the one for mail
/// servers. What became of a mail is written down before the next one is sent: when that fails it is tried again, and nothing else
/// is sent meanwhile, so that no mail is sent twice for it. A process that ends between the server's answer and the queue's sends
/// that one mail again, with the same identifier.
package final class MailSender: DeliverySource, @unchecked Sendable {
    // Safe to share: what changes is touched on the loop alone.
    package let engine: DeliveryEngine
    private let queue: any MailQueue
    private let carrier: any MailCarrier
    private let limits: MailSenderLimits
    private let log: @Sendable (String) -> Void
    /// The outcome of a mail that is not written down yet.
    private var unwritten: Outcome?

    private enum Outcome {
        case sent(Int64)
        case failed(Int64, MailRetry, String)
    }

    package struct Part: DeliveryPart {
        fileprivate let mail: QueuedMail
        package var number: Int64 { mail.id }
    }

    /// `report` gets a line for the log when the queue fails. The queue itself gets the outcome of each mail.
    package init(
        of queue: any MailQueue, by carrier: any MailCarrier, on loop: EventLoop, limits: MailSenderLimits = .init(),
        clock: any MailClock = SystemMailClock(), report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.queue = queue
        self.carrier = carrier
        self.limits = limits
        log = report
        engine = DeliveryEngine(
            DeliveryLimits(
                atOnce: 1, pauseMilliseconds: limits.queuePauseMilliseconds, lookMilliseconds: limits.lookMilliseconds,
                looksWhenIdle: limits.looksWhenIdle),
            on: loop, clock: clock)
    }

    /// Of mails that a mail server takes.
    package convenience init(
        of queue: any MailQueue, from: MailParty, by client: SMTPClient, limits: MailSenderLimits = .init(),
        clock: any MailClock = SystemMailClock(), report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let carrier = SMTPCarrier(from: from, by: client, mailsPerConnection: limits.mailsPerConnection)
        self.init(of: queue, by: carrier, on: client.loop, limits: limits, clock: clock, report: report)
    }

    package var isKnownToBeEmpty: Bool { queue.isKnownToBeEmpty }

    package func rest() async { await carrier.rest() }

    package func due(at now: Int64, max: Int, besides: Set<Int64>) async throws -> DueParts<Part> {
        try await write()
        let mails = try await queue.due(at: now, max: limits.batchMails)
        guard mails.isEmpty else { return DueParts(mails.map { Part(mail: $0) }, next: now) }
        await carrier.rest()
        return DueParts(next: try await queue.nextDue())
    }

    /// A mail that is on its way is given up by a stop and stays due, but the answer to one that has left completely is waited
    /// for, for a while.
    package func deliver(_ part: Part) async -> DeliveryOutcome {
        if let expires = part.mail.expires, expires <= engine.clock.milliseconds {
            return .refused("the mail was not sent while it was of use")
        }
        do throws(Undelivered) {
            try await carrier.carry(part.mail)
            return .taken
        } catch {
            // Then it says nothing of the mail.
            if engine.isStopping, error.isCancelled { return .cancelled }
            if error.isOfAll { engine.pause(milliseconds: limits.serverPauseMilliseconds) }
            return error.isPermanent ? .refused(error.words) : .failed(error.words)
        }
    }

    package func settle(_ part: Part, _ outcome: DeliveryOutcome) async throws {
        let mail = part.mail
        switch outcome {
        case .cancelled: return
        case .taken: unwritten = .sent(mail.id)
        case .refused(let words): unwritten = .failed(mail.id, .never, words)
        case .failed(let words), .unreachable(let words), .takenBut(_, let words):
            let next = limits.retries.next(
                after: Int64(mail.tries), since: mail.created, now: engine.clock.milliseconds,
                before: mail.expires ?? .max)
            unwritten = .failed(mail.id, next.map { MailRetry.at($0) } ?? .never, words)
        }
        try await write()
    }

    private func write() async throws {
        switch unwritten {
        case nil: return
        case .sent(let id): try await queue.sent(id)
        case .failed(let id, let retry, let words): try await queue.failed(id, retry, words: words)
        }
        unwritten = nil
    }

    package func report(unread error: any Error) { log("the queue of mails failed: \(error)") }

    package func report(unsettled part: Part, _ error: any Error) { report(unread: error) }
}
