import Testing

@testable import JSON

@Suite("Writing")
struct WriterTests {
    static let written: [(value: JSONValue, text: String)] = [
        (nil, "null"), (true, "true"), (false, "false"), (0, "0"), (-1, "-1"), (10, "10"),
        (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
        (.largeInteger("-9223372036854775809"), "-9223372036854775809"),
        (1.0, "1.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1.5e300, "1.5e+300"), (1e16, "1e+16"),
        (1e15, "1000000000000000.0"),
        (0.0001, "0.0001"), (0.00001, "1e-05"), (.double(.leastNonzeroMagnitude), "5e-324"),
        (.double(.nan), "null"), (.double(.infinity), "null"), (.double(-.infinity), "null"),
        ("", "\"\""), ("plain", "\"plain\""), ("\"", "\"\\\"\""), ("a\\b", "\"a\\\\b\""),
        ("\n\r\t\u{8}\u{c}", "\"\\n\\r\\t\\b\\f\""), ("\u{0}\u{1}\u{1f}", "\"\\u0000\\u0001\\u001f\""),
        ("\u{7f}é世😀\u{2028}/", "\"\u{7f}é世😀\u{2028}/\""), ("12345678\"12345678", "\"12345678\\\"12345678\""),
        ([], "[]"), ([:], "{}"), ([1, [2], [:]], "[1,[2],{}]"), (["a": 1, "b\"": [nil]], "{\"a\":1,\"b\\\"\":[null]}"),
    ]

    @Test("a value becomes its text", arguments: written)
    func writes(value: JSONValue, text: String) {
        #expect(JSONWriter.text(of: value) == text)
        #expect(JSONWriter.bytes(of: value) == Array(text.utf8))
    }

    @Test("a character that needs an escape is found wherever it stands", arguments: Array(0...40))
    func escapesEverywhere(place: Int) {
        for character in ["\"", "\\", "\u{1}", "\n", "\u{1f}"] {
            let value = JSONValue.string(
                String(repeating: "é", count: place / 3) + String(repeating: "x", count: place) + character + "yé")
            #expect(read(JSONWriter.bytes(of: value)) == value)
        }
    }

    @Test("for people, members stand on lines of their own")
    func writesPretty() {
        let value: JSONValue = ["a": 1, "b": [true, [:], ["c": nil]], "d": []]
        let text = """
            {
              "a": 1,
              "b": [
                true,
                {},
                {
                  "c": null
                }
              ],
              "d": []
            }
            """
        #expect(JSONWriter.text(of: value, pretty: true) == text)
        #expect(read(Array(text.utf8)) == value)
    }

    @Test("parts are written to the end of what is there")
    func appends() {
        var buffer = Array("{".utf8)
        JSONWriter.writeKey("id", to: &buffer)
        Array("a\nb".utf8).withUnsafeBytes { JSONWriter.writeString($0, to: &buffer) }
        buffer.append(UInt8(ascii: "}"))
        #expect(String(decoding: buffer, as: UTF8.self) == "{\"id\":\"a\\nb\"}")
    }
}
