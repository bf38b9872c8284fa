import Cloud
import JSON
import TestSupport
import Testing

@testable import Parameters

/// Calls of parameters and secrets: see docs/architecture.md, "What may hold a loop or the writer".
@Suite("No call of parameters or secrets holds a loop")
struct ParameterDoors {
    /// About as much as is read on a loop.
    private static let bytes = 60_000
    private static let names = (0..<4_000).map { JSONValue.string("/a/\($0)") }

    /// The worst bodies, whatever the operation.
    private static let bodies: [JSONValue] = [
        ["Name": .string(String(repeating: "n", count: bytes))],
        ["Name": .string("arn:" + String(repeating: ":parameter/", count: 5_000)), "Value": "v", "Type": "String"],
        ["Name": .string(String(repeating: "\u{1}", count: 10_000))], ["Names": .array(names)],
        ["SecretId": .string("arn:" + String(repeating: ":secret:-", count: 6_500))],
        ["Path": .string(String(repeating: "/", count: bytes))],
        .object(JSONObject((0..<5_000).map { ("k\($0)", "x") })),
        ["Names": .array(Array(repeating: [[]], count: 10_000))],
        ["Path": "/", "Recursive": true, "MaxResults": 10],
        ["Name": "/a/x", "Value": .string(String(repeating: "v", count: 4_096)), "Type": "String", "Overwrite": true],
    ]

    private static let heldMilliseconds: Double = HeldTime.factor > 1 ? 25 : 5

    @Test("whatever it asks")
    func operations() async throws {
        let services = try TestParameters()
        for number in 0..<200 {
            _ = try await TestParameters.call(
                services.parameters, "PutParameter", #"{"Name": "/a/\#(number)", "Value": "v", "Type": "String"}"#)
        }
        let loop = HeldLoop()
        for table in [services.parameters, services.secrets] {
            #expect(!table.rows.isEmpty)
            for operation in table.rows {
                for (row, body) in Self.bodies.enumerated() {
                    var held = Double.infinity
                    // Others disturb: what takes too long is looked at again.
                    for _ in 0..<10 where held >= Self.heldMilliseconds {
                        held = await loop.longestPiece { _ = try? await table.answer(operation.name, body) }
                    }
                    #expect(held < Self.heldMilliseconds, "\(operation.name) \(row) holds a loop for \(held) ms")
                }
            }
        }
    }
}
