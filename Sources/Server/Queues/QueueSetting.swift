import JSON
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
    package var receivesMax = usualReceives
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
                "deadLetterTargetArn": .string(arn(deadLetterQueue)), "maxReceiveCount": .integer(Int64(receivesMax)),
            ]
            attributes.set("RedrivePolicy", to: .string(JSONWriter.text(of: policy)))
        }
        let settings = try QueueSettings(attributes)
        try settings.check(name: name)
        return settings
    }

    static let orderedEnding = ".fifo"
}

extension QueueSetting: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard value.object != nil else { return nil }
        self.init()
        func number(_ name: String) -> Int? { value[name]?.integer.map { Int(clamping: $0) } }
        visibilitySeconds = number("visibilityTimeout")
        delaySeconds = number("delay")
        retentionSeconds = number("retention")
        waitSeconds = number("receiveWait")
        messageBytesMax = number("messageBytes")
        deadLetterQueue = value["deadLetterQueue"]?.string
        receivesMax = number("maxReceiveCount") ?? receivesMax
        namesByContent = value["contentBasedDeduplication"]?.bool
        deduplicationScope = value["deduplicationScope"]?.string
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

    init?(configured value: JSONValue) {
        guard let queue = value.string ?? value["queue"]?.string else { return nil }
        self.init(queue)
        if let count = value["batch"]?.integer { batch = Int(clamping: count) }
        if let tells = value["reportBatchItemFailures"]?.bool { tellsFailures = tells }
        if let calls = value["concurrency"]?.integer { callsAtOnce = Int(clamping: calls) }
    }
}
