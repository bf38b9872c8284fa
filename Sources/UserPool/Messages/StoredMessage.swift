import JSON
import Store

/// A message to a user, as it stands in the queue.
package struct StoredMessage: Sendable {
    package enum State: String, Sendable {
        /// To be sent, where somebody sends such messages.
        case waiting
        case sent
        /// Given up.
        case failed
    }

    package let number: Int64
    package let user: String
    /// What it is about: `confirm`, `forgot`, `otp`, `verify:email`, …
    package let kind: String
    /// `EMAIL` or `SMS`.
    package let medium: String
    package let address: String
    package let subject: String
    package let body: String
    package let code: String
    package let created: Int64
    package let expires: Int64
    package let state: State
    package let tries: Int64
    package let problem: String?
    /// The body as a page; nil: there is none.
    package let html: String?
    /// What the function is told that sends it: JSON.
    package let event: String?

    fileprivate static let dueSelection = RoomStatement(
        """
        SELECT number, user, kind, medium, address, subject, body, code, created, expires, state, tries, problem,
            html, event
        FROM _homeport_messages WHERE state = 'waiting' AND medium = ? AND due <= ? ORDER BY due, number LIMIT ?
        """)
    fileprivate static let nextSelection = RoomStatement(
        "SELECT min(due) FROM _homeport_messages WHERE state = 'waiting' AND medium = ?")
    fileprivate static let newSelection = RoomStatement(
        """
        SELECT number, user, kind, medium, address, subject, body, code, created, expires, state, tries, problem,
            html, event
        FROM _homeport_messages WHERE number > ? ORDER BY number LIMIT ?
        """)
    fileprivate static let recipientSelection = RoomStatement(
        """
        SELECT number, user, kind, medium, address, subject, body, code, created, expires, state, tries, problem,
            html, event
        FROM _homeport_messages WHERE number > ?1 AND (CAST(?2 AS TEXT) IS NULL OR address = ?2 OR user = ?2)
        ORDER BY number
        """, isOpen: true)
    fileprivate static let newestSelection = RoomStatement(
        """
        SELECT number, user, kind, medium, address, subject, body, code, created, expires, state, tries, problem,
            html, event
        FROM _homeport_messages WHERE (CAST(?1 AS TEXT) IS NULL OR address = ?1 OR user = ?1) ORDER BY number DESC LIMIT ?2
        """)
    fileprivate static let removal = RoomStatement("DELETE FROM _homeport_messages")
    fileprivate static let count = RoomStatement(
        "SELECT count(*) FROM (SELECT 1 FROM _homeport_messages LIMIT ?) AS found")
    fileprivate static let selection = RoomStatement(
        """
        SELECT number, user, kind, medium, address, subject, body, code, created, expires, state, tries, problem,
            html, event
        FROM _homeport_messages WHERE number = ?
        """)
    fileprivate static let sending = RoomStatement(
        "UPDATE _homeport_messages SET state = 'sent', problem = NULL WHERE number = ?")
    fileprivate static let delay = RoomStatement(
        "UPDATE _homeport_messages SET due = ?, tries = tries + 1, problem = ? WHERE number = ?")
    fileprivate static let end = RoomStatement(
        "UPDATE _homeport_messages SET state = 'failed', tries = tries + 1, problem = ? WHERE number = ?")

    fileprivate init(_ row: borrowing Row) {
        number = row.integer(0)
        user = row.text(1)
        kind = row.text(2)
        medium = row.text(3)
        address = row.text(4)
        subject = row.text(5)
        body = row.text(6)
        code = row.text(7)
        created = row.integer(8)
        expires = row.integer(9)
        state = State(rawValue: row.text(10)) ?? .failed
        tries = row.integer(11)
        problem = row.isNull(12) ? nil : row.text(12)
        html = row.isNull(13) ? nil : row.text(13)
        event = row.isNull(14) ? nil : row.text(14)
    }
}

extension StoredMessage {
    /// The messages behind a number, the oldest first: those to one user or address, where one is named. None where nobody has
    /// signed up yet, so that there are no tables.
    package static func all(
        in reader: Reader, behind number: Int64 = 0, to recipient: String? = nil
    ) throws(StoreError) -> [StoredMessage] {
        guard try reader.has(PoolTables.all) else { return [] }
        var messages: [StoredMessage] = []
        try reader.rows(recipientSelection, [.integer(number), recipient.map(StoredValue.text) ?? .null]) {
            row throws(StoreError) in
            messages.append(StoredMessage(row))
            return true
        }
        return messages
    }
}

