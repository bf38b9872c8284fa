import Cloud
import JSON

/// The `RedrivePolicy` of a follower: the queue that gets what cannot be delivered to it.
///
///     {"deadLetterTargetArn": "arn:aws:sqs:us-east-1:123456789012:dead"}
struct NoticeRedrive: Sendable {
    /// The ARN.
    let queue: String

    /// - Parameters:
    ///   - text: nil and `{}` are no policy.
    ///   - place: what the message of a refusal begins with.
    static func read(_ text: String, in place: String = "") throws(OutboxError) -> NoticeRedrive? {
        guard !text.isEmpty else { return nil }
        let limits = JSONLimits(bytesMax: OutboxLimits.policyBytesMax, nestingMax: OutboxLimits.nestingMax)
        guard let policy = try? JSONReader.value(of: Array(text.utf8), limits: limits).object else {
            throw NoticeService.invalid("\(place)RedrivePolicy: failed to parse JSON.")
        }
        guard !policy.isEmpty else { return nil }
        guard let queue = policy["deadLetterTargetArn"]?.string, let arn = ARN(queue, of: "sqs"), arn.parts.count == 1
        else { throw NoticeService.invalid("\(place)RedrivePolicy: deadLetterTargetArn is an invalid arn") }
        return NoticeRedrive(queue: queue)
    }

    /// Refuses a queue of another kind than the topic's.
    func check(topic: String, in place: String) throws(OutboxError) {
        guard !topic.hasSuffix(NoticeService.orderedEnding) || queue.hasSuffix(NoticeService.orderedEnding) else {
            throw NoticeService.invalid("\(place)RedrivePolicy: must use a FIFO queue as DLQ for a FIFO topic")
        }
    }

    /// The message for that queue; nil where the stored text cannot be read.
    ///
    /// - Parameters:
    ///   - text: what the follower did not get: the members of `SendMessage`, or the event for a function.
    ///   - id: of the notice.
    func message(_ text: String, way: String, topic: String, id: String) -> String? {
        guard let stored = try? JSONReader.value(of: text) else { return nil }
        guard var message = way == "sqs" ? stored.object : Notice.queued(event: stored) else { return nil }
        // A queue in order wants both, which a message for another queue or for a function does not have.
        if queue.hasSuffix(NoticeService.orderedEnding), message["MessageGroupId"] == nil {
            message.set("MessageGroupId", to: .string(topic))
            message.set("MessageDeduplicationId", to: .string(id))
        }
        return JSONWriter.text(of: .object(message))
    }
}

extension Notice {
    /// The notice in an event for a function, as queues get it.
    fileprivate static func queued(event: JSONValue) -> JSONObject? {
        guard let notice = event["Records"]?.array?.first?["Sns"]?.object else { return nil }
        let renamed: [ByteText: String] = ["SigningCertUrl": "SigningCertURL", "UnsubscribeUrl": "UnsubscribeURL"]
        var queued = JSONObject()
        for member in notice where member.value != .null {
            let isEmpty = member.value.object?.isEmpty ?? false
            if !isEmpty { queued.set(renamed[member.key] ?? member.key, to: member.value) }
        }
        return JSONObject([("MessageBody", .string(JSONWriter.text(of: .object(queued))))])
    }
}
