import JSON
import Network
import Synchronization
import UserPool

/// Brings the pool's messages to people: mails go to the server of `mail.smtp`, if there is one. On a machine of a developer's,
/// without one, codes stand in the log.
final class PoolMail: Sendable {
    private let pool: UserPool
    private let log: Log
    private let sender: MailSender?
    private let logsCodes: Bool
    private let lastLogged = Mutex<Int64>(0)

    private static let loggedMax = 50

    /// Begins at once with what waits.
    init(_ pool: UserPool, _ configuration: Configuration, on loop: EventLoop, _ log: Log) {
        self.pool = pool
        self.log = log
        logsCodes = configuration.mail.smtp == nil && configuration.listeners.allSatisfy(\.isLoopback)
        if let server = configuration.mail.smtp, let from = configuration.mail.from {
            sender = MailSender(
                of: PoolMailQueue(pool), from: from, by: SMTPClient(on: loop, server: server),
                report: { log.warning("mail: \($0)") })
        } else {
            sender = nil
        }
        pool.tellOfMessages { [weak self, weak loop] in
            guard let self, let loop else { return }
            sender?.wake()
            if logsCodes { Task(executorPreference: loop) { await self.logCodes() } }
        }
        sender?.start()
    }

    /// Ends the sending, and waits for that.
    func stop() async { await sender?.stop() }

    /// Writes the codes into the log that it has not told of yet.
    private func logCodes() async {
        while true {
            let last = lastLogged.withLock { $0 }
            guard let messages = try? await pool.messages(after: last, max: Self.loggedMax) else { return }
            for message in messages { log(message) }
            guard messages.count == Self.loggedMax else { return }
        }
    }

    private func log(_ message: StoredMessage) {
        let isNew = lastLogged.withLock { last in
            guard message.number > last else { return false }
            last = message.number
            return true
        }
        // What was sent before this server began is old.
        guard isNew, message.created >= began else { return }
        log.info(
            "\(message.kind) for \(message.user): \(message.code)",
            ["to": .string(message.address), "medium": .string(message.medium)])
    }

    private let began = Timestamp.now.millisecondsSince1970
}

/// The pool's mails, as their sender sees them.
private struct PoolMailQueue: MailQueue {
    private let pool: UserPool
    private static let medium = "EMAIL"

    init(_ pool: UserPool) {
        self.pool = pool
    }

    func due(at now: Int64, max: Int) async throws -> [QueuedMail] {
        try await pool.dueMessages(Self.medium, at: now, max: max).map { message in
            QueuedMail(
                id: message.number, to: message.address, subject: message.subject, text: message.body,
                tries: Int(clamping: message.tries), created: message.created, expires: message.expires)
        }
    }

    func nextDue() async throws -> Int64? { try await pool.nextDueMessage(Self.medium) }
    func sent(_ id: Int64) async throws { try await pool.messageWasSent(id) }

    func failed(_ id: Int64, _ retry: MailRetry, words: String) async throws {
        let again: Int64? = if case .at(let time) = retry { time } else { nil }
        try await pool.messageFailed(id, dueAgain: again, problem: words)
    }
}
