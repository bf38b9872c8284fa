import Cloud
import JSON
import TestSupport
import Testing

@testable import Queues

@Suite("Queues answer in the service's words")
struct QueueWordTests {
    private static let deduplication =
        "InvalidParameterValue: The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided "
        + "explicitly"

    private static let noDeadLetters =
        #"{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:123456789012:none","maxReceiveCount":1}"#

    @Test(
        "a refusal says what the service says",
        arguments: [
            (
                "SendMessage", "q",
                ["MessageBody": "m", "MessageAttributes": ["a": ["DataType": "String", "StringValue": ""]]],
                "InvalidParameterValue: Message (user) attribute 'a' must contain a non-empty value of type 'String'."
            ),
            (
                "SendMessage", "q",
                ["MessageBody": "m", "MessageAttributes": ["a": ["DataType": "String", "StringValue": "\u{8}"]]],
                "InvalidParameterValue: Invalid characters found in message (user) attribute 'a'. "
                    + "\(MessageAttributes.characters)"
            ),
            (
                "DeleteMessage", "q", ["ReceiptHandle": "garbage"],
                "ReceiptHandleIsInvalid: The input receipt handle \"garbage\" is not a valid receipt handle."
            ),
            (
                "SetQueueAttributes", "q", ["Attributes": ["FifoQueue": "true"]],
                "InvalidAttributeName: Unknown Attribute FifoQueue."
            ),
            (
                "SetQueueAttributes", "q.fifo", ["Attributes": ["FifoQueue": "false"]],
                "InvalidAttributeValue: Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported."
            ),
            (
                "SendMessageBatch", "q.fifo",
                ["Entries": [["Id": "a", "MessageBody": "m", "MessageDeduplicationId": "d"]]],
                "InvalidParameterValue: The request must contain the parameter MessageGroupId."
            ),
            (
                "SendMessageBatch", "q.fifo",
                [
                    "Entries": [
                        ["Id": "a", "MessageBody": "m", "MessageGroupId": "g", "MessageDeduplicationId": "d"],
                        ["Id": "b", "MessageBody": "m", "MessageGroupId": "g"],
                    ]
                ], deduplication
            ),
            (
                "CreateQueue", nil, ["QueueName": "other", "Attributes": ["FifoQueue": "false"]],
                "InvalidAttributeName: Unknown Attribute FifoQueue."
            ),
            ("SetQueueAttributes", "q.fifo", ["Attributes": ["FifoQueue": "true"]], nil),
            (
                "CreateQueue", nil, ["QueueName": "other", "Attributes": ["DeduplicationScope": "queue"]],
                "InvalidAttributeName: You can specify the DeduplicationScope only when FifoQueue is set to true."
            ),
            (
                "CreateQueue", nil, ["QueueName": "other", "Attributes": ["RedrivePolicy": .string(noDeadLetters)]],
                "InvalidParameterValue: Value \(noDeadLetters) for parameter RedrivePolicy is invalid. Reason: Dead letter target does not "
                    + "exist."
            ),
            (
                "SetQueueAttributes", "q", ["Attributes": ["RedrivePolicy": .string(noDeadLetters)]],
                "InvalidParameterValue: Value \(noDeadLetters) for parameter RedrivePolicy is invalid. Reason: Dead letter target does not "
                    + "exist."
            ),
            (
                "TagQueue", "q", ["Tags": [:]],
                "MissingParameter: The request must contain the parameter Tags."
            ),
            (
                "TagQueue", "q", ["Tags": .object(JSONObject((0...QueueLimits.tagsMax).map { ("k\($0)", "v") }))],
                "InvalidParameterValue: Too many tags added for queue q."
            ),
            (
                "UntagQueue", "q", ["TagKeys": []],
                "InvalidParameterValue: Tag keys must be between 1 and 128 characters in length."
            ),
            (
                "StartMessageMoveTask", nil, ["SourceArn": "arn:aws:sqs:us-east-1:123456789012:q"],
                "InvalidParameterValue: Source queue must be configured as a Dead Letter Queue."
            ),
            (
                "StartMessageMoveTask", nil, ["SourceArn": "arn:aws:sqs:us-east-1:123456789012:none"],
                "ResourceNotFoundException: The resource that you specified for the SourceArn parameter doesn't exist."
            ),
            (
                "CancelMessageMoveTask", nil, ["TaskHandle": "foo"],
                "InvalidParameterValue: Value for parameter TaskHandle is invalid."
            ),
            (
                "AddPermission", "q", ["Label": "l", "AWSAccountIds": ["123456789012"], "Actions": ["CreateQueue"]],
                "InvalidParameterValue: Value SQS:CreateQueue for parameter ActionName is invalid. Reason: Only the queue owner is "
                    + "allowed to invoke this action."
            ),
            (
                "RemovePermission", "q", ["Label": "l"],
                "InvalidParameterValue: Value l for parameter Label is invalid. Reason: can't find label."
            ),
        ] as [(String, String?, JSONValue, String?)])
    func words(operation: String, queue: String?, input: JSONValue, refusal: String?) async throws {
        let queues = try TestQueues()
        try await queues.make("q")
        try await queues.make("q.fifo", ["FifoQueue": "true"])
        #expect(await queues.refusal(operation, queue, input) == refusal)
        #expect(try await queues.receive("q.fifo").isEmpty)
    }

