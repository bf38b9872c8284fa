import TestSupport
import Testing

@testable import JSON

@Suite("Reading")
struct ReaderTests {
    static let accepted: [(text: String, value: JSONValue)] = [
        ("null", nil), ("true", true), ("false", false), (" \t\r\n1 \n", 1),
        ("\u{FEFF}{}", [:]), ("[]", []), ("{}", [:]), ("[ ]", []), ("{ }", [:]), ("\"\"", ""),
        ("[[],[[]],{}]", [[], [[]], [:]]), ("[1,2,3]", [1, 2, 3]), ("[null,true]", [nil, true]),
        ("{\"a\":1,\"b\":{\"c\":[2]}}", ["a": 1, "b": ["c": [2]]]),
        ("{ \"a\" : 1 , \"b\" : 2 }", ["a": 1, "b": 2]),
        ("{\"a\":1,\"a\":2}", ["a": 2]), ("{\"\":0}", ["": 0]), ("{\"a\\u0062\":0}", ["ab": 0]),
        // Integers.
        ("0", 0), ("-0", 0), ("-1", -1), ("1234567890123456789", 1_234_567_890_123_456_789),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .largeInteger("9223372036854775808")),
        ("-9223372036854775809", .largeInteger("-9223372036854775809")),
        ("18446744073709551615", .largeInteger("18446744073709551615")),
        ("18446744073709551616", .largeInteger("18446744073709551616")),
        ("123456789012345678901234567890", .largeInteger("123456789012345678901234567890")),
        // Doubles.
        ("1.0", .double(1)), ("-0.0", .double(-0.0)), ("1e0", .double(1)), ("1E+2", .double(100)),
        ("1e-2", .double(0.01)), ("0.1", .double(0.1)), ("0.30000000000000004", .double(0.1 + 0.2)),
        ("123.456e78", .double(123.456e78)), ("1e22", .double(1e22)), ("1e23", .double(1e23)),
        ("9007199254740993.0", .double(9_007_199_254_740_992)), ("5e-324", .double(.leastNonzeroMagnitude)),
        ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)), ("1e-400", .double(0)),
        ("0e99999999999999999999999", .double(0)),
        ("2.2250738585072011e-308", .double(Double(bitPattern: 0x000F_FFFF_FFFF_FFFF))),
        ("0.00000000000000000000000000000000000000000000001e47", .double(1)),
        // Strings.
        ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{c}\n\r\t"), ("\"\\u0041\\u00e9\\u20AC\"", "Aé€"),
        ("\"\\ud83d\\ude00\"", "😀"), ("\"\\uD83D\\uDE00!\"", "😀!"), ("\"\\u0000\"", "\u{0}"),
        ("\"plain text that is longer than eight bytes\"", "plain text that is longer than eight bytes"),
        ("\"12345678\\n12345678\"", "12345678\n12345678"),
        ("\"grüße, 世界 😀 \u{7f}\u{2028}\"", "grüße, 世界 😀 \u{7f}\u{2028}"),
        // Lone surrogates: no UTF-8 text can hold them.
        ("\"\\ud800\"", "\u{FFFD}"), ("\"\\udc00x\"", "\u{FFFD}x"), ("\"\\ud800\\ud800\"", "\u{FFFD}\u{FFFD}"),
        ("\"\\ud800\\u0041\"", "\u{FFFD}A"), ("\"\\ud800\\ud83d\\ude00\"", "\u{FFFD}😀"),
        ("\"\\ud800\\n\"", "\u{FFFD}\n"),
    ]

    @Test("a valid text gives its value", arguments: accepted)
    func accepts(text: String, value: JSONValue) throws {
        #expect(try JSONReader.value(of: text) == value)
        #expect(try JSONReader.value(of: Array(text.utf8)) == value)
        #expect(try JSONReader.value(of: Array(text.utf8).span) == value)
    }

    @Test(
        "half of a surrogate pair is refused where that is asked for, and a whole one is not",
        arguments: [
            #""\ud800""#, #""\udc00x""#, #""\ud800\ud800""#, #""\ud800\u0041""#, #""\udbff\n""#, #"{"\udfff": 1}"#,
            #"["\ud83d\ude00\ude00"]"#,
        ])
    func refusesLoneSurrogates(text: String) throws {
        let limits = JSONLimits(bytesMax: 100, refusesLoneSurrogates: true)
        #expect(throws: JSONError.self) { try JSONReader.value(of: text, limits: limits) }
        _ = try JSONReader.value(of: text, limits: JSONLimits(bytesMax: 100))
        #expect(try JSONReader.value(of: #""\ud83d\ude00""#, limits: limits) == "😀")
        #expect(try JSONReader.value(of: "\"\u{FFFD}\"", limits: limits) == "\u{FFFD}")
    }

    @Test("a plain number is digits and nothing else")
    func plainNumbers() {
        #expect(
            "0".plainNumber == 0 && "007".plainNumber == 7
                && "999999999999999999".plainNumber == 999_999_999_999_999_999)
        for text in ["", "+1", "-1", " 1", "1 ", "1.0", "1e3", "0x1", "１", "१", "1\u{301}", "1000000000000000000"] {
            #expect(text.plainNumber == nil, "\(text)")
        }
    }

    static let refused: [(text: String, message: String)] = [
        ("", "line 1, column 1: expected a value, found the end of the text"),
        ("  ", "line 1, column 3: expected a value, found the end of the text"),
        ("nul", "line 1, column 4: expected null, found the end of the text"),
        ("nulL", "line 1, column 4: expected null, found L"),
        ("True", "line 1, column 1: expected a value, found T"),
        ("truefalse", "line 1, column 5: expected the end of the text, found f"),
        ("1 2", "line 1, column 3: expected the end of the text, found 2"),
        ("{}}", "line 1, column 3: expected the end of the text, found }"),
        ("[1,]", "line 1, column 4: expected a value, found ]"),
        ("[,1]", "line 1, column 2: expected a value, found ,"),
        ("[1 2]", "line 1, column 4: expected a comma or ], found 2"),
        ("[1", "line 1, column 3: expected a comma or ], found the end of the text"),
        ("[", "line 1, column 2: expected a value, found the end of the text"),
        ("]", "line 1, column 1: expected a value, found ]"),
        ("[1}", "line 1, column 3: expected a comma or ], found }"),
        ("{\"a\":1,}", "line 1, column 8: expected a key in double quotes, found }"),
        ("{a:1}", "line 1, column 2: expected a key in double quotes, found a"),
        ("{'a':1}", "line 1, column 2: expected a key in double quotes, found '"),
        ("{1:1}", "line 1, column 2: expected a key in double quotes, found 1"),
        ("{\"a\"}", "line 1, column 5: expected a colon, found }"),
        ("{\"a\" 1}", "line 1, column 6: expected a colon, found 1"),
        ("{\"a\":}", "line 1, column 6: expected a value, found }"),
        ("{\"a\":1 \"b\":2}", "line 1, column 8: expected a comma or }, found \""),
        ("{", "line 1, column 2: expected a key in double quotes, found the end of the text"),
        ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: expected a comma or }, found \""),
        ("[\"é😀\", x]", "line 1, column 8: expected a value, found x"),
        ("\u{FEFF}x", "line 1, column 1: expected a value, found x"),
        ("\u{FEFF}\u{FEFF}1", "line 1, column 1: expected a value, found the byte 0xEF"),
        ("// note\n1", "line 1, column 1: expected a value, found /"),
        ("\u{b}1", "line 1, column 1: expected a value, found the control character U+000B"),
        ("\u{a0}1", "line 1, column 1: expected a value, found the byte 0xC2"),
        // Numbers.
        ("-", "line 1, column 2: expected a digit, found the end of the text"),
        ("+1", "line 1, column 1: expected a value, found +"),
        (".5", "line 1, column 1: expected a value, found ."),
        ("-.5", "line 1, column 2: expected a digit, found ."),
        ("01", "line 1, column 2: expected no digit after a leading zero, found 1"),
        ("-01", "line 1, column 3: expected no digit after a leading zero, found 1"),
        ("1.", "line 1, column 3: expected a digit after the decimal point, found the end of the text"),
        ("1.e1", "line 1, column 3: expected a digit after the decimal point, found e"),
        ("1e", "line 1, column 3: expected a digit in the exponent, found the end of the text"),
        ("1e+", "line 1, column 4: expected a digit in the exponent, found the end of the text"),
        ("1e1.5", "line 1, column 4: expected the end of the text, found ."),
        ("0x1", "line 1, column 2: expected the end of the text, found x"),
        ("1_000", "line 1, column 2: expected the end of the text, found _"),
        ("NaN", "line 1, column 1: expected a value, found N"),
        ("Infinity", "line 1, column 1: expected a value, found I"),
        ("-Infinity", "line 1, column 2: expected a digit, found I"),
        ("1e400", "line 1, column 1: expected a number within the range of a double, found a larger one"),
        ("-1e400", "line 1, column 1: expected a number within the range of a double, found a larger one"),
        // Strings.
        ("\"", "line 1, column 2: expected the double quote that ends the string of line 1, found the end of the text"),
        ("\"a\\", "line 1, column 4: expected one of \" \\ / b f n r t u after a backslash, found the end of the text"),
        ("\"\\x41\"", "line 1, column 3: expected one of \" \\ / b f n r t u after a backslash, found x"),
        ("\"\\u12\"", "line 1, column 6: expected four hexadecimal digits after \\u, found \""),
        ("\"\\u12g4\"", "line 1, column 6: expected four hexadecimal digits after \\u, found g"),
        ("\"\\ud800\\u1\"", "line 1, column 11: expected four hexadecimal digits after \\u, found \""),
        (
            "\"a\nb\"",
            "line 1, column 3: expected an escape such as \\n or \\u000a in place of a control character,"
                + " found the control character U+000A"
        ),
        (
            "\"\u{0}\"",
            "line 1, column 2: expected an escape such as \\n or \\u000a in place of a control character,"
                + " found the control character U+0000"
        ),
    ]

    @Test("anything else is refused, with the place and what was expected there", arguments: refused)
    func refuses(text: String, message: String) {
        #expect(refusal(Array(text.utf8))?.description == message)
    }

    static let invalidUTF8: [(bytes: [UInt8], offset: Int)] = [
        ([0x22, 0xFF, 0x22], 1), ([0x22, 0x61, 0x80, 0x22], 2), ([0x22, 0xC0, 0xAF, 0x22], 1),
        ([0x22, 0xC3, 0x22], 1), ([0x22, 0xE0, 0x80, 0x80, 0x22], 1), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
        ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22], 1),
        ([0x22, 0xC3, 0xA9, 0xE2, 0x82, 0x22], 3), ([0x22, 0x5C, 0x6E, 0xFF, 0x22], 3),
        ([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], 2),
    ]

    @Test("text that is not ASCII is looked at wherever it stands", arguments: 0..<24)
    func findsLetters(place: Int) throws {
        let (before, behind) = (String(repeating: "a", count: place), String(repeating: "b", count: 23 - place))
        for end in ["\"", "\" ", "\n\""] {
            let isText = end.utf8.first == UInt8(ascii: "\"")
            let right = Array("\"\(before)é\(behind)\(end)".utf8)
            #expect((try? JSONReader.value(of: right)) == (isText ? .string("\(before)é\(behind)") : nil))
            let wrong = Array("\"\(before)".utf8) + [0xFF] + Array("\(behind)\(end)".utf8)
            #expect((try? JSONReader.value(of: wrong)) == nil)
        }
        // What stands behind the text is none of it.
        #expect(try JSONReader.value(of: Array("[\"\(before)\",\"é\"]".utf8)) == [.string(before), "é"])
    }

    @Test("text that is not UTF-8 is refused at the first wrong byte", arguments: invalidUTF8)
    func refusesInvalidUTF8(bytes: [UInt8], offset: Int) {
        let error = refusal(bytes)
        #expect(error?.position.offset == offset)
        #expect(error?.expected == "UTF-8")
    }

    @Test(
        "text in UTF-16 is refused, not misread", arguments: [[0xFF, 0xFE, 0x31, 0x00], [0x00, 0x31], [0x31, 0x00]])
    func refusesUTF16(bytes: [UInt8]) {
        #expect(refusal(bytes)?.kind == .syntax)
    }

    @Test("nesting is read up to its limit, and refused beyond it")
    func limitsNesting() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            func nested(_ depth: Int) -> [UInt8] {
                Array(String(repeating: open, count: depth).utf8) + Array("0".utf8)
                    + Array(String(repeating: close, count: depth).utf8)
            }
            let max = JSONLimits.standard.nestingMax
            #expect(read(nested(max)) != nil)
            let error = refusal(nested(max + 1))
            #expect(error?.kind == .limit)
            #expect(error?.expected == "at most \(max) levels of arrays and objects")
        }
        #expect(refusal([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))?.kind == .limit)
        #expect(JSONLimits(bytesMax: 1, nestingMax: 1_000_000).nestingMax == 512)
    }

    @Test("a text is read up to its limit of bytes, and refused beyond it")
    func limitsBytes() {
        let limits = JSONLimits(bytesMax: 4)
        #expect(read(Array("1234".utf8), limits: limits) == 1234)
        let error = refusal(Array("12345".utf8), limits: limits)
        #expect(error?.description == "line 1, column 5: expected at most 4 bytes, found 5")
        #expect(error?.kind == .limit)
    }

    @Test("a number is read up to its limit of bytes, and refused beyond it")
    func limitsNumbers() {
        let max = JSONLimits.standard.numberBytesMax
        #expect(read([UInt8](repeating: UInt8(ascii: "7"), count: max)) != nil)
        for long in [String(repeating: "7", count: max + 1), "0." + String(repeating: "7", count: max)] {
            #expect(refusal(Array(long.utf8))?.kind == .limit)
        }
    }

    @Test("a hundred thousand keys cost no square of that")
    func readsManyKeys() throws {
        let count = 100_000
        let text = "{" + (0..<count).map { "\"\($0)\":\($0)" }.joined(separator: ",") + ",\"7\":-7}"
        var object: JSONObject?
        let time = try processorTime { object = try JSONReader.value(of: text).object }
        #expect(object?.count == count)
        #expect(object?["7"] == -7)
        #expect(object?["99999"] == 99_999)
        #expect(time < .seconds(5))
    }
}
