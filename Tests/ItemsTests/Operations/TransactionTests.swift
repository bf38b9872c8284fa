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

    /// A transaction, the same in other words, and others that are not the same.
    private static let meant = #"""
        [{"Put": {"TableName": "Things", "Item": {"p": {"S": "a"}, "s": {"N": "1"}, "m": {"M": {"x": {"S": "1"}, "y": {"SS": ["q", "r"]}}}}}},
         {"Update": {"TableName": "Things", "Key": {"p": {"S": "b"}, "s": {"N": "1"}}, "UpdateExpression": "SET #a = :a, #b = :b",
          "ExpressionAttributeNames": {"#a": "a", "#b": "b"}, "ExpressionAttributeValues": {":a": {"NS": ["1", "2"]}, ":b": {"S": "x"}}}}]
        """#
    private static let sameMeant = #"""
        [{"Put": {"Item": {"m": {"M": {"y": {"SS": ["r", "q"]}, "x": {"S": "1"}}}, "s": {"N": "1"}, "p": {"S": "a"}}, "TableName": "Things",
          "ConditionExpression": null}},
         {"Update": {"ExpressionAttributeValues": {":b": {"S": "x"}, ":a": {"NS": ["2", "1"]}}, "UpdateExpression": "SET #a = :a, #b = :b",
          "ExpressionAttributeNames": {"#b": "b", "#a": "a"}, "Key": {"s": {"N": "1"}, "p": {"S": "b"}}, "TableName": "Things"}}]
        """#

    @Test("are known again by their token however their attributes are ordered")
    func meanings() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        func request(_ items: String) -> String { #"{"ClientRequestToken": "t", "TransactItems": \#(items)}"# }
        try await tables.done("TransactWriteItems", request(Self.meant))
        try await tables.done("TransactWriteItems", request(Self.sameMeant))
        let parts = try #require(try JSONReader.value(of: Self.meant).array)
        for other in [
            Self.meant.parts(separatedBy: #"["q", "r"]"#).joined(separator: #"["q", "s"]"#),
            Self.meant.parts(separatedBy: #"{"S": "x"}"#).joined(separator: #"{"S": "y"}"#),
            Self.meant.parts(separatedBy: #"":b": {"S": "x"}"#).joined(separator: #"":b": {"L": [{"S": "x"}]}"#),
            JSONWriter.text(of: .array(parts.reversed())),
        ] {
            #expect(
                await tables.refusal("TransactWriteItems", request(other)).hasPrefix(
                    "IdempotentParameterMismatchException"), "\(other)")
        }
    }

    @Test("make nothing of an item that is not there where they only take away")
    func taken() async throws {
        let tables = try TestTables()
        try await tables.makeTable(stream: true)
        func update(_ expression: String) -> String {
            #""TableName": "Things", "Key": {"p": {"S": "a"}, "s": {"N": "1"}}, "UpdateExpression": "\#(expression)""#
        }
        for returned in ["ALL_NEW", "ALL_OLD", "UPDATED_NEW", "UPDATED_OLD", "NONE"] {
            let answer = try await tables.done(
                "UpdateItem", #"{\#(update("REMOVE g, m.x")), "ReturnValues": "\#(returned)"}"#)
            #expect(answer == .object(JSONObject()))
        }
        try await tables.done(
            "UpdateItem",
            #"{"TableName": "Things", "Key": {"p": {"S": "a"}, "s": {"N": "1"}}, "AttributeUpdates": {"g": {"Action": "DELETE"}, "h": {"Action": "DELETE", "Value": {"SS": ["x"]}}}}"#
        )
        try await tables.done(
            "TransactWriteItems",
            #"{"TransactItems": [{"Update": {\#(update("DELETE g :g")), "ExpressionAttributeValues": {":g": {"SS": ["x"]}}}}]}"#
        )
        #expect(try await tables.done("Scan", #"{"TableName": "Things"}"#)["Count"] == 0)
        #expect(try await TableTests.allRecords(of: "Things", in: tables).isEmpty)
        try await tables.done("UpdateItem", #"{"TableName": "Things", "Key": {"p": {"S": "a"}, "s": {"N": "1"}}}"#)
        #expect(try await tables.done("Scan", #"{"TableName": "Things"}"#)["Count"] == 1)
        #expect(try await TableTests.allRecords(of: "Things", in: tables).count == 1)
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
