import Crypto
import JSON
import Network
import Store
import Synchronization

/// The outbox: what functions send to people and to each other, as SES and SNS take it. This is the room's front page.
///
///     call ─▶ wish (who, to whom, what) ─▶ one message for each reader, in one transaction ─▶ senders, people who look
///
/// - `Calls/` is what clients call, and how their parameters are read.
/// - `Mails/` is what is sent: addresses, templates, mails that somebody else has put together.
/// - `Notices/` is what is published to topics, and which of their followers get it.
/// - `Data/` is messages, topics and templates in the database, in tables of this room alone.
///
/// Invariants: what was acknowledged is in the database, and what somebody sends stays there until it was taken over or
/// given up; nothing is sent that the caller did not name the reader of.
package final class Outbox: Sendable {
    package let store: Store
    /// The media that somebody sends. Messages of others are kept to be looked at.
    let sentMedia: Set<OutboxMessage.Medium>
    let region: String
    let accountID: String
    private let clock: @Sendable () -> Int64
    /// The topics of the project: topics, each with the functions that follow it.
    let kept = Mutex<[(topic: String, followers: [KeptFollower])]>([])
    private let listeners = Mutex<[MessageListener]>([])

    /// - Parameters:
    ///   - media: what somebody sends.
    ///   - clock: milliseconds since 1970.
    package init(
        over store: Store, sending media: Set<OutboxMessage.Medium>, region: String, accountID: String,
        clock: @escaping @Sendable () -> Int64 = { Timestamp.now.millisecondsSince1970 }
    ) {
        self.store = store
        sentMedia = media
        self.region = region
        self.accountID = accountID
        self.clock = clock
    }

    /// Has something called whenever there are new messages. It must not block.
    package func tellOfMessages(_ call: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.append(MessageListener(call: call)) }
    }

    private struct MessageListener: Sendable {
        let call: @Sendable () -> Void
    }

    /// Milliseconds since 1970.
    var now: Int64 { clock() }

    /// An identifier of a message, as long and as strange as those of the service.
    static func makeIdentifier() -> String {
        let text = Hexadecimal.text(of: RandomBytes.make(count: identifierBytes))
        return "\(text)-000000"
    }

    private static let identifierBytes = 24

    /// An identifier of a notice or of a subscription: a UUID, as SNS has it.
    static func makeNoticeIdentifier() -> String { UUIDText.random() }

    // MARK: The database

    /// Reads beside whatever loop this is.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Reader) throws(StoreError) -> Value, ifNone none: Value
    ) async throws(OutboxError) -> Value {
        try await store.readAside(
            OutboxTables.all, milliseconds: OutboxLimits.readMilliseconds, ifNone: none, failing: OutboxError.init, body
        )
    }

    @discardableResult
    func write<Value: Sendable>(
        _ change: @escaping @Sendable (WriteSession) throws -> Value
    ) async throws(OutboxError) -> Value {
        try await store.writer.write(turn: .outbox, failing: OutboxError.init) { session in
            try session.bring(OutboxTables.all)
            try session.bring(OutboxTables.settings)
            try session.bring(OutboxTables.rawFollowers)
            try session.bring(OutboxTables.topicDetails)
            return try change(session)
        }
    }

    /// Puts messages into the database, all or none of as many as one change may have (`OutboxLimits.changeBytesMax`). Once this has
    /// returned, they are on the disk.
    func queue(_ letters: [OutgoingLetter]) async throws(OutboxError) {
        let (now, media) = (now, sentMedia)
        var rest = letters[...]
        while !rest.isEmpty {
            var (count, bytes) = (0, 0)
            for letter in rest {
                guard count == 0 || bytes + letter.storedBytes <= OutboxLimits.changeBytesMax else { break }
                (count, bytes) = (count + 1, bytes + letter.storedBytes)
            }
            let group = rest.prefix(count)
            rest = rest.dropFirst(count)
            try await write { session in
                for letter in group { try session.add(letter, sending: media, now: now) }
                session.wake(.outbox)
            }
        }
        tell()
    }

    /// The same, in one change, with messages that are made in it.
    func queue<Value: Sendable>(
        _ make: @escaping @Sendable (WriteSession) throws -> ([OutgoingLetter], Value)
    ) async throws(OutboxError) -> Value {
        let (now, media) = (now, sentMedia)
        let value = try await write { session in
            let (letters, value) = try make(session)
            for letter in letters { try session.add(letter, sending: media, now: now) }
            session.wake(.outbox)
            return value
        }
        tell()
        return value
    }

    func tell() {
        for listener in listeners.withLock({ $0 }) { listener.call() }
    }
}
