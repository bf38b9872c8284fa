import JSON
import Testing

@testable import Outbox

/// A topic with those who follow it.
private struct TopicPlace {
    static let arn = "arn:aws:sns:us-east-1:123456789012:t"

    let outbox: Outbox
    let service: NoticeService

    init() async throws {
        outbox = try OutboxQueueTests.outbox(sending: [])
        service = NoticeService(outbox) { $0 }
        _ = try await service.answer("CreateTopic", [("Name", "t")])
    }

    func call(_ action: String, _ parameters: [(String, String)]) async throws -> JSONObject {
        try await service.answer(action, [("TopicArn", Self.arn)] + parameters)
    }

    func follow(_ endpoint: String, _ attributes: [(String, String)] = []) async throws -> String {
        var parameters = [("Protocol", "email"), ("Endpoint", endpoint)]
        for (number, attribute) in attributes.enumerated() {
            parameters.append(("Attributes.entry.\(number + 1).key", attribute.0))
            parameters.append(("Attributes.entry.\(number + 1).value", attribute.1))
        }
        return try await call("Subscribe", parameters)["SubscriptionArn"]?.string ?? ""
    }

    func letters() async throws -> [OutboxMessage] { try await OutboxQueueTests.messages(outbox) }

    func readers() async throws -> [String] { try await OutboxQueueTests.messages(outbox).map(\.address) }

    func attributes(_ action: String, _ parameters: [(String, String)] = []) async throws -> [String: String] {
        let attributes = try await call(action, parameters)["Attributes"]?.object?.members ?? []
        return Dictionary(attributes.map { ($0.key, $0.value.string ?? "") }, uniquingKeysWith: { $1 })
    }
}

@Suite("Topics as they are called")
struct NoticeServiceTests {
    private static let arn = TopicPlace.arn
    private static let kind = [
        ("MessageAttributes.entry.1.Name", "kind"), ("MessageAttributes.entry.1.Value.DataType", "String"),
        ("MessageAttributes.entry.1.Value.StringValue", "a"),
    ]

