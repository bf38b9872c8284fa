import JSON

/// The findings of a transaction over a server about queues, with what its own messages have made of them: the next of its calls need not ask again. It holds
/// until anything else is changed.
final class QueueNotes {
    /// The changes of the transaction behind which it holds.
    private(set) var changes: Int64
    var queues: [ByteText: StoredQueue] = [:]
    /// The messages and bytes of all queues.
    var totals: (messages: Int64, bytes: Int64)?
    /// The messages that may be received, of one queue without order.
    private var visible: (queue: Int64, found: Int64, messages: [QueuedMessage])?

    init(behind changes: Int64) { self.changes = changes }

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

    /// Notes a message that was received, and is nobody else's for a while.
    func received(_ message: QueuedMessage, behind changes: Int64) {
        self.changes = changes
        visible?.messages.removeAll { $0.number == message.number }
    }
}
