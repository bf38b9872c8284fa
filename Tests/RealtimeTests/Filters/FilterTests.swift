import JSON
import Testing

@testable import Realtime

@Suite("Filters")
struct FilterTests {
    struct Row: CustomTestStringConvertible {
        let filter: String
        let event: String
        let matches: Bool
        init(_ filter: String, _ event: String, _ matches: Bool) {
            (self.filter, self.event, self.matches) = (filter, event, matches)
        }
        var testDescription: String { "\(filter) \(event)" }
    }

    static let rows: [Row] = [
        Row(#"{"a":{"eq":1}}"#, #"{"a":1}"#, true), Row(#"{"a":{"eq":1}}"#, #"{"a":1.0}"#, true),
        Row(#"{"a":{"eq":1.5}}"#, #"{"a":1.5}"#, true), Row(#"{"a":{"eq":1}}"#, #"{"a":2}"#, false),
        Row(#"{"a":{"eq":"1"}}"#, #"{"a":1}"#, false), Row(#"{"a":{"eq":true}}"#, #"{"a":true}"#, true),
        Row(#"{"a":{"eq":true}}"#, #"{"a":false}"#, false), Row(#"{"a":{"eq":"x"}}"#, "{}", false),
        Row(#"{"a":{"eq":"x"}}"#, #"{"a":"X"}"#, false),
        Row(#"{"a":{"eq":"\u00e9"}}"#, #"{"a":"e\u0301"}"#, false), Row(#"{"a":{"eq":"é"}}"#, #"{"a":"\u00e9"}"#, true),
        Row(#"{"a":{"eq":null}}"#, #"{"a":null}"#, true), Row(#"{"a":{"ne":null}}"#, #"{"a":null}"#, false),
        Row(#"{"a":{"ne":1}}"#, #"{"a":2}"#, true), Row(#"{"a":{"ne":1}}"#, #"{"a":1}"#, false),
        Row(#"{"a":{"ne":1}}"#, "{}", true), Row(#"{"a":{"notIn":[1]}}"#, "{}", true),
        Row(#"{"a":{"notContains":"x"}}"#, #"{"a":null}"#, true),
        Row(#"{"a":{"lt":2}}"#, #"{"a":1}"#, true), Row(#"{"a":{"lt":2}}"#, #"{"a":2}"#, false),
        Row(#"{"a":{"le":2}}"#, #"{"a":2}"#, true), Row(#"{"a":{"le":2}}"#, #"{"a":2.5}"#, false),
        Row(#"{"a":{"gt":2}}"#, #"{"a":2.5}"#, true), Row(#"{"a":{"gt":2}}"#, #"{"a":2}"#, false),
        Row(#"{"a":{"ge":2}}"#, #"{"a":2}"#, true), Row(#"{"a":{"ge":2}}"#, #"{"a":1}"#, false),
        Row(#"{"a":{"gt":2}}"#, #"{"a":null}"#, false), Row(#"{"a":{"le":2}}"#, #"{"a":"1"}"#, false),
        // Between values of two kinds there is no order.
        Row(#"{"a":{"ge":2}}"#, #"{"a":"3"}"#, false), Row(#"{"a":{"ge":"2"}}"#, #"{"a":3}"#, false),
        Row(#"{"a":{"gt":"2"}}"#, #"{"a":true}"#, false), Row(#"{"a":{"lt":true}}"#, #"{"a":false}"#, false),
        Row(#"{"a":{"between":[1,3]}}"#, #"{"a":"2"}"#, false),
        Row(#"{"a":{"beginsWith":"ell"}}"#, #"{"a":"hello"}"#, false),
        Row(#"{"a":{"lt":"b"}}"#, #"{"a":"a"}"#, true), Row(#"{"a":{"lt":"a"}}"#, #"{"a":"B"}"#, true),
        // U+FF5E comes after U+1F600 by code units (D83D), before it by code points.
        Row(#"{"a":{"lt":"\uff5e"}}"#, #"{"a":"😀"}"#, true),
        Row(#"{"a":{"contains":"ell"}}"#, #"{"a":"hello"}"#, true),
        Row(#"{"a":{"contains":"Ell"}}"#, #"{"a":"hello"}"#, false),
        Row(#"{"a":{"contains":"llo"}}"#, #"{"a":"helllo"}"#, true),
        Row(#"{"a":{"contains":""}}"#, #"{"a":"x"}"#, true),
        Row(#"{"a":{"contains":"hello!"}}"#, #"{"a":"hello"}"#, false),
        Row(#"{"a":{"contains":"x"}}"#, #"{"a":""}"#, false),
        Row(#"{"a":{"contains":2}}"#, #"{"a":123}"#, true), Row(#"{"a":{"contains":"x"}}"#, #"{"a":["x","y"]}"#, true),
        Row(#"{"a":{"contains":"x"}}"#, #"{"a":["xy"]}"#, false),
        Row(#"{"a":{"notContains":"ell"}}"#, #"{"a":"hello"}"#, false),
        Row(#"{"a":{"notContains":"x"}}"#, #"{"a":["y"]}"#, true),
        Row(#"{"a":{"beginsWith":"Te"}}"#, #"{"a":"Test"}"#, true),
        Row(#"{"a":{"beginsWith":"te"}}"#, #"{"a":"Test"}"#, false),
        Row(#"{"a":{"beginsWith":"Te"}}"#, #"{"a":["Test"]}"#, false),
        Row(#"{"a":{"in":["x","y"]}}"#, #"{"a":"y"}"#, true), Row(#"{"a":{"in":["x"]}}"#, #"{"a":"y"}"#, false),
        Row(#"{"a":{"in":[]}}"#, #"{"a":"y"}"#, false), Row(#"{"a":{"notIn":["x"]}}"#, #"{"a":"y"}"#, true),
        Row(#"{"a":{"notIn":["x"]}}"#, #"{"a":"x"}"#, false),
        Row(#"{"a":{"between":[5,10]}}"#, #"{"a":5}"#, true), Row(#"{"a":{"between":[5,10]}}"#, #"{"a":10.0}"#, true),
        Row(#"{"a":{"between":[5,10]}}"#, #"{"a":11}"#, false),
        Row(#"{"a":{"between":["a","c"]}}"#, #"{"a":"bye"}"#, true),
        Row(#"{"a":{"containsAny":["x","y"]}}"#, #"{"a":["z","y"]}"#, true),
        Row(#"{"a":{"containsAny":["x"]}}"#, #"{"a":["z"]}"#, false),
        Row(#"{"a":{"containsAny":["x","ell"]}}"#, #"{"a":"hello"}"#, true),
        Row(#"{"a":{"ge":1,"le":2}}"#, #"{"a":3}"#, false),
        Row(#"{"a":{"ge":1},"b":{"eq":1}}"#, #"{"a":3,"b":1}"#, true),
        Row(#"{"and":[{"a":{"eq":8}},{"b":{"gt":5}}]}"#, #"{"a":8,"b":6}"#, true),
        Row(#"{"and":[{"a":{"eq":8}},{"b":{"gt":5}}]}"#, #"{"a":8,"b":5}"#, false),
        Row(#"{"or":[{"a":{"gt":5}},{"b":{"gt":5}}]}"#, #"{"a":1,"b":6}"#, true),
        Row(#"{"or":[{"a":{"gt":5}},{"b":{"gt":5}}]}"#, #"{"a":1,"b":1}"#, false),
        Row(#"{"c":{"eq":1},"or":[{"a":{"gt":5}},{"b":{"gt":5}}]}"#, #"{"a":6,"b":1,"c":2}"#, false),
        Row(
            #"{"and":[{"or":[{"a":{"eq":1}},{"a":{"eq":2}}]},{"or":[{"b":{"eq":1}},{"b":{"eq":2}}]}]}"#,
            #"{"a":2,"b":1}"#, true),
        Row(#"{"or":[{},{"a":{"eq":1}}]}"#, "{}", true), Row(#"{"and":[]}"#, "{}", true), Row("{}", "{}", true),
        Row("null", "{}", true),
    ]

    @Test("each operator says what it says", arguments: rows)
    func matches(_ row: Row) throws {
        let filter = try FilterArgument.filter(try JSONReader.value(of: row.filter))
        let event = try #require(try JSONReader.value(of: row.event).object)
        #expect((filter ?? .everything).matches(event) == row.matches)
    }

    @Test("a probe finds every event that its filter matches", arguments: rows)
    func probes(_ row: Row) throws {
        guard let filter = try FilterArgument.filter(try JSONReader.value(of: row.filter)) else { return }
        let event = try #require(try JSONReader.value(of: row.event).object)
        let isList: ([String]) -> Bool = { event.value(at: $0).array != nil }
        guard let probes = FilterProbe.probes(of: filter, isList: isList), row.matches else { return }
        #expect(probes.contains { FilterProbe.rows(of: $0.fields, in: event).contains($0.values) })
    }

    // AppSync's words, which DataStore looks for.
    static let tooManyGroups = "Filters combination exceed maximum limit 10 for subscription."
    static let tooManyConditions = "Filters exceed maximum attributes limit 5 for subscription."

    static let refusals: [(filter: String, message: String)] = [
        (#"{"a":{"in":[1,2,3,4,5,6]}}"#, "Invalid subscription filter: expected at most 5 values for in of a, found 6"),
        (
            #"{"a":{"notIn":[1,2,3,4,5,6]}}"#,
            "Invalid subscription filter: expected at most 5 values for notIn of a, found 6"
        ),
        (#"{"a":{"between":[1]}}"#, "Invalid subscription filter: expected exactly 2 values for between of a, found 1"),
        (
            #"{"a":{"between":[1,2,3]}}"#,
            "Invalid subscription filter: expected exactly 2 values for between of a, found 3"
        ),
        (
            #"{"a":{"between":null}}"#,
            "Invalid subscription filter: expected exactly 2 values for between of a, found 0"
        ),
        (#"{"a":{"like":1}}"#, "Invalid subscription filter: expected a filter operator for a, found like"),
        (#"{"a":{"eq":1,"ne":2,"lt":3,"gt":4,"le":5,"ge":6}}"#, tooManyConditions),
        (
            #"{"and":["# + "abcdef".map { #"{"\#($0)":{"eq":1}}"# }.joined(separator: ",") + "]}", tooManyConditions
        ),
        (
            #"{"or":["# + Array(repeating: #"{"a":{"eq":1}}"#, count: 11).joined(separator: ",") + "]}",
            tooManyGroups
        ),
        (
            #"{"and":["# + Array(repeating: #"{"or":[{"a":{"eq":1}},{"a":{"eq":2}}]}"#, count: 4).joined(separator: ",")
                + "]}",
            tooManyGroups
        ),
        (
            String(repeating: #"{"and":["#, count: 33) + "{}" + String(repeating: "]}", count: 33),
            "Invalid subscription filter: expected at most 32 levels of and and or, found more"
        ),
    ]

    @Test("what is beyond AppSync's limits is refused", arguments: refusals)
    func refuses(_ row: (filter: String, message: String)) throws {
        let value = try JSONReader.value(of: row.filter)
        #expect(throws: FilterArgument.Refusal(message: row.message)) { try FilterArgument.filter(value) }
    }

    @Test("ten groups of five are not too many")
    func limitsAreMet() throws {
        let group = #"{"a":{"eq":1,"ne":2,"lt":3,"gt":4,"le":5}}"#
        let value = try JSONReader.value(
            of: #"{"or":["# + Array(repeating: group, count: 10).joined(separator: ",") + "]}")
        #expect(try FilterArgument.filter(value) != nil)
    }

    static let probeRows: [(filter: EventFilter, probes: Int?)] = [
        (.equals("a", .text("x")), 1), (.equals("a", .null), 1), (.everything, nil),
        (.condition("a", .gt, [.integer(1)]), nil),
        (.all([.equals("a", .text("x")), .condition("b", .gt, [.integer(1)])]), 1),
        (.any([.equals("a", .text("x")), .equals("b", .text("y"))]), 2),
        (.any([.equals("a", .text("x")), .condition("b", .gt, [.integer(1)])]), nil),
        (.condition("a", .in, [.integer(1), .integer(2), .integer(2)]), 2),
        (.any([.equals("a", .text("x")), .condition("list", .containsAny, [.text("g"), .text("h")])]), 3),
        (.condition("a", .contains, [.text("x")]), nil), (.condition("list", .contains, [.text("x")]), 1),
        (.any((0..<33).map { .equals("a", .integer($0)) }), nil),
        (.all([.condition("a", .in, [.integer(1), .integer(2)]), .equals("b", .null)]), 2),
        (.any([]), 0),
    ]

    @Test("a filter is found by what it needs", arguments: probeRows)
    func countsProbes(_ row: (filter: EventFilter, probes: Int?)) {
        #expect(FilterProbe.probes(of: row.filter) { $0 == ["list"] }?.count == row.probes)
    }
}
