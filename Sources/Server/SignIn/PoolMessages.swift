import Access
import Delivery
import Functions
import JSON
import Network
import Synchronization
import UserPool

/// Brings the pool's messages to people: by a function of the app's where one is to send them, mails by the server of `mail.smtp`,
/// messages to telephones by the service of `sms.webhook`. On a machine of a developer's, codes that nobody sends stand in the log.
final class PoolMessages: Sendable {
    private let pool: UserPool
    private let log: Log
    private let outside: any OutsideService
    private let loop: EventLoop
    private let current: Mutex<Sending>
    private let lastLogged = Mutex<Int64>(0)

    private static let loggedMax = 50

    init(
        _ pool: UserPool, _ configuration: Configuration, functions: Functions?, on loop: EventLoop, _ log: Log
    ) {
        self.pool = pool
        self.log = log
        self.loop = loop
        let outside = OutsideClient(on: loop, functions: functions, trace: log.trace)
        self.outside = outside
        let first = Sending(pool, configuration, over: outside, on: loop, log)
        current = Mutex(first)
        pool.tellOfMessages { [weak self, weak loop] in
            guard let self, let loop else { return }
            let sending = current.withLock { $0 }
            for sender in sending.senders { sender.wake() }
            if sending.logsCodes { Task(executorPreference: loop) { await self.logCodes() } }
        }
    }

    /// Begins with what waits, also again behind `stop`.
    func start(_ configuration: Configuration) {
        let sending = current.withLock { current in
            if current.hasBegun { current = Sending(pool, configuration, over: outside, on: loop, log) }
            current.hasBegun = true
            return current
        }
        for sender in sending.senders { sender.start() }
    }

    /// Looks for messages of other nodes. From any thread.
    func wake() {
        for sender in current.withLock({ $0.senders }) { sender.wake() }
    }

    /// The functions that send messages, by medium.
    private struct Sending: Sendable {
        private(set) var senders: [MailSender] = []
        /// The media whose messages somebody sends.
        private(set) var sent: Set<String> = []
        let logsCodes: Bool
        var hasBegun = false
        /// The functions that send, by medium.
        let functions: [String: String]

        init(
            _ pool: UserPool, _ configuration: Configuration, over outside: any OutsideService, on loop: EventLoop,
            _ log: Log
        ) {
            let report: @Sendable (String) -> Void = { log.warning("messages to users: \($0)") }
            let limits = pool.nodes == nil ? MailSenderLimits() : .amongNodes
            for medium in UserPool.media {
                let queue = PoolMessageQueue(pool, medium, log)
                if let carrier = ServiceCarrier(of: pool, medium, configuration, over: outside) {
                    senders.append(MailSender(of: queue, by: carrier, on: loop, limits: limits, report: report))
                } else if medium == UserPool.mailMedium, let server = configuration.mail.smtp,
                    let from = configuration.mail.from
                {
                    senders.append(
                        MailSender(
                            of: queue, from: from, by: SMTPClient(on: loop, server: server), limits: limits,
                            report: report))
                } else {
                    continue
                }
                sent.insert(medium)
            }
            logsCodes = sent.count < UserPool.media.count && configuration.listeners.allSatisfy(\.isLoopback)
            functions = Self.functions(of: pool)
        }

        static func functions(of pool: UserPool) -> [String: String] {
            UserPool.media.reduce(into: [:]) { $0[$1] = pool.senderURL(of: $1) }
        }
    }

    /// Goes on with the functions that the pool's settings name by now. What is on its way is sent by those who began it.
    func adopt(_ configuration: Configuration) async {
        let former = current.withLock { $0 }
        guard former.functions != Sending.functions(of: pool) else { return }
        for sender in former.senders { await sender.stop() }
        var next = Sending(pool, configuration, over: outside, on: loop, log)
        next.hasBegun = true
        current.withLock { [next] in $0 = next }
        for sender in next.senders { sender.start() }
    }

    /// Ends the sending, and waits for that.
    func stop() async { for sender in current.withLock({ $0.senders }) { await sender.stop() } }

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
        guard isNew, message.created >= began, !current.withLock({ $0.sent.contains(message.medium) }) else { return }
        log.info(
            "\(message.kind) for \(message.user): \(message.code)",
            ["to": .string(message.address), "medium": .string(message.medium)])
    }

    private let began = Timestamp.now.millisecondsSince1970
}

/// The pool's messages of a medium, as their sender sees them.
private struct PoolMessageQueue: MailQueue {
    private let pool: UserPool
    private let medium: String
    private let log: Log

    init(_ pool: UserPool, _ medium: String, _ log: Log) {
        self.pool = pool
        self.medium = medium
        self.log = log
    }

    func due(at now: Int64, max: Int) async throws -> [QueuedMail] {
        try await pool.dueMessages(medium, at: now, max: max).map { message in
            QueuedMail(
                id: message.number, to: message.address, subject: message.subject, text: message.body,
                html: message.html, tries: Int(clamping: message.tries), created: message.created,
                expires: message.expires)
        }
    }

    func nextDue() async throws -> Int64? { try await pool.nextDueMessage(medium) }
    func sent(_ id: Int64) async throws { try await pool.messageWasSent(id) }

    func failed(_ id: Int64, _ retry: MailRetry, words: String) async throws {
        let again: Int64? = if case .at(let time) = retry { time } else { nil }
        try await pool.messageFailed(id, dueAgain: again, problem: words)
        log.warning(
            again == nil ? "a message to a user was given up" : "a message to a user waits for another try",
            ["medium": .string(medium), "problem": .string(words)])
    }
}
