import JSON
import Testing

@testable import Items

@Suite("Forms before expressions")
struct LegacyFormTests {
    static func condition(_ test: String, _ values: String) -> String {
        #"{"s":{"ComparisonOperator":"\#(test)","AttributeValueList":[\#(values)]}}"#
    }

    static let filters: [(String, Bool)] = [
        (condition("EQ", #"{"S":"hello"}"#), true), (condition("NE", #"{"S":"hello"}"#), false),
        (condition("LT", #"{"S":"i"}"#), true),
        (condition("LE", #"{"S":"hello"}"#), true), (condition("GT", #"{"S":"i"}"#), false),
        (condition("GE", #"{"S":"h"}"#), true),
        (condition("BETWEEN", #"{"S":"h"},{"S":"i"}"#), true), (condition("IN", #"{"S":"h"},{"S":"hello"}"#), true),
        (condition("BEGINS_WITH", #"{"S":"he"}"#), true), (condition("CONTAINS", #"{"S":"ell"}"#), true),
        (condition("NOT_CONTAINS", #"{"S":"ell"}"#), false), (#"{"s":{"ComparisonOperator":"NULL"}}"#, false),
        (#"{"s":{"ComparisonOperator":"NOT_NULL"}}"#, true), ("{}", true),
        (#"{"x":{"ComparisonOperator":"NE","AttributeValueList":[{"S":"a"}]}}"#, true),
        (#"{"x":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"a"}]}}"#, false),
    ]

    @Test("filters hold as expressions do", arguments: filters)
    func filter(_ text: String, _ holds: Bool) throws {
        let json = try JSONReader.value(of: text)
        #expect(try Condition(filter: json, operator: nil).holds(for: ExpressionSample.item) == holds)
    }

    static let invalid = "One or more parameter values were invalid: "

    static let refused: [(String, String)] = [
        (#"{"n":{"Exists":true}}"#, invalid + "Value must be provided when Exists is true for Attribute: n"),
        (#"{"n":{}}"#, invalid + "Value must be provided when Exists is null for Attribute: n"),
        (
            #"{"n":{"Exists":false,"Value":{"N":"1"}}}"#,
            invalid + "Value cannot be used when Exists is false for Attribute: n"
        ),
        (
            #"{"n":{"AttributeValueList":[{"N":"1"}]}}"#,
            invalid + "AttributeValueList can only be used with a ComparisonOperator for Attribute: n"
        ),
        (
            #"{"n":{"ComparisonOperator":"LIKE","Value":{"N":"1"}}}"#,
            "1 validation error detected: Value 'LIKE' at 'comparisonOperator' failed to satisfy constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]"
        ),
        (
            #"{"n":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"1"},{"N":"2"}]}}"#,
            invalid + "Invalid number of argument(s) for the EQ ComparisonOperator"
        ),
        (
            #"{"n":{"ComparisonOperator":"LT","AttributeValueList":[{"L":[]}]}}"#,
            invalid + "ComparisonOperator LT is not valid for L AttributeValue type"
        ),
        (
            #"{"n":{"ComparisonOperator":"IN","AttributeValueList":[{"S":"1"},{"N":"2"}]}}"#,
            invalid + "AttributeValues inside AttributeValueList must be of same type"
        ),
    ]

    @Test("what Expected may not say", arguments: refused)
    func expected(_ text: String, _ message: String) throws {
        let json = try JSONReader.value(of: text)
        let error = #expect(throws: ItemError.self) { try Condition(expected: json, operator: nil) }
        #expect(error?.message == message)
    }

    @Test("conditions are joined by AND or OR, when there are two")
    func joining() throws {
        let two = try JSONReader.value(of: #"{"n":{"Value":{"N":"5"}},"s":{"Exists":false}}"#)
        #expect(try !Condition(expected: two, operator: nil).holds(for: ExpressionSample.item))
        #expect(try !Condition(expected: two, operator: "AND").holds(for: ExpressionSample.item))
        #expect(try Condition(expected: two, operator: "OR").holds(for: ExpressionSample.item))
        #expect(throws: ItemError.self) { try Condition(expected: two, operator: "XOR") }
        let one = try JSONReader.value(of: #"{"n":{"Value":{"N":"5"}}}"#)
        let error = #expect(throws: ItemError.self) { try Condition(expected: one, operator: "OR") }
        #expect(
            error?.message == "ConditionalOperator can only be used when Filter or Expected has two or more elements")
    }

    static let updates: [(String, String)] = [
        (#"{"n":{"Value":{"N":"1"}}}"#, #"{"n":{"N":"1"}}"#),
        (#"{"n":{"Action":"ADD","Value":{"N":"1"}}}"#, #"{"n":{"N":"6"}}"#),
        (#"{"n":{"Action":"DELETE"}}"#, #"{"n":null}"#),
        (#"{"ss":{"Action":"DELETE","Value":{"SS":["a","b"]}}}"#, #"{"ss":null}"#),
        (
            #"{"l":{"Action":"ADD","Value":{"L":[{"S":"z"}]}}}"#,
            #"{"l":{"L":[{"S":"a"},{"N":"2"},{"NULL":true},{"S":"z"}]}}"#
        ),
    ]

    @Test("updates are applied as expressions are", arguments: updates)
    func update(_ text: String, _ expected: String) throws {
        let update = try Update(legacy: JSONReader.value(of: text))
        var wanted = ExpressionSample.item
        for member in try #require(JSONReader.value(of: expected).object) {
            wanted[member.key] = member.value.isNull ? nil : try ItemValue(json: member.value)
        }
        #expect(try update.apply(to: ExpressionSample.item, key: [:]) == wanted)
    }

    static let refusedUpdates: [(String, String)] = [
        (#"{"s":{"Action":"DELETE","Value":{"SS":["a"]}}}"#, "Type mismatch for attribute to update"),
        (#"{"n":{"Action":"ADD","Value":{"SS":["a"]}}}"#, "Type mismatch for attribute to update"),
        (#"{"n":{"Action":"ADD","Value":{"S":"a"}}}"#, invalid + "ADD action is not supported for the type STRING"),
        (#"{"n":{"Action":"ADD"}}"#, invalid + "Only DELETE action is allowed when no attribute value is specified"),
        (#"{"n":{"Action":"SET","Value":{"N":"1"}}}"#, "Member must satisfy enum value set: [ADD, DELETE, PUT]"),
    ]

    @Test("what AttributeUpdates may not say", arguments: refusedUpdates)
    func refusedUpdate(_ text: String, _ message: String) throws {
        let json = try JSONReader.value(of: text)
        let error = #expect(throws: ItemError.self) {
            try Update(legacy: json).apply(to: ExpressionSample.item, key: [:])
        }
        #expect(error?.message == message)
    }

    @Test("KeyConditions and AttributesToGet")
    func others() throws {
        let keys =
            #"{"id":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]},"n":{"ComparisonOperator":"GT","AttributeValueList":[{"N":"1"}]}}"#
        let range = try KeyCondition(legacy: JSONReader.value(of: keys)).range(
            partitions: [KeyConditionTests.partition], sorts: [KeyConditionTests.sort])
        #expect(range.partition == .string("a"))
        #expect(range.sort?.holds(for: .number(ItemNumber(2))) == true)
        #expect(throws: ItemError.self) {
            try KeyCondition(legacy: [:]).range(partitions: [KeyConditionTests.partition], sorts: [])
        }
        #expect(try Projection(legacy: ["n", "t", "absent"]).project(ExpressionSample.item).names == ["n", "t"])
        #expect(throws: ItemError.self) { try Projection(legacy: []) }
        #expect(throws: ItemError.self) { try Projection(legacy: ["n", "n"]) }
    }
}
