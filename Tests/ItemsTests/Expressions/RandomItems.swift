import JSON
import TestSupport

@testable import Items

/// Random items, expressions over them, and what a second, plain evaluator says: it works on the JSON of the items, knows
/// no tree of ours and is written as DynamoDB's guide tells it.
struct RandomItems {
    var random: SeededRandom
    /// What stands for `:values` so far.
    private(set) var values = JSONObject()

    init(_ random: SeededRandom) { self.random = random }

    private static let names = ["a", "b", "c", "d"]
    private static let texts = ["", "a", "ab", "b", "é", "e\u{301}"]
    private static let numbers = ["0", "1", "1.0", "-1", "2", "10", "1e1", "0.5"]
    private static let bytes = ["", "AQ==", "AQI=", "Ag=="]

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }

    // MARK: - Items

    mutating func item() -> JSONValue {
        .object(JSONObject(Self.names.filter { _ in !chance(4) }.map { ($0, value(depth: 3)) }))
    }

    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 14 : 9), using: &random) {
        case 0, 1: ["S": .string(pick(Self.texts))]
        case 2, 3: ["N": .string(pick(Self.numbers))]
        case 4: ["B": .string(pick(Self.bytes))]
        case 5: ["BOOL": .bool(chance(2))]
        case 6: ["NULL": true]
        case 7: ["SS": .array(["x", "a", "b"].prefix(.random(in: 1...3, using: &random)).map { .string($0) })]
        case 8: ["NS": .array(["1", "2", "10"].prefix(.random(in: 1...3, using: &random)).map { .string($0) })]
        case 9, 10, 11:
            ["L": .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1) })]
        default: ["M": .object(JSONObject(Self.names.filter { _ in chance(2) }.map { ($0, value(depth: depth - 1)) }))]
        }
    }

    mutating func path() -> [JSONValue] {
        var parts: [JSONValue] = [.string(pick(Self.names))]
        while chance(2), parts.count < 4 {
            parts.append(chance(2) ? .string(pick(Self.names)) : .integer(.random(in: 0...5, using: &random)))
        }
        return parts
    }

    static func text(of path: [JSONValue]) -> String {
        path.dropFirst().reduce(path[0].string ?? "") { text, part in
            part.string.map { "\(text).\($0)" } ?? "\(text)[\(part.integer ?? 0)]"
        }
    }

    /// The key of a new value.
    mutating func key(of value: JSONValue) -> String {
        let key = ":v\(values.count)"
        values[key] = value
        return key
    }

    // MARK: - Conditions

    /// The text of a condition, and what it says about an item.
    typealias Written = (text: String, holds: (JSONValue) -> Bool)
    private typealias Operand = (text: String, value: (JSONValue) -> JSONValue?)

    mutating func condition(depth: Int) -> Written {
        guard depth > 0, !chance(3) else { return simpleCondition() }
        let (one, other) = (condition(depth: depth - 1), condition(depth: depth - 1))
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return ("NOT (\(one.text))", { !one.holds($0) })
        case 1: return ("(\(one.text)) AND (\(other.text))", { one.holds($0) && other.holds($0) })
        default: return ("(\(one.text)) OR (\(other.text))", { one.holds($0) || other.holds($0) })
        }
    }

    private mutating func simpleCondition() -> Written {
        let path = path()
        let text = Self.text(of: path)
        let at = { (item: JSONValue) in PlainItems.value(path, in: item) }
        let part = operand()
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return ("attribute_exists(\(text))", { at($0) != nil })
        case 1: return ("attribute_not_exists(\(text))", { at($0) == nil })
        case 2:
            let type = pick(["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS"])
            let key = key(of: ["S": .string(type)])
            return ("attribute_type(\(text), \(key))", { at($0)?.object?.keys.first == type })
        case 3: return ("contains(\(text), \(part.text))", { PlainItems.contains(at($0), part.value($0)) })
        case 4:
            let start = pick(Self.texts)
            let key = key(of: ["S": .string(start)])
            return (
                "begins_with(\(text), \(key))",
                { at($0)?["S"]?.string.map { Array($0.utf8).starts(with: Array(start.utf8)) } ?? false }
            )
        case 5:
            let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in operand() }
            let shown = parts.map(\.text).joined(separator: ", ")
            return (
                "\(text) IN (\(shown))",
                { item in parts.contains { PlainItems.areSame(at(item), $0.value(item)) } }
            )
        case 6:
            let size = Int.random(in: 0...3, using: &random)
            let key = key(of: ["N": .string("\(size)")])
            return ("size(\(text)) > \(key)", { item in PlainItems.size(at(item)).map { $0 > size } ?? false })
        default: return comparison(text, at)
        }
    }

    private mutating func comparison(_ text: String, _ at: @escaping (JSONValue) -> JSONValue?) -> Written {
        let comparator = pick(["=", "<>", "<", "<=", ">", ">="])
        if comparator == "=" || comparator == "<>" {
            let key = key(of: value(depth: 2))
            let value = values[key]
            return ("\(text) \(comparator) \(key)", { PlainItems.areSame(at($0), value) == (comparator == "=") })
        }
        let value = pick(
            [["S": .string(pick(Self.texts))], ["N": .string(pick(Self.numbers))], ["B": "AQI="]] as [JSONValue])
        let key = key(of: value)
        return (
            "\(text) \(comparator) \(key)",
            { item in
                guard let order = PlainItems.order(at(item), value) else { return false }
                return order < 0
                    ? comparator.hasPrefix("<") : order > 0 ? comparator.hasPrefix(">") : comparator.hasSuffix("=")
            }
        )
    }

    private mutating func operand() -> Operand {
        let value = value(depth: 1)
        return (key(of: value), { _ in value })
    }
}
