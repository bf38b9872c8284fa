import Cloud
import JSON
import Testing

@testable import Queues

@Suite("Forms of the older protocol")
struct QueueFormTests {
    private func object(
        _ operation: String, _ parameters: [(name: String, value: String)], path: String = "/"
    ) throws -> JSONObject {
        let row = try #require(QueueService(try TestQueues().queues).table.operation(named: operation))
        return try QueueForm.wire.object(of: parameters, row.members, path: path)
    }

    @Test("numbered parameters are lists and maps, in the order of their numbers")
    func reads() throws {
        let attributes = try object(
            "GetQueueAttributes", [("QueueUrl", "u"), ("AttributeName.2", "b"), ("AttributeName.1", "a")])
        #expect(attributes == JSONObject([("QueueUrl", "u"), ("AttributeNames", ["a", "b"])]))
        let batch = try object(
            "SendMessageBatch",
            [
                ("SendMessageBatchRequestEntry.1.Id", "x"), ("SendMessageBatchRequestEntry.1.DelaySeconds", "5"),
                ("SendMessageBatchRequestEntry.1.MessageAttribute.1.Name", "n"),
                ("SendMessageBatchRequestEntry.1.MessageAttribute.1.Value.DataType", "String"),
                ("SendMessageBatchRequestEntry.1.MessageAttribute.1.Value.StringValue", "v"),
            ])
        #expect(
            batch["Entries"] == [
                [
                    "Id": "x", "DelaySeconds": 5,
                    "MessageAttributes": ["n": ["DataType": "String", "StringValue": "v"]],
                ]
            ])
        let made = try object(
            "CreateQueue",
            [
                ("QueueName", "q"), ("Attribute.1.Name", "DelaySeconds"), ("Attribute.1.Value", "5"),
                ("Tag.1.Key", "k"),
                ("Tag.1.Value", "v"),
            ])
        #expect(made["Attributes"] == ["DelaySeconds": "5"] && made["Tags"] == ["k": "v"])
    }

    @Test("a list without elements is one, as botocore writes it")
    func emptyLists() throws {
        let value = try object("ReceiveMessage", [("MessageAttributeNames", ""), ("AttributeNames", "")], path: "/a/q")
        #expect(value["MessageAttributeNames"] == [] && value["AttributeNames"] == [])
        #expect(value["QueueUrl"] == "/a/q")
    }

    @Test("a form has bounds")
    func bounds() {
        let many = Array(repeating: (name: "a", value: ""), count: QueueLimits.parametersMax + 1)
        let deep = [(name: Array(repeating: "a", count: QueueLimits.nestingMax + 1).joined(separator: "."), value: "")]
        for parameters in [many, deep] {
            #expect { try object("ListQueues", parameters) } throws: { ($0 as? CloudError)?.code == "MalformedInput" }
        }
    }
}
