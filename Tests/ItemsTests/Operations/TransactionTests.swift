import JSON
import Store
import Testing

@testable import Items

@Suite("Transactions of items")
struct TransactionTests {
    private static func put(_ name: String, _ condition: String = "") -> String {
        #"{"Put": {"TableName": "Things", "Item": {"p": {"S": "\#(name)"}, "s": {"N": "1"}}\#(condition)}}"#
    }

    private static let unless = #", "ConditionExpression": "attribute_not_exists(p)""#

    @Test("are made as a whole or not at all")
    func whole() async throws {
        let tables = try TestTables()
        try await tables.makeTable(stream: true)
        try await tables.done("TransactWriteItems", #"{"TransactItems": [\#(Self.put("a", Self.unless))]}"#)
        let (status, json) = await tables.call(
            "TransactWriteItems",
            #"{"TransactItems": [\#(Self.put("b")), \#(Self.put("a", Self.unless + #", "ReturnValuesOnConditionCheckFailure": "ALL_OLD""#)), \#(Self.put("c"))]}"#
        )
        #expect(status == 400)
        let reasons = try #require(json["CancellationReasons"]?.array)
        #expect(reasons.map { $0["Code"]?.string } == ["None", "ConditionalCheckFailed", "None"])
        #expect(reasons[1]["Item"] == ["p": ["S": "a"], "s": ["N": "1"]])
        #expect(try await tables.done("Scan", #"{"TableName": "Things"}"#)["Count"]?.integer == 1)
        #expect(try await TableTests.allRecords(of: "Things", in: tables).count == 1)
    }

    @Test("with a token are made once, for ten minutes")
    func tokens() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        func add(_ count: Int, _ token: String = "t") -> String {
            #"{"ClientRequestToken": "\#(token)", "TransactItems": [{"Update": {"TableName": "Things", "Key": {"p": {"S": "a"}, "s": {"N": "1"}}, "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": "\#(count)"}}}}]}"#
        }
        func number() async throws -> String? {
            try await tables.done("GetItem", #"{"TableName": "Things", "Key": {"p": {"S": "a"}, "s": {"N": "1"}}}"#)[
                "Item"]?["n"]?["N"]?.string
        }
        for _ in 0..<3 { try await tables.done("TransactWriteItems", add(1)) }
        #expect(try await number() == "1")
        #expect(await tables.refusal("TransactWriteItems", add(2)).hasPrefix("IdempotentParameterMismatchException"))
        try await tables.done("TransactWriteItems", add(2, "other"))
        #expect(try await number() == "3")
        tables.advance(milliseconds: TableLimits.tokenMilliseconds)
        try await tables.done("TransactWriteItems", add(1))
        #expect(try await number() == "4")
        #expect(
            await tables.refusal(
                "TransactWriteItems", add(1, String(repeating: "x", count: TableLimits.tokenBytesMax + 1))
            )
            .hasPrefix("ValidationException"))
    }

    @Test("and writes of one item at once lose nothing")
    func counters() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        await withTaskGroup(of: Void.self) { group in
            for place in 0..<40 {
                group.addTask {
                    let update =
                        #""TableName": "Things", "Key": {"p": {"S": "a"}, "s": {"N": "1"}}, "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": "1"}}"#
                    if place % 2 == 0 {
                        _ = await tables.call("UpdateItem", "{\(update)}")
                    } else {
                        _ = await tables.call("TransactWriteItems", #"{"TransactItems": [{"Update": {\#(update)}}]}"#)
                    }
                }
            }
        }
        let item = try await tables.done(
            "GetItem", #"{"TableName": "Things", "Key": {"p": {"S": "a"}, "s": {"N": "1"}}}"#)
        #expect(item["Item"]?["n"]?["N"]?.string == "40")
    }
}
