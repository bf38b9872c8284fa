import Crypto
import JSON
import Store

/// A transaction over queues, on the writer's thread. Other rooms may have messages sent in theirs.
package struct QueueTransaction {
    let session: WriteSession
    let queues: Queues
    let now: Int64

    init(_ session: WriteSession, of queues: Queues, now: Int64) {
        (self.session, self.queues, self.now) = (session, queues, now)
    }

    // MARK: Queues

    /// The queue of a name; one that the project has is made when it is asked for first.
    ///
    /// - Parameter isCounted: whether the number of its messages has to be right; else it may be too high.
    func queue(_ name: String, isCounted: Bool = true) throws -> StoredQueue? {
        if let queue = try find(name, isCounted: isCounted) { return queue }
        guard let settings = queues.declared[name] else { return nil }
        return try make(name, settings)
    }

    func demanded(_ name: String, isCounted: Bool = true) throws -> StoredQueue {
        guard let queue = try queue(name, isCounted: isCounted) else { throw QueueError.noQueue }
        return queue
    }

    private func find(_ name: String, isCounted: Bool = true) throws -> StoredQueue? {
        if let known = notes?.queue(ByteText(name), isCounted: isCounted) { return known }
        var queue: StoredQueue?
        try session.rows(QueueRows.queue, [.text(name)]) { row throws(StoreError) in
            queue = StoredQueue(row)
            return false
        }
        if let queue { notes?.found(queue) }
        return queue
    }

    /// The findings of the transaction about queues, where they still hold; nil over a file.
    private var notes: QueueNotes? {
        guard session.keepsNotes else { return nil }
        if let kept = session.notes as? QueueNotes, kept.changes == session.changeCount { return kept }
        let new = QueueNotes(behind: session.changeCount)
        session.notes = new
        return new
    }

    @discardableResult
    func make(_ name: String, _ settings: QueueSettings, tags: JSONObject = JSONObject()) throws -> StoredQueue {
        guard try integer(QueueRows.queueCount) < QueueLimits.queuesMax else {
            throw QueueError(
                "OverLimit", "There are \(QueueLimits.queuesMax) queues, which is the most that this server has.",
                status: 403)
        }
        try session.change(
            QueueRows.making,
            [.text(name), .text(settings.stored), .text(JSONWriter.text(of: .object(tags))), .integer(now)])
        guard let queue = try find(name) else { throw QueueError.noQueue }
        return queue
    }

    func set(_ settings: QueueSettings, of queue: StoredQueue) throws {
        try session.change(QueueRows.change, [.text(settings.stored), .integer(now), .integer(queue.number)])
        if settings.retentionMilliseconds != queue.settings.retentionMilliseconds {
            try session.change(
                QueueRows.retention, [.integer(settings.retentionMilliseconds), .integer(queue.number)])
        }
    }

    // MARK: Sending

    /// Says that messages are sent soon: a server is asked for what that needs together with the queue.
    func expectSending() {
        if notes?.totals == nil { session.expect(QueueRows.totals, []) }
    }

    func send(_ message: NewMessage, to queue: StoredQueue) throws -> SentMessageMark {
        guard message.byteCount <= queue.settings.messageBytesMax else {
            throw QueueError.invalid(
                "One or more parameters are invalid. Reason: Message must be shorter than \(queue.settings.messageBytesMax) bytes."
            )
        }
        var name = message.deduplication
        if queue.settings.isOrdered {
            guard message.group != nil else { throw QueueError.missing("MessageGroupId") }
            if name == nil, queue.settings.namesByContent {
                name = Hexadecimal.text(of: Digest.sha256.of(Array(message.body.utf8)))
            }
            guard name != nil else {
                throw QueueError.noDeduplication
            }
            guard message.delayMilliseconds == nil || message.delayMilliseconds == 0 else {
                throw QueueError.invalid(
                    (message.delayMilliseconds ?? 0) / 1_000, of: "DelaySeconds",
                    "The request include parameter that is not valid for this queue type.")
            }
        } else {
            guard message.deduplication == nil else {
                throw QueueError.invalid(
                    message.deduplication ?? "", of: "MessageDeduplicationId",
                    "The request include parameter that is not valid for this queue type.")
            }
            name = nil
        }
        let scope = queue.settings.deduplicatesInGroups ? message.group ?? "" : ""
        if let name, let sent = try duplicate(name, scope, of: queue) { return sent }
        try checkRoom()
        let id = UUIDText.random()
        // Messages of other queues may have groups too, which are no order there.
        let (group, label) = queue.settings.isOrdered ? (message.group, nil) : (nil, message.group)
        // An ordered queue has one delay for all of its messages.
        let delay = queue.settings.isOrdered ? nil : message.delayMilliseconds
        let visible = now + (delay ?? queue.settings.delayMilliseconds)
        let notes = group == nil && name == nil ? notes : nil
        try session.changeAhead(
            QueueRows.sending,
            [
                .integer(queue.number), .text(id), .text(message.body), message.attributes.stored,
                message.trace.map { .text($0) } ?? .null, .text(message.sender), .integer(now), .integer(visible),
                .integer(now + queue.settings.retentionMilliseconds), group.map { .text($0) } ?? .null,
                name.map { .text($0) } ?? .null, .integer(Int64(message.byteCount)), label.map { .text($0) } ?? .null,
            ])
        notes?.sent(message.byteCount, to: queue, behind: session.changeCount)
        wake(queue)
        // Nobody asks for it otherwise, and a server answers it in a trip of its own.
        let number = group == nil && name == nil ? 0 : try session.lastRowNumber
        if let group { try settle(group, of: queue.number) }
        if let name {
            try session.changeAhead(
                QueueRows.deduplication,
                [
                    .integer(queue.number), .text(scope), .text(name), .text(id), .integer(number),
                    .integer(now + QueueLimits.deduplicationMilliseconds),
                ])
        }
        return SentMessageMark(
            id: id, sequence: queue.settings.isOrdered ? QueuedMessage.sequence(of: number) : nil)
    }

    /// Hurries the calls at other nodes that wait for messages of a queue. Those that wait here go on behind the commit (`QueueWatchers`).
    private func wake(_ queue: StoredQueue) { session.wake(.queue(ByteText(queue.name))) }

    /// The message that was sent under that name just before.
    private func duplicate(_ name: String, _ scope: String, of queue: StoredQueue) throws -> SentMessageMark? {
        var sent: SentMessageMark?
        try session.rows(
            QueueRows.duplicate, [.integer(queue.number), .text(scope), .text(name), .integer(now)]
        ) { row throws(StoreError) in
            sent = SentMessageMark(id: row.text(0), sequence: QueuedMessage.sequence(of: row.integer(1)))
            return false
        }
        return sent
    }

    private func checkRoom() throws {
        func isFull(_ totals: (messages: Int64, bytes: Int64)) -> Bool {
            totals.messages >= QueueLimits.messagesMax || totals.bytes >= QueueLimits.bytesMax
        }
        var totals = notes?.totals
        if let known = totals, isFull(known), notes?.mayBeFewer == true { totals = nil }
        if totals == nil {
            try session.rows(QueueRows.totals, []) { row throws(StoreError) in
                totals = (row.integer(0), row.integer(1))
                return false
            }
            notes?.counted(totals)
        }
        if let totals, isFull(totals) { throw QueueError.full }
    }

    // MARK: Receiving

    /// The messages received, and the time of the next ones; nil: not before a message is sent.
    struct Received: Sendable {
        var messages: [QueuedMessage] = []
        var next: Int64?
    }

    /// - Parameters:
    ///   - visibility: for how many milliseconds they are nobody else's.
    ///   - isHeld: whether that ends with this process.
    func receive(
        from queue: StoredQueue, max: Int, bytesMax: Int = .max, visibility: Int64, isHeld: Bool = false
    ) throws -> Received {
        var received = Received()
        if queue.messages > 0 {
            if isHeld, session.nodeNumber != nil { try session.bring(QueueTables.holders) }
            if queue.messages > QueueLimits.inFlightMax { try checkFlight(of: queue) }
            let dead = try queue.settings.redrive.flatMap { redrive -> (StoredQueue, Int64)? in
                guard let name = queues.name(ofARN: redrive.queueARN), let target = try self.queue(name),
                    target.number != queue.number
                else { return nil }
                return (target, redrive.receivesMax)
            }
            var moved = 0
            var bytes: Int64 = 0
            var isFull = false
            search: while received.messages.count < max, moved < QueueLimits.movedAtOnce, !isFull {
                let found = try visible(in: queue, max: max - received.messages.count)
                guard !found.isEmpty else { break search }
                var groups: Set<ByteText> = []
                for message in found {
                    if let (target, receivesMax) = dead, message.received > receivesMax {
                        try move(message, from: queue, to: target)
                        moved += 1
                    } else if bytes + message.bytes > Int64(clamping: bytesMax), !received.messages.isEmpty {
                        isFull = true
                        break
                    } else {
                        // What nobody hides from others is found again.
                        let notes = visibility > 0 && message.group == nil ? notes : nil
                        try session.changeAhead(
                            QueueRows.receiving,
                            [
                                .integer(message.number), .integer(now + visibility), .integer(now),
                                .integer(isHeld ? session.nodeNumber ?? Self.onlyProcess : 0),
                            ])
                        _ = try receptions(adding: 1)
                        notes?.received(message, behind: session.changeCount)
                        bytes += message.bytes
                        received.messages.append(message)
                    }
                    if let group = message.group { groups.insert(ByteText(group)) }
                }
                for group in groups { try settle(group.string, of: queue.number) }
                // What nobody hides from others would be found again.
                if visibility == 0 { break }
            }
        }
        // A call that has got some does not wait for others.
        if received.messages.isEmpty { received.next = try next(in: queue) }
        return received
    }

    /// Throws where too many messages of a deep queue have been received and not deleted.
    private func checkFlight(of queue: StoredQueue) throws {
        let receptions = try receptions(adding: 0)
        if let bound = queues.flights.bound(of: queue.number, at: receptions),
            bound < QueueLimits.inFlightMax - QueueLimits.inFlightMargin
        {
            return
        }
        let count = try integer(QueueRows.inFlight, [.integer(queue.number), .integer(now)])
        queues.flights.note(count, of: queue.number, at: receptions)
        guard count < QueueLimits.inFlightMax else { throw QueueError.inFlight }
    }

    /// Counts receptions, and gives all that there were: no more messages have been hidden from others.
    private func receptions(adding count: Int64) throws -> Int64 {
        try session.total(of: .queues, adding: count) ?? queues.flights.receptions(adding: count)
    }

    private func visible(in queue: StoredQueue, max: Int) throws -> [QueuedMessage] {
        var messages: [QueuedMessage] = []
        func add(_ row: borrowing Row) { messages.append(QueuedMessage(row, of: queue.number, now: now)) }
        guard queue.settings.isOrdered else {
            // Fewer are no answer: there may be more by now, or more than were looked for.
            if let known = notes?.visible(in: queue.number, max: max, at: now), known.count == max { return known }
            // Those for the calls of the same transaction come with them.
            let limit = session.keepsNotes ? Swift.max(max, min(session.groupSize, QueueLimits.foundAtOnceMax)) : max
            try session.rows(
                QueueRows.visible, [.integer(queue.number), .integer(now), .integer(Int64(limit))]
            ) { row throws(StoreError) in
                add(row)
                return true
            }
            notes?.found(messages, in: queue.number, at: now)
            return Array(messages.prefix(max))
        }
        var groups: [String] = []
        try session.rows(
            QueueRows.groups, [.integer(queue.number), .integer(now), .integer(Int64(max))]
        ) { row throws(StoreError) in
            groups.append(row.text(0))
            return true
        }
        for group in groups where messages.count < max {
            try session.rows(
                QueueRows.ofGroup,
                [.integer(queue.number), .text(group), .integer(now), .integer(Int64(max - messages.count))]
            ) { row throws(StoreError) in
                guard row.integer(QueuedMessage.columnCount) <= now else { return false }
                add(row)
                return true
            }
        }
        return messages
    }

    private func next(in queue: StoredQueue) throws -> Int64? {
        var next: Int64?
        try session.rows(
            queue.settings.isOrdered ? QueueRows.nextDue : QueueRows.nextVisible,
            [.integer(queue.number), .integer(now)]
        ) { row throws(StoreError) in
            if !row.isNull(0) { next = row.integer(0) }
            return false
        }
        return next
    }

    private func move(_ message: QueuedMessage, from queue: StoredQueue, to target: StoredQueue) throws {
        // Of a queue without order nothing comes that has a group.
        let group = target.settings.isOrdered ? message.group ?? message.id : nil
        try session.changeAhead(
            QueueRows.moving,
            [
                .integer(message.number), .integer(target.number), .text(queues.arn(of: queue.name)), .integer(now),
                .integer(now + target.settings.retentionMilliseconds), group.map { .text($0) } ?? .null,
            ])
        if let group { try settle(group, of: target.number) }
        wake(target)
        queues.watchers.tell(target.name)
    }

    /// Moves messages of a queue of dead letters on, as new ones, in the order of their sending, and says how many, and whether there are
    /// more. Each goes to one queue, or back to the queue that it was a dead letter of.
    ///
    /// - Parameter after: the last message that was looked at.
    func moveOn(
        from queue: StoredQueue, to name: String?, after: inout Int64, upTo last: Int64, max: Int64
    ) throws -> (moved: Int64, hasMore: Bool) {
        var found: [(number: Int64, source: String?, group: String?)] = []
        try session.rows(
            QueueRows.movable, [.integer(queue.number), .integer(now), .integer(after), .integer(last), .integer(max)]
        ) { row throws(StoreError) in
            found.append((row.integer(0), row.isNull(1) ? nil : row.text(1), row.isNull(2) ? nil : row.text(2)))
            return true
        }
        var targets: [ByteText: StoredQueue] = [:]
        for message in found {
            guard let name = name ?? message.source.flatMap({ queues.name(ofARN: $0) }) else {
                throw QueueError("CouldNotDetermineMessageSource", "A message was no dead letter of any queue.")
            }
            let target = try targets[name] ?? demanded(name)
            targets[name] = target
            let id = UUIDText.random()
            let group = target.settings.isOrdered ? message.group ?? id : nil
            try session.changeAhead(
                QueueRows.movingOn,
                [
                    .integer(message.number), .integer(target.number), .text(id), .integer(now),
                    .integer(now + target.settings.retentionMilliseconds), group.map { .text($0) } ?? .null,
                ])
            if let group = message.group { try settle(group, of: queue.number) }
            if let group { try settle(group, of: target.number) }
        }
        after = found.last?.number ?? last
        for target in targets.values {
            wake(target)
            queues.watchers.tell(target.name)
        }
        return (Int64(found.count), Int64(found.count) == max)
    }

    /// Notes when the first message of a group may be received, which says when the group may, after something has happened to the group.
    private func settle(_ group: String, of queue: Int64) throws {
        try session.changeAhead(QueueRows.due, [.integer(queue), .text(group)])
        try session.changeAhead(QueueRows.groupEnd, [.integer(queue), .text(group)])
    }

    // MARK: Messages that were received

    /// The group and the visibility of a message that its receiver still holds.
    private func received(_ handle: ReceiptHandle, of queue: StoredQueue) throws -> (group: String?, visible: Int64)? {
        guard handle.queue == queue.number else { throw QueueError.noReceipt(handle.text) }
        var found: (group: String?, visible: Int64)?
        try session.rows(
            QueueRows.received, [.integer(handle.number), .integer(queue.number), .integer(handle.receipt)]
        ) { row throws(StoreError) in
            found = (row.isNull(0) ? nil : row.text(0), row.integer(1))
            return false
        }
        return found
    }

    /// Takes a message out. Of a queue without order any handle will do that the message has had, also where somebody else has
    /// received it since.
    func delete(_ handle: ReceiptHandle, from queue: StoredQueue) throws {
        guard queue.settings.isOrdered else { return try deleteOfAny(handle, from: queue) }
        // The next one of its group may be received.
        wake(queue)
        guard let found = try received(handle, of: queue) else {
            if try isThere(handle, in: queue) { throw QueueError.expiredReceipt(handle.text) }
            return
        }
        if found.visible <= now { throw QueueError.expiredReceipt(handle.text) }
        try session.changeAhead(QueueRows.deletion, [.integer(handle.number)])
        if let group = found.group { try settle(group, of: queue.number) }
    }

    /// The same by any handle that the message has had.
    private func deleteOfAny(_ handle: ReceiptHandle, from queue: StoredQueue) throws {
        guard handle.queue == queue.number else { throw QueueError.noReceipt(handle.text) }
        let notes = notes
        try session.changeAhead(QueueRows.deletionFromQueue, [.integer(handle.number), .integer(queue.number)])
        notes?.deleted(handle.number, from: queue, behind: session.changeCount)
    }

    private func isThere(_ handle: ReceiptHandle, in queue: StoredQueue) throws -> Bool {
        try integer(QueueRows.message, [.integer(handle.number), .integer(queue.number)]) == 1
    }

    /// Has a message hidden for as long from now on. Of a queue without order any handle will do that the message has had: a receiver
    /// that is late still has its time extended.
    func hide(_ handle: ReceiptHandle, in queue: StoredQueue, for milliseconds: Int64) throws {
        let found = try received(handle, of: queue)
        if queue.settings.isOrdered {
            guard let found, found.visible > now else { throw QueueError.noChange(handle.text) }
        } else {
            guard try isThere(handle, in: queue) else { throw QueueError.noChange(handle.text) }
        }
        try session.changeAhead(QueueRows.hiding, [.integer(now + milliseconds), .integer(handle.number)])
        _ = try receptions(adding: 1)
        wake(queue)
        if let group = found?.group { try settle(group, of: queue.number) }
    }

    /// The same for one whose receiver is done with it for now, until a time; whether that counts as received.
    func putBack(_ message: QueuedMessage, until time: Int64, counts: Bool) throws {
        let statement = counts ? QueueRows.hiding : QueueRows.givingBack
        var isOurs = false
        try session.rows(
            QueueRows.received, [.integer(message.number), .integer(message.queue), .integer(message.receipt)]
        ) { row throws(StoreError) in
            isOurs = true
            return false
        }
        guard isOurs else { return }
        try session.change(statement, [.integer(time), .integer(message.number)])
        _ = try receptions(adding: 1)
        if let group = message.group { try settle(group, of: message.queue) }
    }

    /// Has be received again what processes were telling functions of that have ended, so many at once at the most; says how many.
    func release() throws -> Int {
        let living = try session.livingNodes()
        var held: [(number: Int64, queue: Int64, group: String?)] = []
        for holder in try holders() where !living.contains(holder) {
            let left = QueueLimits.deletedAtOnce - Int64(held.count)
            guard left > 0 else { break }
            try session.rows(QueueRows.held(by: holder), QueueRows.values(heldBy: holder, max: left)) {
                row throws(StoreError) in
                held.append((row.integer(0), row.integer(1), row.isNull(2) ? nil : row.text(2)))
                return true
            }
        }
        for message in held {
            try session.changeAhead(QueueRows.hiding, [.integer(now), .integer(message.number)])
            if let group = message.group { try settle(group, of: message.queue) }
        }
        return held.count
    }

    /// The holder of messages where no other process has any.
    static let onlyProcess: Int64 = 1

    /// The processes that messages are held by.
    private func holders() throws -> [Int64] {
        guard try session.nodeNumber != nil || session.has(QueueTables.holders) else { return [Self.onlyProcess] }
        try session.bring(QueueTables.holders)
        var holders: [Int64] = []
        try session.rows(QueueRows.holders, []) { row throws(StoreError) in
            holders.append(row.integer(0))
            return true
        }
        return holders
    }

    /// Takes out what its receiver is done with.
    func end(_ message: QueuedMessage) throws {
        var isOurs = false
        try session.rows(
            QueueRows.received, [.integer(message.number), .integer(message.queue), .integer(message.receipt)]
        ) { row throws(StoreError) in
            isOurs = true
            return false
        }
        guard isOurs else { return }
        try session.changeAhead(QueueRows.deletion, [.integer(message.number)])
        if let group = message.group { try settle(group, of: message.queue) }
    }

    // MARK: What goes

    /// Takes messages up to a number out, so many at once at the most, and says how many those were.
    func purge(_ queue: Int64, upTo number: Int64) throws -> Int {
        let count = try session.change(
            QueueRows.purge, [.integer(queue), .integer(number), .integer(QueueLimits.deletedAtOnce)])
        if Int64(count) < QueueLimits.deletedAtOnce { try session.change(QueueRows.emptyGroups, [.integer(queue)]) }
        return count
    }

    /// Takes out what is too old, and says whether there is more.
    func sweep() throws -> Bool {
        try session.change(QueueRows.oldDeduplications, [.integer(now)])
        var groups: [(queue: Int64, name: String)] = []
        let values: [StoredValue] = [.integer(now), .integer(QueueLimits.deletedAtOnce)]
        try session.rows(QueueRows.oldGroups, values) { row throws(StoreError) in
            groups.append((row.integer(0), row.text(1)))
            return true
        }
        let count = try session.change(QueueRows.old, values)
        for group in groups { try settle(group.name, of: group.queue) }
        return Int64(count) == QueueLimits.deletedAtOnce
    }

    func integer(_ statement: RoomStatement, _ values: [StoredValue] = []) throws -> Int64 {
        var value: Int64 = 0
        try session.rows(statement, values) { row throws(StoreError) in
            value = row.integer(0)
            return false
        }
        return value
    }

}

extension QueueError {
    static func expiredReceipt(_ handle: String) -> QueueError {
        .invalid(handle, of: "ReceiptHandle", "The receipt handle has expired.")
    }
}
