import JSON
import Testing

@testable import EventPatterns

@Suite("Patterns of events")
struct EventPatternTests {
    private static let event = """
        {"source": "shop", "detail-type": "Ordered", "resources": ["r1", "r2"],
         "detail": {"total": 99.5, "state": "New York", "file": "a/b/photo.png", "ip": "10.1.2.3", "six": "2001:db8::5", "none": null,
          "isNew": true, "tags": ["x", "y"], "items": [{"id": 1, "kind": "book"}, {"id": 2, "kind": "pen"}], "empty": []}}
        """

    @Test(
        "match what they say, as EventBridge does",
        arguments: [
            (#"{"source": ["shop"]}"#, true), (#"{"source": ["other", "shop"]}"#, true),
            (#"{"source": ["Shop"]}"#, false),
            (#"{"source": ["shop"], "detail-type": ["Other"]}"#, false), (#"{"resources": ["r2"]}"#, true),
            (#"{"detail": {"isNew": [true]}}"#, true), (#"{"detail": {"none": [null]}}"#, true),
            (#"{"detail": {"total": [99.5]}}"#, true), (#"{"detail": {"gone": [null]}}"#, false),
            (#"{"detail": {"state": [{"prefix": "New"}]}}"#, true),
            (#"{"detail": {"state": [{"prefix": "new"}]}}"#, false),
            (#"{"detail": {"state": [{"prefix": {"equals-ignore-case": "new"}}]}}"#, true),
            (#"{"detail": {"file": [{"suffix": ".png"}]}}"#, true),
            (#"{"detail": {"file": [{"suffix": ".jpg"}]}}"#, false),
            (#"{"detail": {"file": [{"suffix": {"equals-ignore-case": ".PNG"}}]}}"#, true),
            (#"{"detail": {"state": [{"equals-ignore-case": "NEW YORK"}]}}"#, true),
            (#"{"detail": {"file": [{"wildcard": "a/*/photo.*"}]}}"#, true),
            (#"{"detail": {"file": [{"wildcard": "*b*z*"}]}}"#, false),
            (#"{"detail": {"file": [{"wildcard": "a/b/photo.png*"}]}}"#, true),
            (#"{"detail": {"total": [{"numeric": [">", 0, "<=", 99.5]}]}}"#, true),
            (#"{"detail": {"total": [{"numeric": ["=", 99]}]}}"#, false),
            (#"{"detail": {"state": [{"numeric": [">", 0]}]}}"#, false),
            (#"{"detail": {"gone": [{"exists": false}]}}"#, true),
            (#"{"detail": {"total": [{"exists": true}]}}"#, true),
            (#"{"detail": {"total": [{"exists": false}]}}"#, false),
            (#"{"gone": {"deep": [{"exists": false}]}}"#, true),
            (#"{"detail": {"ip": [{"cidr": "10.1.0.0/16"}]}}"#, true),
            (#"{"detail": {"ip": [{"cidr": "10.1.2.0/31"}]}}"#, false),
            (#"{"detail": {"six": [{"cidr": "2001:db8::/32"}]}}"#, true),
            (#"{"detail": {"six": [{"cidr": "0.0.0.0/0"}]}}"#, false),
            (#"{"detail": {"state": [{"anything-but": "New York"}]}}"#, false),
            (#"{"detail": {"state": [{"anything-but": ["Rome", "Oslo"]}]}}"#, true),
            (#"{"detail": {"state": [{"anything-but": {"prefix": "New"}}]}}"#, false),
            (#"{"detail": {"state": [{"anything-but": {"suffix": ["x", "y"]}}]}}"#, true),
            (#"{"detail": {"state": [{"anything-but": {"wildcard": "N*k"}}]}}"#, false),
            (#"{"detail": {"gone": [{"anything-but": "x"}]}}"#, false),
            (#"{"detail": {"tags": ["y"]}}"#, true), (#"{"detail": {"items": {"kind": ["pen"]}}}"#, true),
            (#"{"detail": {"items": {"kind": ["car"]}}}"#, false),
            (#"{"$or": [{"source": ["x"]}, {"detail": {"isNew": [true]}}]}"#, true),
            (#"{"source": [{"prefix": ""}]}"#, true), (#"{"source": [{"suffix": ""}]}"#, true),
            (#"{"detail": {"total": [{"prefix": ""}]}}"#, false), (#"{"source": [{"equals-ignore-case": ""}]}"#, false),
            (#"{"source": [{"wildcard": ""}]}"#, false), (#"{"source": [{"anything-but": {"wildcard": ""}}]}"#, true),
            (#"{"detail.isNew": [true]}"#, true), (#"{"detail.items.kind": ["pen"]}"#, true),
            (#"{"detail.items": {"kind": ["car"]}}"#, false), (#"{"detail.gone": [{"exists": false}]}"#, true),
            (#"{"source": ["shop"], "$or": [{"source": ["x"]}, {"source": ["y"]}]}"#, false),
            (#"{"detail": {"$or": [{"total": [{"numeric": [">", 1000]}]}, {"tags": ["x"]}]}}"#, true),
        ])
    func matches(pattern: String, isMatch: Bool) throws {
        let pattern = try EventPattern(try JSONReader.value(of: pattern))
        #expect(try pattern.matches(try JSONReader.value(of: Self.event), .ofMessage) == isMatch)
    }

    @Test(
        "that cannot be are refused",
        arguments: [
            "{}", "[]", #"{"a": "x"}"#, #"{"a": []}"#, #"{"a": {}}"#, #"{"a": [[1]]}"#, #"{"a": [{"other": 1}]}"#,
            #"{"a": [{"prefix": "x", "suffix": "y"}]}"#, #"{"a": [{"numeric": [">"]}]}"#,
            #"{"a": [{"numeric": ["!", 1]}]}"#, #"{"a": [{"numeric": [">", 0, ">", 0]}]}"#,
            #"{"a": [{"numeric": ["<", 9, ">", 0]}]}"#, #"{"a": [{"numeric": ["=", 1, "<", 2]}]}"#,
            #"{"a": [{"numeric": [">", 2, "<", 1]}]}"#, #"{"a": [{"numeric": [">", 5000000001]}]}"#,
            #"{"a": [{"prefix": 1}]}"#, #"{"a": [{"anything-but": {"prefix": ""}}]}"#,
            #"{"a": [{"anything-but": {"suffix": ["x", ""]}}]}"#, #"{"a": [{"cidr": ""}]}"#,
            #"{"a": [{"exists": 1}]}"#, #"{"a": [{"cidr": "10.0.0.0"}]}"#, #"{"a": [{"cidr": "10.0.0.0/33"}]}"#,
            #"{"a": [{"wildcard": "a**b"}]}"#, #"{"a": [{"anything-but": {"cidr": "10.0.0.0/8"}}]}"#,
        ])
    func refuses(pattern: String) throws {
        let value = try JSONReader.value(of: pattern)
        #expect(throws: EventPatternError.self) { try EventPattern(value) }
    }

    @Test("of too many values, or too deep ones, are refused")
    func limits() {
        let many = JSONValue.array((0...EventPatternLimits.leavesMax).map { .integer(Int64($0)) })
        #expect(throws: EventPatternError.self) { try EventPattern(["a": many]) }
        var deep: JSONValue = ["a": [1]]
        for _ in 0...EventPatternLimits.nestingMax { deep = ["a": deep] }
        #expect(throws: EventPatternError.self) { try EventPattern(deep) }
        let name = Array(repeating: "a", count: EventPatternLimits.nestingMax + 1).joined(separator: ".")
        let values: JSONValue = [1]
        #expect(throws: EventPatternError.self) { try EventPattern(.object(JSONObject([(name, values)]))) }
    }

    @Test(
        "a point in a name leads into an object, in patterns and in events",
        arguments: [
            (#"{"d": {"state.status": ["on"]}}"#, #"{"d": {"state": {"status": "on"}}}"#, true),
            (#"{"d": {"state": {"status": ["on"]}}}"#, #"{"d": {"state.status": "on"}}"#, true),
            (#"{"d": {"state.status": ["on"]}}"#, #"{"d": {"state.status": "on"}}"#, true),
            (#"{"d": {"state": {"status": ["on"]}}}"#, #"{"d": {"state.status": {"status": "on"}}}"#, false),
            (#"{"d": {"state.status": {"status": ["on"]}}}"#, #"{"d": {"state": {"status": "on"}}}"#, false),
            (#"{"d.state.status": ["on"]}"#, #"{"d.state": {"status": "on"}}"#, true),
            (#"{"a": {"b": [1], "c": [2]}}"#, #"{"a": {"b": 1}, "a.c": 2}"#, true),
            (#"{"a.b": [2]}"#, #"{"a": {"b": 1}, "a.b": 2}"#, true),
            (#"{"a.b": [3]}"#, #"{"a": {"b": 1}, "a.b": 2}"#, false),
            (#"{"list": {"x.y": [1]}}"#, #"{"list": [{"x": {"y": 0}}, {"x.y": 1}]}"#, true),
            (#"{"a.": [1]}"#, #"{"a.": 1}"#, true), (#"{"a.": [1]}"#, #"{"a": 1}"#, false),
        ])
    func points(_ pattern: String, _ event: String, _ isMatch: Bool) throws {
        let pattern = try EventPattern(try JSONReader.value(of: pattern))
        #expect(try pattern.matches(try JSONReader.value(of: event), .ofMessage) == isMatch)
    }

    @Test(
        "each service accepts its own tests, and the refusal names the test",
        arguments: [
            (#"{"wildcard": "a*"}"#, "wildcard"), (#"{"cidr": "10.0.0.0/8"}"#, "cidr"),
            (#"{"prefix": {"equals-ignore-case": "ab"}}"#, "prefix with equals-ignore-case"),
            (#"{"suffix": {"equals-ignore-case": "ab"}}"#, "suffix with equals-ignore-case"),
        ])
    func rules(test: String, name: String) throws {
        let value = try JSONReader.value(of: #"{"a": {"b": [1, \#(test)]}}"#)
        for rules in [PatternRules.eventBridge, .notices] { _ = try EventPattern(value, rules) }
        let refused = "The test \(name) is not accepted by Lambda's event filters"
        #expect(throws: EventPatternError(refused)) { try EventPattern(value, .lambdaFilters) }
        let other = try JSONReader.value(of: #"{"$or": [{"a": [1]}, {"b": [\#(test)]}]}"#)
        #expect(throws: EventPatternError(refused)) { try EventPattern(other, .lambdaFilters) }
    }

    @Test("each service accepts its own tests within anything-but, and the refusal names the test")
    func negations() throws {
        let tests = ["prefix", "suffix", "equals-ignore-case", "wildcard"]
        for (rules, accepted) in [
            (PatternRules.eventBridge, tests), (.notices, ["prefix"]),
            (.lambdaFilters, ["prefix", "suffix", "equals-ignore-case"]),
        ] {
            for test in tests {
                let value = try JSONReader.value(of: #"{"a": [{"anything-but": {"\#(test)": "b"}}]}"#)
                if accepted.contains(test) {
                    _ = try EventPattern(value, rules)
                } else {
                    #expect(throws: EventPatternError("Unsupported anything-but pattern: \(test)")) {
                        try EventPattern(value, rules)
                    }
                }
            }
        }
    }

    @Test(
        "a test with a wrong value is refused in the service's words",
        arguments: [
            (
                #"{"anything-but": {"equals-ignore-case": ["a", 1]}}"#,
                "Inside anything-but/equals-ignore-case list, number|start|null|boolean is not supported."
            ),
            (#"{"anything-but": ["a", null]}"#, "Inside anything but list, start|null|boolean is not supported."),
            (
                #"{"anything-but": ["a", 1]}"#,
                "Inside anything but list, either all values are number or string, mixed type is not supported"
            ),
            (#"{"anything-but": true}"#, "Value of anything-but must be an array or single string/number value."),
            (
                #"{"anything-but": {"prefix": {"equals-ignore-case": "a"}}}"#,
                "Value of anything-but must be an array or single string/number value."
            ),
            (#"{"anything-but": {"suffix": [1]}}"#, "prefix/suffix match pattern must be a string"),
            (#"{"anything-but": {"wildcard": null}}"#, "wildcard match pattern must be a string"),
            (#"{"anything-but": {"exists": true}}"#, "Unsupported anything-but pattern: exists"),
            (#"{"cidr": "a"}"#, "Malformed CIDR, one '/' required"),
            (#"{"cidr": "10.0.0.0/a"}"#, "Malformed CIDR, mask bits must be an integer"),
            (#"{"cidr": "10.0.0.0/-1"}"#, "Malformed CIDR, mask bits must not be negative"),
            (#"{"cidr": "g::/8"}"#, "Nonstandard IP address: g::"),
            (#"{"cidr": 1}"#, "prefix match pattern must be a string"),
            (#"{"numeric": 1}"#, "Value of numeric must be an array."),
            (#"{"numeric": []}"#, "Invalid member in numeric match: ]"),
            (#"{"numeric": [1, ">"]}"#, "Invalid member in numeric match: 1"),
            (#"{"numeric": [">", 20, 30]}"#, "Bad value in numeric range: 30"),
            (#"{"numeric": ["=", "1"]}"#, "Value of equals must be numeric"),
            (#"{"numeric": [">=", 1, "<="]}"#, "Value of <= must be numeric"),
            (#"{"numeric": ["~", 1]}"#, "Unrecognized numeric range operator: ~"),
            (#"{"numeric": ["<", 1, ">", 0]}"#, "Too many elements in numeric expression"),
            (#"{"numeric": [">", 0, "<", 1, "<", 2]}"#, "Too many terms in numeric range expression"),
            (#"{"numeric": [">", 1, ">", 2]}"#, "Bad numeric range operator: >"),
            (#"{"wildcard": "ab**"}"#, "Consecutive wildcard characters at pos 3"),
            (#"{"wildcard": "ab\\c"}"#, "Invalid escape character at pos 3"),
            (
                #"{"wildcard": "*-*-*-*-*-end*"}"#,
                "Rule is too complex - try using fewer wildcard characters or fewer repeating character sequences after a wildcard "
                    + "character"
            ),
        ])
    func words(test: String, reason: String) throws {
        let value = try JSONReader.value(of: #"{"a": [\#(test)]}"#)
        #expect(throws: EventPatternError(reason)) { try EventPattern(value) }
    }

    @Test("a wildcard may have many stars between different texts")
    func stars() throws {
        _ = try EventPattern(["a": [["wildcard": "*a*b*c*d*e*f*g*"]]])
    }

    @Test("a test that no service has is refused by its name")
    func unknown() throws {
        for rules in [PatternRules.eventBridge, .notices, .lambdaFilters] {
            #expect(throws: EventPatternError("Unrecognized match type like")) {
                try EventPattern(["a": [["like": "b"]]], rules)
            }
        }
    }
}
