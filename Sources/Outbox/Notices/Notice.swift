import JSON
import Network

/// A message that is published to a topic.
struct Notice: Sendable {
    let id: String
    /// The ARN.
    let topic: String
    let subject: String?
    let message: String
    let texts: JSONObject
    let attributes: NoticeAttributes
    let time: Int64

    init(
        _ input: JSONValue, id: String, topic: String, time: Int64
    ) throws(OutboxError) {
        (self.id, self.topic, self.time) = (id, topic, time)
        message = try input.text("Message")
        guard !message.isEmpty else { throw OutboxError("InvalidParameter", "Invalid parameter: Empty message") }
        attributes = try NoticeAttributes(input["MessageAttributes"])
        guard message.utf8.count + attributes.bytes <= OutboxLimits.noticeBytesMax else {
            throw OutboxError("InvalidParameter", "Invalid parameter: Message too long")
        }
        subject = input.textIfAny("Subject")
        texts = try Self.texts(input, message)
    }

    /// With `MessageStructure=json` each way has a text of its own.
    private static func texts(_ input: JSONValue, _ message: String) throws(OutboxError) -> JSONObject {
        guard input.textIfAny("MessageStructure") == "json" else { return JSONObject([("default", .string(message))]) }
        guard let texts = json(message)?.object, texts["default"]?.string != nil else {
            throw OutboxError(
                "InvalidParameter",
                "Invalid parameter: Message Structure - JSON message body failed to parse, or has no default entry")
        }
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
    func queued(for subscription: String, isRaw: Bool) -> JSONValue {
        let text = text(for: "sqs")
        guard !isRaw else {
            return ["MessageBody": .string(text), "MessageAttributes": .object(attributes.sent)]
        }
        var notice = JSONObject([
            ("Type", "Notification"), ("MessageId", .string(id)), ("TopicArn", .string(topic)),
        ])
        if let subject { notice.set("Subject", to: .string(subject)) }
        notice.set("Message", to: .string(text))
        notice.set("Timestamp", to: .string(timestamp))
        for (name, value) in [
            ("SignatureVersion", "1"), ("Signature", ""), ("SigningCertURL", ""), ("UnsubscribeURL", ""),
        ] { notice.set(name, to: .string(value)) }
        if !attributes.told.isEmpty { notice.set("MessageAttributes", to: .object(attributes.told)) }
        return ["MessageBody": .string(JSONWriter.text(of: .object(notice)))]
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
