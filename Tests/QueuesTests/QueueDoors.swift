import JSON
import PostgresSupport
import Store
import TestSupport
import Testing

@testable import Queues

/// The rule of docs/architecture.md, "What may hold a loop or the writer". Bodies of more than 64 kB are read beside the loop, with all
/// that follows from them.
@Suite("No request for queues holds")
struct QueueDoors {
    private static let operations = (try? TestQueues()).map { QueueService($0.queues).table.rows.map(\.name) } ?? []
    private static let onLoopBytesMax = 64 << 10
    private static let long = String(repeating: "a", count: QueueLimits.messageBytesMax - 100_000)

    private static func list(_ count: Int, _ element: (Int) -> JSONValue) -> JSONValue {
        .array((0..<count).map(element))
    }

    private static func object(_ count: Int, _ name: (Int) -> String, _ value: JSONValue) -> JSONValue {
        .object(JSONObject((0..<count).map { (name($0), value) }))
    }

    private static let attributes: JSONValue = object(
        QueueLimits.attributesMax, { String(repeating: "n", count: 200) + "\($0)" },
        ["DataType": "String", "StringValue": .string(String(repeating: "v", count: 5_000))])

    private static let handle = ReceiptHandle(queue: 1, number: 1, receipt: 1).text

    private static func entries(_ more: JSONValue) -> JSONValue {
        list(QueueLimits.batchMax) { number in
            var entry = more.object ?? JSONObject()
            entry.set("Id", to: .string("e\(number)"))
            return .object(entry)
        }
    }

    /// The worst requests of an operation that are read on the loop.
    private static func requests(of operation: String) -> [JSONValue] {
        let names = list(6_000) { .string("name.\($0).*") }
        switch operation {
        case "CreateQueue":
            return [
                ["QueueName": "new", "Attributes": object(2_000, { "attribute \($0)" }, "x")],
                ["QueueName": "new", "tags": object(2_000, { "tag \($0)" }, "x")],
            ]
        case "GetQueueUrl": return [["QueueName": .string(String(repeating: "q", count: onLoopBytesMax))]]
        case "ListQueues": return [["QueueNamePrefix": "q", "MaxResults": 1_000], [:]]
        case "GetQueueAttributes": return [["AttributeNames": names]]
        case "SetQueueAttributes":
            return [["Attributes": object(2_000, { "attribute \($0)" }, "x")], ["Attributes": ["Policy": names]]]
        case "ListQueueTags", "DeleteQueue", "PurgeQueue", "ListDeadLetterSourceQueues": return [[:]]
        case "AddPermission":
            return [
                ["Label": "l", "AWSAccountIds": list(6_000) { _ in "123456789012" }, "Actions": ["SendMessage"]],
                ["Label": "l", "AWSAccountIds": ["123456789012"], "Actions": names],
            ]
        case "RemovePermission": return [["Label": .string(String(repeating: "l", count: onLoopBytesMax))]]
        case "StartMessageMoveTask", "ListMessageMoveTasks":
            return [["SourceArn": .string("arn:aws:sqs:" + String(repeating: ":", count: onLoopBytesMax))]]
        case "CancelMessageMoveTask": return [["TaskHandle": .string(String(repeating: "e30=", count: 16_000))]]
        case "TagQueue": return [["Tags": object(2_000, { "tag \($0)" }, "x")]]
        case "UntagQueue": return [["TagKeys": names]]
        case "SendMessage":
            return [
                ["MessageBody": .string(String(repeating: "\u{7F}", count: 30_000))],
                ["MessageBody": "m", "MessageAttributes": attributes],
                ["MessageBody": "m", "MessageAttributes": object(2_000, { "a\($0)" }, ["DataType": "String"])],
            ]
        case "SendMessageBatch":
            return [
                ["Entries": entries(["MessageBody": .string(String(repeating: "b", count: 6_000))])],
                ["Entries": list(2_000) { ["Id": .string("\($0)"), "MessageBody": "m"] }],
            ]
        case "ReceiveMessage":
            return [
                ["MaxNumberOfMessages": 10],
                ["MaxNumberOfMessages": 10, "MessageAttributeNames": names, "AttributeNames": names],
            ]
        case "DeleteMessage": return [["ReceiptHandle": .string(String(repeating: "h", count: onLoopBytesMax))]]
        case "DeleteMessageBatch": return [["Entries": entries(["ReceiptHandle": .string(handle)])]]
        case "ChangeMessageVisibility": return [["ReceiptHandle": .string(handle), "VisibilityTimeout": 1]]
        case "ChangeMessageVisibilityBatch":
            return [["Entries": entries(["ReceiptHandle": .string(handle), "VisibilityTimeout": 1])]]
        default: return []
        }
    }

    /// What every row finds: a queue of long messages with many attributes, and many other queues.
    private static func fill(_ queues: TestQueues) async throws {
        try await queues.make("long")
        for number in 0..<50 { try await queues.make("q\(number)") }
        for _ in 0..<QueueLimits.receiveMax {
            try await queues.call(
                "SendMessage", "long", ["MessageBody": .string(long), "MessageAttributes": attributes])
        }
    }

    /// Filled queues in a folder that lives as long: a copy of one database, since filling it takes longer than most rows do.
    private static func queues(in folder: TemporaryFolder) async throws -> TestQueues {
        let path = folder.file("copy.sqlite")
        try await filled.value.store.copy(to: path)
        return try TestQueues(at: .file(path))
    }

    private static let filled = Task { () async throws -> TestQueues in
        let queues = try TestQueues()
        try await fill(queues)
        return queues
    }

    /// Where a build checks everything, all of it takes longer than the mixture that times are divided by.
    private static let heldMilliseconds: Double = HeldTime.factor > 1 ? 15 : 5

    @Test(
        "a loop or the writer for long, whatever it asks",
        .enabled(if: !TestDatabase.isOnServer, TestDatabase.needsFile), arguments: operations)
    func doors(_ operation: String) async throws {
        #expect(!Self.requests(of: operation).isEmpty)
        for (row, input) in Self.requests(of: operation).enumerated() {
            // The least of some tries, since others disturb. Each begins anew: a change finds nothing to do at a second try.
            var (held, writer) = (Double.infinity, Double.infinity)
            for _ in 0..<10 where held >= Self.heldMilliseconds || writer >= 10 * Self.heldMilliseconds {
                let folder = TemporaryFolder()
                defer { withExtendedLifetime(folder) {} }
                let queues = try await Self.queues(in: folder)
                let before = try await queues.writerMilliseconds()
                held = min(held, await queues.held(operation, "long", input))
                writer = min(writer, try await queues.writerMilliseconds() - before)
            }
            #expect(held < Self.heldMilliseconds, "\(operation) \(row) holds a loop for \(held) ms")
            #expect(
                writer < 10 * Self.heldMilliseconds, "\(operation) \(row) holds the writer for \(writer) ms")
        }
    }
}
