import JSON
import Testing

@testable import Outbox

/// Topics that are first in, first out, and what topics keep of what is said of them.
@Suite("Topics in order, with attributes and tags")
struct OrderedTopicTests {
    private static let start = "arn:aws:sns:us-east-1:123456789012:"
    private static let queue = "arn:aws:sqs:us-east-1:123456789012:"

    private struct Place {
        let outbox: Outbox
        let service: NoticeService

        init() throws {
            outbox = try OutboxQueueTests.outbox(sending: [.function])
            service = NoticeService(outbox) { $0 }
        }

        func make(
            _ name: String, _ attributes: [(String, String)] = [], tags: [(String, String)] = []
        ) async throws -> JSONObject {
            var parameters = [("Name", name)]
            for (number, attribute) in attributes.enumerated() {
                parameters.append(("Attributes.entry.\(number + 1).key", attribute.0))
                parameters.append(("Attributes.entry.\(number + 1).value", attribute.1))
            }
            for (number, tag) in tags.enumerated() {
                parameters.append(("Tags.member.\(number + 1).Key", tag.0))
                parameters.append(("Tags.member.\(number + 1).Value", tag.1))
            }
            return try await service.answer("CreateTopic", parameters)
        }

        func refusal(_ call: () async throws -> JSONObject) async -> String? {
            do {
                _ = try await call()
                return nil
            } catch {
                return (error as? OutboxError)?.message ?? "\(error)"
            }
        }

        func publish(_ topic: String, _ more: [(String, String)]) async throws -> JSONObject {
            try await service.answer("Publish", [("TopicArn", start + topic), ("Message", "m")] + more)
        }

        func attributes(_ topic: String) async throws -> [String: String] {
            let told = try await service.answer("GetTopicAttributes", [("TopicArn", start + topic)])
            return Dictionary(
                (told["Attributes"]?.object?.members ?? []).map { ($0.key, $0.value.string ?? "") },
                uniquingKeysWith: { $1 })
        }
    }

