import JSON
import Testing

@testable import Server

@Suite("Patterns of changes")
struct ChangePatternTests {
    private static let record: JSONValue = [
        "eventName": "INSERT",
        "dynamodb": [
            "NewImage": [
                "id": ["S": "a-1"], "n": ["N": "7"], "tags": ["SS": ["x", "y"]], "none": ["NULL": true],
                "empty": ["SS": []],
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
        (#"{"$or":[{"eventName":["REMOVE"]},{"dynamodb":{"SizeBytes":[30]}}]}"#, true),
        (#"{"eventName":["INSERT"],"$or":[{"eventName":["REMOVE"]},{"dynamodb":{"SizeBytes":[31]}}]}"#, false),
    ]

    @Test("fit as Lambda's event filters do", arguments: rows)
    func fitting(pattern: String, fits: Bool) throws {
        #expect(try #require(ChangePattern(pattern)).fits(Self.record) == fits)
    }

    @Test(
        "that are none are refused",
        arguments: [
            "", "[]", "{}", "text", #"{"a":"b"}"#, #"{"a":[]}"#, #"{"a":[["b"]]}"#, #"{"a":[{"like":"b"}]}"#,
            #"{"a":[{"prefix":1}]}"#, #"{"a":[{"numeric":["!",1]}]}"#, #"{"a":[{"numeric":[">"]}]}"#,
            #"{"a":[{"exists":"x"}]}"#, #"{"a":[{"prefix":"a","suffix":"b"}]}"#, #"{"$or":["a","b"]}"#,
            String(repeating: #"{"a":"#, count: 17) + #"["b"]"# + String(repeating: "}", count: 17),
            #"{"a":["\#(String(repeating: "b", count: 4_096))"]}"#,
        ])
    func refused(pattern: String) {
        #expect(ChangePattern(pattern) == nil)
    }
}
