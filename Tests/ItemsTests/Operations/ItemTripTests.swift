import JSON
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Items

/// How often a server is asked for a write of an item. All of these calls come alone: the first trip of each takes the turn, and the last
/// commits it.
@Suite(
    "Trips of writes of items", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct ItemTripTests {
    private let tables: TestTables

    init() async throws {
        tables = try TestTables(at: TestDatabase.server())
        try await tables.makeTable(stream: true)
    }

    /// The trips of a call: those of the two questions for them are left out.
    private func trips(_ operation: String, _ body: String) async throws -> Int64 {
        func count() async throws -> Int64 {
            try await tables.store.writer.write(turn: .items, key: nil) { session in session.tripCount }
        }
        let (first, second) = (try await count(), try await count())
        _ = await tables.call(operation, body)
        return try await count() - second - (second - first)
    }

    private static let key = #""p": {"S": "1"}, "s": {"N": "1"}"#

    @Test("a write takes one trip for what it looks at, whether or not there is an item")
    func writes() async throws {
        let put = #"{"TableName": "Things", "Item": {\#(Self.key), "g": {"S": "x"}, "l": {"N": "2"}}}"#
        for _ in 0..<2 { #expect(try await trips("PutItem", put) == 3) }
        let update = #"""
            {"TableName": "Things", "Key": {\#(Self.key)}, "UpdateExpression": "SET l = l + :one",
             "ExpressionAttributeValues": {":one": {"N": "1"}}, "ConditionExpression": "attribute_exists(p)"}
            """#
        #expect(try await trips("UpdateItem", update) == 3)
        let delete = #"{"TableName": "Things", "Key": {\#(Self.key)}}"#
        #expect(try await trips("DeleteItem", delete) == 3)
        // Where nothing is to be done, nothing is.
        #expect(try await trips("DeleteItem", delete) == 3)
        #expect(try await trips("UpdateItem", update) == 3)
    }

    @Test("the items of a transaction are asked for in one trip, and changed with its commit")
    func transactions() async throws {
        let items = (0..<20).map { number in
            #"{"Put": {"TableName": "Things", "Item": {"p": {"S": "t"}, "s": {"N": "\#(number)"}, "g": {"S": "y"}, "l": {"N": "1"}}}}"#
        }
        let body = #"{"TransactItems": [\#(items.joined(separator: ", "))]}"#
        let trips = try await trips("TransactWriteItems", body)
        #expect(trips <= 22, "\(trips)")
        let found = try await tables.done(
            "Query",
            #"""
            {"TableName": "Things", "IndexName": "byG", "KeyConditionExpression": "g = :g",
             "ExpressionAttributeValues": {":g": {"S": "y"}}}
            """#)
        #expect(found["Count"] == .integer(20))
    }

    @Test("items of one transaction of the writer get entries of their own in the indexes")
    func groups() async throws {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { [tables] in
                    _ = await tables.call(
                        "PutItem",
                        #"{"TableName": "Things", "Item": {"p": {"S": "g"}, "s": {"N": "\#(number % 50)"}, "g": {"S": "z"}, "l": {"N": "\#(number)"}}}"#
                    )
                }
            }
        }
        let found = try await tables.done(
            "Query",
            #"""
            {"TableName": "Things", "IndexName": "byG", "KeyConditionExpression": "g = :g",
             "ExpressionAttributeValues": {":g": {"S": "z"}}}
            """#)
        let numbers = found["Items"]?.array?.compactMap { $0["s"]?["N"]?.string } ?? []
        #expect(Set(texts: numbers).count == 50 && numbers.count == 50)
    }
}
