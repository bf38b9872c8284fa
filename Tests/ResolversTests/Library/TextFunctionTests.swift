import JSON
import Testing

@testable import Resolvers

@Suite("Texts: util, util.str, util.xml")
struct TextFunctionTests {
    static let rows = LibraryRow.table(
        "",
        [
            ("util.matches", #"["a*b","aaaaab"]"#, "true"), ("util.matches", #"["a*b","aaaaabc"]"#, "false"),
            ("util.matches", #"["(?i)\\p{Alpha}++\\Q.x\\E","Ab.X"]"#, "true"),
            ("util.urlEncode", #"["a b*&=/ä~"]"#, #""a+b*%26%3D%2F%C3%A4%7E""#), ("util.urlEncode", "[null]", "null"),
            (
                "util.urlEncode", #"["!#$%&'()+,/:;=?@[]"]"#,
                #""%21%23%24%25%26%27%28%29%2B%2C%2F%3A%3B%3D%3F%40%5B%5D""#
            ),
            ("util.urlDecode", #"["a+b*%26%3D%C3%A4"]"#, #""a b*&=ä""#),
            ("util.base64Encode", #"["hello"]"#, #""aGVsbG8=""#), ("util.base64Decode", #"["aGVsbG8="]"#, #""hello""#),
            ("util.base64Decode", #"["aGVs\nbG8"]"#, #""hello""#),
            (
                "util.escapeJavaScript", #"["it's \"a\"/\\\n\u000bé😀"]"#,
                #""it\\'s \\\"a\\\"\\/\\\\\\n\\u000B\\u00E9\\uD83D\\uDE00""#
            ),
            ("util.str.normalize", #"["e\u0301","nfc"]"#, #""é""#), ("util.str.normalize", #"["ﬁ","NFKC"]"#, #""fi""#),
            ("util.str.normalize", #"["é","nfd"]"#, #""e\u0301""#),
            ("util.str.toUpper", #"["aé"]"#, #""AÉ""#), ("util.str.toLower", #"["HeLlo"]"#, #""hello""#),
            ("util.str.toReplace", #"["hello world, hello!","hello","mellow"]"#, #""mellow world, mellow!""#),
            ("util.str.toReplace", #"["a.b","","x"]"#, #""a.b""#),
            ("util.str.toReplace", #"["a.b",".","$1"]"#, #""a$1b""#),
            (
                "util.xml.toMap", #"["<posts><post><id>1</id><title>Getting started</title></post></posts>"]"#,
                #"{"posts":{"post":{"id":1,"title":"Getting started"}}}"#
            ),
            (
                "util.xml.toMap", #"["<posts><post><id>1</id></post><post><id>2</id></post></posts>"]"#,
                #"{"posts":{"post":[{"id":1},{"id":2}]}}"#
            ),
            (
                "util.xml.toMap",
                #"["<?xml version=\"1.0\"?><!-- c --><a x='1' y=\"b &amp; c\"> t <b/><![CDATA[<&>]]></a>"]"#,
                #"{"a":{"x":1,"y":"b & c","content":["t","<&>"],"b":""}}"#
            ),
            (
                "util.xml.toMap", #"["<a><b>007</b><b>-1.5</b><b>true</b><b>&#65;&#x42;</b></a>"]"#,
                #"{"a":{"b":["007",-1.5,true,"AB"]}}"#
            ),
            // Nothing is looked up: what the text does not say itself stays as it is written.
            ("util.xml.toMap", #"["<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;&nbsp;</a>"]"#, #"{"a":"&b;&nbsp;"}"#),
            ("util.xml.toMap", #"[""]"#, "{}"),
            ("util.xml.toJsonString", #"["<a><b>1</b></a>"]"#, #""{\"a\":{\"b\":1}}""#),
            ("util.xml.toJsonString", #"["<a>1</a>",true]"#, #""\"{\\\"a\\\":1}\"""#),
        ])

    @Test("a function of texts", arguments: rows)
    func function(row: LibraryRow) throws {
        try LibraryCalls.check(row)
    }

    @Test(
        "what is no such text is refused",
        arguments: [
            ("util.urlDecode", #"["%4"]"#, "a % without two"), ("util.urlDecode", #"["%zz"]"#, "a % without two"),
            ("util.base64Decode", #"["***"]"#, "no base64"), ("util.matches", #"["(","a"]"#, "no regular expression"),
            ("util.matches", #"["\\X","a"]"#, "no regular expression"),
            ("util.str.normalize", #"["a","nfx"]"#, "knows the forms"),
            ("util.xml.toMap", #"["<a><b></a>"]"#, "expected the end of another element than a at byte 6"),
            ("util.xml.toMap", #"["<a>"]"#, "expected </a> at byte 3"),
            ("util.xml.toMap", #"["<a x=1/>"]"#, "expected a quote before an attribute's value at byte 5"),
            ("util.xml.toMap", #"["text"]"#, "expected an element at byte 0"),
            ("util.xml.toMap", #"["<!DOCTYPE a [<!ENTITY b 'c'>"]"#, "expected the end of the declaration"),
            ("util.xml.toMap", #"["<a><!-- </a>"]"#, "expected --> at byte 7"),
            ("util.xml.toMap", "[\"\(String(repeating: "<a>", count: 200))\"]", "nested more than 100 deep"),
        ])
    func refused(name: String, arguments: String, message: String) throws {
        let error = try LibraryCalls.refusal(name, arguments)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "nothing")")
    }

    @Test("a pattern that costs more than the run has left fails")
    func costly() throws {
        var limits = ResolverLimits()
        limits.stepsMax = 10_000
        let text = String(repeating: "a", count: 60) + "b"
        let error = try LibraryCalls.refusal("util.matches", #"["(a|aa)+\\1$","\#(text)"]"#, limits: limits)
        #expect(error?.message.contains("takes too long") == true, "\(error?.message ?? "nothing")")
    }

    // MARK: Patterns

    /// A text, a pattern, a replacement, and what comes of the first match and of all.
    static let replacements: [(String, String, String, String, String)] = [
        ("a-b-c", "-[a-z]", "", "a-c", "a"), ("foo bar foo", "foo", "baz", "baz bar foo", "baz bar baz"),
        ("2018-02-06", "(\\d+)-(\\d+)", "$2/$1", "02/2018-06", "02/2018-06"),
        ("abc", "(?<x>b)", "[${x}]", "a[b]c", "a[b]c"),
        ("abc", "b", "\\$1\\\\", "a$1\\c", "a$1\\c"), ("abc", "", "-", "-abc", "-a-b-c-"),
        ("aaa", "a*?", "x", "xaaa", "xaxaxax"),
        ("aB", "(?i)b", "$0$0", "aBB", "aBB"), ("abc", "x", "y", "abc", "abc"), ("ab", "(x)?b", "[$1]", "a[]", "a[]"),
        ("a1", "(a)(1)", "$12", "a2", "a2"), ("aab", "a++", "x", "xb", "xb"), ("a😀b", "😀", "é", "aéb", "aéb"),
        ("foobar", "foo|foobar", "x", "xbar", "xbar"),
    ]

    @Test("matches are replaced as Java does it", arguments: replacements)
    func replace(text: String, pattern: String, other: String, first: String, all: String) throws {
        let pattern = try JavaPattern(pattern)
        var steps = 1_000
        #expect(
            try pattern.replacing(in: text, with: other, onlyFirst: true, bytesMax: 100, &steps) == first)
        #expect(try pattern.replacing(in: text, with: other, bytesMax: 100, &steps) == all)
        #expect(steps < 1_000)
    }

    static let parts: [(String, String, [String])] = [
        ("foo bar Foo", " ", ["foo", "bar", "Foo"]), ("foo bar foo bar Foo", "(foo)", ["", " bar ", " bar Foo"]),
        ("a,b,,", ",", ["a", "b"]), (",a", ",", ["", "a"]), ("abc", "", ["a", "b", "c"]), ("", ",", [""]),
        (",", ",", []),
        ("abc", "x", ["abc"]), ("a1b22c", "\\d+", ["a", "b", "c"]),
    ]

    @Test("texts are split as Java does it", arguments: parts)
    func split(text: String, pattern: String, parts: [String]) throws {
        var steps = 1_000
        let found = try JavaPattern(pattern).split(text, &steps)
        #expect(found == parts, "\(found)")
    }

    @Test("replacements that name no group are refused", arguments: ["$", "$2", "${x", "${y}", "\\", "$a"])
    func badReplacement(text: String) throws {
        let pattern = try JavaPattern("(a)")
        var steps = 1_000
        #expect(throws: ResolverError.self) {
            try pattern.replacing(in: "a", with: text, bytesMax: 100, &steps)
        }
    }

    @Test("what a replacement makes is bounded, and what a search costs")
    func bounded() throws {
        var steps = 1_000
        #expect(throws: ResolverError.self) {
            try JavaPattern("a").replacing(in: "aaaa", with: "0123456789", bytesMax: 39, &steps)
        }
        #expect(try JavaPattern("a").replacing(in: "aaaa", with: "0123456789", bytesMax: 40, &steps).utf8.count == 40)
        steps = 10
        let error = #expect(throws: ResolverError.self) {
            try JavaPattern("b").replacing(in: String(repeating: "a", count: 100), with: "", bytesMax: 1_000, &steps)
        }
        #expect(error?.message.contains("takes too long") == true)
    }
}
