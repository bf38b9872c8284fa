import JSON
import TestSupport
import Testing

@testable import Items

@Suite("Indexes with keys of several attributes")
struct JoinedKeyTests {
    private static func table(_ keys: String, _ definitions: String) -> String {
        """
        {"TableName": "Games", "BillingMode": "PAY_PER_REQUEST",
         "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}, \(definitions)],
         "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
         "GlobalSecondaryIndexes": [{"IndexName": "byAll", "KeySchema": [\(keys)], "Projection": {"ProjectionType": "ALL"}}]}
        """
    }

    private static func element(_ name: String, _ type: String) -> String {
        #"{"AttributeName": "\#(name)", "KeyType": "\#(type)"}"#
    }

    private static func definition(_ name: String, _ kind: String) -> String {
        #"{"AttributeName": "\#(name)", "AttributeType": "\#(kind)"}"#
    }

    /// Two attributes of the partition key and three of the sort key, of each type.
    private static let games = table(
        [("h", "HASH"), ("i", "HASH"), ("r", "RANGE"), ("n", "RANGE"), ("b", "RANGE")].map(element).joined(
            separator: ","),
        [("h", "S"), ("i", "N"), ("r", "S"), ("n", "N"), ("b", "B")].map(definition).joined(separator: ","))

    private static let texts = ["a", "a\u{0}", "a\u{0}b", "a\u{1}", "aa", "ab", "b", "\u{7F}"]
    private static let numbers = ["-10", "-1", "0", "2", "10"]

