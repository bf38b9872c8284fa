import Crypto
import JSON
import Network

/// SNS: texts to telephones, and what is published to topics.
package struct NoticeService: Sendable {
    private let outbox: Outbox
    /// The name by which a function is called that an ARN or a name means; nil: there is none.
    private let function: @Sendable (String) -> String?

    package init(_ outbox: Outbox, function: @escaping @Sendable (String) -> String?) {
        self.outbox = outbox
        self.function = function
    }

    package func answer(
        _ action: String, _ parameters: [(name: String, value: String)]
    ) async throws(OutboxError) -> JSONObject {
        let input = JSONValue.object(try FormTree.object(of: parameters))
        switch action {
        case "Publish": return try await publish(input)
        case "CreateTopic":
            let name = try input.text("Name")
            guard Self.isName(name) else { throw Self.invalid("Topic Name") }
            try await outbox.addTopic(name)
            return JSONObject([("TopicArn", .string(arn(of: name)))])
        case "DeleteTopic":
            try await outbox.removeTopic(try topic(try input.text("TopicArn")))
            return JSONObject()
        case "ListTopics": return try await listTopics(input)
        case "Subscribe": return try await subscribe(input)
        case "Unsubscribe":
            let parts = try input.text("SubscriptionArn").parts(at: ":")
            guard parts.count == 7 else { throw Self.invalid("SubscriptionArn") }
            try await outbox.unfollow(parts[5], id: parts[6])
            return JSONObject()
        case "ListSubscriptionsByTopic": return try await listSubscriptions(input)
        case "SetSMSAttributes", "SetTopicAttributes", "SetSubscriptionAttributes", "TagResource": return JSONObject()
        case "CheckIfPhoneNumberIsOptedOut": return JSONObject([("isOptedOut", .bool(false))])
        default: throw .unknown(action, of: "SNS")
        }
    }

    // MARK: Topics

    private static let nameBytesMax = 256

    private static func isName(_ name: String) -> Bool {
        (1...nameBytesMax).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
            }
    }

    private static func invalid(_ name: String) -> OutboxError {
        OutboxError("InvalidParameter", "Invalid parameter: \(name)")
    }

    private static let noTopic = OutboxError("NotFound", "Topic does not exist", status: 404)

    private func arn(of topic: String) -> String { "arn:aws:sns:\(outbox.region):\(outbox.accountID):\(topic)" }

    private func topic(_ arn: String) throws(OutboxError) -> String {
        let parts = arn.parts(at: ":", keepingEmpty: true)
        guard parts.count == 6, parts[2] == "sns", Self.isName(parts[5]) else {
            throw Self.invalid("TopicArn")
        }
        return parts[5]
    }

    private func listTopics(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        let names = try await outbox.topics(behind: input.textIfAny("NextToken") ?? "", max: OutboxLimits.pageMax)
        let list = names.map { JSONValue.object(JSONObject([("TopicArn", .string(arn(of: $0)))])) }
        var answer = JSONObject([("Topics", .array(list))])
        if names.count == OutboxLimits.pageMax, let last = names.last { answer["NextToken"] = .string(last) }
        return answer
    }

    private func subscribe(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        let topic = try topic(try input.text("TopicArn"))
        let way = try input.text("Protocol")
        let endpoint = try input.text("Endpoint")
        switch way {
        case "email", "email-json": _ = try MailWish.party(endpoint)
        case "sms": guard Self.isTelephone(endpoint) else { throw Self.invalid("SMS endpoint") }
        case "lambda": guard function(endpoint) != nil else { throw Self.invalid("Lambda endpoint ARN") }
        default:
            throw OutboxError("InvalidParameter", "Invalid parameter: Does not support this protocol string: \(way)")
        }
        let id = Outbox.makeIdentifier()
        guard let kept = try await outbox.follow(topic, way, endpoint, id: id) else { throw Self.noTopic }
        return JSONObject([("SubscriptionArn", .string("\(arn(of: topic)):\(kept)"))])
    }

    private func listSubscriptions(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        let topic = try topic(try input.text("TopicArn"))
        guard let followers = try await outbox.followers(of: topic) else { throw Self.noTopic }
        let list = followers.map { follower in
            JSONValue.object(
                JSONObject([
                    ("SubscriptionArn", .string("\(arn(of: topic)):\(follower.id)")),
                    ("Owner", .string(outbox.accountID)), ("Protocol", .string(follower.way)),
                    ("Endpoint", .string(follower.endpoint)), ("TopicArn", .string(arn(of: topic))),
                ]))
        }
        return JSONObject([("Subscriptions", .array(list))])
    }

    // MARK: Publishing

    /// As E.164 writes a number.
    private static func isTelephone(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.utf8.first == UInt8(ascii: "+") && (7...15).contains(digits.count)
            && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    private func publish(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        let message = try input.text("Message")
        guard !message.isEmpty else { throw OutboxError("InvalidParameter", "Invalid parameter: Empty message") }
        let id = Outbox.makeIdentifier()
        if let number = input.textIfAny("PhoneNumber") {
            guard Self.isTelephone(number) else {
                throw OutboxError(
                    "InvalidParameter", "Invalid parameter: PhoneNumber Reason: \(number) is not valid to publish to")
            }
            guard message.utf8.count <= OutboxLimits.textBytesMax else {
                throw OutboxError("InvalidParameter", "Invalid parameter: Message too long")
            }
            try await outbox.queue([text(message, to: [number], id)])
            return JSONObject([("MessageId", .string(id))])
        }
        guard message.utf8.count <= OutboxLimits.noticeBytesMax else {
            throw OutboxError("InvalidParameter", "Invalid parameter: Message too long")
        }
        guard let arn = input.textIfAny("TopicArn") ?? input.textIfAny("TargetArn") else {
            throw OutboxError(
                "InvalidParameter", "Invalid parameter: TopicArn or TargetArn Reason: no value for required parameter")
        }
        let topic = try topic(arn)
        guard let followers = try await outbox.followers(of: topic) else { throw Self.noTopic }
        let notice = Notice(
            id: id, topic: arn, subject: input.textIfAny("Subject"), message: message,
            texts: try Self.texts(input, message), attributes: Self.attributes(input["MessageAttributes"]),
            time: outbox.now)
        try await outbox.queue(letters(notice, to: followers))
        return JSONObject([("MessageId", .string(id))])
    }

    /// With `MessageStructure=json` each way has a text of its own.
    private static func texts(_ input: JSONValue, _ message: String) throws(OutboxError) -> JSONObject {
        guard input.textIfAny("MessageStructure") == "json" else { return JSONObject([("default", .string(message))]) }
        let limits = JSONLimits(bytesMax: OutboxLimits.noticeBytesMax, nestingMax: OutboxLimits.nestingMax)
        guard let texts = (try? JSONReader.value(of: Array(message.utf8), limits: limits))?.object,
            texts["default"]?.string != nil
        else {
            throw OutboxError(
                "InvalidParameter",
                "Invalid parameter: Message Structure - JSON message body failed to parse, or has no default entry")
        }
        return texts
    }

    /// `MessageAttributes.entry.N.Name`, `.Value.DataType`, `.Value.StringValue`, as functions are told of them.
    private static func attributes(_ input: JSONValue?) -> JSONObject {
        let entries = input?.array ?? input?["entry"]?.array ?? []
        return JSONObject(
            entries.compactMap { entry in
                guard let name = entry["Name"]?.string, let value = entry["Value"] else { return nil }
                let text = value["StringValue"] ?? value["BinaryValue"] ?? ""
                return (name, ["Type": value["DataType"] ?? "String", "Value": text])
            })
    }

    private func text(_ text: String, to numbers: [String], _ id: String) -> OutgoingLetter {
        OutgoingLetter(
            id: id, service: "sns", medium: .sms, sender: "", readers: numbers, subject: "", text: text)
    }

    private func letters(_ notice: Notice, to followers: [TopicFollower]) throws(OutboxError) -> [OutgoingLetter] {
        var letters: [OutgoingLetter] = []
        for follower in followers {
            let text = notice.text(for: follower.way)
            switch follower.way {
            case "sms": letters.append(self.text(text, to: [follower.endpoint], notice.id))
            case "lambda":
                letters.append(
                    OutgoingLetter(
                        id: notice.id, service: "sns", medium: .function, sender: notice.topic,
                        readers: [follower.endpoint], subject: notice.subject ?? "",
                        text: JSONWriter.text(of: notice.event(for: "\(notice.topic):\(follower.id)"))))
            default:
                var wish = try MailWish(
                    from: Self.sender, to: ["ToAddresses": [.string(follower.endpoint)]], answersTo: [])
                try wish.fill(
                    subject: notice.subject ?? "AWS Notification Message",
                    text: follower.way == "email" ? text : JSONWriter.text(of: notice.envelope), html: nil)
                var letter = wish.outgoing(notice.id, now: outbox.now)
                letter.service = "sns"
                letters.append(letter)
            }
        }
        return letters
    }

    private static let sender = "AWS Notifications <no-reply@sns.amazonaws.com>"
}

