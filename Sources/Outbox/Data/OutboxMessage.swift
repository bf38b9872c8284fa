import Cloud
import JSON
import Network
import Store

/// A message to one reader, as it stands in the database.
package struct OutboxMessage: Sendable {
    package enum Medium: String, Sendable, CaseIterable {
        case email = "EMAIL"
        case sms = "SMS"
        /// To a function or a queue that follows a topic: the text is the event, or the message.
        case function = "FUNCTION"
    }

    package enum State: String, Sendable {
        /// To be sent.
        case waiting
        case sent
        /// Given up.
        case failed
        /// Nobody sends such messages here.
        case kept
    }

    /// The service of messages that their followers did not get, on their way to the queues for such ones.
    static let deadLetters = "sns dead letters"

    package let number: Int64
    package let id: String
    package let service: String
    package let medium: String
    package let sender: String
    package let address: String
    package let subject: String
    package let text: String
    package let html: String?
    package let created: Int64
    package let state: State
    package let tries: Int64
    package let problem: String?
    let mail: Int64?

    fileprivate init(_ row: borrowing Row) {
        number = row.integer(0)
        id = row.text(1)
        service = row.text(2)
        medium = row.text(3)
        sender = row.text(4)
        address = row.text(5)
        subject = row.text(6)
        text = row.text(7)
        html = row.isNull(8) ? nil : row.text(8)
        mail = row.isNull(9) ? nil : row.integer(9)
        created = row.integer(10)
        state = State(rawValue: row.text(11)) ?? .failed
        tries = row.integer(12)
        problem = row.isNull(13) ? nil : row.text(13)
    }

    /// A queue that is first in, first out gets one message after the other.
    fileprivate static let dueSelection = RoomStatement(
        """
        SELECT number, id, service, medium, sender, address, subject, text, html, mail, created, state, tries, problem
        FROM _homeport_outbox AS message WHERE state = 'waiting' AND medium = ? AND due <= ?
            AND (substr(address, length(address) - 4) <> '.fifo' OR NOT EXISTS (
                SELECT 1 FROM _homeport_outbox AS earlier WHERE earlier.state = 'waiting'
                    AND earlier.address = message.address AND earlier.number < message.number))
        ORDER BY due, number LIMIT ?
        """)
    fileprivate static let nextSelection = RoomStatement(
        "SELECT min(due) FROM _homeport_outbox WHERE state = 'waiting' AND medium = ?")
    fileprivate static let selection = RoomStatement(
        """
        SELECT number, id, service, medium, sender, address, subject, text, html, mail, created, state, tries, problem
        FROM _homeport_outbox WHERE number > ?1 AND (CAST(?2 AS TEXT) IS NULL OR address = ?2) ORDER BY number LIMIT ?3
        """)
    fileprivate static let single = RoomStatement(
        """
        SELECT number, id, service, medium, sender, address, subject, text, html, mail, created, state, tries, problem
        FROM _homeport_outbox WHERE number = ?
        """)
    fileprivate static let newestSelection = RoomStatement(
        """
        SELECT number, id, service, medium, sender, address, subject, text, html, mail, created, state, tries, problem
        FROM _homeport_outbox WHERE medium <> ?1 AND (CAST(?2 AS TEXT) IS NULL OR address = ?2)
        ORDER BY number DESC LIMIT ?3
        """)
    fileprivate static let removal = RoomStatement("DELETE FROM _homeport_outbox")
    fileprivate static let count = RoomStatement(
        "SELECT count(*) FROM (SELECT 1 FROM _homeport_outbox WHERE medium <> ? LIMIT ?) AS found")
    fileprivate static let mailSelection = RoomStatement("SELECT bytes FROM _homeport_outbox_mails WHERE number = ?")
    fileprivate static let sending = RoomStatement(
        "UPDATE _homeport_outbox SET state = 'sent', problem = NULL WHERE number = ?")
    fileprivate static let delay = RoomStatement(
        "UPDATE _homeport_outbox SET due = ?, tries = tries + 1, problem = ? WHERE number = ?")
    fileprivate static let end = RoomStatement(
        "UPDATE _homeport_outbox SET state = 'failed', tries = tries + 1, problem = ? WHERE number = ?")

    fileprivate static let insertion = RoomStatement(
        """
        INSERT INTO _homeport_outbox
            (id, service, medium, sender, address, subject, text, html, mail, created, state, tries, due, problem)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
        """)
    fileprivate static let mailInsertion = RoomStatement("INSERT INTO _homeport_outbox_mails (bytes) VALUES (?)")
    fileprivate static let waitingCount = RoomStatement(
        "SELECT count(*) FROM (SELECT 1 FROM _homeport_outbox WHERE state = 'waiting' AND medium = ? LIMIT ?) AS found")
    fileprivate static let sweep = RoomStatement(
        "DELETE FROM _homeport_outbox WHERE state <> 'waiting' AND number <= ?")
    fileprivate static let mailSweep = RoomStatement(
        "DELETE FROM _homeport_outbox_mails WHERE number NOT IN (SELECT mail FROM _homeport_outbox WHERE mail IS NOT NULL)"
    )
}

