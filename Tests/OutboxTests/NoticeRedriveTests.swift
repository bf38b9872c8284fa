import JSON
import Testing

@testable import Outbox

@Suite("Dead letters of subscriptions")
struct NoticeRedriveTests {
    private static let start = "arn:aws:sns:us-east-1:123456789012:"
    private static let queues = "arn:aws:sqs:us-east-1:123456789012:"
    private static let function = "arn:aws:lambda:us-east-1:123456789012:function:f"

    private static func policy(_ queue: String) -> String { #"{"deadLetterTargetArn": "\#(queues)\#(queue)"}"# }

    private struct Place {
        let outbox: Outbox
        let service: NoticeService
        let queue: OutboxQueue

        init(_ topic: String = "t") async throws {
            outbox = try OutboxQueueTests.outbox(sending: [.function])
            service = NoticeService(outbox) { $0 }
            queue = OutboxQueue(outbox, .function, report: { _ in })
            var parameters = [("Name", topic)]
            if topic.hasSuffix(".fifo") {
                parameters += [("Attributes.entry.1.key", "FifoTopic"), ("Attributes.entry.1.value", "true")]
            }
            _ = try await service.answer("CreateTopic", parameters)
        }

        func follow(
            _ way: String, _ endpoint: String, _ attributes: [(String, String)], topic: String = "t"
        ) async throws -> String {
            var parameters = [("TopicArn", start + topic), ("Protocol", way), ("Endpoint", endpoint)]
            for (number, attribute) in attributes.enumerated() {
                parameters.append(("Attributes.entry.\(number + 1).key", attribute.0))
                parameters.append(("Attributes.entry.\(number + 1).value", attribute.1))
            }
            return try await service.answer("Subscribe", parameters)["SubscriptionArn"]?.string ?? ""
        }

        func set(_ subscription: String, _ value: String) async throws {
            _ = try await service.answer(
                "SetSubscriptionAttributes",
                [("SubscriptionArn", subscription), ("AttributeName", "RedrivePolicy"), ("AttributeValue", value)])
        }

        func policy(of subscription: String) async throws -> String? {
            try await service.answer("GetSubscriptionAttributes", [("SubscriptionArn", subscription)])["Attributes"]?[
                "RedrivePolicy"]?.string
        }

        func publish(_ more: [(String, String)] = [], topic: String = "t") async throws {
            _ = try await service.answer("Publish", [("TopicArn", start + topic), ("Message", "m")] + more)
        }

        /// Gives up all that waits, and answers what waits then, by its address.
        func giveUp() async throws -> [String: JSONValue] {
            for message in try await queue.due(at: .max, max: 100) {
                try await queue.failed(message.id, .never, words: "no")
            }
            var found: [String: JSONValue] = [:]
            for message in try await queue.due(at: .max, max: 100) {
                found[message.to] = try JSONReader.value(of: message.text)
            }
            return found
        }

        func refusal(_ call: () async throws -> Void) async -> String? {
            do {
                try await call()
                return nil
            } catch { return (error as? OutboxError)?.message ?? "\(error)" }
        }
    }

    @Test("a message that is given up goes to the queue that the subscription names, as a queue gets it")
    func redriven() async throws {
        let place = try await Place()
        _ = try await place.follow("sqs", "\(Self.queues)whole", [("RedrivePolicy", Self.policy("dead1"))])
        _ = try await place.follow(
            "sqs", "\(Self.queues)bare", [("RedrivePolicy", Self.policy("dead2")), ("RawMessageDelivery", "true")])
        _ = try await place.follow("lambda", Self.function, [("RedrivePolicy", Self.policy("dead3"))])
        _ = try await place.follow("sqs", "\(Self.queues)none", [])
        try await place.publish([
            ("Subject", "s"), ("MessageAttributes.entry.1.Name", "kind"),
            ("MessageAttributes.entry.1.Value.DataType", "String"),
            ("MessageAttributes.entry.1.Value.StringValue", "a"),
        ])
        let dead = try await place.giveUp()
        #expect(dead.keys.sorted() == (1...3).map { "\(Self.queues)dead\($0)" })
        #expect(
            dead["\(Self.queues)dead2"]
                == ["MessageBody": "m", "MessageAttributes": ["kind": ["DataType": "String", "StringValue": "a"]]])
        let ofQueue = try JSONReader.value(of: dead["\(Self.queues)dead1"]?["MessageBody"]?.string ?? "")
        #expect(ofQueue["Message"] == "m" && ofQueue["Subject"] == "s" && ofQueue["Type"] == "Notification")
        // A function's is the same one.
        let ofFunction = try JSONReader.value(of: dead["\(Self.queues)dead3"]?["MessageBody"]?.string ?? "")
        #expect(ofFunction == ofQueue)
        let states = try await OutboxQueueTests.messages(place.outbox).map(\.state)
        #expect(states == [.failed, .failed, .failed, .failed, .waiting, .waiting, .waiting])
        // A dead letter that its queue does not take goes nowhere.
        #expect(try await place.giveUp().isEmpty)
        #expect(try await OutboxQueueTests.messages(place.outbox).count == 7)
    }

