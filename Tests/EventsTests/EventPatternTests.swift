import JSON
import Testing

@testable import Events

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
            #"{"a": [{"numeric": ["!", 1]}]}"#,
            #"{"a": [{"exists": 1}]}"#, #"{"a": [{"cidr": "10.0.0.0"}]}"#, #"{"a": [{"cidr": "10.0.0.0/33"}]}"#,
            #"{"a": [{"wildcard": "a**b"}]}"#, #"{"a": [{"anything-but": {"cidr": "10.0.0.0/8"}}]}"#,
        ])
    func refuses(pattern: String) throws {
        let value = try JSONReader.value(of: pattern)
        #expect(throws: EventError.self) { try EventPattern(value) }
    }

    @Test("of too many values, or too deep ones, are refused")
    func limits() {
        let many = JSONValue.array((0...EventLimits.patternLeavesMax).map { .integer(Int64($0)) })
        #expect(throws: EventError.self) { try EventPattern(["a": many]) }
        var deep: JSONValue = ["a": [1]]
        for _ in 0...EventLimits.patternNestingMax { deep = ["a": deep] }
        #expect(throws: EventError.self) { try EventPattern(deep) }
    }

    @Test("templates put values of the event in, as they are or into a text")
    func templates() throws {
        let template = try EventTemplate(
            #"{"total": <total>, "text": "<state> has \"<tags>\"", "gone": <gone>, "rule": "<aws.events.rule-name>", "x": "<y>"}"#,
            paths: [
                ("total", "$.detail.total"), ("state", "$.detail.state"), ("tags", "$.detail.tags[0]"),
                ("gone", "$.no"),
            ])
        let told = template.told(of: try JSONReader.value(of: Self.event), ruleARN: "arn", ruleName: "r")
        #expect(
            told == #"{"total": 99.5, "text": "New York has \"x\"", "gone": null, "rule": "r", "x": "<y>"}"#)
        // What stands in a text cannot end it.
        let quoting = try EventTemplate(#"{"a": "<a>"}"#, paths: [("a", "$.a")])
        let value = quoting.told(of: ["a": #"x", "b": "y"#], ruleARN: "", ruleName: "")
        #expect(try JSONReader.value(of: value) == ["a": #"x", "b": "y"#])
    }
}
