import JSON
import TestSupport

/// What a table of the random calls is like: `p` and `s` are its key, `g` and `l` that of the index `byG`, `h` that of `byH`.
struct RandomTable: Sendable {
    enum Kind: Sendable {
        case text, number, integer, float, set, map, list, texts, bool, null
    }

    let name: String
    let sort: Kind
    let indexSort: Kind
    let hasH: Bool
    /// Nil for one that was made by a call.
    let typeName: String?
    /// The attributes beside those of keys, and what they may hold.
    let kinds: [String: [Kind]]

    /// What an index has of its items; nil: all.
    func projected(_ index: String?) -> [String]? { typeName == nil && index == "byG" ? ["p", "s", "g", "l"] : nil }

    static let texts = [
        "a", "ab", "a\u{D7FF}", "a\u{E000}", "b", "é", "e\u{301}", "\u{FFFF}", "\u{10FFFF}", "a\u{10FFFF}", "a#b",
        "\u{1}",
    ]
    static let integers = ["-2", "-1", "0", "1", "2", "3", "9223372036854775807", "-9223372036854775808"]
    static let floats = ["-1.5", "-0.1", "0", "0.1", "0.5", "2", "10000000000", "1e-7"]
    static let numbers = integers + floats + ["99999999999999999999999999999999999999", "1e100", "-1e-100"]

    /// A value that an attribute of a kind can hold.
    static func value(_ kind: Kind, _ random: inout SeededRandom) -> JSONValue {
        func pick(_ all: [String]) -> JSONValue { .string(all[Int.random(in: 0..<all.count, using: &random)]) }
        switch kind {
        case .text: return ["S": pick(texts)]
        case .number: return ["N": pick(numbers)]
        case .integer: return ["N": pick(integers)]
        case .float: return ["N": pick(floats)]
        case .set: return ["SS": .array([pick(texts)])]
        case .map: return ["M": ["k": ["S": pick(texts)], "n": ["N": pick(["1", "2.5"])]]]
        case .list: return ["L": [["S": pick(texts)], ["NULL": true]]]
        case .texts: return ["L": [["S": pick(texts)], ["S": pick(texts)]]]
        case .bool: return ["BOOL": .bool(Bool.random(using: &random))]
        case .null: return ["NULL": true]
        }
    }

    /// A value that a condition may compare a sort key with: also one that no key can have.
    static func bound(_ kind: Kind, _ random: inout SeededRandom) -> JSONValue {
        let odd = ["0.10000000000000000001", "0.09999999999999999999", "-0.5", "1.5", "1e19", "-1e19", "2.0", "1e2"]
        switch kind {
        case .text: return value(.text, &random)
        default:
            guard Int.random(in: 0..<3, using: &random) == 0 else { return value(kind, &random) }
            return ["N": .string(odd[Int.random(in: 0..<odd.count, using: &random)])]
        }
    }
}
