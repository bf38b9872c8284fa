import Delivery
import Network

/// How much queues take: SQS's own limits, and those of what all of them may hold here together.
package enum QueueLimits {
    /// A call. In a form every byte of a message may take three.
    package static let bodyBytesMax = 4 << 20
    static let nestingMax = 16
    /// The parameters of a form.
    package static let parametersMax = 2_048
    /// The body of a message with its attributes, and those of a batch together.
    package static let messageBytesMax = 1 << 20
    /// The entries of a batch.
    static let batchMax = 10
    static let attributesMax = 10
    static let attributeNameBytesMax = 256
    static let attributeTypeBytesMax = 256
    static let nameBytesMax = 80
    /// A name of a group, a deduplication, a part of a batch.
    static let labelBytesMax = 128
    static let entryNameBytesMax = 80
    /// The trace that a message belongs to (`AWSTraceHeader`).
    static let traceBytesMax = 1_024
    static let receiveMax: Int64 = 10
    /// The bytes of received messages, and the names that are compared for them, beyond which an answer is made beside the loop.
    static let shownAtOnceMax = 128 << 10
    static let tagsMax = 50
    /// The statements that AddPermission makes in a policy, and the actions of one.
    static let statementsMax = 20
    static let actionsMax = 7
    /// The accounts of one statement.
    static let principalsMax = 50
    /// Moves of messages: those that run, those that are remembered for a queue, and for all together.
    static let movesRunningMax = 100
    static let movesShownMax: Int64 = 10
    static let movesMax = 1_000
    static let movedPerSecond: ClosedRange<Int64> = 1...500
    /// How many messages are moved on in one transaction.
    static let movedOnAtOnce: Int64 = 500

    static let visibilitySeconds: ClosedRange<Int64> = 0...43_200
    static let delaySeconds: ClosedRange<Int64> = 0...900
    static let waitSeconds: ClosedRange<Int64> = 0...20
    static let retentionSeconds: ClosedRange<Int64> = 60...1_209_600
    static let messageBytes: ClosedRange<Int64> = 1_024...1_048_576
    static let receiveCounts: ClosedRange<Int64> = 1...1_000
    static let deduplicationMilliseconds: Int64 = 300_000
    /// Messages of one queue that have been received and not deleted.
    static let inFlightMax: Int64 = 120_000
    /// They are counted for each call that receives some where so many more might be too many. More than one transaction deletes.
    static let inFlightMargin: Int64 = 4_000
    /// The queues of which it is remembered how many those were.
    static let countedQueuesMax = 1_000

    /// Queues, what all of them hold together, and who may wait for a message at the same time.
    static let queuesMax: Int64 = 1_000
    static let messagesMax: Int64 = 1_000_000
    static let bytesMax: Int64 = 4 << 30
    static let waitingMax = 10_000
    static let pageMax: Int64 = 1_000
    /// How many messages go in one transaction where all of a queue go.
    static let deletedAtOnce: Int64 = 2_000
    /// The deliveries of other rooms that go in one transaction, and their bytes: what the writer needs some milliseconds for.
    static let deliveredAtOnce = 200
    static let deliveredBytesAtOnce = 2 << 20
    /// The messages that a call which receives some finds for the others of its transaction, over a server.
    static let foundAtOnceMax = 64
    /// How many messages that were received too often are set aside by one who receives.
    static let movedAtOnce = 1_000

    /// Messages that a function is told of at once, and what they take.
    package static let batches = 1...10_000
    package static let orderedBatchMax = 10
    package static let usualBatch = 10
    static let batchBytesMax = 5 << 20
    /// Calls of one function at the same time, for one queue.
    package static let callsAtOnce = 5
    package static let callsAtOnceRange = 1...64
    /// How long a function's answer may be.
    static let answerBytesMax = (6 << 20) + 100
    static let answerMilliseconds = 900_000
    /// How often a function is told of an event with which it fails, when it is told again, and for how long where nobody answers.
    static let eventRetries = RetryPolicy(
        BackOff(firstMilliseconds: 60_000, longestMilliseconds: 120_000), triesMax: 3)
    static let eventMilliseconds: Int64 = 6 * 3_600_000
    /// The event of a call that nobody waits for.
    package static let eventBytesMax = 1 << 20
    /// Events that wait for one function.
    static let eventsMax: Int64 = 100_000
    /// How long no function of a queue is called where nobody answers.
    static let missed = BackOff(firstMilliseconds: 500, longestMilliseconds: 60_000)
    /// How long nothing is tried where the database cannot be read or written.
    static let pauseMilliseconds: Int64 = 5_000
    static let readMilliseconds: Int64 = 5_000
    /// How often a node looks for what others have sent, whether or not it was woken.
    package static let lookMilliseconds = 2_000
    /// How often what is too old is taken out.
    package static let sweepMilliseconds = 60_000
}
