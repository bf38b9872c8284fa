import JSON

/// The findings of a transaction over a server about queues, with what its own messages have made of them: the next of its calls need not ask again. It holds
/// until anything else is changed.
final class QueueNotes {
    /// The changes of the transaction behind which it holds.
    private(set) var changes: Int64
    private var queues: [ByteText: StoredQueue] = [:]
    /// Those that may have fewer messages by now.
    private var miscounted: Set<ByteText> = []
    /// The messages and bytes of all queues.
    private(set) var totals: (messages: Int64, bytes: Int64)?
    /// True if they may be fewer by now.
    private(set) var mayBeFewer = false
    /// The messages that may be received, of one queue without order.
    private var visible: (queue: Int64, found: Int64, messages: [QueuedMessage])?

    init(behind changes: Int64) { self.changes = changes }

    /// A queue that was found.
    ///
    /// - Parameter isCounted: whether the number of its messages has to be right; else it may be too high.
    func queue(_ name: ByteText, isCounted: Bool) -> StoredQueue? {
        isCounted && miscounted.contains(name) ? nil : queues[name]
    }

    func found(_ queue: StoredQueue) {
        let name = ByteText(queue.name)
        queues[name] = queue
        miscounted.remove(name)
    }

    /// The messages and bytes of all queues, counted.
    func counted(_ totals: (messages: Int64, bytes: Int64)?) { (self.totals, mayBeFewer) = (totals, false) }

    /// Notes a message that was sent.
    func sent(_ byteCount: Int, to queue: StoredQueue, behind changes: Int64) {
        self.changes = changes
        if let known = totals { totals = (known.messages + 1, known.bytes + Int64(clamping: byteCount)) }
        queues[ByteText(queue.name)]?.messages += 1
    }

    func found(_ messages: [QueuedMessage], in queue: Int64, at now: Int64) { visible = (queue, now, messages) }

    /// Some of those that may be received; none where they have to be looked for.
    func visible(in queue: Int64, max: Int, at now: Int64) -> [QueuedMessage] {
        guard let visible, visible.queue == queue else { return [] }
        return visible.messages.prefix(max).map { message in
            var message = message
            // Its first time is that of the call that gets it.
            if message.first == visible.found { message.first = now }
            return message
        }
    }

    /// Notes a message that was deleted, if it was there.
    func deleted(_ message: Int64, from queue: StoredQueue, behind changes: Int64) {
        self.changes = changes
        mayBeFewer = true
        miscounted.insert(ByteText(queue.name))
        if visible?.queue == queue.number { visible?.messages.removeAll { $0.number == message } }
    }

    /// Notes a message that was received, and is nobody else's for a while.
    func received(_ message: QueuedMessage, behind changes: Int64) {
        self.changes = changes
        visible?.messages.removeAll { $0.number == message.number }
    }
}