    @Test("a queue for dead letters that follows the topic itself ends no loop of its own")
    func loop() async throws {
        let place = try await Place()
        _ = try await place.follow("sqs", "\(Self.queues)dead", [("RedrivePolicy", Self.policy("dead"))])
        try await place.publish()
        #expect(try await place.giveUp().count == 1)
        #expect(try await place.giveUp().isEmpty)
    }

    @Test("a message that waits for another try, or that was taken, is no dead letter")
    func others() async throws {
        let place = try await Place()
        _ = try await place.follow("sqs", "\(Self.queues)q", [("RedrivePolicy", Self.policy("dead"))])
        for _ in 0..<2 { try await place.publish() }
        let due = try await place.queue.due(at: .max, max: 10)
        try await place.queue.sent(due[0].id)
        try await place.queue.failed(due[1].id, .at(5_000), words: "later")
        #expect(try await OutboxQueueTests.messages(place.outbox).count == 2)
    }

    @Test("the policy is told, changed and taken away, and goes with its subscription")
    func policies() async throws {
        let place = try await Place()
        let subscription = try await place.follow("sqs", "\(Self.queues)q", [("RedrivePolicy", Self.policy("one"))])
        #expect(try await place.policy(of: subscription) == Self.policy("one"))
        try await place.set(subscription, Self.policy("two"))
        try await place.publish()
        #expect(try await place.giveUp().keys.sorted() == ["\(Self.queues)two"])
        for nothing in ["", "{}"] {
            try await place.set(subscription, Self.policy("two"))
            try await place.set(subscription, nothing)
            #expect(try await place.policy(of: subscription) == nil)
        }
        try await place.set(subscription, Self.policy("two"))
        _ = try await place.service.answer("Unsubscribe", [("SubscriptionArn", subscription)])
        let again = try await place.follow("sqs", "\(Self.queues)q", [])
        #expect(try await place.policy(of: again) == nil)
        // Who follows already keeps what it has.
        let other = await place.refusal {
            _ = try await place.follow("sqs", "\(Self.queues)q", [("RedrivePolicy", Self.policy("one"))])
        }
        #expect(other?.hasSuffix("Subscription already exists with different attributes") == true)
    }

    @Test("a policy that means no queue is refused in the service's words")
    func refusals() async throws {
        let place = try await Place()
        let subscription = try await place.follow("sqs", "\(Self.queues)q", [])
        let start = "Invalid parameter: RedrivePolicy: "
        let arn = "\(start)deadLetterTargetArn is an invalid arn"
        let deep = String(repeating: "[", count: 100)
        for (value, says) in [
            ("{", "\(start)failed to parse JSON."), ("[]", "\(start)failed to parse JSON."),
            (deep, "\(start)failed to parse JSON."), (#"{"a": 1}"#, arn), (#"{"deadLetterTargetArn": "q"}"#, arn),
            (#"{"deadLetterTargetArn": "\#(Self.start)t"}"#, arn), (#"{"deadLetterTargetArn": 1}"#, arn),
        ] {
            #expect(await place.refusal { try await place.set(subscription, value) } == says)
            let says = says.replacing("Invalid parameter: ", with: "Invalid parameter: Attributes Reason: ")
            let refusal = await place.refusal {
                _ = try await place.follow("sqs", "\(Self.queues)r", [("RedrivePolicy", value)])
            }
            #expect(refusal == says)
        }
        let mail = await place.refusal {
            _ = try await place.follow("email", "a@x.test", [("RedrivePolicy", Self.policy("q"))])
        }
        #expect(mail?.contains("only subscriptions of queues and functions have dead letters here") == true)
    }

    @Test("dead letters of a topic in order go to a queue in order")
    func ordered() async throws {
        let place = try await Place("t.fifo")
        let wrong = await place.refusal {
            _ = try await place.follow(
                "sqs", "\(Self.queues)q.fifo", [("RedrivePolicy", Self.policy("dead"))], topic: "t.fifo")
        }
        #expect(wrong?.hasSuffix("RedrivePolicy: must use a FIFO queue as DLQ for a FIFO topic") == true)
        _ = try await place.follow(
            "sqs", "\(Self.queues)q.fifo", [("RedrivePolicy", Self.policy("dead.fifo"))], topic: "t.fifo")
        _ = try await place.follow(
            "sqs", "\(Self.queues)plain", [("RedrivePolicy", Self.policy("other.fifo"))], topic: "t.fifo")
        try await place.publish([("MessageGroupId", "g"), ("MessageDeduplicationId", "d")], topic: "t.fifo")
        let dead = try await place.giveUp()
        let letter = dead["\(Self.queues)dead.fifo"]
        #expect(letter?["MessageGroupId"] == "g" && letter?["MessageDeduplicationId"] == "d")
        // What another queue did not get has no group.
        #expect(dead["\(Self.queues)other.fifo"]?["MessageGroupId"] == "t.fifo")
    }
}
