/// How a function is told of the messages of a queue.
package struct ConsumerSettings: Sendable, Equatable {
    /// The form of its events.
    enum Form: Sendable, Equatable {
        /// Several messages, as Lambda tells of those of SQS. Whether the function says which of them it did not take.
        case batches(tellsFailures: Bool)
        /// The body of one message: an event that nobody waits for.
        case events
    }

    package let queue: String
    /// The name of the function, for the log.
    package let function: String
    /// Where it is called.
    let address: String
    let form: Form
    /// How many messages it is told of together at the most.
    let batch: Int
    /// How many calls there are at the same time.
    let callsAtOnce: Int
    /// The time that a call may take, for which its messages are nobody else's.
    let callMilliseconds: Int64

    /// A function that consumes a queue.
    package init(
        queue: String, function: String, address: String, batch: Int = QueueLimits.usualBatch,
        tellsFailures: Bool = false,
        callsAtOnce: Int = QueueLimits.callsAtOnce, timeoutSeconds: Int
    ) {
        self.queue = queue
        self.function = function
        self.address = address
        form = .batches(tellsFailures: tellsFailures)
        self.batch =
            queue.utf8.reversed().starts(with: QueueSettings.orderedEnding.utf8.reversed())
            ? min(batch, QueueLimits.orderedBatchMax) : batch
        self.callsAtOnce = callsAtOnce
        callMilliseconds = 1_000 * Int64(timeoutSeconds)
    }

    /// A function whose events are kept until it has taken them.
    package init(eventsOf function: String, address: String, callsAtOnce: Int, timeoutSeconds: Int) {
        queue = Queues.eventQueue(of: function)
        self.function = function
        self.address = address
        form = .events
        batch = 1
        self.callsAtOnce = callsAtOnce
        callMilliseconds = 1_000 * Int64(timeoutSeconds)
    }
}