extension OutboxMessage {
    /// The messages behind a number, the oldest first: those to one address, where one is named.
    package static func all(
        in reader: Reader, behind number: Int64 = 0, to address: String? = nil, max: Int = .max
    ) throws(StoreError) -> [OutboxMessage] {
        guard try reader.has(OutboxTables.all) else { return [] }
        return try reader.messages(
            selection, [.integer(number), address.map(StoredValue.text) ?? .null, .integer(Int64(max))])
    }
}

extension Outbox {
    /// The newest messages to people, the newest last: those to one address, where one is named.
    package func newestMessages(to address: String?, max: Int) async throws(OutboxError) -> [OutboxMessage] {
        let values: [StoredValue] = [
            .text(OutboxMessage.Medium.function.rawValue), address.map(StoredValue.text) ?? .null, .integer(Int64(max)),
        ]
        return try await read(
            { reader throws(StoreError) in try reader.messages(OutboxMessage.newestSelection, values).reversed() },
            ifNone: [])
    }

    /// How many messages to people there are, counting up to a number.
    package func messageCount(upTo max: Int) async throws(OutboxError) -> Int {
        let values: [StoredValue] = [.text(OutboxMessage.Medium.function.rawValue), .integer(Int64(max))]
        return try await read(
            { reader throws(StoreError) in
                var count: Int64 = 0
                try reader.rows(OutboxMessage.count, values) { row throws(StoreError) in
                    count = row.integer(0)
                    return false
                }
                return Int(clamping: count)
            }, ifNone: 0)
    }

    /// Takes all messages away, sent or not, and says how many.
    package func removeMessages() async throws(OutboxError) -> Int {
        try await write { session in
            let count = try session.change(OutboxMessage.removal)
            try session.change(OutboxMessage.mailSweep)
            return count
        }
    }
}

extension RoomReading {
    fileprivate func messages(
        _ statement: RoomStatement, _ values: [StoredValue]
    ) throws(StoreError) -> [OutboxMessage] {
        var messages: [OutboxMessage] = []
        try rows(statement, values) { row throws(StoreError) in
            messages.append(OutboxMessage(row))
            return true
        }
        return messages
    }
}

extension WriteSession {
    /// The message for the queue of dead letters of a follower that did not get one; nil: it has no such queue.
    fileprivate func deadLetter(of message: OutboxMessage) throws -> OutgoingLetter? {
        // A dead letter that its queue does not take is given up.
        guard ByteText(message.service) == "sns",
            let topic = ARN(message.sender, of: NoticeService.service)?.parts.first,
            let follower = try followers(of: topic).first(where: {
                ($0.way == "sqs" || $0.way == "lambda") && ByteText($0.endpoint) == ByteText(message.address)
            }), let redrive = try follower.redrive.flatMap({ try NoticeRedrive.read($0) }),
            let text = redrive.message(message.text, way: follower.way, topic: topic, id: message.id)
        else { return nil }
        return OutgoingLetter(
            id: message.id, service: OutboxMessage.deadLetters, medium: .function, sender: message.sender,
            readers: [redrive.queue], subject: message.subject, text: text)
    }

