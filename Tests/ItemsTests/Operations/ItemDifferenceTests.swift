import JSON
import PostgresSupport
import TestSupport
import Testing

@testable import Items

/// The same calls over a file and over a server.
@Suite("Items over both databases", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct ItemDifferenceTests {
    private static let table =
        #"{"TableName": "Things", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}, "#
        + #"{"AttributeName": "s", "AttributeType": "N"}, {"AttributeName": "a", "AttributeType": "S"}], "#
        + #""KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}], "#
        + #""GlobalSecondaryIndexes": [{"IndexName": "byA", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}, "#
        + #"{"AttributeName": "s", "KeyType": "RANGE"}], "Projection": {"ProjectionType": "ALL"}}]}"#

    private static let values = [
        #"{"S": "a"}"#, #"{"S": "é😀"}"#, #"{"S": ""}"#, #"{"N": "1.50"}"#, #"{"N": "-0"}"#, #"{"N": "1e30"}"#,
        #"{"N": "12345678901234567890.123"}"#, #"{"B": "AAH/"}"#, #"{"BOOL": true}"#, #"{"NULL": true}"#,
        #"{"L": [{"N": "1"}, {"S": "a"}]}"#, #"{"M": {"b": {"N": "2"}, "c": {"L": []}}}"#, #"{"SS": ["x", "y"]}"#,
        #"{"NS": ["1", "2.0"]}"#,
    ]
    private static let paths = ["a", "b", "c", "d", "c.b", "d[0]", "b[1].x"]

    /// A call with random parts. Names of expressions' values are `:v0` and so on.
    private struct Call {
        var operation = ""
        var fields: [String] = [#""TableName": "Things""#]
        private var values: [String] = []

        mutating func value(_ random: inout SeededRandom) -> String {
            values.append(ItemDifferenceTests.values.randomElement(using: &random) ?? #"{"S": "a"}"#)
            return ":v\(values.count - 1)"
        }

        private func path(_ random: inout SeededRandom) -> String {
            ItemDifferenceTests.paths.randomElement(using: &random) ?? "a"
        }

        mutating func condition(_ random: inout SeededRandom, depth: Int = 2) -> String {
            let path = path(&random)
            let choice = Int.random(in: 0..<12, using: &random)
            if depth > 0, choice < 3 {
                let left = condition(&random, depth: depth - 1)
                if choice == 2 { return "NOT (\(left))" }
                return "(\(left)) \(choice == 0 ? "AND" : "OR") (\(condition(&random, depth: depth - 1)))"
            }
            switch choice {
            case 4: return "attribute_exists(\(path))"
            case 5: return "attribute_not_exists(\(path))"
            case 6: return "begins_with(\(path), \(value(&random)))"
            case 7: return "contains(\(path), \(value(&random)))"
            case 8: return "size(\(path)) > \(value(&random))"
            case 9: return "\(path) BETWEEN \(value(&random)) AND \(value(&random))"
            case 10: return "\(path) IN (\(value(&random)), \(value(&random)))"
            default:
                let sign = ["=", "<>", "<", "<=", ">", ">="].randomElement(using: &random) ?? "="
                return "\(path) \(sign) \(value(&random))"
            }
        }

        mutating func update(_ random: inout SeededRandom) -> String {
            let path = path(&random)
            return switch Int.random(in: 0..<7, using: &random) {
            case 0: "SET \(path) = \(value(&random))"
            case 1: "SET b = if_not_exists(b, \(value(&random))), c = \(value(&random))"
            case 2: "SET d = list_append(d, \(value(&random)))"
            case 3: "SET b = b + \(value(&random))"
            case 4: "ADD b \(value(&random))"
            case 5: "DELETE b \(value(&random)) REMOVE \(path == "b" ? "c" : path)"
            default: "SET a = \(value(&random)) REMOVE \(path == "a" ? "d" : path)"
            }
        }

        static func key(_ random: inout SeededRandom) -> String {
            #""p": {"S": "k\#(Int.random(in: 0..<3, using: &random))"}, "s": {"N": "\#(Int.random(in: -2..<4, using: &random))"}"#
        }

        mutating func add(_ name: String, _ text: String) { fields.append("\"\(name)\": \(text)") }

        mutating func addExpression(_ name: String, _ text: String) { add(name, "\"\(text)\"") }

        var body: String {
            let named = values.enumerated().map { #"":v\#($0)": \#($1)"# }.joined(separator: ", ")
            return
                "{\((fields + (values.isEmpty ? [] : [#""ExpressionAttributeValues": {\#(named)}"#])).joined(separator: ", "))}"
        }

        init(_ random: inout SeededRandom) {
            let isConditional = Bool.random(using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2:
                operation = "PutItem"
                let more = ["a", "b", "c", "d"].filter { _ in Bool.random(using: &random) }.map { name in
                    // The index takes texts only, and most puts are to be taken.
                    let value = name == "a" ? #"{"S": "i"}"# : ItemDifferenceTests.values.randomElement(using: &random)
                    return "\"\(name)\": \(value ?? "")"
                }
                add("Item", "{\(([Self.key(&random)] + more).joined(separator: ", "))}")
                addExpression("ReturnValues", Bool.random(using: &random) ? "ALL_OLD" : "NONE")
            case 3...5:
                operation = "UpdateItem"
                add("Key", "{\(Self.key(&random))}")
                addExpression("UpdateExpression", update(&random))
                let returns = ["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"]
                addExpression("ReturnValues", returns.randomElement(using: &random) ?? "NONE")
            case 6:
                operation = "DeleteItem"
                add("Key", "{\(Self.key(&random))}")
                addExpression("ReturnValues", "ALL_OLD")
            case 7:
                operation = "GetItem"
                add("Key", "{\(Self.key(&random))}")
                if isConditional { addExpression("ProjectionExpression", "p, \(path(&random))") }
                return
            case 8:
                operation = "Query"
                let isIndex = Bool.random(using: &random)
                if isIndex { addExpression("IndexName", "byA") }
                fields.append(##""ExpressionAttributeNames": {"#k": "\##(isIndex ? "a" : "p")"}"##)
                values.append(isIndex ? #"{"S": "i"}"# : #"{"S": "k1"}"#)
                values.append(#"{"N": "\#(Int.random(in: -2..<4, using: &random))"}"#)
                let sign = ["<", "<=", ">", ">=", "="].randomElement(using: &random) ?? "<"
                addExpression("KeyConditionExpression", "#k = :v0 AND s \(sign) :v1")
                add("ScanIndexForward", "\(Bool.random(using: &random))")
            default:
                operation = "Scan"
            }
            if operation == "Query" || operation == "Scan" {
                add("Limit", "\(Int.random(in: 1...5, using: &random))")
                if isConditional { addExpression("FilterExpression", condition(&random)) }
            } else if isConditional {
                addExpression("ConditionExpression", condition(&random))
            }
        }
    }

    @Test("random calls with random expressions are answered alike, page by page, with their refusals")
    func calls() async throws {
        var random = SeededRandom(test: "ItemDifferenceTests")
        let both = [try TestTables(at: .memory), try TestTables(at: TestDatabase.server())]
        for tables in both { try await tables.done("CreateTable", Self.table) }
        var (taken, refused) = (0, 0)
        // Each is a call of two databases: fewer than of what looks at a text.
        for step in 0..<max(1, Fuzz.rounds(ordinarily: 8_000) / 20) {
            var call = Call(&random)
            var answers: [String]
            repeat {
                answers = []
                var next: JSONValue?
                for tables in both {
                    let (status, json) = await tables.call(call.operation, call.body)
                    if status == 200 { taken += 1 } else { refused += 1 }
                    answers.append("\(status) \(JSONWriter.text(of: json))")
                    next = json["LastEvaluatedKey"]
                }
                #expect(answers[0] == answers[1], "step \(step): \(call.operation) \(call.body)")
                guard answers[0] == answers[1], let next else { break }
                call.fields.removeAll { $0.hasPrefix(#""ExclusiveStartKey""#) }
                call.add("ExclusiveStartKey", JSONWriter.text(of: next))
            } while true
            if answers[0] != answers[1] { return }
        }
        #expect(taken > refused / 4 && refused > 0, "\(taken) taken, \(refused) refused")
    }
}