    /// Every item of a text and a number, in the order of the index.
    private static func filled(_ tables: TestTables) async throws -> [(r: String, n: String)] {
        try await tables.done("CreateTable", games)
        var all: [(r: String, n: String)] = []
        for text in texts { for number in numbers { all.append((text, number)) } }
        for (place, one) in all.enumerated().reversed() {
            let text = JSONWriter.text(of: .string(one.r))
            try await tables.done(
                "PutItem",
                #"{"TableName": "Games", "Item": {"p": {"S": "\#(place)"}, "h": {"S": "x"}, "i": {"N": "1"}, "r": {"S": \#(text)}, "n": {"N": "\#(one.n)"}, "b": {"B": "AAE="}}}"#
            )
        }
        // None of these is in the partition: each has another key, or not all of it.
        for other in [
            #""h": {"S": "x"}, "i": {"N": "2"}, "r": {"S": "a"}, "n": {"N": "0"}, "b": {"B": "AA=="}"#,
            #""h": {"S": "x"}, "i": {"N": "1"}, "r": {"S": "a"}, "n": {"N": "0"}"#, #""h": {"S": "x"}"#,
        ] {
            try await tables.done(
                "PutItem", #"{"TableName": "Games", "Item": {"p": {"S": "\#(other.utf8.count)-"}, \#(other)}}"#)
        }
        return all
    }

    /// What a query finds, page by page.
    private static func found(
        _ tables: TestTables, _ condition: String, _ values: String, isForward: Bool, limit: Int
    ) async throws -> [Int] {
        var (found, start): ([Int], String) = ([], "")
        for _ in 0..<100 {
            let answer = try await tables.done(
                "Query",
                #"{"TableName": "Games", "IndexName": "byAll", "Limit": \#(limit), "ScanIndexForward": \#(isForward), "KeyConditionExpression": "h = :h AND i = :i\#(condition)", "ExpressionAttributeValues": {":h": {"S": "x"}, ":i": {"N": "1"}\#(values)}\#(start)}"#
            )
            found += (answer["Items"]?.array ?? []).compactMap { Int($0["p"]?["S"]?.string ?? "") }
            guard let last = answer["LastEvaluatedKey"] else { return found }
            start = #", "ExclusiveStartKey": \#(JSONWriter.text(of: last))"#
        }
        Issue.record("it has no end")
        return []
    }

    private static func value(_ name: String, _ text: String) -> String {
        #", ":\#(name)": {"S": \#(JSONWriter.text(of: .string(text)))}"#
    }

    @Test("are queried by the first attributes of the sort key, in the order of all of them")
    func queries() async throws {
        let tables = try TestTables()
        let all = try await Self.filled(tables)
        func places(_ isIn: (String, Double) -> Bool) -> [Int] {
            all.indices.filter { isIn(all[$0].r, Double(all[$0].n) ?? 0) }
        }
        func before(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }
        var rows: [(condition: String, values: String, expected: [Int])] = [("", "", Array(all.indices))]
        for text in Self.texts {
            let value = Self.value("r", text)
            rows += [
                (" AND r = :r", value, places { r, _ in r.utf8.elementsEqual(text.utf8) }),
                (" AND r < :r", value, places { r, _ in before(r, text) }),
                (" AND r <= :r", value, places { r, _ in !before(text, r) }),
                (" AND r > :r", value, places { r, _ in before(text, r) }),
                (" AND r >= :r", value, places { r, _ in !before(r, text) }),
                (" AND begins_with(r, :r)", value, places { r, _ in r.utf8.starts(with: text.utf8) }),
                (
                    " AND r BETWEEN :r AND :z", value + Self.value("z", "ab"),
                    places { r, _ in !before(r, text) && !before("ab", r) }
                ),
                (
                    " AND n > :n AND r = :r", value + #", ":n": {"N": "-1"}"#,
                    places { r, n in r.utf8.elementsEqual(text.utf8) && n > -1 }
                ),
                (
                    " AND r = :r AND n BETWEEN :n AND :m", value + #", ":n": {"N": "-1"}, ":m": {"N": "2"}"#,
                    places { r, n in r.utf8.elementsEqual(text.utf8) && n >= -1 && n <= 2 }
                ),
                (
                    " AND r = :r AND n = :n AND begins_with(b, :b)",
                    value + #", ":n": {"N": "2"}, ":b": {"B": "AA=="}"#,
                    places { r, n in r.utf8.elementsEqual(text.utf8) && n == 2 }
                ),
            ]
        }
        for row in rows where !row.condition.contains(bytesOf: "BETWEEN :r") || !row.expected.isEmpty {
            for limit in [3, 1_000] {
                #expect(
                    try await Self.found(tables, row.condition, row.values, isForward: true, limit: limit)
                        == row.expected,
                    "\(row.condition) \(row.values)")
                #expect(
                    try await Self.found(tables, row.condition, row.values, isForward: false, limit: limit)
                        == Array(row.expected.reversed()), "\(row.condition) \(row.values)")
            }
        }
        let scan = try await tables.done("Scan", #"{"TableName": "Games", "IndexName": "byAll"}"#)
        #expect(scan["Count"]?.integer == Int64(all.count + 1))
    }

