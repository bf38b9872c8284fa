import Access
import JSON
import TestSupport
import Testing

@testable import Server

/// Calls of parameters and secrets: see docs/architecture.md, "What may hold a loop or the writer". Their work is done on a thread aside;
/// on a loop only the rights of a call are looked up, for which a body of up to 64 kB is read.
@Suite("No call of parameters or secrets holds", .serialized)
struct ParameterDoors {
    private static let onLoopBytes = BesideLoop.bytesMax
    private static let names = (0..<4_000).map { JSONValue.string("/a/\($0)") }

    /// The worst bodies that are read on a loop, whatever the operation.
    private static let bodies: [JSONValue] = [
        ["Name": .string(String(repeating: "n", count: onLoopBytes - 100))],
        ["Name": .string("arn:" + String(repeating: ":parameter/", count: 5_000))],
        ["Name": .string(String(repeating: "\u{1}", count: 10_000))], ["Names": .array(names)],
        ["SecretId": .string("arn:" + String(repeating: ":secret:-", count: 7_000))],
        ["Path": .string(String(repeating: "/", count: onLoopBytes - 100))],
        .object(JSONObject((0..<5_000).map { ("k\($0)", "x") })),
        ["Names": .array(Array(repeating: [[]], count: 10_000))],
    ]

    private static let heldMilliseconds: Double = HeldTime.factor > 1 ? 25 : 5

    @Test("a loop for long, whatever it asks")
    func rights() {
        for (row, body) in Self.bodies.enumerated() {
            let bytes = JSONWriter.bytes(of: body)
            var input: JSONValue?
            let read = HeldTime.milliseconds(tries: 2) { input = ParameterInput.value(of: bytes) }
            for operation in ParameterCalls.operations + SecretCalls.operations {
                let isParameter = ParameterCalls.operations.contains(operation)
                let held = HeldTime.milliseconds(tries: 2) {
                    _ = ParameterDemand.demands(operation, isParameter: isParameter, input)
                }
                #expect(read + held < Self.heldMilliseconds, "\(operation) \(row) holds a loop for \(read + held) ms")
            }
        }
    }

    /// The worst calls, each of which has the one thread of these services until it has ended.
    private static let calls: [(operation: String, body: JSONValue)] = [
        (
            "PutParameter",
            [
                "Name": "/a/x", "Value": .string(String(repeating: "v", count: 4_096)), "Type": "String",
                "Overwrite": true,
            ]
        ),
        ("GetParametersByPath", ["Path": "/", "Recursive": true, "MaxResults": 10]),
        ("DescribeParameters", ["MaxResults": 50]), ("GetParameters", ["Names": .array(Array(names.prefix(10)))]),
        ("DeleteParameters", ["Names": .array(Array(names.prefix(10)))]), ("GetParameter", ["Name": "/a/1"]),
        ("DeleteParameter", ["Name": "/a/11"]),
    ]

    /// How long one call may keep the others waiting: a change is a file that is written whole.
    private static let workerMilliseconds: Double = HeldTime.factor > 1 ? 500 : 100

    @Test("the thread of these services for long, with many parameters")
    func worker() throws {
        let store = ParameterStore(in: nil)
        let calls = ParameterCalls(
            store: store, given: GivenSecrets(in: "/nowhere", environment: [:], functions: []), region: "us-east-1",
            accountID: "123456789012")
        _ = try store.change { content in
            for number in 0..<2_000 {
                content.parameters[ByteText("/a/\(number)")] = JSONObject([
                    ("Type", "String"), ("Value", .string(String(repeating: "v", count: 200))), ("Version", 1),
                    ("LastModifiedDate", 0),
                ])
            }
        }
        #expect(Set(Self.calls.map(\.operation)) == Set(ParameterCalls.operations))
        for (operation, body) in Self.calls {
            let input = try ParameterInput(JSONWriter.bytes(of: body))
            let held = HeldTime.milliseconds(tries: 1) { _ = try? calls.answer(operation, input) }
            #expect(held < Self.workerMilliseconds, "\(operation) takes \(held) ms")
        }
    }
}
