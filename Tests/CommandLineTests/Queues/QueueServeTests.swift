import Foundation
import JSON
import TestSupport
import Testing

extension SignedCall {
    /// A call of the queues.
    static func queue(_ operation: String, _ body: String, to server: HomeportProcess) -> SignedCall {
        var call = SignedCall(operation, body, to: server)
        call.api = "AmazonSQS"
        call.service = "sqs"
        call.contentType = "application/x-amz-json-1.0"
        return call
    }
}

struct QueueRefusal: Error, CustomStringConvertible {
    let description: String
}

extension HomeportProcess {
    /// What the queues answer; a refusal is one of the test.
    @discardableResult
    func queue(_ operation: String, _ body: String) throws -> JSONValue {
        let answer = try SignedCall.queue(operation, body, to: self).answer(from: self)
        guard answer.status == 200 else {
            throw QueueRefusal(description: "\(operation): \(answer.status) \(answer.body)")
        }
        return try JSONReader.value(of: answer.body)
    }

    func queueURL(_ name: String) -> String { "http://127.0.0.1:\(port)/123456789012/\(name)" }

    /// The bodies of messages that are received, which are deleted where that is asked for.
    func bodies(of queue: String, wait: Int = 0, more: String = "", deletes: Bool = false) throws -> [String] {
        let url = queueURL(queue)
        let answer = try self.queue(
            "ReceiveMessage",
            #"{"QueueUrl": "\#(url)", "MaxNumberOfMessages": 10, "WaitTimeSeconds": \#(wait)\#(more)}"#)
        let messages = answer["Messages"]?.array ?? []
        for message in messages where deletes {
            try self.queue(
                "DeleteMessage",
                #"{"QueueUrl": "\#(url)", "ReceiptHandle": "\#(message["ReceiptHandle"]?.string ?? "")"}"#)
        }
        return messages.compactMap { $0["Body"]?.string }
    }

    func send(_ body: String, to queue: String, _ more: String = "") throws {
        try self.queue("SendMessage", #"{"QueueUrl": "\#(queueURL(queue))", "MessageBody": "\#(body)"\#(more)}"#)
    }
}

/// Queues through real sockets, signed.
@Suite("Queues over HTTP")
struct QueueServeTests {
    @Test("a message is sent, received by one, hidden from others, and deleted, over a kill")
    func story() throws {
        let folder = TemporaryFolder()
        var server = try HomeportProcess(in: folder)
        let made = try server.queue("CreateQueue", #"{"QueueName": "jobs", "Attributes": {"DelaySeconds": "0"}}"#)
        #expect(made["QueueUrl"]?.string == server.queueURL("jobs"))
        // As SQS digests them.
        let sent = try server.queue(
            "SendMessage",
            #"{"QueueUrl": "\#(server.queueURL("jobs"))", "MessageBody": "hello", "MessageAttributes": {"city": {"DataType": "String", "StringValue": "Rome"}}}"#
        )
        #expect(sent["MD5OfMessageBody"] == "5d41402abc4b2a76b9719d911017c592")
        #expect(sent["MD5OfMessageAttributes"]?.string?.utf8.count == 32)
        server.signal(SIGKILL)
        _ = server.exitStatus()
        server = try HomeportProcess(in: folder)
        let received = try server.queue(
            "ReceiveMessage",
            #"{"QueueUrl": "\#(server.queueURL("jobs"))", "MessageAttributeNames": ["All"], "AttributeNames": ["All"]}"#
        )
        let message = try #require(received["Messages"]?[0])
        #expect(message["Body"] == "hello" && message["MessageId"] == sent["MessageId"])
        #expect(message["MessageAttributes"]?["city"] == ["StringValue": "Rome", "DataType": "String"])
        #expect(message["MD5OfMessageAttributes"] == sent["MD5OfMessageAttributes"])
        #expect(message["Attributes"]?["ApproximateReceiveCount"] == "1")
        #expect(try server.bodies(of: "jobs").isEmpty)
        let attributes = try server.queue(
            "GetQueueAttributes", #"{"QueueUrl": "\#(server.queueURL("jobs"))", "AttributeNames": ["All"]}"#)
        #expect(attributes["Attributes"]?["ApproximateNumberOfMessagesNotVisible"] == "1")
        #expect(attributes["Attributes"]?["QueueArn"] == "arn:aws:sqs:us-east-1:123456789012:jobs")
        let handle = try #require(message["ReceiptHandle"]?.string)
        try server.queue(
            "ChangeMessageVisibility",
            #"{"QueueUrl": "\#(server.queueURL("jobs"))", "ReceiptHandle": "\#(handle)", "VisibilityTimeout": 0}"#)
        // The old handle is good for nothing any more, and the new one deletes.
        #expect(try server.bodies(of: "jobs", deletes: true) == ["hello"])
        #expect(try server.bodies(of: "jobs", more: #", "VisibilityTimeout": 0"#).isEmpty)
    }

    @Test("who waits for a message gets it when it comes, and nobody waits longer than they said")
    func waits() async throws {
        let server = try await BlockingThread.run { Unchecked(try HomeportProcess()) }
        try await BlockingThread.run {
            _ = try server.value.queue("CreateQueue", #"{"QueueName": "jobs"}"#)
            let began = Date()
            #expect(try server.value.bodies(of: "jobs", wait: 1).isEmpty)
            #expect(Date().timeIntervalSince(began) >= 0.9)
        }
        async let waited = BlockingThread.run { try server.value.bodies(of: "jobs", wait: 20, deletes: true) }
        // One that is not yet there when somebody waits.
        try await BlockingThread.run { try server.value.send("late", to: "jobs", #", "DelaySeconds": 1"#) }
        #expect(try await waited == ["late"])
    }

    @Test("an ordered queue hands out each group in its order, one after the other, and nothing twice")
    func ordered() throws {
        let server = try HomeportProcess()
        _ = try server.queue(
            "CreateQueue",
            #"{"QueueName": "jobs.fifo", "Attributes": {"FifoQueue": "true", "ContentBasedDeduplication": "true"}}"#)
        for (body, group) in [("a1", "a"), ("b1", "b"), ("a2", "a"), ("a2", "a"), ("b2", "b")] {
            try server.send(body, to: "jobs.fifo", #", "MessageGroupId": "\#(group)""#)
        }
        func receive(_ count: Int) throws -> [JSONValue] {
            try server.queue(
                "ReceiveMessage",
                #"{"QueueUrl": "\#(server.queueURL("jobs.fifo"))", "MaxNumberOfMessages": \#(count), "AttributeNames": ["All"]}"#
            )["Messages"]?.array ?? []
        }
        let first = try receive(1)
        #expect(first.map { $0["Body"] } == ["a1"])
        // The group of the first one waits for it.
        let second = try receive(10)
        #expect(second.map { $0["Body"] } == ["b1", "b2"])
        #expect(try receive(10).isEmpty)
        try server.queue(
            "DeleteMessage",
            #"{"QueueUrl": "\#(server.queueURL("jobs.fifo"))", "ReceiptHandle": "\#(first[0]["ReceiptHandle"]?.string ?? "")"}"#
        )
        #expect(try receive(10).map { $0["Body"] } == ["a2"])
        #expect(second[0]["Attributes"]?["MessageGroupId"] == "b")
    }

    @Test("a message that was received too often goes to the queue for such, with where it came from")
    func deadLetters() throws {
        let folder = TemporaryFolder()
        try folder.write(
            #"{"queues": {"jobs": {"visibilityTimeout": 0, "deadLetterQueue": "failed", "maxReceiveCount": 2}}}"#,
            to: "homeport.json")
        let server = try HomeportProcess(["--config", "homeport.json"], in: folder)
        try server.send("poison", to: "jobs")
        #expect(try server.bodies(of: "jobs") == ["poison"])
        #expect(try server.bodies(of: "jobs") == ["poison"])
        #expect(try server.bodies(of: "jobs").isEmpty)
        let answer = try server.queue(
            "ReceiveMessage", #"{"QueueUrl": "\#(server.queueURL("failed"))", "AttributeNames": ["All"]}"#)
        #expect(answer["Messages"]?[0]?["Body"] == "poison")
        #expect(
            answer["Messages"]?[0]?["Attributes"]?["DeadLetterQueueSourceArn"]
                == "arn:aws:sqs:us-east-1:123456789012:jobs")
        let sources = try server.queue(
            "ListDeadLetterSourceQueues", #"{"QueueUrl": "\#(server.queueURL("failed"))"}"#)
        #expect(sources["queueUrls"] == [.string(server.queueURL("jobs"))])
    }

    @Test("what is wrong is told as the service words it, under both of its names")
    func refusals() throws {
        let server = try HomeportProcess()
        _ = try server.queue("CreateQueue", #"{"QueueName": "jobs"}"#)
        let url = server.queueURL("jobs")
        let long = String(repeating: "x", count: 1 << 20) + "x"
        let entries = (0..<11).map { #"{"Id": "\#($0)", "MessageBody": "x"}"# }.joined(separator: ", ")
        let rows: [(operation: String, body: String, type: String, code: String)] = [
            ("Nothing", "{}", "UnknownOperationException", "InvalidAction"),
            ("StartMessageMoves", "{}", "UnknownOperationException", "InvalidAction"),
            ("SendMessage", "[]", "SerializationException", "MalformedInput"),
            ("GetQueueUrl", #"{"QueueName": "none"}"#, "QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue"),
            (
                "SendMessage", #"{"QueueUrl": "http://x/999999999999/jobs", "MessageBody": "x"}"#, "QueueDoesNotExist",
                "AWS.SimpleQueueService.NonExistentQueue"
            ),
            (
                "ReceiveMessage", #"{"QueueUrl": "http://x/123456789012/function:f"}"#, "QueueDoesNotExist",
                "AWS.SimpleQueueService.NonExistentQueue"
            ),
            ("SendMessage", #"{"QueueUrl": "\#(url)"}"#, "MissingRequiredParameterException", "MissingParameter"),
            (
                "SendMessage", #"{"QueueUrl": "\#(url)", "MessageBody": "\#(long)"}"#, "InvalidParameterValueException",
                "InvalidParameterValue"
            ),
            (
                "SendMessage", #"{"QueueUrl": "\#(url)", "MessageBody": "\u0001"}"#, "InvalidMessageContents",
                "InvalidMessageContents"
            ),
            (
                "SendMessage", #"{"QueueUrl": "\#(url)", "MessageBody": "x", "DelaySeconds": 901}"#,
                "InvalidParameterValueException", "InvalidParameterValue"
            ),
            (
                "ReceiveMessage", #"{"QueueUrl": "\#(url)", "MaxNumberOfMessages": 11}"#,
                "InvalidParameterValueException", "InvalidParameterValue"
            ),
            (
                "ReceiveMessage", #"{"QueueUrl": "\#(url)", "WaitTimeSeconds": 21}"#, "InvalidParameterValueException",
                "InvalidParameterValue"
            ),
            (
                "DeleteMessage", #"{"QueueUrl": "\#(url)", "ReceiptHandle": "x"}"#, "ReceiptHandleIsInvalid",
                "ReceiptHandleIsInvalid"
            ),
            (
                // Which queue is meant comes first.
                "DeleteMessage", #"{"QueueUrl": "http://x/123456789012/none", "ReceiptHandle": "x"}"#,
                "QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue"
            ),
            (
                "SendMessageBatch", #"{"QueueUrl": "\#(url)", "Entries": [\#(entries)]}"#,
                "TooManyEntriesInBatchRequest", "AWS.SimpleQueueService.TooManyEntriesInBatchRequest"
            ),
            (
                "SendMessageBatch", #"{"QueueUrl": "\#(url)", "Entries": []}"#, "EmptyBatchRequest",
                "AWS.SimpleQueueService.EmptyBatchRequest"
            ),
            (
                "CreateQueue", #"{"QueueName": "a b"}"#, "InvalidParameterValueException", "InvalidParameterValue"
            ),
            (
                "CreateQueue", #"{"QueueName": "jobs", "Attributes": {"DelaySeconds": "9"}}"#, "QueueNameExists",
                "QueueAlreadyExists"
            ),
            (
                "CreateQueue", #"{"QueueName": "new", "Attributes": {"Other": "9"}}"#, "InvalidAttributeName",
                "InvalidAttributeName"
            ),
        ]
        for row in rows {
            let answer = try SignedCall.queue(row.operation, row.body, to: server).answer(from: server)
            #expect(
                answer.status == 400 && answer.body.contains("#\(row.type)\"")
                    && !answer.head.lowercased().contains("x-amzn-errortype")
                    && answer.head.lowercased().contains("x-amzn-query-error: \(row.code.lowercased());sender"),
                "\(row.operation) \(row.body.prefix(200)): \(answer.status) \(answer.head) \(answer.body)")
        }
        #expect(try server.bodies(of: "jobs").isEmpty)
        // Who has no right sees nothing, in either protocol.
        var wrong = SignedCall.queue("ListQueues", "{}", to: server)
        wrong.secret = "x"
        #expect(try wrong.answer(from: server).status == 403)
        wrong.isSigned = false
        #expect(try wrong.answer(from: server).status == 403)
    }

    @Test("the older protocol does the same by forms, at the path of a queue too")
    func forms() throws {
        let server = try HomeportProcess()
        func call(_ body: String, at path: String = "/") throws -> (status: Int, body: String) {
            var call = SignedCall.queue("", body, to: server)
            (call.hasTarget, call.path) = (false, path)
            call.contentType = "application/x-www-form-urlencoded; charset=utf-8"
            call.signed = ["content-type", "host", "x-amz-date"]
            let answer = try call.answer(from: server)
            return (answer.status, answer.body)
        }
        let made = try call(
            "Action=CreateQueue&Version=2012-11-05&QueueName=jobs&Attribute.1.Name=DelaySeconds&Attribute.1.Value=0")
        #expect(
            made.body.contains("<CreateQueueResult><QueueUrl>\(server.queueURL("jobs"))</QueueUrl></CreateQueueResult>")
        )
        let path = "/123456789012/jobs"
        let sent = try call(
            "Action=SendMessage&MessageBody=a%26b&MessageAttribute.1.Name=n&MessageAttribute.1.Value.DataType=Number&MessageAttribute.1.Value.StringValue=5",
            at: path)
        #expect(sent.status == 200 && sent.body.contains("<MD5OfMessageBody>"), "\(sent.body)")
        let received = try call(
            "Action=ReceiveMessage&MaxNumberOfMessages=2&AttributeName.1=All&MessageAttributeName.1=All", at: path)
        #expect(received.body.contains("<Message><MessageId>") && received.body.contains("<Body>a&amp;b</Body>"))
        #expect(received.body.contains("<Attribute><Name>ApproximateReceiveCount</Name><Value>1</Value></Attribute>"))
        #expect(
            received.body.contains(
                "<MessageAttribute><Name>n</Name><Value><StringValue>5</StringValue><DataType>Number</DataType></Value></MessageAttribute>"
            ), "\(received.body)")
        let batch = try call(
            "Action=SendMessageBatch&SendMessageBatchRequestEntry.1.Id=x&SendMessageBatchRequestEntry.1.MessageBody=1"
                + "&SendMessageBatchRequestEntry.2.Id=y&SendMessageBatchRequestEntry.2.MessageBody=%00", at: path)
        #expect(batch.body.contains("<SendMessageBatchResultEntry><Id>x</Id>"))
        #expect(batch.body.contains("<BatchResultErrorEntry><Id>y</Id><SenderFault>true</SenderFault>"))
        let missing = try call("Action=GetQueueUrl&QueueName=none")
        #expect(
            missing.status == 400
                && missing.body.contains("<Code>AWS.SimpleQueueService.NonExistentQueue</Code>")
                && missing.body.contains(
                    "<Message>The specified queue does not exist for this wsdl version.</Message>")
        )
    }
}
