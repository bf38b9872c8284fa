import JSON
import Testing

@testable import Resolvers

@Suite("Filters as expressions: util.transform")
struct FilterExpressionTests {
    /// A filter, the expression, and the names of its values.
    struct Row: Sendable, CustomTestStringConvertible {
        let filter: String
        let expression: String
        let values: String

        init(_ filter: String, _ expression: String, _ values: String = "{}") {
            self.filter = filter
            self.expression = expression
            self.values = values
        }

        var testDescription: String { filter }
    }

    static let rows = [
        Row(#"{"v":{"eq":"x"}}"#, "(#v = :v_eq)", #"{":v_eq":{"S":"x"}}"#),
        Row(#"{"v":{"ne":1}}"#, "(#v <> :v_ne)", #"{":v_ne":{"N":1}}"#),
        Row(#"{"v":{"lt":1}}"#, "(#v < :v_lt)", #"{":v_lt":{"N":1}}"#),
        Row(#"{"v":{"le":1}}"#, "(#v <= :v_le)", #"{":v_le":{"N":1}}"#),
        Row(#"{"v":{"gt":1}}"#, "(#v > :v_gt)", #"{":v_gt":{"N":1}}"#),
        Row(#"{"v":{"ge":1}}"#, "(#v >= :v_ge)", #"{":v_ge":{"N":1}}"#),
        Row(#"{"v":{"eq":null}}"#, "(#v = :v_eq)", #"{":v_eq":{"NULL":null}}"#),
        Row(#"{"v":{"eq":{"a":1}}}"#, "(#v = :v_eq)", #"{":v_eq":{"M":{"a":{"N":1}}}}"#),
        Row(#"{"v":{"contains":"x"}}"#, "(contains(#v,:v_contains))", #"{":v_contains":{"S":"x"}}"#),
        Row(#"{"v":{"notContains":"x"}}"#, "(NOT contains(#v,:v_notContains))", #"{":v_notContains":{"S":"x"}}"#),
        Row(#"{"v":{"beginsWith":"x"}}"#, "(begins_with(#v,:v_beginsWith))", #"{":v_beginsWith":{"S":"x"}}"#),
        Row(
            #"{"v":{"between":[1,9,5]}}"#, "(#v BETWEEN :v_between_start AND :v_between_end)",
            #"{":v_between_start":{"N":1},":v_between_end":{"N":9}}"#),
        Row(#"{"v":{"in":["a","b"]}}"#, "(#v IN (:v_in_0, :v_in_1))", #"{":v_in_0":{"S":"a"},":v_in_1":{"S":"b"}}"#),
        Row(#"{"v":{"in":[]}}"#, "(null)"),
        Row(#"{"v":{"attributeExists":true}}"#, "(attribute_exists(#v))"),
        Row(#"{"v":{"attributeExists":false}}"#, "(attribute_not_exists(#v))"),
        Row(
            #"{"v":{"attributeType":"stringSet"}}"#, "(attribute_type(#v,:v_attributeType))",
            #"{":v_attributeType":{"S":"SS"}}"#),
        Row(
            #"{"v":{"attributeType":"_null"}}"#, "(attribute_type(#v,:v_attributeType))",
            #"{":v_attributeType":{"S":"NULL"}}"#),
        Row(#"{"v":{"size":{"gt":2}}}"#, "(size(#v) > :v_size_gt)", #"{":v_size_gt":{"N":2}}"#),
        Row(
            #"{"v":{"size":{"between":[1,3]}}}"#,
            "(size(#v) BETWEEN :v_size_between_start AND :v_size_between_end)",
            #"{":v_size_between_start":{"N":1},":v_size_between_end":{"N":3}}"#),
        Row(
            #"{"v":{"size":{"contains":"x"}}}"#, "(contains(size(#v),:v_size_contains))",
            #"{":v_size_contains":{"S":"x"}}"#),
        Row(#"{"v":{"size":{"attributeExists":true}}}"#, "(attribute_exists(size(#v)))"),
        Row(
            #"{"v":{"size":{"gt":2,"lt":5}}}"#, "((size(#v) > :v_size_gt) AND (size(#v) < :v_size_lt))",
            #"{":v_size_gt":{"N":2},":v_size_lt":{"N":5}}"#),
        Row(#"{"v":{"size":{"size":{"gt":1}}}}"#, "(size(#v) > :v_size_size_gt)", #"{":v_size_size_gt":{"N":1}}"#),
        Row(
            #"{"v":{"ge":1,"le":5}}"#, "((#v >= :v_ge) AND (#v <= :v_le))",
            #"{":v_ge":{"N":1},":v_le":{"N":5}}"#),
        Row(
            #"{"a":{"eq":1},"b":{"eq":2}}"#, "(#a = :a_eq) AND (#b = :b_eq)",
            #"{":a_eq":{"N":1},":b_eq":{"N":2}}"#),
        Row(#"{"and":[{"a":{"eq":1}}]}"#, "(#a = :and_0_a_eq)", #"{":and_0_a_eq":{"N":1}}"#),
        Row(
            #"{"and":[{"a":{"eq":1}},{"b":{"eq":2}}]}"#, "((#a = :and_0_a_eq) AND (#b = :and_1_b_eq))",
            #"{":and_0_a_eq":{"N":1},":and_1_b_eq":{"N":2}}"#),
        Row(
            #"{"or":[{"and":[{"a":{"eq":1}},{"b":{"eq":2}}]},{"c":{"eq":3}}]}"#,
            "(((#a = :or_0_and_0_a_eq) AND (#b = :or_0_and_1_b_eq)) OR (#c = :or_1_c_eq))",
            #"{":or_0_and_0_a_eq":{"N":1},":or_0_and_1_b_eq":{"N":2},":or_1_c_eq":{"N":3}}"#),
        Row(
            #"{"and":[{"or":[{"and":[{"a":{"eq":1}}]}]}]}"#, "(#a = :and_0_or_0_and_0_a_eq)",
            #"{":and_0_or_0_and_0_a_eq":{"N":1}}"#),
        Row(
            #"{"a":{"eq":1},"and":[{"b":{"eq":2}}]}"#, "(#a = :a_eq) AND (#b = :and_0_b_eq)",
            #"{":a_eq":{"N":1},":and_0_b_eq":{"N":2}}"#),
        Row(#"{"not":{"a":{"eq":1}}}"#, "(NOT (#a = :not_a_eq))", #"{":not_a_eq":{"N":1}}"#),
        Row(#"{"not":{"not":{"a":{"eq":1}}}}"#, "(NOT (NOT (#a = :not_not_a_eq)))", #"{":not_not_a_eq":{"N":1}}"#),
        Row(
            #"{"not":{"and":[{"a":{"eq":1}},{"b":{"eq":2}}]}}"#,
            "(NOT ((#a = :not_and_0_a_eq) AND (#b = :not_and_1_b_eq)))",
            #"{":not_and_0_a_eq":{"N":1},":not_and_1_b_eq":{"N":2}}"#),
        Row(
            #"{"and":[{"not":{"a":{"eq":1}}},{"b":{"eq":2}}]}"#,
            "((NOT (#a = :and_0_not_a_eq)) AND (#b = :and_1_b_eq))",
            #"{":and_0_not_a_eq":{"N":1},":and_1_b_eq":{"N":2}}"#),
        Row(#"{"a.b":{"eq":1}}"#, "(#a.b = :a.b_eq)", #"{":a.b_eq":{"N":1}}"#),
        Row("{}", ""), Row(#"{"and":[]}"#, ""), Row(#"{"v":{}}"#, ""), Row(#"{"v":{"size":{}}}"#, ""),
        Row(#"{"not":{}}"#, "(NOT )"),
        Row(#"{"a":{"eq":1},"b":{}}"#, "(#a = :a_eq) AND ", #"{":a_eq":{"N":1}}"#),
        Row(#"{"and":[{"a":{"eq":1}},{}]}"#, "((#a = :and_0_a_eq) AND )", #"{":and_0_a_eq":{"N":1}}"#),
    ]

    @Test("a filter has one expression, as a condition too", arguments: rows)
    func expression(row: Row) throws {
        for name in ["toDynamoDBFilterExpression", "toDynamoDBConditionExpression"] {
            var calls = LibraryCalls()
            let text = try calls.run("util.transform." + name, "[\(row.filter)]")
            let value = try JSONReader.value(of: try #require(text.string))
            #expect(value["expression"]?.string == row.expression)
            #expect(value["expressionValues"] == (try JSONReader.value(of: row.values)))
        }
    }

    @Test("the names are those of fields, also of fields without operators")
    func names() throws {
        var calls = LibraryCalls()
        let text = try calls.run("util.transform.toDynamoDBFilterExpression", #"[{"a":{"eq":1},"b":{}}]"#)
        #expect(
            text
                == ##"{"expression":"(#a = :a_eq) AND ","expressionNames":{"#a":"a","#b":"b"},"expressionValues":{":a_eq":{"N":1}}}"##
        )
    }

    @Test(
        "what no expression says is null",
        arguments: [
            "[]", "[null]", "[[]]", #"["x"]"#, #"[{"v":{"foo":1}}]"#, #"[{"v":"x"}]"#, #"[{"a":{"b":{"eq":1}}}]"#,
            #"[{"and":{"a":{"eq":1}}}]"#, #"[{"and":null}]"#, #"[{"and":[{"a":{"eq":1}},null]}]"#,
            #"[{"not":[{"a":{"eq":1}}]}]"#, #"[{"v":{"between":[1]}}]"#, #"[{"v":{"between":"x"}}]"#,
            #"[{"v":{"in":"x"}}]"#, #"[{"v":{"attributeExists":"yes"}}]"#, #"[{"v":{"attributeType":"S"}}]"#,
            #"[{"v":{"size":3}}]"#,
        ])
    func none(arguments: String) throws {
        try LibraryCalls.check(LibraryRow("util.transform.toDynamoDBFilterExpression", arguments, "null"))
    }

    @Test("a filter within itself without end is refused")
    func deep() throws {
        let filter = String(repeating: #"{"and":["#, count: 150) + "{}" + String(repeating: "]}", count: 150)
        let error = try LibraryCalls.refusal("util.transform.toDynamoDBFilterExpression", "[\(filter)]")
        #expect(error?.message.contains("nested more than 100 deep") == true)
    }

    // MARK: Search

    /// A filter, and the query of OpenSearch; null: there is none.
    static let searches: [(String, String)] = [
        (
            #"{"upvotes":{"ne":15,"range":[10,20]},"title":{"eq":"hi","wildcard":"h*"}}"#,
            #"{"bool":{"must":[{"bool":{"must":[{"bool":{"must_not":{"term":{"upvotes":15}}}},{"range":{"upvotes":{"gte":10,"lte":20}}}]}},{"bool":{"must":[{"term":{"title":"hi"}},{"wildcard":{"title":"h*"}}]}}]}}"#
        ),
        (
            #"{"or":[{"a":{"gt":1}},{"a":{"lte":2},"b":{"matchPhrase":"x y"}}],"not":{"c":{"exists":true}}}"#,
            #"{"bool":{"must":[{"bool":{"should":[{"bool":{"must":[{"range":{"a":{"gt":1}}}]}},{"bool":{"must":[{"bool":{"must":[{"range":{"a":{"lte":2}}}]}},{"bool":{"must":[{"match_phrase":{"b":"x y"}}]}}]}}]}},{"bool":{"must_not":[{"bool":{"must":[{"exists":{"field":"c"}}]}}]}}]}}"#
        ),
        ("{}", #"{"bool":{"must":[]}}"#), ("null", "null"), (#"{"a":1}"#, "null"), (#"{"a":{"bogus":1}}"#, "null"),
        (#"{"a":{"range":[1]}}"#, "null"), (#"{"and":[1]}"#, "null"),
    ]

    @Test("a filter has one query of OpenSearch", arguments: searches)
    func search(filter: String, query: String) throws {
        var calls = LibraryCalls()
        let text = try calls.run("util.transform.toElasticsearchQueryDSL", "[\(filter)]").string
        let value = try JSONReader.value(of: text ?? "null")
        let expected = try JSONReader.value(of: query)
        #expect(value == expected)
    }
}
