import JSON
import Store
import TestSupport

@testable import Items

/// The worst requests of the allowed size, for each operation: what it looks at, how often, and how much of it there is.
enum ItemDoors {
    /// What every row finds: items of texts, and one of as many values as an item can have.
    static func fill(_ tables: TestTables) async throws {
        try await tables.makeTable()
        for number in 0..<4 {
            try await tables.done(
                "PutItem", #"{"TableName": "Things", "Item": {\#(key("\(number)")), "t": {"S": "\#(text)"}}}"#)
        }
        try await tables.done(
            "PutItem", #"{"TableName": "Things", "Item": {\#(key("many")), "v": {"L": [\#(nulls)]}}}"#)
    }

    /// The tables for a row of an operation, in a folder that lives as long. They are empty where no row gets to an item, and otherwise a
    /// copy of one filled database: filling it takes longer than most rows do.
    static func tables(for operation: ItemOperation, in folder: TemporaryFolder) async throws -> TestTables {
        guard requests(of: operation) != [unknown] else {
            let tables = try TestTables()
            try await tables.makeTable()
            return tables
        }
        let path = folder.file("copy.sqlite")
        try await filled.value.store.copy(to: path)
        return try TestTables(at: .file(path), decisionMilliseconds: decisionMilliseconds)
    }

    private static let filled = Task { () async throws -> TestTables in
        let tables = try TestTables()
        try await fill(tables)
        return tables
    }

    /// The time for a decision. A build with checks decides a condition on one item within it. It gives up conditions on several items,
    /// as it does with the time of a server.
    private static let decisionMilliseconds: Int64 = 2_000

    static let text = String(repeating: "a", count: 380_000)
    private static let nulls = Array(repeating: #"{"NULL": true}"#, count: 150_000).joined(separator: ",")

    static func key(_ name: String) -> String { #""p": {"S": "\#(name)"}, "s": {"N": "1"}"# }

    /// A condition that looks through a text as often as an expression has room for, or so many times, and never finds anything.
    static func condition(_ name: String, isNegated: Bool = false, tests count: Int = 140) -> String {
        let tests = (0..<count).map { _ in "contains(t,:n)" }.joined(separator: " OR ")
        return
            #""\#(name)": "\#(isNegated ? "NOT (\(tests))" : tests)", "ExpressionAttributeValues": {":n": {"S": "aaaaaaaaaaaaaaaab"}}"#
    }

    private static let comparisons: String = {
        let tests = (0..<140).map { _ in "contains(v,:n)" }.joined(separator: " OR ")
        return #""FilterExpression": "\#(tests)", "ExpressionAttributeValues": {":n": {"S": "x"}}"#
    }()

    private static let appending: String = {
        let lists = (0..<100).map { "q\($0) = list_append(v,v)" }.joined(separator: ", ")
        return #""UpdateExpression": "SET m = if_not_exists(v, v), \#(lists)""#
    }()

    private static let looking = (0..<140).map { _ in "contains(t,'aaaaaaaaaaaaaaaab')" }.joined(separator: " OR ")

    private static func statement(_ text: String) -> String {
        "{\"Statement\": \(JSONWriter.text(of: .string(text)))}"
    }

    private static let statements = (0..<StatementLimits.batchMax).map {
        statement("SELECT * FROM Things WHERE p = '\($0 % 4)\($0 < 4 ? "" : "-\($0)")' AND s = 1 AND (\(looking))")
    }.joined(separator: ",")

    /// What every operation reads before it knows what it is for.
    private static let unknown: String = {
        let values = Array(repeating: #"{"a": [[]]}"#, count: 10_000).joined(separator: ",")
        return
            #"{"TableName": "Things", "ResourceArn": "x", "StreamArn": "x", "ShardIterator": "x", "x": [\#(values)]}"#
    }()

    private static let long: String = {
        let values = Array(repeating: #"{"a": [[]]}"#, count: 30_000).joined(separator: ",")
        return #"{"TableName": "Things", "x": [\#(values)]}"#
    }()

    private static func transaction(_ what: String, count: Int, _ rest: String) -> String {
        let entries = (0..<count).map { number in
            #"{"\#(what)": {"TableName": "Things", "Key": {\#(key("\(number % 4)\(number < 4 ? "" : "-\(number)")"))}\#(rest)}}"#
        }
        return #"{"TransactItems": [\#(entries.joined(separator: ","))]}"#
    }

    /// As many paths as an expression has room for.
    private static let projection: String = {
        let paths = (0..<400).map { "v[\($0)].a" }.joined(separator: ",")
        return #""ProjectionExpression": "\#(paths)""#
    }()

    /// The rows of an operation.
    static func requests(of operation: ItemOperation) -> [String] {
        switch operation {
        case .scan:
            [
                #"{"TableName": "Things", \#(condition("FilterExpression"))}"#,
                #"{"TableName": "Things", \#(comparisons)}"#, #"{"TableName": "Things"}"#,
                #"{"TableName": "Things", "ScanFilter": {"t": {"ComparisonOperator": "CONTAINS", "AttributeValueList": [{"S": "\#(String(repeating: "a", count: 100_000))b"}]}}}"#,
            ]
        case .query:
            [
                #"{"TableName": "Things", "KeyConditions": {"p": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "0"}]}}, "QueryFilter": {"t": {"ComparisonOperator": "CONTAINS", "AttributeValueList": [{"S": "\#(String(repeating: "a", count: 100_000))b"}]}}}"#,
                #"{"TableName": "Things", "KeyConditionExpression": "p = :p", "FilterExpression": "\#((0..<140).map { _ in "contains(t,:n)" }.joined(separator: " OR "))", "ExpressionAttributeValues": {":p": {"S": "0"}, ":n": {"S": "aaab"}}}"#,
            ]
        case .getItem:
            [
                #"{"TableName": "Things", "Key": {\#(key("many"))}, "ProjectionExpression": "v"}"#,
                #"{"TableName": "Things", "Key": {\#(key("many"))}}"#,
            ]
        case .batchGetItem:
            [
                #"{"RequestItems": {"Things": {"Keys": [\#(["0", "1", "2", "3", "many"].map { "{\(key($0))}" }.joined(separator: ","))]}}}"#
            ]
        case .transactGetItems:
            [transaction("Get", count: 4, ""), transaction("Get", count: 100, ", \(projection)")]
        case .putItem:
            [
                #"{"TableName": "Things", "Item": {\#(key("0")), "t": {"S": "\#(text)"}}, \#(condition("ConditionExpression"))}"#,
                #"{"TableName": "Things", "Item": {\#(key("new")), "v": {"L": [\#(nulls)]}}}"#, long,
            ]
        case .updateItem:
            [
                #"{"TableName": "Things", "Key": {\#(key("0"))}, "UpdateExpression": "SET n = :n", \#(condition("ConditionExpression"))}"#,
                #"{"TableName": "Things", "Key": {\#(key("many"))}, \#(appending)}"#,
            ]
        case .deleteItem:
            [#"{"TableName": "Things", "Key": {\#(key("0"))}, \#(condition("ConditionExpression"))}"#]
        case .batchWriteItem:
            [
                #"{"RequestItems": {"Things": [\#((0..<8).map { #"{"PutRequest": {"Item": {\#(key("w\($0)")), "t": {"S": "\#(text)"}}}}"# }.joined(separator: ","))]}}"#
            ]
        case .transactWriteItems:
            [
                transaction("ConditionCheck", count: 4, ", \(condition("ConditionExpression"))"),
                transaction("ConditionCheck", count: 6, ", \(condition("ConditionExpression"))"),
                transaction("ConditionCheck", count: 50, ", \(condition("ConditionExpression"))"),
                transaction("ConditionCheck", count: 100, ", \(condition("ConditionExpression"))"),
            ]
        case .executeStatement:
            [
                statement("SELECT * FROM Things WHERE \(looking)"),
                statement("SELECT * FROM Things WHERE p = '0' AND (\(looking))"),
                statement("UPDATE Things SET n = 1 WHERE p = '0' AND s = 1 AND (\(looking))"),
                statement("SELECT v FROM Things WHERE \(String(repeating: "NOT ", count: 60)) p = 'many'"),
            ]
        case .batchExecuteStatement: [#"{"Statements": [\#(statements)]}"#]
        case .executeTransaction: [#"{"TransactStatements": [\#(statements)]}"#]
        case .createTable, .describeTable, .listTables, .updateTable, .deleteTable, .updateTimeToLive,
            .describeTimeToLive, .tagResource, .untagResource, .listTagsOfResource, .describeLimits,
            .describeEndpoints, .describeContinuousBackups, .describeStream, .getShardIterator, .getRecords,
            .listStreams:
            [unknown]
        }
    }
}
