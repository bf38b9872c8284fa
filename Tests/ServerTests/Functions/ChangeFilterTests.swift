import EventPatterns
import JSON
import Testing

@testable import Server

@Suite("Filters of changes")
struct ChangeFilterTests {
    private static let record: JSONValue = [
        "eventName": "INSERT",
        "dynamodb": [
            "NewImage": [
                "id": ["S": "a-1"], "n": ["N": "7"], "tags": ["SS": ["x", "y"]], "none": ["NULL": true],
                "empty": ["SS": []], "list": ["L": [["S": "x"], ["S": "y"]]],
            ], "SizeBytes": 30,
        ],
    ]

    private static func image(_ member: String, _ type: String, _ rules: String) -> String {
        #"{"dynamodb":{"NewImage":{"\#(member)":{"\#(type)":\#(rules)}}}}"#
    }

    static let rows: [(pattern: String, fits: Bool)] = [
        (#"{"eventName":["INSERT"]}"#, true),
        (#"{"eventName":["MODIFY","INSERT"]}"#, true),
        (#"{"eventName":["MODIFY"]}"#, false),
        (#"{"eventName":["INSERT"],"other":["x"]}"#, false),
        (image("id", "S", #"[{"prefix":"a-"}]"#), true),
        (image("id", "S", #"[{"suffix":"-1"}]"#), true),
        (image("id", "S", #"[{"prefix":"b"},{"suffix":"2"}]"#), false),
        (image("id", "S", #"[{"equals-ignore-case":"A-1"}]"#), true),
        (image("id", "S", #"[{"anything-but":["b","c"]}]"#), true),
        (image("id", "S", #"[{"anything-but":{"prefix":"a"}}]"#), false),
        (image("id", "S", #"[{"exists":true}]"#), true),
        (image("id", "N", #"[{"exists":false}]"#), true),
        (image("other", "S", #"[{"exists":false}]"#), true),
        (image("other", "S", #"[{"anything-but":"b"}]"#), false),
        // Numbers of DynamoDB are texts, and are compared as such.
        (image("n", "N", #"["7"]"#), true),
        (image("n", "N", #"[7]"#), false),
        (image("tags", "SS", #"["y"]"#), true),
        (image("tags", "SS", #"["z"]"#), false),
        (image("empty", "SS", #"["z"]"#), false),
        (image("none", "NULL", "[true]"), true),
        (#"{"dynamodb":{"SizeBytes":[{"numeric":[">",20,"<=",30]}]}}"#, true),
        (#"{"dynamodb":{"SizeBytes":[{"numeric":["<",30]}]}}"#, false),
        // Tests look at values: an attribute without its type is none.
        (#"{"dynamodb":{"NewImage":{"id":[{"exists":true}]}}}"#, false),
        (#"{"dynamodb":{"NewImage":{"id":[{"exists":false}]}}}"#, true),
        (#"{"dynamodb":{"NewImage":{"list":{"L":{"S":["y"]}}}}}"#, true),
        (#"{"$or":[{"eventName":["REMOVE"]},{"dynamodb":{"SizeBytes":[30]}}]}"#, true),
        (#"{"eventName":["INSERT"],"$or":[{"eventName":["REMOVE"]},{"dynamodb":{"SizeBytes":[31]}}]}"#, false),
    ]

    @Test("fit as Lambda's event filters do", arguments: rows)
    func fitting(pattern: String, fits: Bool) throws {
        let filter = try ChangeFilter.read(pattern)
        #expect(try filter.matches(Self.record, .ofMessage) == fits)
    }

    @Test(
        "that are none are refused",
        arguments: [
            "", "[]", "{}", "text", #"{"a":"b"}"#, #"{"a":[]}"#, #"{"a":[["b"]]}"#, #"{"a":[{"like":"b"}]}"#,
            #"{"a":[{"prefix":1}]}"#, #"{"a":[{"numeric":["!",1]}]}"#, #"{"a":[{"numeric":[">"]}]}"#,
            #"{"a":[{"exists":"x"}]}"#, #"{"a":[{"prefix":"a","suffix":"b"}]}"#,
            String(repeating: #"{"a":"#, count: 17) + #"["b"]"# + String(repeating: "}", count: 17),
            #"{"a":["\#(String(repeating: "b", count: 4_096))"]}"#,
        ])
    func refused(pattern: String) {
        #expect(throws: EventPatternError.self) { try ChangeFilter.read(pattern) }
    }

    @Test(
        "a filter of the configuration that is refused names the test",
        arguments: [
            (#"{"a": [{"prefix": {"equals-ignore-case": "ab"}}]}"#, "prefix with equals-ignore-case"),
            (#"{"a": [{"wildcard": "a*"}]}"#, "wildcard"), (#"{"a": [{"cidr": "10.0.0.0/8"}]}"#, "cidr"),
        ])
    func named(filter: String, test: String) {
        let functions: JSONValue = ["f": ["command": "c", "tables": [["model": "M", "filters": [.string(filter)]]]]]
        #expect {
            try ConfigurationResolver.resolve(environment: ["HOMEPORT_FUNCTIONS": JSONWriter.text(of: functions)])
        } throws: { error in
            let problem = (error as? ConfigurationError)?.problems.first?.message ?? ""
            return problem.hasSuffix("The test \(test) is not accepted by Lambda's event filters")
        }
    }

    @Test("a change whose look takes too long is told")
    func tooLong() async throws {
        // A long text costs many steps and little time: each test counts its bytes.
        let tests = (0..<100).map { #"{"equals-ignore-case":"\#($0)"}"# }.joined(separator: ",")
        let filter = try ChangeFilter.read(#"{"a": [\#(tests)]}"#)
        let text = JSONValue.string(String(repeating: "x", count: 300_000))
        let change = ToldChange(number: 1, time: 0, name: "INSERT", sequenceNumber: "1", record: ["a": text])
        let other = ToldChange(number: 2, time: 0, name: "INSERT", sequenceNumber: "2", record: ["a": "x"])
        #expect(await ToldChange.wanted([change, other], by: [filter]).map(\.number) == [1, 2])
        #expect(await ToldChange.wanted([other], by: [filter]).isEmpty)
    }
}
