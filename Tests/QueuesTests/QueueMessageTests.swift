import JSON
import Store
import Testing

@testable import Queues

@Suite("Messages of queues")
struct QueueMessageTests {
    @Test("are hidden anew by a handle whose time is over, and by one of an earlier time")
    func lateChange() async throws {
        let queues = try TestQueues()
        try await queues.make("q")
        try await queues.send("m", to: "q")
        let first = try #require(try await queues.receive("q", visibility: 1).first)
        queues.advance(seconds: 2)
        #expect(await queues.change(first, in: "q", to: 10) == nil)
        #expect(try await queues.receive("q").isEmpty)
        queues.advance(seconds: 10)
        let second = try #require(try await queues.receive("q").first)
        #expect(await queues.change(first, in: "q", to: 0) == nil)
        #expect(try await queues.receive("q", visibility: 0).bodies == ["m"])
        #expect(await queues.change(second, in: "q", to: 0) == nil)
        let last = try #require(try await queues.receive("q").first)
        #expect(await queues.delete(last, from: "q") == nil)
        #expect(
            await queues.change(last, in: "q", to: 10)?.hasSuffix(
                "Reason: Message does not exist or is not available for visibility timeout change.") == true)
    }

    @Test("are taken out by any handle that they have had")
    func lateDeletion() async throws {
        let queues = try TestQueues()
        try await queues.make("q")
        try await queues.send("m", to: "q")
        let first = try #require(try await queues.receive("q", visibility: 0).first)
        let second = try #require(try await queues.receive("q", visibility: 0).first)
        #expect(first["ReceiptHandle"] != second["ReceiptHandle"])
        #expect(await queues.delete(first, from: "q") == nil)
        #expect(try await queues.receive("q").isEmpty)
        for handle in [first, second] { #expect(await queues.delete(handle, from: "q") == nil) }
    }

    @Test(
        "have the attributes that are asked for",
        arguments: [
            (["All"], ["General", "Hello", "Help.Me"]), (["*"], ["General", "Hello", "Help.Me"]),
            ([".*"], ["General", "Hello", "Help.Me"]), (["Hel.*"], ["Hello", "Help.Me"]),
            (["Hel*"], ["Hello", "Help.Me"]),
            (["Help.*"], ["Help.Me"]), (["Foo", "Help"], []), (["Foo", "Hello"], ["Hello"]), ([], []), (["AWS."], []),
        ])
    func attributes(_ asked: [String], _ names: [String]) async throws {
        let queues = try TestQueues()
        try await queues.make("q")
        let texts = ["General", "Hello", "Help.Me"].map {
            ($0, ["DataType": "String", "StringValue": "x"] as JSONValue)
        }
        try await queues.call(
            "SendMessage", "q", ["MessageBody": "m", "MessageAttributes": .object(JSONObject(texts))])
        let answer = try await queues.call(
            "ReceiveMessage", "q", ["MessageAttributeNames": .array(asked.map { .string($0) })])
        let found = answer["Messages"]?[0]?["MessageAttributes"]?.object?.keys ?? []
        #expect(found.sorted() == names)
    }

    @Test(
        "name their attributes in any alphabet",
        arguments: [
            ("attr.1øßä", true), ("名前", true), ("a b", false), ("a\u{2028}", false), ("😀", false), ("AWS.x", false),
            (".a", false),
        ])
    func names(_ name: String, _ isGood: Bool) async throws {
        let queues = try TestQueues()
        try await queues.make("q")
        let attribute: JSONValue = ["DataType": "String", "StringValue": "x"]
        let attributes = JSONObject([(name, attribute)])
        let refusal = await queues.refusal(
            "SendMessage", "q", ["MessageBody": "m", "MessageAttributes": .object(attributes)])
        #expect((refusal == nil) == isGood)
    }

    @Test("tell how often they were received in all queues, and their queue counts its own")
    func deadLetters() async throws {
        let queues = try TestQueues()
        func policy(_ name: String, _ count: Int) -> JSONValue {
            [
                "VisibilityTimeout": "0",
                "RedrivePolicy": .string(
                    #"{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:123456789012:\#(name)","maxReceiveCount":\#(count)}"#
                ),
            ]
        }
        try await queues.make("last", ["VisibilityTimeout": "0"])
        try await queues.make("dead", policy("last", 2))
        try await queues.make("q", policy("dead", 1))
        try await queues.send("m", to: "q", group: "tenant")
        var counts: [String] = []
        for queue in ["q", "q", "dead", "dead", "dead", "last"] {
            let message = try await queues.receive(queue).first
            counts.append(message?["Attributes"]?["ApproximateReceiveCount"]?.string ?? "-")
            if let message { #expect(message["Attributes"]?["MessageGroupId"] == "tenant") }
        }
        #expect(counts == ["1", "-", "2", "3", "-", "4"])
    }

    @Test("belong to the trace of the call that sends them, unless they say another")
    func traces() async throws {
        let queues = try TestQueues()
        try await queues.make("q")
        let own: JSONValue = ["AWSTraceHeader": ["DataType": "String", "StringValue": "Root=1-own"]]
        let rows: [(header: String?, attribute: JSONValue?, trace: JSONValue?)] = [
            (nil, nil, nil), ("Root=1-call", nil, "Root=1-call"), ("Root=1-call", own, "Root=1-own"),
            (nil, own, "Root=1-own"),
            (String(repeating: "x", count: QueueLimits.traceBytesMax + 1), nil, nil),
        ]
        for row in rows {
            var input = JSONObject([("MessageBody", "m")])
            if let attribute = row.attribute { input.set("MessageSystemAttributes", to: attribute) }
            let sent = try await queues.call("SendMessage", "q", .object(input), trace: row.header)
            #expect((sent["MD5OfMessageSystemAttributes"] != nil) == (row.attribute != nil))
            let message = try #require(try await queues.receive("q").first)
            #expect(message["Attributes"]?["AWSTraceHeader"] == row.trace)
            #expect(await queues.delete(message, from: "q") == nil)
        }
        let long = JSONValue.string(String(repeating: "x", count: QueueLimits.traceBytesMax + 1))
        #expect(
            await queues.refusal(
                "SendMessage", "q",
                [
                    "MessageBody": "m",
                    "MessageSystemAttributes": ["AWSTraceHeader": ["DataType": "String", "StringValue": long]],
                ])?
                .hasPrefix("InvalidParameterValue") == true)
    }

    @Test("of a database of an earlier version are there, and what was being told is told again")
    func earlierTables() async throws {
        let queues = try TestQueues()
        try await queues.store.writer.write(turn: .all, key: nil) { session in
            try session.bring(QueueTables.all)
            try session.change(
                RoomStatement(
                    "INSERT INTO _homeport_queues (name, settings, tags, created, changed) VALUES ('q', '{}', '{}', 0, 0)"
                ))
            try session.change(
                RoomStatement(
                    """
                    INSERT INTO _homeport_queue_messages
                        (queue, id, body, sender, sent, visible, expires, received, held, bytes)
                    VALUES (1, 'i', 'm', 's', 0, 9000000000000, 9000000000000, 1, 1, 1)
                    """))
        }
        try await queues.queues.begin()
        let message = try #require(try await queues.receive("q").first)
        #expect(message["Body"] == "m")
        #expect(message["Attributes"]?["ApproximateReceiveCount"] == "2")
    }
}
