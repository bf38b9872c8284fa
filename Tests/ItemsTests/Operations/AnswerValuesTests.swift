import JSON
import PostgresSupport
import Testing

@testable import Items

/// Who asks from within the server gets values; they are those that a client reads from the text.
@Suite("Answers as values")
struct AnswerValuesTests {
    private static let item =
        #"{"p": {"S": "p%"}, "s": {"N": "%"}, "l": {"N": "1"}, "g": {"S": "g"}, "b": {"B": "AQID"}, "n": {"N": "1.50"}, "y": {"BOOL": true}, "z": {"NULL": true}, "m": {"M": {"x": {"L": [{"S": "é"}, {"N": "2"}]}}}, "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "2.5"]}, "bs": {"BS": ["AQ=="]}}"#

    @Test("reads and writes give the same as values and as text")
    func same() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        for number in 0..<8 {
            let item = Self.item.parts(separatedBy: "%").joined(separator: "\(number % 2)")
            let other = item.parts(separatedBy: #""N": "1"}, "g""#).joined(separator: #""N": "\#(number)"}, "g""#)
            try await tables.done("PutItem", #"{"TableName": "Things", "Item": \#(other)}"#)
        }
        let key = #""Key": {"p": {"S": "p1"}, "s": {"N": "1"}}"#
        let names = ##""ExpressionAttributeNames": {"#m": "m"}"##
        for (operation, body) in [
            ("GetItem", key), ("GetItem", ##"\##(key), "ProjectionExpression": "p, #m.x[0]", \##(names)"##),
            ("GetItem", #"\#(key), "ReturnConsumedCapacity": "TOTAL""#),
            ("GetItem", #""Key": {"p": {"S": "none"}, "s": {"N": "1"}}"#),
            ("Scan", ""), ("Scan", #""Limit": 1"#), ("Scan", #""Select": "COUNT""#),
            (
                "Scan",
                #""FilterExpression": "n > :n", "ExpressionAttributeValues": {":n": {"N": "1"}}, "ReturnConsumedCapacity": "INDEXES""#
            ),
            ("Scan", #""ProjectionExpression": "s, ss""#),
            (
                "Query",
                #""KeyConditionExpression": "p = :p", "ExpressionAttributeValues": {":p": {"S": "p1"}}, "Limit": 2"#
            ),
            (
                "Query",
                #""KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": "g"}}, "IndexName": "byG", "Limit": 3"#
            ),
            ("BatchGetItem", ""),
        ] {
            let table =
                operation == "BatchGetItem"
                ? #""RequestItems": {"Things": {"Keys": [{"p": {"S": "p1"}, "s": {"N": "1"}}]}}"#
                : #""TableName": "Things""#
            let text = "{\(table)\(body.isEmpty ? "" : ", \(body)")}"
            let written = try await tables.done(operation, text)
            let request = try #require(try JSONReader.value(of: text).object)
            let values = try await tables.service.answer(operation, request, on: ItemShard())
            #expect(.object(values) == written, "\(operation) \(text)")
            guard let now = try tables.service.answerNow(operation, request, on: ItemShard()) else {
                #expect(operation != "GetItem" || TestDatabase.isOnServer)
                continue
            }
            #expect(operation == "GetItem" && .object(now) == written, "\(text)")
        }
    }

    @Test("items without the types of their values are the same from all doors, and bare")
    func plain() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        let item = Self.item.parts(separatedBy: "%").joined(separator: "1")
        try await tables.done("PutItem", #"{"TableName": "Things", "Item": \#(item)}"#)
        let bare = try JSONReader.value(
            of:
                #"{"b": "AQID", "bs": ["AQ=="], "g": "g", "l": 1, "m": {"x": ["é", 2]}, "n": 1.5, "ns": [1, 2.5], "p": "p1", "s": 1, "ss": ["a", "b"], "y": true, "z": null}"#
        )
        func ask(_ operation: String, _ body: String) async throws -> JSONObject {
            let request = try #require(try JSONReader.value(of: #"{"TableName": "Things", \#(body)}"#).object)
            return try await tables.service.answer(operation, request, isPlain: true, on: ItemShard())
        }
        let key = #""Key": {"p": {"S": "p1"}, "s": {"N": "1"}}"#
        #expect(try await ask("GetItem", key)["Item"] == bare)
        #expect(
            try await ask("GetItem", #"\#(key), "ReturnConsumedCapacity": "TOTAL""#)["ConsumedCapacity"]?[
                "CapacityUnits"]
                == 0.5)
        #expect(
            try await ask("GetItem", #"\#(key), "ProjectionExpression": "s, ns""#)["Item"] == ["s": 1, "ns": [1, 2.5]])
        for limit in ["", #", "Limit": 1"#] {
            let page = try await ask("Scan", #""ConsistentRead": true\#(limit)"#)
            #expect(page["Items"] == [bare])
            // Where a page goes on is for the table, not for who reads.
            #expect(limit.isEmpty || page["LastEvaluatedKey"] == ["p": ["S": "p1"], "s": ["N": "1"]])
        }
        let request = try #require(try JSONReader.value(of: #"{"TableName": "Things", \#(key)}"#).object)
        let now = try tables.service.answerNow("GetItem", request, isPlain: true, on: ItemShard())
        #expect(TestDatabase.isOnServer ? now == nil : now?["Item"] == bare)
        // As deep as values are handed on to resolvers.
        var deep = ItemValue.string("end")
        for _ in 0..<65 { deep = .list([deep]) }
        var value = deep.plain(depth: 0)
        for _ in 0..<64 { value = value.array?.first ?? "none" }
        #expect(value == [.null])
    }

    @Test("a page ends by its weight, whoever asks")
    func weight() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        let text = String(repeating: "x", count: 300_000)
        for number in 0..<5 {
            try await tables.done(
                "PutItem",
                #"{"TableName": "Things", "Item": {"p": {"S": "p"}, "s": {"N": "\#(number)"}, "t": {"S": "\#(text)"}}}"#
            )
        }
        for body in [#"{"TableName": "Things"}"#, #"{"TableName": "Things", "Select": "COUNT"}"#] {
            let request = try #require(try JSONReader.value(of: body).object)
            let values = try await tables.service.answer("Scan", request, on: ItemShard())
            #expect(values["Count"] == 4 && values["LastEvaluatedKey"] != nil)
            let written = try await tables.done("Scan", body)
            #expect(written["Count"] == 4 && written["LastEvaluatedKey"] == values["LastEvaluatedKey"])
        }
    }

    @Test("a refusal has the item and the reasons that it would be written with")
    func refusals() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        try await tables.done(
            "PutItem", #"{"TableName": "Things", "Item": {"p": {"S": "p"}, "s": {"N": "1"}, "v": {"S": "v"}}}"#)
        let request = try #require(
            try JSONReader.value(
                of:
                    #"{"TableName": "Things", "Key": {"p": {"S": "p"}, "s": {"N": "1"}}, "ConditionExpression": "attribute_not_exists(v)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}"#
            ).object)
        do throws(ItemError) {
            _ = try await tables.service.answer("DeleteItem", request, on: ItemShard())
            Issue.record("no refusal")
        } catch {
            let answer = ItemAnswer(error)
            #expect(try JSONReader.value(of: answer.body).object == answer.object)
            #expect(answer.object?["Item"]?["v"]?["S"] == "v")
        }
    }
}
