import Cloud
import JSON
import Network

/// A message that is published to a topic.
struct Notice: Sendable {
    var id: String
    /// Its place in a topic that is first in, first out.
    var order: NoticeOrder?
    /// The group that a client gives a message of another topic.
    let group: String?
    /// The ARN.
    let topic: String
    let subject: String?
    let message: String
    let texts: JSONObject
    let attributes: NoticeAttributes
    let time: Int64

    init(
        _ input: CallInput, id: String, topic: String, time: Int64
    ) throws(OutboxError) {
        (self.id, self.topic, self.time) = (id, topic, time)
        message = input.demanded("Message")
        guard !message.isEmpty else { throw OutboxError("InvalidParameter", "Invalid parameter: Empty message") }
        attributes = try NoticeAttributes(input.object("MessageAttributes"))
        guard message.utf8.count + attributes.bytes <= OutboxLimits.noticeBytesMax else {
            throw OutboxError("InvalidParameter", "Invalid parameter: Message too long")
        }
        subject = input.text("Subject")
        if let subject { try Self.check(subject) }
        group = input.given("MessageGroupId")
        texts = try Self.texts(input, message)
    }

    /// A subject is one line.
    private static func check(_ subject: String) throws(OutboxError) {
        guard (1...OutboxLimits.noticeSubjectMax).contains(subject.count),
            subject.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw OutboxError("InvalidParameter", "Invalid parameter: Subject") }
    }

    /// With `MessageStructure=json` each way has a text of its own.
    private static func texts(_ input: CallInput, _ message: String) throws(OutboxError) -> JSONObject {
        guard input.given("MessageStructure") == "json" else { return JSONObject([("default", .string(message))]) }
        func wrong(_ reason: String) -> OutboxError {
            OutboxError("InvalidParameter", "Invalid parameter: Message Structure - \(reason)")
        }
        guard let texts = json(message)?.object else { throw wrong("JSON message body failed to parse") }
        guard texts["default"]?.string != nil else { throw wrong("No default entry in JSON message body") }
        return texts
    }

    private static func json(_ text: String) -> JSONValue? {
        let limits = JSONLimits(bytesMax: OutboxLimits.noticeBytesMax, nestingMax: OutboxLimits.nestingMax)
        return try? JSONReader.value(of: Array(text.utf8), limits: limits)
    }

    func text(for way: String) -> String { texts[way]?.string ?? texts["default"]?.string ?? message }

    /// The text for one way, read as JSON where it is that.
    func body(for way: String) -> JSONValue? { Self.json(text(for: way)) }

    private var timestamp: String { Timestamp(seconds: time / 1_000, milliseconds: Int(time % 1_000)).text }

    /// The envelope for readers by `email-json`.
    var envelope: JSONValue {
        .object(
            JSONObject([
                ("Type", "Notification"), ("MessageId", .string(id)), ("TopicArn", .string(topic)),
                ("Subject", subject.map(JSONValue.string) ?? .null), ("Message", .string(text(for: "email-json"))),
                ("Timestamp", .string(timestamp)),
            ]))
    }

    /// The message for a queue, with the members of `SendMessage`: the bare message with its attributes, or all that is known of it.
    ///
    /// - Parameter isOrdered: whether the queue is first in, first out.
    func queued(for subscription: String, isRaw: Bool, isOrdered: Bool = false) -> JSONValue {
        let text = text(for: "sqs")
        var message = JSONObject()
        if isOrdered, let order {
            message.set("MessageGroupId", to: .string(order.group))
            message.set("MessageDeduplicationId", to: .string(order.duplicateID))
        } else if order == nil, let group {
            message.set("MessageGroupId", to: .string(group))
        }
        guard !isRaw else {
            message.set("MessageBody", to: .string(text))
            message.set("MessageAttributes", to: .object(attributes.sent))
            return .object(message)
        }
        var notice = JSONObject([("Type", "Notification"), ("MessageId", .string(id))])
        if let order { notice.set("SequenceNumber", to: .string(order.sequence)) }
        notice.set("TopicArn", to: .string(topic))
        if let subject { notice.set("Subject", to: .string(subject)) }
        notice.set("Message", to: .string(text))
        notice.set("Timestamp", to: .string(timestamp))
        // Messages in order are not signed.
        for name in order == nil ? ["SignatureVersion", "Signature", "SigningCertURL"] : [] {
            notice.set(name, to: name == "SignatureVersion" ? "1" : "")
        }
        notice.set("UnsubscribeURL", to: "")
        if !attributes.told.isEmpty { notice.set("MessageAttributes", to: .object(attributes.told)) }
        message.set("MessageBody", to: .string(JSONWriter.text(of: .object(notice))))
        return .object(message)
    }

    /// The event for a function.
    func event(for subscription: String) -> JSONValue {
        let notice = JSONObject([
            ("Type", "Notification"), ("MessageId", .string(id)), ("TopicArn", .string(topic)),
            ("Subject", subject.map(JSONValue.string) ?? .null), ("Message", .string(text(for: "lambda"))),
            ("Timestamp", .string(timestamp)), ("SignatureVersion", "1"), ("Signature", ""), ("SigningCertUrl", ""),
            ("UnsubscribeUrl", ""), ("MessageAttributes", .object(attributes.told)),
        ])
        return [
            "Records": [
                [
                    "EventSource": "aws:sns", "EventVersion": "1.0", "EventSubscriptionArn": .string(subscription),
                    "Sns": .object(notice),
                ]
            ]
        ]
    }
}