/// What is published to a topic.
private struct Notice {
    let id: String
    let topic: String
    let subject: String?
    let message: String
    let texts: JSONObject
    let attributes: JSONObject
    let time: Int64

    func text(for way: String) -> String { texts[way]?.string ?? texts["default"]?.string ?? message }

    private var timestamp: String { Timestamp(seconds: time / 1_000, milliseconds: Int(time % 1_000)).text }

    /// What readers by `email-json` get.
    var envelope: JSONValue {
        .object(
            JSONObject([
                ("Type", "Notification"), ("MessageId", .string(id)), ("TopicArn", .string(topic)),
                ("Subject", subject.map(JSONValue.string) ?? .null), ("Message", .string(text(for: "email-json"))),
                ("Timestamp", .string(timestamp)),
            ]))
    }

    /// What a function is called with.
    func event(for subscription: String) -> JSONValue {
        let notice = JSONObject([
            ("Type", "Notification"), ("MessageId", .string(id)), ("TopicArn", .string(topic)),
            ("Subject", subject.map(JSONValue.string) ?? .null), ("Message", .string(text(for: "lambda"))),
            ("Timestamp", .string(timestamp)), ("SignatureVersion", "1"), ("Signature", ""), ("SigningCertUrl", ""),
            ("UnsubscribeUrl", ""), ("MessageAttributes", .object(attributes)),
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