    /// Puts a message into the queue, for each of its readers. Too many that wait are refused.
    func add(_ letter: OutgoingLetter, sending media: Set<OutboxMessage.Medium>, now: Int64) throws {
        var state: OutboxMessage.State = media.contains(letter.medium) ? .waiting : .kept
        if letter.problem != nil { state = .failed }
        if state == .waiting {
            let max = OutboxLimits.waitingMax - Int64(letter.readers.count) + 1
            var count: Int64 = 0
            try rows(OutboxMessage.waitingCount, [.text(letter.medium.rawValue), .integer(max)]) {
                row throws(StoreError) in
                count = row.integer(0)
                return false
            }
            guard count < max else { throw OutboxError.tooManyWaiting }
        }
        var mail = StoredValue.null
        if let bytes = letter.mail {
            try change(OutboxMessage.mailInsertion, [.blob(bytes)])
            mail = .integer(try lastRowNumber)
        }
        var (last, isSwept) = (Int64(0), false)
        for reader in letter.readers {
            try change(
                OutboxMessage.insertion,
                [
                    .text(letter.id), .text(letter.service), .text(letter.medium.rawValue), .text(letter.sender),
                    .text(reader), .text(letter.subject), .text(letter.text),
                    letter.html.map(StoredValue.text) ?? .null,
                    mail, .integer(now), .text(state.rawValue), .integer(now),
                    letter.problem.map(StoredValue.text) ?? .null,
                ])
            // Not with each: it looks at all of them.
            last = try lastRowNumber
            isSwept = isSwept || last.isMultiple(of: OutboxLimits.messagesPerSweep)
        }
        guard isSwept else { return }
        try change(OutboxMessage.sweep, [.integer(last - OutboxLimits.messagesMax)])
        try change(OutboxMessage.mailSweep)
    }
}

/// The messages of a medium, as their sender sees them.
package struct OutboxQueue: MailQueue {
    private let outbox: Outbox
    private let medium: OutboxMessage.Medium
    private let report: @Sendable (String) -> Void

    /// - Parameter report: is told in a line for the log what was not taken.
    package init(_ outbox: Outbox, _ medium: OutboxMessage.Medium, report: @escaping @Sendable (String) -> Void) {
        self.outbox = outbox
        self.medium = medium
        self.report = report
    }

    package var isKnownToBeEmpty: Bool { !outbox.store.knows(OutboxTables.all) }

    package func due(at now: Int64, max: Int) async throws -> [QueuedMail] {
        let values: [StoredValue] = [.text(medium.rawValue), .integer(now), .integer(Int64(max))]
        return try await outbox.read(
            { reader throws(StoreError) in
                var mails: [QueuedMail] = []
                for message in try reader.messages(OutboxMessage.dueSelection, values) {
                    var whole: WholeMail?
                    if let mail = message.mail {
                        try reader.rows(OutboxMessage.mailSelection, [.integer(mail)]) { row throws(StoreError) in
                            whole = (try? MailParty(message.sender)).map { WholeMail(from: $0.address, row.blob(0)) }
                            return false
                        }
                    }
                    mails.append(
                        QueuedMail(
                            id: message.number, to: message.address, subject: message.subject, text: message.text,
                            html: message.html, tries: Int(clamping: message.tries), created: message.created,
                            whole: whole))
                }
                return mails
            }, ifNone: [])
    }

    package func nextDue() async throws -> Int64? {
        let medium = medium
        return try await outbox.read(
            { reader throws(StoreError) in
                var next: Int64?
                try reader.rows(OutboxMessage.nextSelection, [.text(medium.rawValue)]) { row throws(StoreError) in
                    if !row.isNull(0) { next = row.integer(0) }
                    return false
                }
                return next
            }, ifNone: nil)
    }

    package func sent(_ id: Int64) async throws {
        try await outbox.write { try $0.change(OutboxMessage.sending, [.integer(id)]) }
    }

    package func failed(_ id: Int64, _ retry: MailRetry, words: String) async throws {
        switch retry {
        case .at(let time):
            try await outbox.write { try $0.change(OutboxMessage.delay, [.integer(time), .text(words), .integer(id)]) }
            report("a message of the outbox waits for another try: \(words)")
        case .never:
            let (now, media) = (outbox.now, outbox.sentMedia)
            let queue: String? = try await outbox.write { session in
                try session.change(OutboxMessage.end, [.text(words), .integer(id)])
                guard let message = try session.messages(OutboxMessage.single, [.integer(id)]).first,
                    let letter = try session.deadLetter(of: message)
                else { return nil }
                // It takes the place of the one that does not wait any more.
                try session.add(letter, sending: media, now: now)
                return letter.readers.first
            }
            report("a message of the outbox \(queue.map { "goes to \($0)" } ?? "was given up"): \(words)")
            if queue != nil { outbox.tell() }
        }
    }
}
