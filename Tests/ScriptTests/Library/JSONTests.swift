import Testing

@testable import Script

@Suite("JSON")
struct JSONTests {
    static let written: [(String, String)] = [
        (
            "{ a: 1, b: [true, null, 'x', undefined, () => 1, Symbol()], c: undefined, d: NaN, e: -0, f: 1e21 }",
            #"{"a":1,"b":[true,null,"x",null,null,null],"d":null,"e":0,"f":1e+21}"#
        ),
        (
            "'\"\\\\\\n\\b\\f\\r\\t\\u0001\\u007f\\u2028\\ud800\\udc00😀'",
            "\"\\\"\\\\\\n\\b\\f\\r\\t\\u0001\u{7f}\u{2028}\u{10000}😀\""
        ),
        ("'\\ud800a\\udc00'", #""\ud800a\udc00""#), ("undefined", "undefined"), ("() => 1", "undefined"),
        ("null", "null"), ("[]", "[]"), ("{}", "{}"),
        ("{ toJSON(key) { return 'as ' + key } }", #""as ""#), ("[{ toJSON(key) { return key } }]", #"["0"]"#),
        ("{ b: 1, 2: 2, a: 3, 1: 4, [Symbol('s')]: 5 }", #"{"1":4,"2":2,"b":1,"a":3}"#), ("[, 1]", "[null,1]"),
        ("{ a: 1, b: { a: 2, c: 3 } }, ['a', 'b', 1]", #"{"a":1,"b":{"a":2}}"#),
        ("{ a: 1, b: [2] }, (k, v) => typeof v === 'number' ? v + 1 : v", #"{"a":2,"b":[3]}"#),
        ("{ a: 1, b: 2 }, k => k === 'a' ? undefined : 3", "3"),
        (
            "{ a: [1, { b: 2 }], c: [], d: {} }, null, 2",
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ],\n  \"c\": [],\n  \"d\": {}\n}"
        ),
        ("[1], null, '--------------'", "[\n----------1\n]"), ("[1], null, 0", "[1]"),
        ("Object.create({ a: 1 })", "{}"), ("[new Map([[1, 2]]), new Error('x')]", "[{},{}]"),
    ]

    @Test("a value is written as the language says", arguments: written)
    func stringify(_ arguments: String, _ expected: String) {
        #expect(
            ProgramOutput.of("console.log(`${JSON.stringify(\(arguments))}`)").joined(separator: "\n") == expected)
    }

    static let read: [(String, String)] = [
        (
            #" {"a" : [1, -2.5e3, true, false, null, "x\u0041\n\"\/\\"], "b": {}, "c": [] } "#,
            #"{"a":[1,-2500,true,false,null,"xA\n\"/\\"],"b":{},"c":[]}"#
        ),
        ("-0", "-0"), ("1e5", "100000"), ("123456789012345678901234567890", "1.2345678901234568e+29"),
        (#"{"a":1,"a":2}"#, #"{"a":2}"#),
        (#"{"__proto__":1}"#, #"{"__proto__":1}"#), (#"{"1":1,"0":2}"#, #"{"0":2,"1":1}"#),
        ("", "Unexpected end of JSON input"), ("abc", "Unexpected token 'a', \"abc\" is not valid JSON"),
        ("{", "Expected property name or '}' in JSON at position 1"),
        (#"{"a""#, "Expected ':' after property name in JSON at position 4"),
        (#"{"a":"#, "Unexpected end of JSON input"),
        (#"{"a":1"#, "Expected ',' or '}' after property value in JSON at position 6"),
        (#"{"a":1,}"#, "Expected double-quoted property name in JSON at position 7"),
        ("[1", "Expected ',' or ']' after array element in JSON at position 2"),
        ("[1,]", "Unexpected token ']', \"[1,]\" is not valid JSON"),
        ("\"abc", "Unterminated string in JSON at position 4"),
        ("\"a\tb\"", "Bad control character in string literal in JSON at position 2"),
        (#""\x""#, "Bad escaped character in JSON at position 2"),
        (#""\u12g4""#, "Bad Unicode escape in JSON at position 5"),
        ("-", "No number after minus sign in JSON at position 1"),
        ("1.", "Unterminated fractional number in JSON at position 2"),
        ("1e+", "Exponent part is missing a number in JSON at position 3"),
        ("01", "Unexpected number in JSON at position 1"),
        ("1 2", "Unexpected non-whitespace character after JSON at position 2"),
        ("tru", "Unexpected end of JSON input"), ("undefined", "\"undefined\" is not valid JSON"),
        (
            "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,x,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]",
            "Unexpected token 'x', ...\",13,14,15,x,1,2,3,4,\"... is not valid JSON"
        ),
        (
            "[x,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,1,1,1,1,1,1]",
            "Unexpected token 'x', \"[x,1,2,3,4,\"... is not valid JSON"
        ),
        ("[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,1111,x]", "Unexpected token 'x', ...\"4,15,1111,x]\" is not valid JSON"),
        ("falsy", "Unexpected token 'y', \"falsy\" is not valid JSON"),
        ("\u{a0}1", "Unexpected token '\u{a0}', \"\u{a0}1\" is not valid JSON"),
        ("'a'", "Unexpected token ''', \"'a'\" is not valid JSON"),
    ]

    @Test("a text is read, or refused in V8's words", arguments: read)
    func parse(_ text: String, _ expected: String) {
        var literal: [UInt16] = []
        ScriptJSONWriter.quote(Array(text.utf16), into: &literal)
        let program = """
            try { const value = JSON.parse(\(String(decoding: literal, as: UTF16.self))); console.log(Object.is(value, -0) ? "-0" : JSON.stringify(value)) }
            catch (error) { console.log(error.message) }
            """
        #expect(ProgramOutput.of(program) == [expected])
    }

    static let programs: [(String, [String])] = [
        (
            "console.log(JSON.stringify(JSON.parse('[1,{\"a\":2,\"b\":[3]}]', function (key, value) { return typeof value === 'number' ? value * 2 : value })))",
            [#"[2,{"a":4,"b":[6]}]"#]
        ),
        (
            "JSON.parse('{\"a\":[1],\"b\":{}}', function (key, value) { console.log(key, JSON.stringify(this)) })",
            [#"0 [1]"#, #"a {"a":[null],"b":{}}"#, #"b {"b":{}}"#, #" {"":{}}"#]
        ),
        ("console.log(JSON.stringify(JSON.parse('[1,2,3]', (k, v) => k === '1' ? undefined : v)))", ["[1,null,3]"]),
        (
            "const o = {}; o.a = { b: o }; try { JSON.stringify(o) } catch (e) { console.log(e.name + ': ' + e.message) }",
            [
                "TypeError: Converting circular structure to JSON\n    --> starting at object with constructor 'Object'\n    |     property 'a' -> object with constructor 'Object'\n    --- property 'b' closes the circle"
            ]
        ),
        (
            "const l = [1]; l.push({ x: [l] }); try { JSON.stringify(l) } catch (e) { console.log(e.message === \"Converting circular structure to JSON\\n    --> starting at object with constructor 'Array'\\n    |     index 1 -> object with constructor 'Object'\\n    |     property 'x' -> object with constructor 'Array'\\n    --- index 0 closes the circle\") }",
            ["true"]
        ),
        (
            "let t = '['; for (let i = 0; i < 17; i++) t += t; try { JSON.parse(t) } catch (e) { console.log(e.name) }",
            ["RangeError"]
        ),
        (
            "let d = []; for (let i = 0; i < 100000; i++) d = [d]; try { JSON.stringify(d) } catch (e) { console.log(e.name) }",
            ["RangeError"]
        ),
        ("console.log(Object.prototype.toString.call(JSON))", ["[object JSON]"]),
    ]

    @Test("a function sees every value from the innermost out, and circles are shown", arguments: programs)
    func prints(_ program: String, _ expected: [String]) {
        #expect(ProgramOutput.of(program) == expected)
    }
}
