import JSON
import Testing

@testable import Queues

@Suite("Ordered queues")
struct OrderedQueueTests {
    private static let fifo: JSONValue = ["FifoQueue": "true", "ContentBasedDeduplication": "true"]

    private func queues(_ messages: [(String, String)], _ attributes: JSONValue = Self.fifo) async throws -> TestQueues
    {
        let queues = try TestQueues()
        try await queues.make("q.fifo", attributes)
        for (body, group) in messages { try await queues.send(body, to: "q.fifo", group: group) }
        return queues
    }

    /// What is done with messages of `a` that were received together: each is given back after so many seconds, or deleted. Then the
    /// bodies that are received at once.
    private static let returned: [(name: String, seconds: [Int64?], after: Int64, bodies: [String])] = [
        ("the first is given back at once", [0, 30, 30], 0, ["a1"]),
        ("the second is given back at once", [30, 0, 30], 0, []),
        ("the first two are given back", [0, 0, 30], 0, ["a1", "a2"]),
        ("all are given back, and what was not received follows", [0, 0, 0], 0, ["a1", "a2", "a3", "a4"]),
        ("one in the middle is extended", [1, 60, 1], 2, ["a1"]),
        ("the last is extended", [1, 1, 60], 2, ["a1", "a2"]),
        ("the first is extended", [60, 1, 1], 2, []),
        ("the first is deleted", [nil, 30, 30], 0, []),
        ("all are deleted", [nil, nil, nil], 0, ["a4"]),
        ("the first is deleted and the second given back", [nil, 0, 30], 0, ["a2"]),
    ]

    @Test("a group is handed out up to its first hidden message", arguments: returned)
    func handsOut(_ name: String, _ seconds: [Int64?], _ after: Int64, _ bodies: [String]) async throws {
        let queues = try await queues([("a1", "a"), ("a2", "a"), ("a3", "a"), ("a4", "a"), ("b1", "b")])
        let received = try await queues.receive("q.fifo", max: 3)
        try #require(received.bodies == ["a1", "a2", "a3"])
        for (message, seconds) in zip(received, seconds) {
            let refusal =
                if let seconds { await queues.change(message, in: "q.fifo", to: seconds) } else {
                    await queues.delete(message, from: "q.fifo")
                }
            #expect(refusal == nil)
        }
        queues.advance(seconds: after)
        let found = try await queues.receive("q.fifo").bodies
        #expect(found.filter { $0 != "b1" } == bodies, "\(name)")
        #expect(found.contains("b1"))
    }

    @Test("one that waits is told of a message that is given back")
    func waiting() async throws {
        let queues = try await queues([("a1", "a")])
        let message = try #require(try await queues.receive("q.fifo").first)
        async let waited = queues.call("ReceiveMessage", "q.fifo", ["WaitTimeSeconds": 20])
        #expect(await queues.change(message, in: "q.fifo", to: 0) == nil)
        #expect(try await waited["Messages"]?[0]?["Body"] == "a1")
    }

    @Test("a purge forgets what was sent, so that it can be sent again")
    func purge() async throws {
        let queues = try await queues([("a1", "a"), ("a1", "a")])
        #expect(try await queues.receive("q.fifo").count == 1)
        try await queues.call("PurgeQueue", "q.fifo")
        try await queues.send("a1", to: "q.fifo", group: "a")
        #expect(try await queues.receive("q.fifo").bodies == ["a1"])
    }

    @Test("a delay of none is the queue's own, and another is refused")
    func delays() async throws {
        let queues = try await queues([], Self.fifo.with("DelaySeconds", "5"))
        let message: JSONValue = ["MessageBody": "a1", "MessageGroupId": "a", "DelaySeconds": 0]
        try await queues.call("SendMessage", "q.fifo", message)
        #expect(try await queues.receive("q.fifo").isEmpty)
        queues.advance(seconds: 5)
        #expect(try await queues.receive("q.fifo").bodies == ["a1"])
        #expect(
            await queues.refusal("SendMessage", "q.fifo", message.with("DelaySeconds", 1))?.hasPrefix(
                "InvalidParameterValue: Value 1 for parameter DelaySeconds is invalid") == true)
    }

    @Test("a handle whose time is over changes and deletes nothing")
    func expired() async throws {
        let queues = try await queues([("a1", "a")])
        let message = try #require(try await queues.receive("q.fifo", visibility: 1).first)
        queues.advance(seconds: 2)
        #expect(await queues.change(message, in: "q.fifo", to: 9)?.hasPrefix("InvalidParameterValue") == true)
        #expect(await queues.delete(message, from: "q.fifo")?.hasPrefix("InvalidParameterValue") == true)
        #expect(try await queues.receive("q.fifo").bodies == ["a1"])
    }

    @Test("are made with True as with true, and are the same again by what they mean")
    func attributes() async throws {
        let queues = try TestQueues()
        try await queues.make("dead.fifo", ["FifoQueue": "True"])
        let policy = #"{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:123456789012:dead.fifo","maxReceiveCount":3}"#
        let same = #"{"maxReceiveCount": 3, "deadLetterTargetArn": "arn:aws:sqs:us-east-1:123456789012:dead.fifo"}"#
        try await queues.make(
            "q.fifo", ["FifoQueue": "TRUE", "ContentBasedDeduplication": "True", "RedrivePolicy": .string(policy)])
        try await queues.make(
            "q.fifo", ["FifoQueue": "true", "ContentBasedDeduplication": "true", "RedrivePolicy": .string(same)])
        let shown = try await queues.call("GetQueueAttributes", "q.fifo", ["AttributeNames": ["All"]])["Attributes"]
        #expect(shown?["FifoQueue"] == "true")
        #expect(shown?["ContentBasedDeduplication"] == "true")
        #expect(
            await queues.refusal(
                "CreateQueue", nil,
                ["QueueName": "q.fifo", "Attributes": ["FifoQueue": "true", "ContentBasedDeduplication": "False"]])?
                .hasPrefix("QueueAlreadyExists") == true)
        for text in ["yes", "1", "False"] {
            #expect(
                await queues.refusal(
                    "CreateQueue", nil, ["QueueName": "x.fifo", "Attributes": ["FifoQueue": .string(text)]])
                    == "InvalidAttributeValue: Invalid value for the parameter FifoQueue.")
        }
    }
}

extension JSONValue {
    fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue {
        var changed = object ?? JSONObject()
        changed.set(name, to: value)
        return .object(changed)
    }
}
