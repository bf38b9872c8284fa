import JSON
import Testing

@testable import Items

@Suite("Pages of items")
struct PageTests {
    private func tables() async throws -> TestTables {
        let tables = try TestTables()
        try await tables.makeTable()
        for number in 0..<30 {
            // Three partitions; every third item is in no index by `g`; `l` has many that are alike.
            let group = number % 3 == 2 ? "" : #", "g": {"S": "g\#(number % 2)"}"#
            try await tables.done(
                "PutItem",
                #"{"TableName": "Things", "Item": {"p": {"S": "p\#(number % 3)"}, "s": {"N": "\#(number - 15)"}, "l": {"N": "\#(number / 10)"}, "v": {"S": "x"}\#(group)}}"#
            )
        }
        return tables
    }

    /// All items of a query or a scan, page by page.
    private func all(_ tables: TestTables, _ operation: String, _ body: String, limit: Int) async throws -> [String] {
        var found: [String] = []
        var start = ""
        for _ in 0..<100 {
            let answer = try await tables.done(
                operation, #"{"TableName": "Things", "Limit": \#(limit)\#(body)\#(start)}"#)
            let items = try #require(answer["Items"]?.array)
            #expect(items.count <= limit)
            found += items.map { "\($0["p"]?["S"]?.string ?? "")/\($0["s"]?["N"]?.string ?? "")" }
            guard let last = answer["LastEvaluatedKey"] else { return found }
            start = #", "ExclusiveStartKey": \#(JSONWriter.text(of: last))"#
        }
        Issue.record("it has no end")
        return []
    }

    private static let cases: [(name: String, operation: String, body: String, count: Int)] = [
        (
            "partition", "Query",
            #", "KeyConditionExpression": "p = :p", "ExpressionAttributeValues": {":p": {"S": "p1"}}"#, 10
        ),
        (
            "partition backwards", "Query",
            #", "ScanIndexForward": false, "KeyConditionExpression": "p = :p AND s BETWEEN :a AND :b", "ExpressionAttributeValues": {":p": {"S": "p1"}, ":a": {"N": "-8"}, ":b": {"N": "7"}}"#,
            6
        ),
        (
            "local index", "Query",
            #", "IndexName": "byL", "KeyConditionExpression": "p = :p AND l >= :l", "ExpressionAttributeValues": {":p": {"S": "p0"}, ":l": {"N": "1"}}"#,
            6
        ),
        (
            "local index backwards", "Query",
            #", "IndexName": "byL", "ScanIndexForward": false, "KeyConditionExpression": "p = :p", "ExpressionAttributeValues": {":p": {"S": "p0"}}"#,
            10
        ),
        (
            "global index", "Query",
            #", "IndexName": "byG", "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": "g1"}}"#,
            10
        ),
        ("scan", "Scan", "", 30), ("scan of an index", "Scan", #", "IndexName": "byG""#, 20),
        ("scan of a local index", "Scan", #", "IndexName": "byL""#, 30),
    ]

    @Test("of any size have each item once, in the same order", arguments: cases.indices)
    func sizes(_ index: Int) async throws {
        let one = Self.cases[index]
        let tables = try await tables()
        let whole = try await all(tables, one.operation, one.body, limit: 1_000)
        #expect(whole.count == one.count, "\(one.name)")
        #expect(Set(whole.map { ByteText($0) }).count == one.count)
        for limit in [1, 2, 3, 7, one.count, one.count + 1] {
            #expect(try await all(tables, one.operation, one.body, limit: limit) == whole, "\(one.name), \(limit)")
        }
    }

    @Test("backwards are forwards turned round")
    func backwards() async throws {
        let tables = try await tables()
        let body =
            #", "IndexName": "byL", "KeyConditionExpression": "p = :p", "ExpressionAttributeValues": {":p": {"S": "p2"}}"#
        let forward = try await all(tables, "Query", body, limit: 4)
        let back = try await all(tables, "Query", body + #", "ScanIndexForward": false"#, limit: 3)
        #expect(forward == Array(back.reversed()))
    }

    @Test("of segments have each item once", arguments: [1, 2, 3, 16, 1_000_000])
    func segments(_ total: Int) async throws {
        let tables = try await tables()
        var found: [String] = []
        let segments = total > 100 ? Array(stride(from: 0, to: total, by: total / 50)) : Array(0..<total)
        for segment in segments {
            found += try await all(
                tables, "Scan", #", "Segment": \#(segment), "TotalSegments": \#(total)"#, limit: 2)
        }
        #expect(Set(found.map { ByteText($0) }).count == found.count)
        if total <= 100 { #expect(found.count == 30) }
    }

    @Test("end when they have gone through a megabyte")
    func megabyte() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        let text = String(repeating: "x", count: 300_000)
        for number in 0..<9 {
            try await tables.done(
                "PutItem",
                #"{"TableName": "Things", "Item": {"p": {"S": "p"}, "s": {"N": "\#(number)"}, "t": {"S": "\#(text)"}}}"#
            )
        }
        // What a filter leaves out has been gone through too.
        let query =
            #"{"TableName": "Things", "KeyConditionExpression": "p = :p", "FilterExpression": "attribute_not_exists(t)", "ExpressionAttributeValues": {":p": {"S": "p"}}"#
        let first = try await tables.done("Query", query + "}")
        #expect(first["Count"]?.integer == 0)
        #expect(first["ScannedCount"]?.integer == 4)
        #expect(first["LastEvaluatedKey"]?["s"]?["N"]?.string == "3")
    }
}