/// The queue, for those who send.
extension UserPool {
    private static let readMilliseconds: Int64 = 5_000

    /// What messages go by.
    package static let media = CodeDelivery.Medium.allCases.map(\.rawValue)
    package static let mailMedium = CodeDelivery.Medium.email.rawValue

    /// The URL of the function that sends messages of a medium in the pool's place.
    package func senderURL(of medium: String) -> String? {
        CodeDelivery.Medium(rawValue: medium).flatMap { settings.triggers.sender(of: $0) }
    }

    /// The messages of a medium whose time has come, the one that has waited longest first.
    package func dueMessages(_ medium: String, at now: Int64, max: Int) async throws -> [StoredMessage] {
        try await messages(StoredMessage.dueSelection, [.text(medium), .integer(now), .integer(Int64(max))])
    }

    /// Those behind a number, in their order.
    package func messages(after number: Int64, max: Int) async throws -> [StoredMessage] {
        try await messages(StoredMessage.newSelection, [.integer(number), .integer(Int64(max))])
    }

    /// The one of that number; nil where it is not kept any more.
    package func message(_ number: Int64) async throws -> StoredMessage? {
        try await messages(StoredMessage.selection, [.integer(number)]).first
    }

    /// The newest ones, the newest last: those to one user or address, where one is named.
    package func newestMessages(to recipient: String?, max: Int) async throws -> [StoredMessage] {
        let recipient = recipient.map(StoredValue.text) ?? .null
        return try await messages(StoredMessage.newestSelection, [recipient, .integer(Int64(max))]).reversed()
    }

    /// How many messages there are, counting up to a number.
    package func messageCount(upTo max: Int) async throws -> Int {
        try await store.readersAside.read(until: Timestamp.monotonicMilliseconds + Self.readMilliseconds) {
            reader throws(StoreError) in
            guard try reader.has(PoolTables.all) else { return 0 }
            var count: Int64 = 0
            try reader.rows(StoredMessage.count, [.integer(Int64(max))]) { row throws(StoreError) in
                count = row.integer(0)
                return false
            }
            return Int(clamping: count)
        }
    }

    /// Takes all messages away, sent or not, and says how many. The codes that they told stay what they are.
    package func removeMessages() async throws -> Int {
        try await write { session throws(PoolError) in
            do throws(StoreError) {
                return try session.has(PoolTables.all) ? try session.change(StoredMessage.removal) : 0
            } catch {
                throw PoolError(error)
            }
        }
    }

    /// When the next one of a medium is due; nil: none waits.
    package func nextDueMessage(_ medium: String) async throws -> Int64? {
        try await number(StoredMessage.nextSelection, [.text(medium)])
    }

    /// Says that a message was sent.
    package func messageWasSent(_ number: Int64) async throws {
        try await write { session throws(PoolError) in
            do throws(StoreError) { try session.change(StoredMessage.sending, [.integer(number)]) } catch {
                throw PoolError(error)
            }
        }
    }

    /// Says that it was not: it is due again at a time, or, with nil, never.
    package func messageFailed(_ number: Int64, dueAgain: Int64?, problem: String) async throws {
        try await write { session throws(PoolError) in
            do throws(StoreError) {
                if let dueAgain {
                    try session.change(StoredMessage.delay, [.integer(dueAgain), .text(problem), .integer(number)])
                } else {
                    try session.change(StoredMessage.end, [.text(problem), .integer(number)])
                }
            } catch {
                throw PoolError(error)
            }
        }
    }

    private func messages(_ statement: RoomStatement, _ values: [StoredValue]) async throws -> [StoredMessage] {
        try await store.readAside(
            PoolTables.all, until: Timestamp.monotonicMilliseconds + Self.readMilliseconds, ifNone: []
        ) { reader throws(StoreError) in
            var messages: [StoredMessage] = []
            try reader.rows(statement, values) { row throws(StoreError) in
                messages.append(StoredMessage(row))
                return true
            }
            return messages
        }
    }

    private func number(_ statement: RoomStatement, _ values: [StoredValue]) async throws -> Int64? {
        try await store.readAside(
            PoolTables.all, until: Timestamp.monotonicMilliseconds + Self.readMilliseconds, ifNone: nil
        ) { reader throws(StoreError) in
            var number: Int64?
            try reader.rows(statement, values) { row throws(StoreError) in
                if !row.isNull(0) { number = row.integer(0) }
                return false
            }
            return number
        }
    }
}