    @Test("are described with all attributes, also when the server comes again, and filled when they come later")
    func shapes() async throws {
        let folder = TemporaryFolder()
        let before = try TestTables(at: .file("\(folder.path)/data.sqlite"))
        try await before.done("CreateTable", Self.games)
        let described = try await before.done("DescribeTable", #"{"TableName": "Games"}"#)["Table"]?[
            "GlobalSecondaryIndexes"]
        #expect(
            described?[0]?["KeySchema"]?.array?.map {
                "\($0["AttributeName"]?.string ?? "") \($0["KeyType"]?.string ?? "")"
            }
                == ["h HASH", "i HASH", "r RANGE", "n RANGE", "b RANGE"])
        try await before.done(
            "PutItem",
            #"{"TableName": "Games", "Item": {"p": {"S": "1"}, "i": {"N": "1"}, "h": {"S": "x"}}}"#)
        // Too long for the sort key of the index that comes: it is left out of it.
        try await before.done(
            "PutItem",
            #"{"TableName": "Games", "Item": {"p": {"S": "2"}, "i": {"N": "1"}, "h": {"S": "\#(String(repeating: "x", count: 1_100))"}}}"#
        )
        try await before.done(
            "UpdateTable",
            #"{"TableName": "Games", "AttributeDefinitions": [\#(Self.definition("i", "N")), \#(Self.definition("p", "S")), \#(Self.definition("h", "S"))], "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "later", "KeySchema": [\#(Self.element("i", "HASH")), \#(Self.element("p", "HASH")), \#(Self.element("h", "RANGE"))], "Projection": {"ProjectionType": "KEYS_ONLY"}}}]}"#
        )
        try await before.settle()
        try before.store.close()
        let after = try TestTables(at: .file("\(folder.path)/data.sqlite"))
        #expect(
            try await after.done("DescribeTable", #"{"TableName": "Games"}"#)["Table"]?["GlobalSecondaryIndexes"]?[0]?[
                "KeySchema"]
                == described?[0]?["KeySchema"])
        #expect(try await after.done("Scan", #"{"TableName": "Games", "IndexName": "later"}"#)["Count"] == 1)
        try await after.done("DeleteItem", #"{"TableName": "Games", "Key": {"p": {"S": "1"}}}"#)
        #expect(try await after.done("Scan", #"{"TableName": "Games", "IndexName": "later"}"#)["Count"] == 0)
        try after.store.close()
    }

    private static let five = (0..<5).map { "k\($0)" }
    private static let definitions = five.map { definition($0, "S") }.joined(separator: ",")

    @Test(
        "are refused beyond four attributes, out of order, twice, and for tables and local indexes",
        arguments: [
            (five.map { element($0, "HASH") }, "HASH"),
            ([element("p", "HASH")] + five.map { element($0, "RANGE") }, "RANGE"),
            (
                [element("k0", "HASH"), element("k1", "RANGE"), element("k2", "HASH")],
                "HASH key elements must precede RANGE"
            ),
            ([element("k0", "HASH"), element("k0", "HASH")], "same name"),
            ([element("k0", "HASH"), element("k1", "HASH"), element("k0", "RANGE")], "same name"),
            ([element("k0", "HASH"), element("k9", "HASH")], "AttributeDefinitions"),
        ])
    func refused(_ keys: [String], _ reason: String) async throws {
        let tables = try TestTables()
        let refusal = await tables.refusal("CreateTable", Self.table(keys.joined(separator: ","), Self.definitions))
        #expect(refusal.hasPrefix("ValidationException") && refusal.contains(bytesOf: reason), "\(refusal)")
        let all =
            #"{"TableName": "Games", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [\#(Self.definitions)], "KeySchema": [\#(keys.joined(separator: ","))]}"#
        #expect(await tables.refusal("CreateTable", all).hasPrefix("ValidationException"))
    }

    @Test(
        "are not queried by less than the partition key, nor by an attribute behind one that is passed over",
        arguments: [
            ("h = :h AND n = :i", "missed key schema element: i"), ("h = :h AND i > :i", "not supported"),
            ("h = :h AND i = :i AND n = :i", "missed key schema element: r"),
            ("h = :h AND i = :i AND r > :h AND n = :i", "equality"),
            ("h = :h AND i = :i AND r = :h AND b = :h", "missed key schema element: n"),
            ("h = :h AND i = :i AND x = :h", "missed key schema element: r"),
            ("h = :h AND i = :i AND r = :i", "does not match schema type"),
        ])
    func conditions(_ condition: String, _ reason: String) async throws {
        let tables = try TestTables()
        try await tables.done("CreateTable", Self.games)
        let refusal = await tables.refusal(
            "Query",
            #"{"TableName": "Games", "IndexName": "byAll", "KeyConditionExpression": "\#(condition)", "ExpressionAttributeValues": {":h": {"S": "x"}, ":i": {"N": "1"}}}"#
        )
        #expect(refusal.contains(bytesOf: reason), "\(refusal)")
    }
}