    @Test("a batch is as long as its bodies and attributes")
    func longBatch() async throws {
        let queues = try TestQueues()
        try await queues.make("q")
        let attribute: JSONValue = ["k": ["DataType": "String", "StringValue": "x"]]
        func refusal(_ bytes: Int) async -> String? {
            let body = JSONValue.string(String(repeating: "a", count: bytes))
            return await queues.refusal(
                "SendMessageBatch", "q",
                [
                    "Entries": [
                        ["Id": "1", "MessageBody": body, "MessageAttributes": attribute],
                        ["Id": "2", "MessageBody": "a"],
                    ]
                ])
        }
        let bytes = QueueLimits.messageBytesMax - 8
        #expect(
            await refusal(bytes)
                == "AWS.SimpleQueueService.BatchRequestTooLong: Batch requests cannot be longer than 1048576 bytes. You have sent "
                + "1048577 bytes.")
        #expect(await refusal(bytes - 1) == nil)
    }

    @Test("a key's times are shown with a key alone, and a key takes the place of the service's own")
    func keys() async throws {
        let queues = try TestQueues()
        try await queues.make("q")
        func shown() async throws -> JSONValue? {
            try await queues.call("GetQueueAttributes", "q", ["AttributeNames": ["All"]])["Attributes"]
        }
        try await queues.call(
            "SetQueueAttributes", "q",
            ["Attributes": ["KmsMasterKeyId": "k", "KmsDataKeyReusePeriodSeconds": "6000"]])
        #expect(try await shown()?["KmsDataKeyReusePeriodSeconds"] == "6000")
        #expect(try await shown()?["SqsManagedSseEnabled"] == "false")
        try await queues.call(
            "SetQueueAttributes", "q",
            ["Attributes": ["KmsMasterKeyId": "", "KmsDataKeyReusePeriodSeconds": "300"]])
        #expect(try await shown()?["KmsDataKeyReusePeriodSeconds"] == nil)
    }

    @Test("permissions are statements of the policy, by their labels, up to a number")
    func permissions() async throws {
        let queues = try TestQueues()
        try await queues.make("q")
        func add(_ label: String) async -> String? {
            await queues.refusal(
                "AddPermission", "q",
                ["Label": .string(label), "AWSAccountIds": ["123456789012"], "Actions": ["ReceiveMessage"]])
        }
        func policy() async throws -> JSONValue? {
            let attributes = try await queues.call("GetQueueAttributes", "q", ["AttributeNames": ["Policy"]])
            return try attributes["Attributes"]?["Policy"]?.string.map { try JSONReader.value(of: $0) }
        }
        #expect(await add("a") == nil)
        #expect(
            await add("a") == "InvalidParameterValue: Value a for parameter Label is invalid. Reason: Already exists.")
        let arn = "arn:aws:sqs:us-east-1:123456789012:q"
        #expect(
            try await policy() == [
                "Version": "2008-10-17", "Id": .string("\(arn)/SQSDefaultPolicy"),
                "Statement": [
                    [
                        "Sid": "a", "Effect": "Allow", "Principal": ["AWS": "arn:aws:iam::123456789012:root"],
                        "Action": "SQS:ReceiveMessage", "Resource": .string(arn),
                    ]
                ],
            ])
        for number in 1..<QueueLimits.statementsMax { #expect(await add("a\(number)") == nil) }
        #expect(await add("more")?.hasPrefix("OverLimit") == true)
        for number in 1..<QueueLimits.statementsMax {
            try await queues.call("RemovePermission", "q", ["Label": .string("a\(number)")])
        }
        try await queues.call("RemovePermission", "q", ["Label": "a"])
        #expect(try await policy() == nil)
    }

    // MARK: Moves

    private static func arn(_ name: String) -> JSONValue { .string("arn:aws:sqs:us-east-1:123456789012:\(name)") }

    /// Queues whose messages are in the queue of dead letters.
    private func dead() async throws -> TestQueues {
        let queues = try TestQueues()
        try await queues.make("dead")
        let policy = JSONValue.string(
            #"{"deadLetterTargetArn":"\#(Self.arn("dead").string ?? "")","maxReceiveCount":1}"#)
        for name in ["one", "two"] {
            try await queues.make(name, ["RedrivePolicy": policy, "VisibilityTimeout": "0"])
            try await queues.send("of \(name)", to: name)
            for _ in 0..<2 { _ = try await queues.receive(name) }
        }
        try await queues.make("other")
        return queues
    }

    private func end(of queues: TestQueues) async throws -> JSONValue? {
        var move: JSONValue?
        try await eventually("the move ends") {
            let moves = try await queues.call("ListMessageMoveTasks", nil, ["SourceArn": Self.arn("dead")])
            move = moves["Results"]?[0]
            return move?["Status"] != "RUNNING"
        }
        return move
    }

    @Test("dead letters go back to their queues, as new messages")
    func back() async throws {
        let queues = try await dead()
        try await queues.call("StartMessageMoveTask", nil, ["SourceArn": Self.arn("dead")])
        let move = try await end(of: queues)
        #expect(move?["Status"] == "COMPLETED" && move?["ApproximateNumberOfMessagesMoved"] == 2)
        #expect(move?["TaskHandle"] == nil && move?["DestinationArn"] == nil)
        for name in ["one", "two"] {
            let messages = try await queues.receive(name)
            #expect(messages.bodies == ["of \(name)"])
            #expect(messages[0]["Attributes"]?["ApproximateReceiveCount"] == "1")
        }
        #expect(try await queues.receive("dead").isEmpty)
    }

    @Test("dead letters go to another queue, one move at a time, until somebody cancels it")
    func other() async throws {
        let queues = try await dead()
        let started = try await queues.call(
            "StartMessageMoveTask", nil,
            ["SourceArn": Self.arn("dead"), "DestinationArn": Self.arn("other"), "MaxNumberOfMessagesPerSecond": 1])
        #expect(
            await queues.refusal("StartMessageMoveTask", nil, ["SourceArn": Self.arn("dead")])
                == "InvalidParameterValue: There is already a task running. Only one active task is allowed for a source queue arn at "
                + "a given time.")
        try await queues.call("CancelMessageMoveTask", nil, ["TaskHandle": started["TaskHandle"] ?? .null])
        let moves = try await queues.call("ListMessageMoveTasks", nil, ["SourceArn": Self.arn("dead")])
        #expect(["CANCELLING", "CANCELLED"].contains(moves["Results"]?[0]?["Status"]))
        #expect(try await queues.receive("other").count < 2)
    }

    @Test("a restart forgets no move: one that ended is as it was, and one that ran has failed")
    func restarted() async throws {
        let queues = try await dead()
        try await queues.call("StartMessageMoveTask", nil, ["SourceArn": Self.arn("dead")])
        let ended = try await end(of: queues)
        // One a second: it does not end before it is looked at.
        for number in 0..<100 { try await queues.send("\(number)", to: "dead") }
        let running = try await queues.call(
            "StartMessageMoveTask", nil,
            ["SourceArn": Self.arn("dead"), "DestinationArn": Self.arn("other"), "MaxNumberOfMessagesPerSecond": 1])
        let next = try TestQueues(over: queues.store)
        let moves = try await next.call("ListMessageMoveTasks", nil, ["SourceArn": Self.arn("dead"), "MaxResults": 10])
        #expect(moves["Results"]?.array?.count == 2)
        #expect(moves["Results"]?[0]?["Status"] == "FAILED")
        #expect(
            moves["Results"]?[0]?["FailureReason"] == "The server was restarted while messages were moved.")
        #expect(moves["Results"]?[0]?["DestinationArn"] == Self.arn("other"))
        #expect(moves["Results"]?[1] == ended)
        // The messages that were not moved can be moved by another task.
        try await next.call(
            "StartMessageMoveTask", nil, ["SourceArn": Self.arn("dead"), "DestinationArn": Self.arn("other")])
        try await queues.call("CancelMessageMoveTask", nil, ["TaskHandle": running["TaskHandle"] ?? .null])
    }

    @Test("a queue may be its own queue of dead letters: no message is lost, and a move ends")
    func itself() async throws {
        let queues = try TestQueues()
        try await queues.make("dead")
        let policy = #"{"deadLetterTargetArn":"\#(Self.arn("dead").string ?? "")","maxReceiveCount":1}"#
        try await queues.call(
            "SetQueueAttributes", "dead", ["Attributes": ["RedrivePolicy": .string(policy), "VisibilityTimeout": "0"]])
        try await queues.send("again", to: "dead")
        for _ in 0..<4 { #expect(try await queues.receive("dead").bodies == ["again"]) }
        try await queues.make("other")
        try await queues.call(
            "StartMessageMoveTask", nil, ["SourceArn": Self.arn("dead"), "DestinationArn": Self.arn("dead")])
        #expect(try await end(of: queues)?["ApproximateNumberOfMessagesMoved"] == 1)
        try await queues.call(
            "StartMessageMoveTask", nil, ["SourceArn": Self.arn("dead"), "DestinationArn": Self.arn("other")])
        #expect(try await end(of: queues)?["Status"] == "COMPLETED")
        #expect(try await queues.receive("other").bodies == ["again"])
    }

    @Test("a move whose messages were no dead letters fails")
    func noSource() async throws {
        let queues = try await dead()
        try await queues.send("direct", to: "dead")
        try await queues.call("StartMessageMoveTask", nil, ["SourceArn": Self.arn("dead")])
        let move = try await end(of: queues)
        #expect(move?["Status"] == "FAILED" && move?["FailureReason"] == "CouldNotDetermineMessageSource")
        #expect(try await queues.receive("dead").count == 3)
    }
}
