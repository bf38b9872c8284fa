import JSON
import Testing

@testable import Items

@Suite("Key conditions and projections")
struct KeyConditionTests {
    static let partition = KeyCondition.Key(name: "id", kind: .string)
    static let sort = KeyCondition.Key(name: "n", kind: .number)

    static func range(_ text: String) throws -> KeyCondition.Range {
        var substitutions = try ExpressionSample.substitutions()
        return try substitutions.keyCondition(text).range(partitions: [partition], sorts: [sort])
    }

    static let ranges: [(String, [Int])] = [
        ("id = :a", [0, 1, 5, 10, 11]), (":a = id", [0, 1, 5, 10, 11]), ("id = :a AND n = :one", [1]),
        ("n < :five AND id = :a", [0, 1]),
        ("id = :a AND :five < n", [10, 11]), ("(id = :a AND n >= :five)", [5, 10, 11]),
        ("(id = :a) AND (n <= :five)", [0, 1, 5]),
        ("id = :a AND n BETWEEN :one AND :ten", [1, 5, 10]),
    ]

    @Test("a key condition is a value and a range", arguments: ranges)
    func holds(_ text: String, _ expected: [Int]) throws {
        let range = try Self.range(text)
        #expect(range.partition == .string("a"))
        #expect([0, 1, 5, 10, 11].filter { range.sort?.holds(for: .number(ItemNumber($0))) ?? true } == expected)
    }

    static let start = "Invalid operator used in KeyConditionExpression: "

    static let refused: [(String, String)] = [
        ("id = :a OR n = :one", start + "OR"), ("id = :a AND NOT n = :one", start + "NOT"), ("id <> :a", start + "<>"),
        ("id IN (:a)", start + "IN"), ("id = :a AND attribute_exists(n)", start + "attribute_exists"),
        ("id = :a AND contains(s, :a)", start + "contains"),
        ("id > :a AND n = :one", "Query key condition not supported"),
        ("begins_with(id, :a)", "Query key condition not supported"),
        ("id BETWEEN :a AND :s", "Query key condition not supported"),
        ("n = :one", "Query condition missed key schema element: id"),
        ("id = :a AND s = :s", "Query condition missed key schema element: n"),
        ("id = :a AND id = :a", "KeyConditionExpressions must only contain one condition per key"),
        (
            "id = n",
            "Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"
        ),
        (":a = :s", "Invalid condition in KeyConditionExpression: No key attribute specified"),
        ("size(id) = :one", "KeyConditionExpressions cannot contain nested operations"),
        ("id[0] = :a", "KeyConditionExpressions cannot have conditions on nested attributes"),
        (
            "id = :a AND begins_with(:s, s)",
            "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand"
        ),
        ("id = :one", "One or more parameter values were invalid: Condition parameter type does not match schema type"),
        (
            "id = :e",
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: id"
        ),
        ("id = :a AND", "Invalid KeyConditionExpression: " + RefusedExpressionTests.syntax("<EOF>", "AND")),
    ]

    @Test("other key conditions are refused", arguments: refused)
    func refuse(_ text: String, _ message: String) {
        let error = #expect(throws: ItemError.self) { try Self.range(text) }
        #expect(error?.message == message)
    }

    static let projected: [(String, String)] = [
        ("s", #"{"s":{"S":"hello"}}"#), ("absent", "{}"), ("#m.#k, n", #"{"m":{"M":{"k":{"S":"v"}}},"n":{"N":"5"}}"#),
        ("m.deep.els[0].x, m.k", #"{"m":{"M":{"deep":{"M":{"els":{"L":[{"M":{"x":{"N":"1"}}}]}}},"k":{"S":"v"}}}}"#),
        ("l[2], l[0]", #"{"l":{"L":[{"S":"a"},{"NULL":true}]}}"#), ("l[7], m[0], s.x", "{}"),
    ]

    @Test("projections give the parts that are there", arguments: projected)
    func project(_ text: String, _ expected: String) throws {
        var substitutions = try ExpressionSample.substitutions()
        let projection = try substitutions.projection(text)
        #expect(JSONWriter.text(of: projection.project(ExpressionSample.item).json) == expected)
    }
}
