import JSON
import Testing

@testable import Items

@Suite("Limits of tables")
struct TableLimitTests {
    private static func keys(_ count: Int) -> String {
        (0..<count).map { #"{"p": {"S": "\#($0)"}, "s": {"N": "1"}}"# }.joined(separator: ",")
    }

    private static func writes(_ count: Int) -> String {
        (0..<count).map { #"{"PutRequest": {"Item": {"p": {"S": "\#($0)"}, "s": {"N": "1"}}}}"# }.joined(separator: ",")
    }

    private static func puts(_ count: Int, size: Int = 0) -> String {
        let text = size > 0 ? #", "t": {"S": "\#(String(repeating: "x", count: size))"}"# : ""
        return (0..<count).map {
            #"{"Put": {"TableName": "Things", "Item": {"p": {"S": "\#($0)"}, "s": {"N": "1"}\#(text)}}}"#
        }.joined(separator: ",")
    }

    @Test("are met, and refused beyond")
    func limits() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        try await tables.done(
            "BatchGetItem", #"{"RequestItems": {"Things": {"Keys": [\#(Self.keys(TableLimits.batchKeysMax))]}}}"#)
        #expect(
            await tables.refusal(
                "BatchGetItem",
                #"{"RequestItems": {"Things": {"Keys": [\#(Self.keys(TableLimits.batchKeysMax + 1))]}}}"#
            )
            .hasSuffix(
                "'requestItems.Things.member.keys' failed to satisfy constraint: Member must have length less than or equal to 100"
            ))
        try await tables.done(
            "BatchWriteItem", #"{"RequestItems": {"Things": [\#(Self.writes(TableLimits.batchWritesMax))]}}"#)
        #expect(
            await tables.refusal(
                "BatchWriteItem", #"{"RequestItems": {"Things": [\#(Self.writes(TableLimits.batchWritesMax + 1))]}}"#
            )
            .hasSuffix(
                "'requestItems.Things.member' failed to satisfy constraint: Member must have length less than or equal to 25"
            ))
        try await tables.done(
            "TransactWriteItems", #"{"TransactItems": [\#(Self.puts(TableLimits.transactionItemsMax))]}"#)
        #expect(
            await tables.refusal(
                "TransactWriteItems", #"{"TransactItems": [\#(Self.puts(TableLimits.transactionItemsMax + 1))]}"#
            )
            .hasSuffix(
                "at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100"))
        #expect(
            await tables.refusal("TransactWriteItems", #"{"TransactItems": [\#(Self.puts(11, size: 400_000))]}"#)
                .hasSuffix("cannot exceed 4MB"))
    }

    @Test("of items hold for what updates make of them too")
    func items() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        let text = String(repeating: "x", count: 300_000)
        try await tables.done(
            "PutItem", #"{"TableName": "Things", "Item": {"p": {"S": "a"}, "s": {"N": "1"}, "t": {"S": "\#(text)"}}}"#)
        #expect(
            await tables.refusal(
                "UpdateItem",
                #"{"TableName": "Things", "Key": {"p": {"S": "a"}, "s": {"N": "1"}}, "UpdateExpression": "SET u = t"}"#)
                == "ValidationException: Item size to update has exceeded the maximum allowed size")
    }

    @Test("of batches leave the keys that are not come to")
    func largeBatches() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        let text = String(repeating: "x", count: 390_000)
        for number in 0..<50 {
            try await tables.done(
                "PutItem",
                #"{"TableName": "Things", "Item": {"p": {"S": "\#(number)"}, "s": {"N": "1"}, "t": {"S": "\#(text)"}}}"#
            )
        }
        let answer = try await tables.done(
            "BatchGetItem", #"{"RequestItems": {"Things": {"Keys": [\#(Self.keys(50))], "ConsistentRead": true}}}"#)
        let found = answer["Responses"]?["Things"]?.array?.count ?? 0
        let left = answer["UnprocessedKeys"]?["Things"]
        #expect(found > 30 && found < 50)
        #expect(found + (left?["Keys"]?.array?.count ?? 0) == 50)
        #expect(left?["ConsistentRead"] == true)
    }

    @Test("of depth are those of items", arguments: [(32, true), (33, false), (150, false), (5_000, false)])
    func depth(_ depth: Int, _ isTaken: Bool) async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        let value =
            String(repeating: #"{"L": ["#, count: depth) + #"{"N": "1"}"# + String(repeating: "]}", count: depth)
        let (status, _) = await tables.call(
            "PutItem", #"{"TableName": "Things", "Item": {"p": {"S": "a"}, "s": {"N": "1"}, "v": \#(value)}}"#)
        #expect((status == 200) == isTaken)
        #expect(status == 200 || status == 400)
    }
}
