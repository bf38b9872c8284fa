import JSON

/// How a queue is set: its attributes as SQS names them, each a text, and what they come to.
package struct QueueSettings: Sendable, Equatable {
    /// Where messages go that were received too often.
    package struct Redrive: Sendable, Equatable {
        package let queueARN: String
        package let receivesMax: Int64

        package static func == (left: Redrive, right: Redrive) -> Bool {
            left.queueARN == right.queueARN && left.receivesMax == right.receivesMax
        }
    }

    /// Those that were set, in the order of their setting.
    private(set) var attributes: JSONObject
    private(set) var visibilityMilliseconds: Int64 = 30_000
    private(set) var delayMilliseconds: Int64 = 0
    private(set) var retentionMilliseconds: Int64 = 345_600_000
    private(set) var messageBytesMax = QueueLimits.messageBytesMax
    private(set) var waitMilliseconds: Int64 = 0
    private(set) var redrive: Redrive?
    /// True if it keeps the order of groups, and takes nothing twice.
    private(set) var isOrdered = false
    /// True if `FifoQueue` is false, which no queue takes.
    private var saysUnordered = false
    private(set) var namesByContent = false
    private(set) var deduplicatesInGroups = false

    package init() { attributes = JSONObject() }

    package init(_ attributes: JSONObject) throws(QueueError) {
        self.init()
        try set(attributes)
    }

    /// As it stands in the database; what cannot be read any more is as it is usual.
    init(stored text: String) {
        self.init()
        if let object = (try? JSONReader.value(of: text))?.object { try? set(object) }
    }

    var stored: String { JSONWriter.text(of: .object(attributes)) }

    private static let words = [
        "Policy", "RedriveAllowPolicy", "KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds", "FifoThroughputLimit",
    ]

    /// The attributes that every queue has, with their defaults.
    static let usual: [(name: String, value: String)] = [
        ("VisibilityTimeout", "30"), ("DelaySeconds", "0"), ("MessageRetentionPeriod", "345600"),
        ("MaximumMessageSize", "\(QueueLimits.messageBytesMax)"), ("ReceiveMessageWaitTimeSeconds", "0"),
        ("SqsManagedSseEnabled", "true"),
    ]

    private static let usualOfOrdered: [(name: String, value: String)] = [
        ("ContentBasedDeduplication", "false"), ("DeduplicationScope", "queue"), ("FifoThroughputLimit", "perQueue"),
    ]

    /// All of them, as clients are told.
    var shown: JSONObject {
        var all = JSONObject()
        for (name, value) in Self.usual + (isOrdered ? Self.usualOfOrdered : []) { all.set(name, to: .string(value)) }
        for member in attributes.members { all.set(member.key, to: member.value) }
        return all
    }

    /// The attribute in which what is asked for differs; nil: none does.
    func difference(from asked: QueueSettings) -> String? {
        let present = shown
        return asked.attributes.members.first { asked in
            guard let text = asked.value.string, let known = present[asked.key]?.string else { return true }
            return !Self.isSame(text, known)
        }?.key
    }

    /// Returns whether two values of an attribute mean the same. A policy is JSON, whose members have no order.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        if left == right { return true }
        guard let one = try? JSONReader.value(of: left), one.object != nil else { return false }
        return (try? JSONReader.value(of: right)) == one
    }

    /// Sets attributes; an empty one takes back what was set.
    mutating func set(_ changes: JSONObject) throws(QueueError) {
        for member in changes.members {
            let name = member.key
            guard let text = member.value.string else { throw .attributeValue(name) }
            let kept = try set(name, to: text)
            if kept.isEmpty { attributes.remove(name) } else { attributes.set(name, to: .string(kept)) }
        }
        // A key of KMS replaces the service's own, and its times mean nothing without it.
        if attributes["KmsMasterKeyId"] == nil {
            attributes.remove("KmsDataKeyReusePeriodSeconds")
        } else if changes["SqsManagedSseEnabled"] == nil {
            attributes.set("SqsManagedSseEnabled", to: "false")
        }
    }

    /// Sets one attribute, and answers the text by which it is known from now on.
    private mutating func set(_ name: String, to text: String) throws(QueueError) -> String {
        /// Python writes `True`.
        func bool() throws(QueueError) -> String {
            let lowered = String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
            guard ["true", "false", ""].contains(lowered) else { throw .attributeValue(name) }
            return lowered
        }
        func number(_ range: ClosedRange<Int64>) throws(QueueError) -> Int64 {
            guard let number = Int64(text), range.contains(number) else { throw .attributeValue(name) }
            return number
        }
        switch name {
        case "VisibilityTimeout": visibilityMilliseconds = try 1_000 * number(QueueLimits.visibilitySeconds)
        case "DelaySeconds": delayMilliseconds = try 1_000 * number(QueueLimits.delaySeconds)
        case "MessageRetentionPeriod": retentionMilliseconds = try 1_000 * number(QueueLimits.retentionSeconds)
        case "MaximumMessageSize": messageBytesMax = Int(try number(QueueLimits.messageBytes))
        case "ReceiveMessageWaitTimeSeconds": waitMilliseconds = try 1_000 * number(QueueLimits.waitSeconds)
        case "RedrivePolicy": redrive = text.isEmpty ? nil : try Self.redrive(text)
        case "FifoQueue":
            guard !text.isEmpty else { throw .attributeValue(name) }
            isOrdered = try bool() == "true"
            saysUnordered = !isOrdered
            return "\(isOrdered)"
        case "ContentBasedDeduplication":
            let value = try bool()
            namesByContent = value == "true"
            return value
        case "SqsManagedSseEnabled": return try bool()
        case "DeduplicationScope":
            guard ["queue", "messageGroup", ""].contains(text) else { throw .attributeValue(name) }
            deduplicatesInGroups = text == "messageGroup"
        default:
            guard Self.words.contains(name) else { throw .unknownAttribute(name) }
        }
        return text
    }

    /// `{"deadLetterTargetArn": "arn:...", "maxReceiveCount": 3}`
    private static func redrive(_ text: String) throws(QueueError) -> Redrive {
        let value = try? JSONReader.value(of: text)
        let count = value?["maxReceiveCount"].flatMap { $0.integer ?? $0.string.flatMap { Int64($0) } }
        guard let arn = value?["deadLetterTargetArn"]?.string, let count, QueueLimits.receiveCounts.contains(count)
        else {
            throw .invalid(
                text, of: "RedrivePolicy",
                "Redrive policy needs deadLetterTargetArn and maxReceiveCount, from \(QueueLimits.receiveCounts.lowerBound) to "
                    + "\(QueueLimits.receiveCounts.upperBound).")
        }
        return Redrive(queueARN: arn, receivesMax: count)
    }

    /// Returns whether they fit a queue of that name.
    package func check(name: String) throws(QueueError) {
        let bytes = Array(name.utf8)
        let ending = Array(Self.orderedEnding.utf8)
        let isNamedOrdered = bytes.reversed().starts(with: ending.reversed())
        let letters = isNamedOrdered ? bytes.dropLast(ending.count) : bytes[...]
        guard (1...QueueLimits.nameBytesMax).contains(bytes.count), !letters.isEmpty, letters.allSatisfy(Self.isOfName)
        else {
            throw .invalid(
                "Can only include alphanumeric characters, hyphens, or underscores. 1 to \(QueueLimits.nameBytesMax) in length"
            )
        }
        guard !saysUnordered else {
            throw isNamedOrdered ? .attributeValue("FifoQueue") : .unknownAttribute("FifoQueue")
        }
        guard isNamedOrdered == isOrdered else {
            throw isOrdered
                ? .invalid(
                    "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length."
                )
                : .invalid("Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length")
        }
        if !isOrdered,
            let name = ["ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit"].first(where: {
                attributes[$0] != nil
            })
        {
            guard name != "ContentBasedDeduplication" else { throw .unknownAttribute(name) }
            throw QueueError(
                "InvalidAttributeName", "You can specify the \(name) only when FifoQueue is set to true.")
        }
    }

    static let orderedEnding = ".fifo"

    static func isOfName(_ byte: UInt8) -> Bool { byte.isWord || byte == UInt8(ascii: "-") }

    package static func == (left: QueueSettings, right: QueueSettings) -> Bool { left.attributes == right.attributes }
}
