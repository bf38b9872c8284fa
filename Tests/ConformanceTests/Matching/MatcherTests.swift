import JSON
import Testing

/// The matcher itself: what would let a wrong answer pass makes all cases worthless.
@Suite("Conformance: the matcher")
struct MatcherTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let expected: JSONValue
        let got: JSONValue
        var isExact = true
        /// What it says about the first difference; nil when there is none.
        var difference: String?
        var testDescription: String { name }

        init(_ name: String, _ expected: JSONValue, _ got: JSONValue, isExact: Bool = true, _ difference: String? = nil)
        {
            (self.name, self.expected, self.got) = (name, expected, got)
            (self.isExact, self.difference) = (isExact, difference)
        }
    }

    static let rows: [Row] = [
        Row("the same", ["a": [1, "x", nil, true]], ["a": [1, "x", nil, true]]),
        Row("members in another order", ["a": 1, "b": 2], ["b": 2, "a": 1]),
        Row("another value", ["a": [1, ["b": 2]]], ["a": [1, ["b": 3]]], "a[1].b: expected 2, got 3"),
        Row("true is not 1", 1, true, ": expected 1, got true"),
        Row("1.0 is 1", 1, 1.0),
        Row("a text is no number", 1, "1", #": expected 1, got "1""#),
        Row("a member too many", ["a": 1], ["a": 1, "b": 2], "b: expected nothing, got 2"),
        Row("a member too many where that is allowed", ["a": 1], ["a": 1, "b": 2], isExact: false),
        Row("errors may say more", ["errors": [["m": 1]]], ["errors": [["m": 1, "x": 2]]]),
        Row(
            "data may not", ["data": ["a": 1]], ["data": ["a": 1, "b": 2]], isExact: false,
            "data.b: expected nothing, got 2"),
        Row("a member is missing", ["a": 1], [:], isExact: false, "a: expected 1, got nothing"),
        Row("null is not missing", ["a": nil], [:], "a: expected null, got nothing"),
        Row("null may be missing where members may be", ["a": nil], [:], isExact: false),
        Row("anything may be missing", ["a": ["$any": true]], [:]),
        Row("another order", [1, 2], [2, 1], "[0]: expected 1, got 2"),
        Row("another length", [1], [1, 2], ": expected [1], got [1,2]"),
        Row("$any", ["$any": true], [1, nil]),
        Row("$type", ["$type": "string"], "x"),
        Row("$type of null", ["$type": "null"], nil),
        Row("another $type", ["$type": "string"], 1, #": expected {"$type":"string"}, got 1"#),
        Row("$regex", ["$regex": "^a.c$"], "abc"),
        Row("$regex finds a part", ["$regex": "b"], "abc"),
        Row("$regex over lines", ["$regex": "a\\r?\\nb"], "a\r\nb"),
        Row("$regex of no text", ["$regex": "b"], 5, #": expected {"$regex":"b"}, got 5"#),
        Row("$oneOf", ["$oneOf": [1, "x"]], "x"),
        Row("none of $oneOf", ["$oneOf": [1, "x"]], 2, #": expected {"$oneOf":[1,"x"]}, got 2"#),
        Row("$json", ["$json": ["a": 1]], #"{"a": 1}"#),
        Row(
            "$json of more", ["$json": ["a": 1]], #"{"a":1,"b":2}"#, isExact: false,
            #": expected {"$json":{"a":1}}, got "{\"a\":1,\"b\":2}""#),
        Row("$json of no text", ["$json": 1], 1, #": expected {"$json":1}, got 1"#),
        Row("$regex that is none", ["$regex": "("], "(", #": expected {"$regex":"("}, got "(""#),
        Row("$len", ["$len": 2], [1, 2]),
        Row("$len of a text", ["$len": 2], "ab"),
        Row("another $len", ["$len": 3], [1, 2], #": expected {"$len":3}, got [1,2]"#),
        Row("$not", ["$not": 1], 2),
        Row("$not what it is", ["$not": ["$any": true]], 2, #": expected {"$not":{"$any":true}}, got 2"#),
        Row("$gt", ["$gt": 1], 2),
        Row("$gt of texts", ["$gt": "a"], "b"),
        Row("not $gt", ["$gt": 2], 2, #": expected {"$gt":2}, got 2"#),
        Row("$gt what was kept", ["$gt": ["$ref": "five"]], 6),
        Row("$ref", ["$ref": "five"], 5),
        Row("another $ref", ["$ref": "five"], 6, ": expected 5, got 6"),
        Row("$ref of nothing", ["$ref": "six"], 6, ": expected what was kept as six, got nothing that was kept"),
        Row("$unordered", ["$unordered": [1, 2]], [2, 1]),
        Row("$unordered tries all pairs", ["$unordered": [["$any": true], 1]], [1, 2]),
        Row(
            "$unordered takes each once", ["$unordered": [1, 1]], [1, 2], #": expected {"$unordered":[1,1]}, got [1,2]"#
        ),
        Row("$unordered of another length", ["$unordered": [1]], [1, 1], #": expected {"$unordered":[1]}, got [1,1]"#),
        Row("$contains", ["$contains": [2]], [1, 2, 3]),
        Row("$contains not", ["$contains": [4]], [1], #": expected {"$contains":[4]}, got [1]"#),
    ]

    @Test("it says where the first difference is", arguments: rows)
    func differences(_ row: Row) {
        var difference: String?
        do throws(Mismatch) {
            try Matcher(["five": 5]).check(row.got, row.expected, isExact: row.isExact)
        } catch {
            difference = "\(error)"
        }
        #expect(difference == row.difference)
    }

    @Test("names are filled in wherever texts are")
    func substitution() throws {
        let names = Substitution(values: ["a": "x", "b": 7])
        let filled = try names.filled([
            "text": "id ${a}!", "number": "${b}", "in text": "n${b}", "none": ["${c}"], "reference": ["$ref": "b"],
        ])
        let expected: JSONValue = ["text": "id x!", "number": 7, "in text": "n7", "none": ["${c}"], "reference": 7]
        #expect(filled == expected)
        #expect(throws: Substitution.UnknownName.self) { try names.filled(["$ref": "c"]) }
    }

    @Test("a value is kept by the way to it")
    func keeping() throws {
        var names = Substitution()
        try names.keep(["id": "data.items.1.id"], of: ["data": ["items": [["id": "a"], ["id": "b"]]]])
        #expect(names.values == ["id": "b"])
        #expect(throws: Mismatch.self) { try names.keep(["id": "data.items.2.id"], of: ["data": ["items": []]]) }
    }
}
