import JSON
import Testing

@testable import Resolvers

@Suite("Filters of subscriptions")
struct SubscriptionFilterTests {
    /// Arguments, and the groups: for each its filters as `field operator value`.
    static let rows: [(String, [[String]])] = [
        (#"[{"a":{"eq":1}}]"#, [["a eq 1"]]),
        (#"[{"a":{"eq":1},"b":{"eq":2}}]"#, [["a eq 1", "b eq 2"]]),
        (#"[{"and":[{"a":{"eq":1}},{"b":{"eq":2}}]}]"#, [["a eq 1", "b eq 2"]]),
        (#"[{"z":{"eq":0},"and":[{"a":{"eq":1}}]}]"#, [["z eq 0", "a eq 1"]]),
        (#"[{"loc.addr.country":{"eq":"USA"}}]"#, [[#"loc.addr.country eq "USA""#]]),
        (#"[{"a":{"eq":1,"ne":2}}]"#, [["a eq 1"], ["a ne 2"]]),
        (#"[{"or":[{"a":{"eq":1}},{"b":{"eq":2}}]}]"#, [["a eq 1"], ["b eq 2"]]),
        (
            #"[{"and":[{"a":{"eq":1}},{"or":[{"b":{"eq":2}},{"c":{"eq":3}}]}]}]"#,
            [["a eq 1", "b eq 2"], ["a eq 1", "c eq 3"]]
        ),
        (
            #"[{"p":{"lte":50,"gte":20},"and":[{"t":{"ne":"B"}}],"or":[{"x":{"eq":"A"}},{"y":{"eq":false}}]}]"#,
            [
                ["p lte 50", #"t ne "B""#, #"x eq "A""#], ["p lte 50", #"t ne "B""#, "y eq false"],
                ["p gte 20", #"t ne "B""#, #"x eq "A""#], ["p gte 20", #"t ne "B""#, "y eq false"],
            ]
        ),
        (#"[{"a":{"bogus":1}}]"#, [["a bogus 1"]]),
        (#"[{"not":{"a":{"eq":1}}}]"#, [[#"not a {"eq":1}"#]]),
        (#"[{"a":{"containsAny":["x","y"]}}]"#, [[#"a containsAny ["x","y"]"#]]),
        (#"[{"a":{"eq":1},"b":{"eq":2}},["a"]]"#, [["b eq 2"]]),
        (#"[{"a":{"eq":1},"and":[{"b":{"eq":2}}]},["b"]]"#, [["a eq 1"]]),
        (
            #"[{"a":{"eq":1}},[],{"r1":{"gte":250},"r2":{"eq":"p"}}]"#,
            [["a eq 1", "r1 gte 250"], ["a eq 1", #"r2 eq "p""#]]
        ),
        (#"[{},[],{"r1":{"eq":1}}]"#, [["r1 eq 1"]]),
        ("[{}]", []), (#"[{"a":{}}]"#, []), (#"[{"and":[]}]"#, []),
    ]

    @Test("a filter is multiplied out to groups", arguments: rows)
    func groups(arguments: String, groups: [[String]]) throws {
        var calls = LibraryCalls()
        let value = try calls.run("util.transform.toSubscriptionFilter", arguments)
        let found = try #require(value["filterGroup"]?.array).map { group in
            (group["filters"]?.array ?? []).map { filter in
                let value = JSONWriter.text(of: filter["value"] ?? .null)
                return "\(filter["fieldName"]?.string ?? "") \(filter["operator"]?.string ?? "") \(value)"
            }
        }
        #expect(found.elementsEqual(groups, by: ==), "\(found)")
    }

    @Test("what is no filter is null", arguments: ["[]", "[null]", "[[]]", #"["{}"]"#, #"[{"a":1}]"#])
    func none(arguments: String) throws {
        try LibraryCalls.check(LibraryRow("util.transform.toSubscriptionFilter", arguments, "null"))
    }

    @Test("a filter that would have too many groups is refused")
    func tooMany() throws {
        let field = { (name: Int) in #""f\#(name)":{"eq":1,"ne":2,"lt":3,"gt":4}"# }
        let filter = "{" + (0..<8).map(field).joined(separator: ",") + "}"
        let error = try LibraryCalls.refusal("util.transform.toSubscriptionFilter", "[\(filter)]")
        #expect(error?.message.contains("more than \(LibraryLimits.alternativesMax) groups") == true)
    }

    // MARK: Extensions

    @Test("a filter goes to the outcome as it is")
    func isSet() throws {
        var calls = LibraryCalls()
        let filter = #"{"filterGroup":[{"filters":[{"fieldName":"a","operator":"in","value":[1,2]}]}]}"#
        #expect(try calls.run("extensions.setSubscriptionFilter", "[\(filter)]") == .null)
        #expect(calls.call.outcome.subscriptionFilter == (try JSONReader.value(of: filter)))
        #expect(calls.call.outcome.invalidationFilter == nil)
        _ = try calls.run("extensions.setSubscriptionInvalidationFilter", "[\(filter)]")
        #expect(calls.call.outcome.invalidationFilter == (try JSONReader.value(of: filter)))
    }

    static func filter(_ conditions: [String]) -> String {
        #"[{"filterGroup":[{"filters":[\#(conditions.joined(separator: ","))]}]}]"#
    }

    static func condition(_ field: String = "a", _ name: String = "eq", _ value: String = "1") -> String {
        #"{"fieldName":"\#(field)","operator":"\#(name)","value":\#(value)}"#
    }

    static let refused: [(String, String)] = [
        ("[null]", "a filter is an object"), ("[[]]", "a filter is an object"),
        (#"[{"filterGroup":[1]}]"#, "the list 'filters'"),
        (
            #"[{"filterGroup":[\#([String](repeating: #"{"filters":[]}"#, count: 11).joined(separator: ","))]}]"#,
            "at most 10 groups"
        ),
        (filter([String](repeating: condition(), count: 11)), "at most 10 filters"),
        (filter((0..<6).map { condition("f\($0)") }), "at most 5 fields"),
        (filter([condition("a.b.c.d.e.f")]), "more than 5 levels"), (filter([condition("")]), "has a 'fieldName'"),
        (filter([condition("a", "bogus")]), "no operator"), (filter([condition("a", "in", "1")]), "at most 5 values"),
        (filter([condition("a", "notIn", "[1,2,3,4,5,6]")]), "at most 5 values"),
        (filter([condition("a", "between", "[1]")]), "a list of 2 values"),
        (
            filter([condition("a", "containsAny", "[\([String](repeating: "1", count: 21).joined(separator: ","))]")]),
            "at most 20 values"
        ),
        (filter([condition("a", "eq", "\"\(String(repeating: "x", count: 257))\"")]), "at most 256 characters"),
    ]

    @Test("a filter beyond AppSync's limits fails the handler", arguments: refused)
    func limits(arguments: String, message: String) throws {
        let error = try LibraryCalls.refusal("extensions.setSubscriptionFilter", arguments)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "nothing")")
    }

    @Test("a filter at AppSync's limits is taken")
    func atTheLimits() throws {
        let text = String(repeating: "x", count: 256)
        let conditions = (0..<10).map { Self.condition("a.b.c.d.f\($0 % 5)", "eq", "\"\(text)\"") }
        #expect(try LibraryCalls.refusal("extensions.setSubscriptionFilter", Self.filter(conditions)) == nil)
    }

    @Test("five invalidations are taken; the same one counts once")
    func invalidations() throws {
        var calls = LibraryCalls()
        for number in 0..<5 {
            for _ in 0..<2 {
                _ = try calls.run(
                    "extensions.invalidateSubscriptions", #"[{"subscriptionField":"onA","payload":{"id":\#(number)}}]"#)
            }
        }
        #expect(calls.call.outcome.invalidations.count == 5)
        #expect(calls.call.outcome.invalidations.first == ["subscriptionField": "onA", "payload": ["id": 0]])
        #expect(throws: ResolverError.self) {
            _ = try calls.run("extensions.invalidateSubscriptions", #"[{"subscriptionField":"onB","payload":{}}]"#)
        }
    }

    @Test("evictions go to the outcome, up to their limit")
    func evictions() throws {
        var calls = LibraryCalls()
        for _ in 0..<LibraryLimits.evictionsMax {
            _ = try calls.run("extensions.evictFromApiCache", #"["Query","get",{"context.arguments.id":"1"}]"#)
        }
        #expect(
            calls.call.outcome.evictions.first
                == ["typeName": "Query", "fieldName": "get", "keyValuePair": ["context.arguments.id": "1"]])
        #expect(throws: ResolverError.self) {
            _ = try calls.run("extensions.evictFromApiCache", #"["Query","get",{}]"#)
        }
    }
}
