import JSON
import Testing

@testable import Queues

@Suite("Forms of the older protocol")
struct QueueFormTests {
    @Test("numbered parameters are lists and maps, in the order of their numbers")
    func reads() throws {
        let value = try QueueForm.object(of: [
            ("QueueUrl", "u"), ("Attribute.1.Name", "DelaySeconds"), ("Attribute.1.Value", "5"),
            ("AttributeName.2", "b"), ("AttributeName.1", "a"),
            ("SendMessageBatchRequestEntry.1.Id", "x"), ("SendMessageBatchRequestEntry.1.MessageAttribute.1.Name", "n"),
            ("SendMessageBatchRequestEntry.1.MessageAttribute.1.Value.DataType", "String"),
            ("SendMessageBatchRequestEntry.1.MessageAttribute.1.Value.StringValue", "v"),
        ])
        #expect(
            value == [
                "QueueUrl": "u", "Attributes": ["DelaySeconds": "5"], "AttributeNames": ["a", "b"],
                "Entries": [["Id": "x", "MessageAttributes": ["n": ["DataType": "String", "StringValue": "v"]]]],
            ])
    }

    @Test("a list without elements is one, as botocore writes it")
    func emptyLists() throws {
        let value = try QueueForm.object(of: [
            ("MessageAttributeNames", ""), ("AttributeNames", ""), ("MessageBody", ""),
        ])
        #expect(value == ["MessageAttributeNames": [], "AttributeNames": [], "MessageBody": ""])
    }
}