    @Test("a follower gets the messages that its filter lets through")
    func filters() async throws {
        let place = try await TopicPlace()
        _ = try await place.follow("all@x.test")
        let some = try await place.follow("some@x.test", [("FilterPolicy", #"{"kind": ["a"]}"#)])
        _ = try await place.follow(
            "body@x.test", [("FilterPolicyScope", "MessageBody"), ("FilterPolicy", #"{"kind": ["a"]}"#)])
        _ = try await place.call("Publish", [("Message", "m")])
        #expect(try await place.readers() == ["all@x.test"])
        _ = try await place.call("Publish", [("Message", "m")] + Self.kind)
        _ = try await place.call("Publish", [("Message", #"{"kind": "a"}"#)])
        #expect(
            try await place.readers().dropFirst().sorted()
                == ["all@x.test", "all@x.test", "body@x.test", "some@x.test"])
        // Changed, told, and taken away.
        let change = [("SubscriptionArn", some), ("AttributeName", "FilterPolicy")]
        _ = try await place.call("SetSubscriptionAttributes", change + [("AttributeValue", #"{"kind": ["b"]}"#)])
        let told = try await place.attributes("GetSubscriptionAttributes", [("SubscriptionArn", some)])
        #expect(told["FilterPolicy"] == #"{"kind": ["b"]}"# && told["FilterPolicyScope"] == "MessageAttributes")
        #expect(told["Endpoint"] == "some@x.test" && told["TopicArn"] == Self.arn)
        _ = try await place.call("SetSubscriptionAttributes", change + [("AttributeValue", "{}")])
        _ = try await place.call("Publish", [("Message", "m")])
        #expect(try await place.readers().suffix(2).sorted() == ["all@x.test", "some@x.test"])
        let bare = try await place.attributes("GetSubscriptionAttributes", [("SubscriptionArn", some)])
        #expect(bare["FilterPolicy"] == nil)
        // Who follows anew has nothing of what was.
        _ = try await place.call("SetSubscriptionAttributes", change + [("AttributeValue", #"{"kind": ["b"]}"#)])
        _ = try await place.call("DeleteTopic", [])
        _ = try await place.service.answer("CreateTopic", [("Name", "t")])
        _ = try await place.follow("some@x.test")
        #expect(try await place.outbox.followers(of: "t")?.map(\.policy) == [nil])
    }

    @Test("a queue that follows a topic gets messages with what is around them, or bare")
    func queues() async throws {
        let place = try await TopicPlace()
        let queue = "arn:aws:sqs:us-east-1:123456789012"
        func follow(_ name: String, _ raw: String?) async throws -> String {
            var parameters = [("Protocol", "sqs"), ("Endpoint", "\(queue):\(name)")]
            if let raw {
                parameters += [("Attributes.entry.1.key", "RawMessageDelivery"), ("Attributes.entry.1.value", raw)]
            }
            return try await place.call("Subscribe", parameters)["SubscriptionArn"]?.string ?? ""
        }
        let whole = try await follow("whole", nil)
        let bare = try await follow("bare", "true")
        #expect(
            try await place.attributes("GetSubscriptionAttributes", [("SubscriptionArn", bare)])["RawMessageDelivery"]
                == "true")
        func published() async throws -> [String: JSONValue] {
            let before = try await place.letters().count
            _ = try await place.call("Publish", [("Message", "m"), ("Subject", "s")] + Self.kind)
            var found: [String: JSONValue] = [:]
            for letter in try await place.letters().dropFirst(before) {
                #expect(letter.medium == OutboxMessage.Medium.function.rawValue)
                found[letter.address] = try JSONReader.value(of: letter.text)
            }
            return found
        }
        var found = try await published()
        #expect(
            found["\(queue):bare"] == [
                "MessageBody": "m", "MessageAttributes": ["kind": ["DataType": "String", "StringValue": "a"]],
            ])
        let text = try #require(found["\(queue):whole"]?["MessageBody"]?.string)
        let notice = try JSONReader.value(of: text)
        #expect(notice["Type"] == "Notification" && notice["Message"] == "m" && notice["Subject"] == "s")
        #expect(notice["TopicArn"]?.string == Self.arn)
        #expect(notice["MessageAttributes"] == ["kind": ["Type": "String", "Value": "a"]])
        // The other way round.
        for (follower, value) in [(whole, "true"), (bare, "false")] {
            _ = try await place.call(
                "SetSubscriptionAttributes",
                [("SubscriptionArn", follower), ("AttributeName", "RawMessageDelivery"), ("AttributeValue", value)])
        }
        found = try await published()
        #expect(found["\(queue):whole"]?["MessageBody"] == "m")
        #expect(found["\(queue):bare"]?["MessageBody"] != "m")
        _ = try await place.call("Unsubscribe", [("SubscriptionArn", whole)])
        #expect(try await published().count == 1)
        for endpoint in ["q", "\(queue):q.fifo", "arn:aws:sqs:us-east-1:999999999999:q", "\(queue):"] {
            await #expect(throws: OutboxError.self) {
                try await place.call("Subscribe", [("Protocol", "sqs"), ("Endpoint", endpoint)])
            }
        }
    }

    @Test("what is not kept is refused, and a filter that is wrong")
    func refusals() async throws {
        let place = try await TopicPlace()
        let follower = try await place.follow("a@x.test", [("FilterPolicy", #"{"a": [1]}"#)])
        func refusal(_ action: String, _ parameters: [(String, String)]) async -> String {
            do {
                _ = try await place.call(action, parameters)
                return ""
            } catch {
                let error = error as? OutboxError
                return "\(error?.code ?? ""): \(error?.message ?? "")"
            }
        }
        func subscribe(_ name: String, _ value: String) async -> String {
            await refusal(
                "Subscribe",
                [
                    ("Protocol", "email"), ("Endpoint", "a@x.test"), ("Attributes.entry.1.key", name),
                    ("Attributes.entry.1.value", value),
                ])
        }
        func set(_ name: String, _ value: String) async -> String {
            await refusal(
                "SetSubscriptionAttributes",
                [("SubscriptionArn", follower), ("AttributeName", name), ("AttributeValue", value)])
        }
        let start = "InvalidParameter: Invalid parameter: "
        #expect(
            await subscribe("FilterPolicy", "{") == start + "Attributes Reason: FilterPolicy: failed to parse JSON.")
        #expect(await set("FilterPolicy", "{") == start + "FilterPolicy: failed to parse JSON.")
        #expect(
            await subscribe("FilterPolicy", "{}") == start
                + "Attributes Reason: Subscription already exists with different attributes")
        #expect(await subscribe("FilterPolicy", #"{"a":[1]}"#) == "")
        #expect(await subscribe("SubscriptionRoleArn", "{}").hasPrefix(start))
        #expect(await set("RawMessageDelivery", "true").hasPrefix(start))
        #expect(await set("RawMessageDelivery", "false") == "")
        #expect(await set("RawMessageDelivery", "maybe").hasPrefix(start))
        #expect(await subscribe("RawMessageDelivery", "true").hasPrefix(start))
        #expect(await set("FilterPolicyScope", "Nothing").hasPrefix(start + "FilterPolicyScope: Invalid value"))
        #expect(await set("DeliveryPolicy", "{}").hasPrefix(start))
        // The policy and its scope have to go together.
        #expect(await set("FilterPolicyScope", "MessageBody") == "")
        #expect(await set("FilterPolicy", #"{"a": {"b": [1]}}"#) == "")
        #expect(await set("FilterPolicyScope", "MessageAttributes").hasPrefix(start + "Filter policy scope"))
        #expect(
            await refusal("Publish2", [])
                == "InvalidAction: The action Publish2 is not one of those of SNS that are served here.")
        #expect(await refusal("", []) == "InvalidAction: The request names no action.")
        #expect(
            await refusal("GetSubscriptionAttributes", [("SubscriptionArn", "\(Self.arn):no")])
                == "NotFound: Subscription does not exist")
        #expect(
            await refusal("SetTopicAttributes", [("AttributeName", "FifoTopic"), ("AttributeValue", "false")])
                == start + "AttributeName")
    }

    @Test("a topic says what it has, and mails of it come from its name")
    func title() async throws {
        let place = try await TopicPlace()
        _ = try await place.follow("a@x.test")
        let title = [("AttributeName", "DisplayName"), ("AttributeValue", "The News")]
        _ = try await place.call("SetTopicAttributes", title)
        let told = try await place.attributes("GetTopicAttributes")
        #expect(
            told["DisplayName"] == "The News" && told["SubscriptionsConfirmed"] == "1" && told["TopicArn"] == Self.arn)
        _ = try await place.call("Publish", [("Message", "m")])
        #expect(
            try await OutboxQueueTests.messages(place.outbox).map(\.sender) == ["The News <no-reply@sns.amazonaws.com>"]
        )
        for wrong in ["a\r\nBcc: b@x.test", "a <b>", String(repeating: "a", count: OutboxLimits.titleBytesMax + 1)] {
            let parameters = [("AttributeName", "DisplayName"), ("AttributeValue", wrong)]
            await #expect(throws: OutboxError.self) { try await place.call("SetTopicAttributes", parameters) }
        }
        _ = try await place.call("DeleteTopic", [])
        await #expect(throws: OutboxError.self) { try await place.call("GetTopicAttributes", []) }
        await #expect(throws: OutboxError.self) { try await place.call("SetTopicAttributes", title) }
    }

    private static func batch(_ entries: [(id: String, message: String)]) -> [(String, String)] {
        entries.enumerated().flatMap { number, entry in
            let start = "PublishBatchRequestEntries.member.\(number + 1)"
            return [("\(start).Id", entry.id), ("\(start).Message", entry.message)]
        }
    }

    @Test("several messages are published at once, and what is wrong with one refuses them all")
    func batches() async throws {
        let place = try await TopicPlace()
        _ = try await place.follow("a@x.test", [("FilterPolicy", #"{"kind": ["a"]}"#)])
        let entry = Self.kind.map { ("PublishBatchRequestEntries.member.3.\($0)", $1) }
        await #expect {
            try await place.call("PublishBatch", Self.batch([("one", "1"), ("two", ""), ("three", "3")]) + entry)
        } throws: {
            ($0 as? OutboxError)?.message == "Invalid parameter: Empty message"
        }
        let answer = try await place.call(
            "PublishBatch", Self.batch([("one", "1"), ("two", "2"), ("three", "3")]) + entry)
        #expect(answer["Successful"]?.array?.map { $0["Id"]?.string } == ["one", "two", "three"])
        #expect(answer["Failed"] == [])
        let messages = try await OutboxQueueTests.messages(place.outbox)
        #expect(messages.map(\.text) == ["3"] && messages.first?.id == answer["Successful"]?[2]?["MessageId"]?.string)
    }

    static let batchRefusals: [(code: String, entries: [(id: String, message: String)])] = [
        ("EmptyBatchRequest", []),
        ("TooManyEntriesInBatchRequest", (0...OutboxLimits.batchMax).map { ("\($0)", "m") }),
        ("BatchEntryIdsNotDistinct", [("a", "m"), ("a", "m")]), ("InvalidBatchEntryId", [("a.b", "m")]),
        ("InvalidBatchEntryId", [(String(repeating: "a", count: OutboxLimits.entryIDBytesMax + 1), "m")]),
        (
            "BatchRequestTooLong",
            [("a", String(repeating: "m", count: OutboxLimits.noticeBytesMax)), ("b", "m")]
        ),
    ]

    @Test("a batch is refused as SNS does", arguments: batchRefusals)
    func refusesBatch(code: String, entries: [(id: String, message: String)]) async throws {
        let place = try await TopicPlace()
        await #expect { try await place.call("PublishBatch", Self.batch(entries)) } throws: {
            ($0 as? OutboxError)?.code == code
        }
    }

    private static func attribute(_ name: String, _ type: String?, _ field: String? = nil) -> [(String, String)] {
        let start = "MessageAttributes.entry.1"
        return [("\(start).Name", name)] + (type.map { [("\(start).Value.DataType", $0)] } ?? [])
            + (field.map { [("\(start).Value.\($0)", $0 == "BinaryValue" ? "MTIz" : "123")] } ?? [])
    }

    private static let long = String(repeating: "a", count: 101)
    static let words: [(action: String, parameters: [(String, String)], refusal: String)] = [
        ("Publish", [("Message", "m"), ("Subject", "")], "InvalidParameter: Invalid parameter: Subject"),
        ("Publish", [("Message", "m"), ("Subject", "a\nb")], "InvalidParameter: Invalid parameter: Subject"),
        ("Publish", [("Message", "m"), ("Subject", long)], "InvalidParameter: Invalid parameter: Subject"),
        (
            "Publish", [("Message", "{"), ("MessageStructure", "json")],
            "InvalidParameter: Invalid parameter: Message Structure - JSON message body failed to parse"
        ),
        (
            "Publish", [("Message", #"{"sqs": "a"}"#), ("MessageStructure", "json")],
            "InvalidParameter: Invalid parameter: Message Structure - No default entry in JSON message body"
        ),
        (
            "Publish", [("Message", "m")] + attribute("a", "String"),
            "ParameterValueInvalid: The message attribute 'a' must contain non-empty message attribute value for message attribute type 'String'."
        ),
        (
            "Publish", [("Message", "m")] + attribute("a", nil, "StringValue"),
            "ValidationError: 1 validation error detected: Value null at 'messageAttributes.a.member.dataType' failed to satisfy constraint: Member must not be null"
        ),
        (
            "Publish", [("Message", "m")] + attribute("a", "Number", "BinaryValue"),
            "ParameterValueInvalid: The message attribute 'a' with type 'Number' must use field 'String'."
        ),
        (
            "Publish", [("Message", "m")] + attribute("a", "Binary", "StringValue"),
            "ParameterValueInvalid: The message attribute 'a' with type 'Binary' must use field 'Binary'."
        ),
        (
            "Publish", [("Message", "m")] + attribute("a^", "String", "StringValue"),
            "ParameterValueInvalid: Invalid non-alphanumeric character '#x5E' was found in the message attribute name. Can only include alphanumeric characters, hyphens, underscores, or dots."
        ),
        (
            "Publish", [("Message", "m")] + attribute(".a", "String", "StringValue"),
            "ParameterValueInvalid: Invalid message attribute name starting with character '.' was found."
        ),
        (
            "Publish", [("Message", "m")] + attribute("a.", "String", "StringValue"),
            "ParameterValueInvalid: Invalid message attribute name ending with character '.' was found."
        ),
        (
            "Publish", [("Message", "m")] + attribute("a..b", "String", "StringValue"),
            "ParameterValueInvalid: Message attribute name can not have successive '.' character."
        ),
        (
            "PublishBatch", batch([("a.b", "m")]),
            "InvalidBatchEntryId: The Id of a batch entry in the batch request contains an impermissible character: a.b"
        ),
        (
            "PublishBatch", batch([(long, "m")]),
            "InvalidBatchEntryId: The Id of a batch entry in the batch request is too long: \(long)"
        ),
        (
            "Subscribe", [("Protocol", "smoke"), ("Endpoint", "e")],
            "InvalidParameter: Invalid parameter: Amazon SNS does not support this protocol string: smoke"
        ),
        (
            "Subscribe", [("Protocol", "sms"), ("Endpoint", "+15--5512")],
            "InvalidParameter: Invalid SMS endpoint: +15--5512"
        ),
        (
            "SetSMSAttributes", [("attributes.entry.1.key", "DefaultSendID"), ("attributes.entry.1.value", "a")],
            "InvalidParameter: DefaultSendID is not a valid attribute"
        ),
        (
            "SetSMSAttributes", [("attributes.entry.1.key", "DefaultSMSType"), ("attributes.entry.1.value", "a")],
            "InvalidParameter: DefaultSMSType is invalid"
        ),
        (
            "Unsubscribe", [],
            "InvalidParameter: Invalid parameter: SubscriptionArn Reason: no value for required parameter"
        ),
        ("Unsubscribe", [("SubscriptionArn", arn)], "InvalidParameter: Invalid parameter: SubscriptionId"),
        ("ConfirmSubscription", [("Token", "short")], "InvalidParameter: Invalid token"),
        (
            "ConfirmSubscription", [("Token", String(repeating: "a", count: 64))],
            "InvalidParameter: Invalid parameter: Token"
        ),
        (
            "AddPermission", permission("a", "Steal"),
            "InvalidParameter: Invalid parameter: Policy statement action out of service scope!"
        ),
    ]

    @Test("calls are refused in the words of SNS", arguments: words)
    func refusal(action: String, parameters: [(String, String)], refusal: String) async throws {
        let place = try await TopicPlace()
        let error = await #expect(throws: OutboxError.self) { try await place.call(action, parameters) }
        #expect("\(error?.code ?? ""): \(error?.message ?? "")" == refusal)
    }

    @Test("a topic that is named by nothing, and an endpoint of an app, are refused")
    func targets() async throws {
        let place = try await TopicPlace()
        for (name, value, refusal) in [
            ("TopicArn", "", "TopicArn Reason: An ARN must have at least 6 elements, not 1"),
            (
                "TargetArn", "arn:aws:sns:us-east-1:123456789012:endpoint/APNS/app/e",
                "TargetArn Reason: No endpoint found for the target arn specified"
            ),
        ] {
            let error = await #expect(throws: OutboxError.self) {
                try await place.service.answer("Publish", [(name, value), ("Message", "m")])
            }
            #expect(error?.message == "Invalid parameter: \(refusal)")
        }
    }

    private static func permission(_ label: String, _ action: String) -> [(String, String)] {
        [("Label", label), ("AWSAccountId.member.1", "123456789012"), ("ActionName.member.1", action)]
    }

    @Test("statements of a topic's policy are added and removed by their labels")
    func permissions() async throws {
        let place = try await TopicPlace()
        func sids() async throws -> [String] {
            let text = try await place.attributes("GetTopicAttributes")["Policy"] ?? ""
            return try JSONReader.value(of: text)["Statement"]?.array?.compactMap { $0["Sid"]?.string } ?? []
        }
        _ = try await place.call("AddPermission", Self.permission("one", "Publish"))
        _ = try await place.call("AddPermission", Self.permission("two", "Subscribe"))
        let again = await #expect(throws: OutboxError.self) {
            try await place.call("AddPermission", Self.permission("one", "Publish"))
        }
        #expect(again?.message == "Invalid parameter: Statement already exists")
        #expect(try await sids() == ["__default_statement_ID", "one", "two"])
        _ = try await place.call("RemovePermission", [("Label", "one")])
        #expect(try await sids() == ["__default_statement_ID", "two"])
        _ = try await place.call("DeleteTopic", [])
        let gone = await #expect(throws: OutboxError.self) {
            try await place.call("AddPermission", Self.permission("one", "Publish"))
        }
        #expect(gone?.code == "NotFound")
    }

    @Test("rights are those of the topic, and of publishing for several messages")
    func demands() throws {
        let table = NoticeService(try OutboxQueueTests.outbox(sending: [])) { $0 }.table
        #expect(try table.demands("PublishBatch", [("TopicArn", Self.arn)]) == ["sns:Publish t"])
        #expect(try table.demands("Publish", [("TargetArn", Self.arn)]) == ["sns:Publish t"])
        #expect(try table.demands("Publish", [("TopicArn", Self.arn), ("PhoneNumber", "+1")]) == ["sns:Publish *"])
        for action in ["GetSubscriptionAttributes", "SetSubscriptionAttributes"] {
            // Another topic's name beside it gives nothing.
            let parameters = [("TopicArn", "\(Self.arn)2"), ("SubscriptionArn", "\(Self.arn):id")]
            #expect(try table.demands(action, parameters) == ["sns:\(action) t"])
        }
    }

    @Test("subscriptions of all topics are listed, and identifiers are UUIDs")
    func everything() async throws {
        let place = try await TopicPlace()
        _ = try await place.service.answer("CreateTopic", [("Name", "u")])
        let first = try await place.follow("a@example.com")
        _ = try await place.service.answer(
            "Subscribe",
            [
                ("TopicArn", "arn:aws:sns:us-east-1:123456789012:u"), ("Protocol", "email"),
                ("Endpoint", "b@example.com"),
            ])
        let listed = try await place.service.answer("ListSubscriptions", [])["Subscriptions"]?.array ?? []
        #expect(listed.map { $0["Endpoint"]?.string } == ["a@example.com", "b@example.com"])
        #expect(listed.first?["SubscriptionArn"]?.string == first)
        let published = try await place.call("Publish", [("Message", "m")])["MessageId"]?.string ?? ""
        for text in [published, String(first.utf8.suffix(36)) ?? ""] {
            #expect(
                text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(\.count) == [
                    8, 4, 4, 4, 12,
                ])
        }
    }
}