    @Test("a message comes once, with its number, and in its group")
    func once() async throws {
        let place = try Place()
        _ = try await place.make("t.fifo", [("FifoTopic", "true"), ("ContentBasedDeduplication", "true")])
        for endpoint in ["q.fifo", "q"] {
            _ = try await place.service.answer(
                "Subscribe",
                [
                    ("TopicArn", Self.start + "t.fifo"), ("Protocol", "sqs"), ("Endpoint", Self.queue + endpoint),
                    ("Attributes.entry.1.key", "RawMessageDelivery"),
                    ("Attributes.entry.1.value", endpoint == "q" ? "false" : "true"),
                ])
        }
        let first = try await place.publish("t.fifo", [("MessageGroupId", "g")])
        let again = try await place.publish("t.fifo", [("MessageGroupId", "g")])
        let other = try await place.publish("t.fifo", [("MessageGroupId", "g"), ("MessageDeduplicationId", "d")])
        #expect(first == again && first["MessageId"] != other["MessageId"])
        #expect(first["SequenceNumber"] == "10000000000000000001" && other["SequenceNumber"] == "10000000000000000002")
        let letters = try await OutboxQueueTests.messages(place.outbox)
        #expect(letters.map(\.address).count { $0 == Self.queue + "q.fifo" } == 2 && letters.count == 4)
        let queued = try letters.filter { $0.address.hasSuffix("q.fifo") }.map { try JSONReader.value(of: $0.text) }
        #expect(queued.map { $0["MessageGroupId"] } == ["g", "g"])
        #expect(queued.last?["MessageDeduplicationId"] == "d")
        // SHA-256 of the message.
        #expect(
            queued.first?["MessageDeduplicationId"]
                == "62c66a7a5dd70c3146618063c344e531e6d4b59e379808443ce962b3abd63c5a")
        let plain = try JSONReader.value(of: letters.first { $0.address == Self.queue + "q" }?.text ?? "")
        #expect(plain["MessageGroupId"] == nil)
        let notice = try JSONReader.value(of: plain["MessageBody"]?.string ?? "")
        #expect(notice["SequenceNumber"] == first["SequenceNumber"] && notice["Signature"] == nil)
    }

    @Test("a queue in order gets one message after the other, also when one of them has to wait")
    func turns() async throws {
        let place = try Place()
        _ = try await place.make("t.fifo", [("FifoTopic", "true"), ("ContentBasedDeduplication", "false")])
        for endpoint in ["q.fifo", "q"] {
            _ = try await place.service.answer(
                "Subscribe",
                [("TopicArn", Self.start + "t.fifo"), ("Protocol", "sqs"), ("Endpoint", Self.queue + endpoint)])
        }
        for id in ["a", "b"] {
            _ = try await place.publish("t.fifo", [("MessageGroupId", "g"), ("MessageDeduplicationId", id)])
        }
        let waiting = OutboxQueue(place.outbox, .function, report: { _ in })
        func due(_ now: Int64) async throws -> [String] {
            try await waiting.due(at: now, max: 10).map(\.to).sorted { $0 < $1 }
        }
        #expect(try await due(1_000) == ["q", "q", "q.fifo"].map { Self.queue + $0 })
        let first = try #require(try await waiting.due(at: 1_000, max: 10).first { $0.to.hasSuffix("q.fifo") })
        try await waiting.failed(first.id, .at(5_000), words: "full")
        #expect(try await due(1_000) == ["q", "q"].map { Self.queue + $0 })
        try await waiting.sent(first.id)
        #expect(try await due(1_000) == ["q", "q", "q.fifo"].map { Self.queue + $0 })
    }

    @Test("several messages are answered with their numbers, and one without a group refuses them all")
    func batch() async throws {
        let place = try Place()
        _ = try await place.make("t.fifo", [("FifoTopic", "true")])
        func parameters(_ groups: [String]) -> [(String, String)] {
            groups.enumerated().reduce(into: [("TopicArn", Self.start + "t.fifo")]) { parameters, member in
                let entry = "PublishBatchRequestEntries.member.\(member.offset + 1)"
                parameters += [
                    ("\(entry).Id", "i\(member.offset)"), ("\(entry).Message", "m"),
                    ("\(entry).MessageDeduplicationId", "\(member.offset)"),
                ]
                if !member.element.isEmpty { parameters.append(("\(entry).MessageGroupId", member.element)) }
            }
        }
        let refusal = await place.refusal {
            try await place.service.answer("PublishBatch", parameters(["g", "", "h"]))
        }
        #expect(refusal == "Invalid parameter: The MessageGroupId parameter is required for FIFO topics")
        for _ in 0..<2 {
            let answer = try await place.service.answer("PublishBatch", parameters(["g", "h"]))
            #expect(
                answer["Successful"]?.array?.map { $0["SequenceNumber"]?.string }
                    == ["10000000000000000001", "10000000000000000002"])
            #expect(answer["Failed"] == [])
        }
    }

    @Test("what does not fit the kind of a topic is refused in the service's words")
    func kinds() async throws {
        let place = try Place()
        _ = try await place.make("t.fifo", [("FifoTopic", "true")])
        _ = try await place.make("t")
        for (name, attributes) in [
            ("a.fifo", []), ("a", [("FifoTopic", "true")]), ("a.b", []), ("a.fifo", [("FifoTopic", "false")]),
            ("a.b.fifo", [("FifoTopic", "true")]),
        ] as [(String, [(String, String)])] {
            #expect(await place.refusal { try await place.make(name, attributes) } == "Invalid parameter: Topic Name")
        }
        for (topic, more, words) in [
            ("t.fifo", [], "The MessageGroupId parameter is required for FIFO topics"),
            (
                "t.fifo", [("MessageGroupId", "g")],
                "The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly"
            ),
            (
                "t", [("MessageDeduplicationId", "d")],
                "MessageDeduplicationId Reason: The request includes MessageDeduplicationId parameter that is not valid for this topic type"
            ),
            (
                "t.fifo", [("MessageGroupId", String(repeating: "g", count: 129))],
                "MessageGroupId Reason: The value is not valid"
            ),
        ] as [(String, [(String, String)], String)] {
            #expect(await place.refusal { try await place.publish(topic, more) } == "Invalid parameter: \(words)")
        }
        for (topic, way, endpoint) in [
            ("t", "sqs", Self.queue + "q.fifo"), ("t.fifo", "lambda", "f"), ("t.fifo", "email", "a@x.test"),
        ] {
            let refusal = await place.refusal {
                try await place.service.answer(
                    "Subscribe", [("TopicArn", Self.start + topic), ("Protocol", way), ("Endpoint", endpoint)])
            }
            #expect(refusal?.hasPrefix("Invalid parameter: ") == true)
        }
        #expect(
            await place.refusal { try await place.service.answer("GetTopicAttributes", [("TopicArn", "x")]) }
                == "Invalid parameter: TopicArn Reason: An ARN must have at least 6 elements, not 1")
    }

    @Test("attributes are kept and given back, and a topic that is there has to be the same")
    func attributes() async throws {
        let place = try Place()
        let key = [("KmsMasterKeyId", "alias/k"), ("SignatureVersion", "2"), ("Policy", #"{"Version":"2012-10-17"}"#)]
        _ = try await place.make("t", key)
        _ = try await place.make("t")
        _ = try await place.make("t", [key[0]])
        var told = try await place.attributes("t")
        for (name, value) in key { #expect(told[name] == value) }
        #expect(told["FifoTopic"] == nil && told["EffectiveDeliveryPolicy"] != nil)
        let different = "Invalid parameter: Attributes Reason: Topic already exists with different attributes"
        for other in [("KmsMasterKeyId", "other"), ("DisplayName", "x"), ("DeliveryPolicy", "{}")] {
            #expect(await place.refusal { try await place.make("t", [other]) } == different)
        }
        for (name, value) in [("KmsMasterKeyId", ""), ("DeliveryPolicy", #"{"a":1}"#), ("Policy", "")] {
            _ = try await place.service.answer(
                "SetTopicAttributes",
                [("TopicArn", Self.start + "t"), ("AttributeName", name), ("AttributeValue", value)])
        }
        told = try await place.attributes("t")
        #expect(told["KmsMasterKeyId"] == nil && told["EffectiveDeliveryPolicy"] == #"{"a":1}"#)
        #expect(told["Policy"]?.utf8.starts(with: #"{"Version":"2008-10-17""#.utf8) == true)
        for (name, value) in [
            ("FifoTopic", "true"), ("Nothing", "x"), ("ContentBasedDeduplication", "true"), ("Policy", "x"),
            ("SignatureVersion", "3"),
            ("KmsMasterKeyId", String(repeating: "x", count: OutboxLimits.attributeBytesMax + 1)),
        ] {
            let refusal = await place.refusal {
                try await place.service.answer(
                    "SetTopicAttributes",
                    [("TopicArn", Self.start + "t"), ("AttributeName", name), ("AttributeValue", value)])
            }
            #expect(refusal?.hasPrefix("Invalid parameter: Attribute") == true, "\(name)")
        }
    }

    @Test("tags are kept, changed and taken away, and go with their topic")
    func tags() async throws {
        let place = try Place()
        _ = try await place.make("t", tags: [("a", "1"), ("b", "2")])
        let arn = [("ResourceArn", Self.start + "t")]
        func told() async throws -> JSONValue? { try await place.service.answer("ListTagsForResource", arn)["Tags"] }
        _ = try await place.service.answer("UntagResource", arn + [("TagKeys.member.1", "a")])
        _ = try await place.service.answer(
            "TagResource", arn + [("Tags.member.1.Key", "b"), ("Tags.member.1.Value", "3")])
        #expect(try await told() == [["Key": "b", "Value": "3"]])
        #expect(
            await place.refusal { try await place.make("t", tags: [("c", "1")]) }
                == "Invalid parameter: Tags Reason: Topic already exists with different tags")
        #expect(
            await place.refusal { try await place.make("u", tags: [("c", "1"), ("c", "2")]) }
                == "Invalid parameter: Duplicated keys are not allowed.")
        #expect(await place.refusal { try await place.make("u", tags: [("aws:c", "1")]) } != nil)
        let many = (0...OutboxLimits.tagsMax).map { ("k\($0)", "") }
        #expect(await place.refusal { try await place.make("u", tags: many) }?.hasPrefix("Could not complete") == true)
        _ = try await place.service.answer("DeleteTopic", [("TopicArn", Self.start + "t")])
        #expect(
            await place.refusal { try await place.service.answer("ListTagsForResource", arn) }
                == "Resource does not exist")
        _ = try await place.make("t")
        #expect(try await told() == [])
        #expect(try place.service.table.demands("TagResource", arn) == ["sns:TagResource t"])
    }
}
