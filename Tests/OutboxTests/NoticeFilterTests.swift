import Cloud
import JSON
import Testing

@testable import Outbox

@Suite("Filters of those who follow topics")
struct NoticeFilterTests {
    private static func attributes(_ list: [(String, String, String)]) throws(OutboxError) -> NoticeAttributes {
        let attributes = list.map { name, type, value -> (String, JSONValue) in
            let key = type.hasPrefix("Binary") ? "BinaryValue" : "StringValue"
            return (name, .object(JSONObject([("DataType", .string(type)), (key, .string(value))])))
        }
        return try NoticeAttributes(JSONObject(attributes))
    }

    struct Row: Sendable {
        let policy: String
        let attributes: [(String, String, String)]
        let passes: Bool
    }

    private static let kind = [("kind", "String", "order")]
    private static let price = [("price", "Number", "100.5")]
    private static let tags = [("tags", "String.Array", #"["a", 7, true, null]"#)]

    static let rows = [
        Row(policy: #"{"kind": ["order"]}"#, attributes: kind, passes: true),
        Row(policy: #"{"kind": ["other"]}"#, attributes: kind, passes: false),
        Row(policy: #"{"kind": ["order"]}"#, attributes: [], passes: false),
        Row(policy: #"{"kind": ["other", {"prefix": "or"}]}"#, attributes: kind, passes: true),
        Row(policy: #"{"kind": [{"suffix": "er"}]}"#, attributes: kind, passes: true),
        Row(policy: #"{"kind": [{"equals-ignore-case": "ORDER"}]}"#, attributes: kind, passes: true),
        Row(policy: #"{"kind": [{"anything-but": ["order"]}]}"#, attributes: kind, passes: false),
        Row(policy: #"{"kind": [{"anything-but": ["other"]}]}"#, attributes: kind, passes: true),
        Row(policy: #"{"kind": [{"anything-but": ["other"]}]}"#, attributes: [], passes: false),
        Row(policy: #"{"kind": [{"exists": true}]}"#, attributes: kind, passes: true),
        Row(policy: #"{"kind": [{"exists": false}]}"#, attributes: kind, passes: false),
        Row(policy: #"{"kind": [{"exists": false}]}"#, attributes: [], passes: true),
        Row(policy: #"{"price": [{"numeric": [">", 100, "<=", 101]}]}"#, attributes: price, passes: true),
        Row(policy: #"{"price": [{"numeric": ["<", 100]}]}"#, attributes: price, passes: false),
        Row(policy: #"{"price": [100.5]}"#, attributes: price, passes: true),
        Row(policy: #"{"price": ["100.5"]}"#, attributes: price, passes: false),
        Row(policy: #"{"price": [100.5]}"#, attributes: [("price", "String", "100.5")], passes: false),
        Row(policy: #"{"price": [100.5]}"#, attributes: [("price", "Number.float", "100.5")], passes: true),
        Row(policy: #"{"kind": ["order"]}"#, attributes: [("kind", "String.kind", "order")], passes: true),
        Row(policy: #"{"tags": ["a"]}"#, attributes: tags, passes: true),
        Row(policy: #"{"tags": [7]}"#, attributes: tags, passes: true),
        Row(policy: #"{"tags": [true]}"#, attributes: tags, passes: true),
        Row(policy: #"{"tags": [null]}"#, attributes: tags, passes: true),
        Row(policy: #"{"tags": ["7"]}"#, attributes: tags, passes: false),
        Row(policy: #"{"tags": ["a"]}"#, attributes: [("tags", "String.Array", "a")], passes: false),
        Row(policy: #"{"tags": ["a"]}"#, attributes: [("tags", "String", #"["a"]"#)], passes: false),
        // Bytes are for nobody to filter by.
        Row(policy: #"{"b": ["aGk="]}"#, attributes: [("b", "Binary", "aGk=")], passes: false),
        Row(policy: #"{"b": [{"exists": false}]}"#, attributes: [("b", "Binary", "aGk=")], passes: true),
        Row(policy: #"{"ip": [{"cidr": "10.0.0.0/8"}]}"#, attributes: [("ip", "String", "10.1.2.3")], passes: true),
        Row(policy: #"{"kind": ["order"], "price": [1]}"#, attributes: kind + price, passes: false),
        Row(policy: #"{"$or": [{"kind": ["x"]}, {"price": [100.5]}]}"#, attributes: kind + price, passes: true),
        Row(policy: #"{"$or": [{"kind": ["x"]}, {"price": [1]}]}"#, attributes: kind + price, passes: false),
    ]

    @Test("let messages through by their attributes", arguments: rows)
    func passes(row: Row) throws {
        let filter = try #require(try NoticeFilter.read(row.policy, over: .attributes))
        let values = try Self.attributes(row.attributes).values
        #expect(try filter.passes(attributes: values, body: ["kind": "x"], .ofMessage) == row.passes, "\(row)")
    }

    static let bodies: [(policy: String, body: String, passes: Bool)] = [
        (#"{"a": {"b": ["c"]}}"#, #"{"a": {"b": "c"}}"#, true), (#"{"a": {"b": ["c"]}}"#, #"{"a": {"b": "d"}}"#, false),
        (#"{"a": {"b": ["c"]}}"#, #"{"a": [{"b": "d"}, {"b": "c"}]}"#, true),
        (#"{"a": [{"numeric": ["=", 3]}]}"#, #"{"a": 3.0}"#, true), (#"{"a": [{"exists": false}]}"#, "{}", true),
        (#"{"a": [{"exists": false}]}"#, "no JSON", false), (#"{"a": [{"exists": false}]}"#, #"[{"b": 1}]"#, false),
        (#"{"$or": [{"a": ["x"]}, {"b": {"c": [1]}}]}"#, #"{"b": {"c": 1}}"#, true),
    ]

    @Test("let messages through by what they say", arguments: bodies)
    func passesBody(policy: String, body: String, passes: Bool) throws {
        let filter = try #require(try NoticeFilter.read(policy, over: .body))
        let notice = try Notice(CallInput(JSONObject([("Message", .string(body))])), id: "i", topic: "t", time: 0)
        #expect(try filter.passes(attributes: JSONObject(), body: notice.body(for: "lambda"), .ofMessage) == passes)
    }

    static let wrong: [(policy: String, scope: NoticeFilter.Scope, reason: String)] = [
        ("{", .attributes, "FilterPolicy: failed to parse JSON."),
        ("[]", .attributes, "FilterPolicy: failed to parse JSON."),
        (#"{"a": "b"}"#, .attributes, #"FilterPolicy: "a" must be an object or an array"#),
        (#"{"a": []}"#, .attributes, "FilterPolicy: Empty arrays are not allowed"),
        (#"{"a": [["b"]]}"#, .attributes, "FilterPolicy: Match value must be String, number, true, false, or null"),
        (#"{"a": [{"like": "b"}]}"#, .attributes, "FilterPolicy: Unrecognized match type like"),
        (
            #"{"a": {"b": ["c"]}}"#, .attributes,
            "Filter policy scope MessageAttributes does not support nested filter policy"
        ),
        (
            #"{"$or": [{"a": {"b": ["c"]}}, {"d": ["e"]}]}"#, .attributes,
            "Filter policy scope MessageAttributes does not support nested filter policy"
        ),
        (#"{"a": {"suffix": "b"}}"#, .attributes, #"FilterPolicy: "suffix" must be an object or an array"#),
        (#"{"a": [{"suffix": 1}]}"#, .attributes, "FilterPolicy: suffix match pattern must be a string"),
        (
            #"{"a": [{"exists": null}]}"#, .attributes,
            "FilterPolicy: exists match pattern must be either true or false."
        ),
        (
            #"{"a": [{"anything-but": {"suffix": "b"}}]}"#, .body,
            "FilterPolicy: Unsupported anything-but pattern: suffix"
        ),
        (#"{"a": [{"anything-but": {"prefix": 1}}]}"#, .body, "FilterPolicy: prefix match pattern must be a string"),
        (
            #"{"a": [1], "b": [1], "c": [1], "d": [1], "e": [1], "f": [1]}"#, .body,
            "FilterPolicy: Filter policy can not have more than 5 keys"
        ),
        (#"{"a": [\#(numbers(151))]}"#, .attributes, "FilterPolicy: Filter policy is too complex"),
        (#"{"a": {"b": [\#(numbers(76))]}}"#, .body, "FilterPolicy: Filter policy is too complex"),
        (
            #"{"a": [\#(numbers(16))], "b": [\#(numbers(10))]}"#, .attributes,
            "FilterPolicy: Filter policy is too complex"
        ),
        (
            #"{"a": ["\#(String(repeating: "x", count: OutboxLimits.policyBytesMax))"]}"#, .attributes,
            "FilterPolicy: Filter policy is longer than 32768 bytes"
        ),
    ]

    private static func numbers(_ count: Int) -> String { (0..<count).map { "\($0)" }.joined(separator: ",") }

    @Test("are refused in the words of SNS where they are wrong", arguments: wrong)
    func refusals(policy: String, scope: NoticeFilter.Scope, reason: String) {
        #expect { try NoticeFilter.read(policy, over: scope) } throws: {
            let error = $0 as? OutboxError
            return error?.code == "InvalidParameter" && error?.message == "Invalid parameter: \(reason)"
        }
    }

    @Test("may be as long as they may be")
    func limits() throws {
        for policy in [
            #"{"a": [\#(Self.numbers(150))]}"#, #"{"a": [\#(Self.numbers(15))], "b": [\#(Self.numbers(10))]}"#,
            #"{"a": [1], "b": [1], "c": [1], "d": [1], "e": [1]}"#,
        ] { #expect(try NoticeFilter.read(policy, over: .attributes) != nil) }
        for policy in ["", "{}"] { #expect(try NoticeFilter.read(policy, over: .attributes) == nil) }
    }

    static let attributesRefused: [(name: String, type: String, value: String)] = [
        ("a", "Text", "x"), ("a", "String.", "x"), ("a", "String", ""), ("a", "Number", "x"), ("a", "Number", "[1]"),
        ("a", "Binary", "!"), ("", "String", "x"),
        (String(repeating: "a", count: OutboxLimits.nameBytesMax + 1), "String", "x"),
    ]

    @Test("have attributes to look at, or the message is refused", arguments: attributesRefused)
    func wrongAttributes(name: String, type: String, value: String) {
        #expect { try Self.attributes([(name, type, value)]) } throws: {
            ($0 as? OutboxError)?.code == "ParameterValueInvalid"
        }
    }
}
