import JSON
import Testing

@testable import Engine

@Suite("AUTOMERGE")
struct AutomergeTests {
    static let rows: [(stored: String, sent: String, merged: String)] = [
        ("null", "1", "1"), ("null", "null", "null"), ("null", "[1]", "[1]"),
        ("1", "2", "1"), ("\"a\"", "\"b\"", "\"a\""), ("true", "false", "true"), ("1", "null", "1"),
        ("[1,2]", "[2,3]", "[1,2,2,3]"), ("[]", "[]", "[]"), ("[24,30,27]", "[30,35]", "[24,30,27,30,35]"),
        ("[1]", "2", "[1]"), ("1", "[2]", "1"), ("{\"a\":1}", "[1]", "{\"a\":1}"),
        (
            #"{"ppg":"35.4","apg":"6.3"}"#, #"{"ppg":"25.7","rpg":"6.9"}"#, #"{"ppg":"35.4","apg":"6.3","rpg":"6.9"}"#
        ),
        (
            #"{"a":{"b":[1],"c":null},"d":1}"#, #"{"a":{"b":[2],"c":3,"e":null},"d":{"x":1}}"#,
            #"{"a":{"b":[1,2],"c":3,"e":null},"d":1}"#
        ),
    ]

    @Test("keeps what is there, adds what is not, and joins lists and objects", arguments: rows)
    func merged(_ row: (stored: String, sent: String, merged: String)) throws {
        let merged = Automerge.merged(try JSONReader.value(of: row.stored), try JSONReader.value(of: row.sent))
        #expect(merged.text == row.merged)
    }
}
