import JSON
import Project
import Queues

/// A queue as it is configured. What it keeps in order is called `….fifo`.
package struct QueueSetting: Sendable, Equatable {
    package var visibilitySeconds: Int?
    package var delaySeconds: Int?
    package var retentionSeconds: Int?
    package var waitSeconds: Int?
    package var messageBytesMax: Int?
    /// The queue for what was received too often.
    package var deadLetterQueue: String?
    /// How often a message is received before it goes there; nil: as often as is usual.
    package var receivesMax: Int?
    package var namesByContent: Bool?
    package var deduplicationScope: String?

    private static let usualReceives = 3

    package init() {}

    /// The same as SQS has it.
    ///
    /// - Parameter arn: what that of another queue is.
    func settings(named name: String, arn: (String) -> String) throws(QueueError) -> QueueSettings {
        var attributes = JSONObject()
        let numbers = [
            ("VisibilityTimeout", visibilitySeconds), ("DelaySeconds", delaySeconds),
            ("MessageRetentionPeriod", retentionSeconds), ("ReceiveMessageWaitTimeSeconds", waitSeconds),
            ("MaximumMessageSize", messageBytesMax),
        ]
        for (name, number) in numbers { if let number { attributes.set(name, to: .string("\(number)")) } }
        if name.hasSuffix(Self.orderedEnding) { attributes.set("FifoQueue", to: "true") }
        if let namesByContent { attributes.set("ContentBasedDeduplication", to: .string("\(namesByContent)")) }
        if let deduplicationScope { attributes.set("DeduplicationScope", to: .string(deduplicationScope)) }
        if let deadLetterQueue {
            let policy: JSONValue = [
                "deadLetterTargetArn": .string(arn(deadLetterQueue)),
                "maxReceiveCount": .integer(Int64(receivesMax ?? Self.usualReceives)),
            ]
            attributes.set("RedrivePolicy", to: .string(JSONWriter.text(of: policy)))
        }
        let settings = try QueueSettings(attributes)
        try settings.check(name: name)
        return settings
    }

    static let orderedEnding = ".fifo"
}

extension QueueSetting: SettingObject {
    package static let members: [SettingMember<QueueSetting>] = [
        SettingMember("visibilityTimeout", \.visibilitySeconds),
        SettingMember("delay", \.delaySeconds),
        SettingMember("retention", \.retentionSeconds),
        SettingMember("receiveWait", \.waitSeconds),
        SettingMember("messageBytes", \.messageBytesMax),
        SettingMember("deadLetterQueue", \.deadLetterQueue),
        SettingMember("maxReceiveCount", \.receivesMax),
        SettingMember("contentBasedDeduplication", \.namesByContent),
        SettingMember("deduplicationScope", \.deduplicationScope),
    ]

    /// A queue of a project. A number that no queue can have is left out.
    init(_ queue: QueueResource) {
        func within(_ range: ClosedRange<Int>, _ number: Int?) -> Int? {
            number.flatMap { range.contains($0) ? $0 : nil }
        }
        visibilitySeconds = within(0...43_200, queue.visibilitySeconds)
        delaySeconds = within(0...900, queue.delaySeconds)
        retentionSeconds = within(60...1_209_600, queue.retentionSeconds)
        waitSeconds = within(0...20, queue.waitSeconds)
        messageBytesMax = within(1_024...1_048_576, queue.messageBytesMax)
        deadLetterQueue = queue.deadLetterQueue
        if deadLetterQueue != nil { receivesMax = within(1...1_000, queue.receivesMax) }
        guard queue.name.hasSuffix(Self.orderedEnding) else { return }
        (namesByContent, deduplicationScope) = (queue.namesByContent, queue.deduplicationScope)
    }
}

/// A queue of whose messages a function is told, as it is configured.
package struct QueueSource: Sendable, Equatable {
    package var queue: String
    /// How many messages are told together at the most.
    package var batch: Int
    /// True if the function says which messages it did not take (`ReportBatchItemFailures`); else it takes all or none.
    package var tellsFailures: Bool
    package var callsAtOnce: Int

    package init(
        _ queue: String, batch: Int = QueueLimits.usualBatch, tellsFailures: Bool = false,
        callsAtOnce: Int = QueueLimits.callsAtOnce
    ) {
        self.queue = queue
        self.batch = batch
        self.tellsFailures = tellsFailures
        self.callsAtOnce = callsAtOnce
    }

    /// A queue that a project's function consumes. What is out of range is left out or brought into it.
    init(_ subscription: QueueSubscription) {
        self.init(subscription.queue, tellsFailures: subscription.tellsFailures)
        if let count = subscription.batch, QueueLimits.batches.contains(count) { batch = count }
        if let calls = subscription.callsAtOnce { callsAtOnce = QueueLimits.callsAtOnceRange.nearest(to: calls) }
    }
}

extension QueueSource: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let queue = value.string ?? value["queue"]?.string else { return nil }
        self.init(queue)
        if let count = value["batch"]?.integer { batch = Int(clamping: count) }
        if let tells = value["reportBatchItemFailures"]?.bool { tellsFailures = tells }
        if let calls = value["concurrency"]?.integer { callsAtOnce = Int(clamping: calls) }
    }

    package var configured: JSONValue {
        var value = JSONObject([("queue", .string(queue))])
        if batch != QueueLimits.usualBatch { value["batch"] = .integer(Int64(batch)) }
        if tellsFailures { value["reportBatchItemFailures"] = true }
        if callsAtOnce != QueueLimits.callsAtOnce { value["concurrency"] = .integer(Int64(callsAtOnce)) }
        return .object(value)
    }
}
