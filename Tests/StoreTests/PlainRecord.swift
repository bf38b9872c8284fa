@testable import Store

/// A record in memory, and filters as a reader of the specification would evaluate them: nothing of SQL.
struct PlainRecord {
    enum Value: Equatable {
        case null
        case text(String)
        case number(Double)
        case boolean(Bool)
        case list([String])
    }

    let id: String
    /// A field that is not in here is absent.
    let values: [String: Value]

    private static let words = ["", "a", "ab", "b", "ba", "é", "éa", "A"]
    private static let fields = ["s", "n", "f", "b", "l", "missing"]

    static func random(id: String, using random: inout some RandomNumberGenerator) -> PlainRecord {
        var values: [String: Value] = [:]
        for field in fields where field != "missing" {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: break
            case 1: values[field] = .null
            default: values[field] = value(of: field, using: &random)
            }
        }
        return PlainRecord(id: id, values: values)
    }

    private static func word(using random: inout some RandomNumberGenerator) -> String {
        words[Int.random(in: 0..<words.count, using: &random)]
    }

    private static func value(of field: String, using random: inout some RandomNumberGenerator) -> Value {
        switch field {
        case "n": .number(Double(Int.random(in: -2...12, using: &random)))
        case "f": .number(Double(Int.random(in: -4...8, using: &random)) / 4)
        case "b": .boolean(Bool.random(using: &random))
        case "l": .list((0..<Int.random(in: 0...3, using: &random)).map { _ in word(using: &random) })
        default: .text(word(using: &random))
        }
    }

    var assignments: [RecordChange.Assignment] {
        [.init("id", .text(id))]
            + values.map { field, value in
                switch value {
                case .null: .init(field, .null)
                case .text(let text): .init(field, .text(text))
                case .number(let number): .init(field, field == "n" ? .integer(Int64(number)) : .real(number))
                case .boolean(let boolean): .init(field, .boolean(boolean))
                case .list(let elements):
                    .init(field, .text("[" + elements.map { "\"\($0)\"" }.joined(separator: ",") + "]"))
                }
            }
    }

    static func randomPredicate(depth: Int, using random: inout some RandomNumberGenerator) -> Predicate {
        let kind = Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &random)
        switch kind {
        case 4: return .not(randomPredicate(depth: depth - 1, using: &random))
        case 5, 6:
            let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                randomPredicate(depth: depth - 1, using: &random)
            }
            return kind == 5 ? .all(parts) : .any(parts)
        default:
            let field = fields[Int.random(in: 0..<fields.count, using: &random)]
            return .field(field, randomCondition(on: field, using: &random))
        }
    }

    private static func randomCondition(
        on field: String, using random: inout some RandomNumberGenerator
    ) -> Predicate.Condition {
        func operand() -> StoredValue {
            switch field {
            case "n": .integer(Int64.random(in: -2...12, using: &random))
            case "f": .real(Double(Int.random(in: -4...8, using: &random)) / 4)
            case "b": .boolean(Bool.random(using: &random))
            default: .text(word(using: &random))
            }
        }
        let comparisons = Predicate.Comparison.allCases
        let types = Predicate.AttributeType.allCases
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .equal(.value(operand()))
        case 1: return .notEqual(.value(operand()))
        case 2: return .equal(.null)
        case 3: return .notEqual(.null)
        case 4: return .between(operand(), operand())
        case 5: return .beginsWith(word(using: &random))
        case 6: return .contains(.text(word(using: &random)))
        case 7: return .notContains(.text(word(using: &random)))
        case 8: return .exists(Bool.random(using: &random))
        case 9: return .hasType(types[Int.random(in: 0..<types.count, using: &random)])
        case 10:
            let comparison = comparisons[Int.random(in: 0..<comparisons.count, using: &random)]
            return .size(.compare(comparison, Int64.random(in: 0...3, using: &random)))
        default: return .compare(comparisons[Int.random(in: 0..<comparisons.count, using: &random)], operand())
        }
    }

    func meets(_ predicate: Predicate) -> Bool {
        switch predicate {
        case .all(let parts): parts.allSatisfy(meets)
        case .any(let parts): parts.contains(where: meets)
        case .not(let part): !meets(part)
        case .field(let field, let condition): meets(condition, values[field])
        }
    }

    private func meets(_ condition: Predicate.Condition, _ value: Value?) -> Bool {
        switch condition {
        case .equal(.value(.null)): value == .null
        case .notEqual(.value(.null)): value != .null
        case .equal(.value(let operand)): Self.order(value, operand) == 0
        case .notEqual(.value(let operand)): Self.order(value, operand) != 0
        case .equal(.list), .notEqual(.list), .isOneOf, .search: false
        case .compare(let comparison, let operand):
            Self.order(value, operand).map { Self.holds(comparison, $0) } ?? false
        case .between(let low, let high):
            (Self.order(value, low).map { $0 >= 0 } ?? false) && (Self.order(value, high).map { $0 <= 0 } ?? false)
        case .beginsWith(let prefix):
            if case .text(let text)? = value { Array(text.utf8).starts(with: prefix.utf8) } else { false }
        case .contains(let operand): Self.contains(value, operand)
        case .notContains(let operand): !Self.contains(value, operand)
        case .exists(let isWanted): (value != nil) == isWanted
        case .hasType(let type): value.map { Self.type(of: $0) == type } ?? false
        case .size(.compare(let comparison, let count)):
            Self.size(of: value).map { Self.holds(comparison, $0 - Int(count)) } ?? false
        case .size(.between): false
        }
    }

    /// How a value compares with one of the same type: below 0, 0, above 0.
    private static func order(_ value: Value?, _ operand: StoredValue) -> Int? {
        switch (value, operand) {
        case (.text(let left)?, .text(let right)):
            left == right ? 0 : Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8)) ? -1 : 1
        case (.number(let left)?, .integer(let right)): left == Double(right) ? 0 : left < Double(right) ? -1 : 1
        case (.number(let left)?, .real(let right)): left == right ? 0 : left < right ? -1 : 1
        case (.boolean(let left)?, .integer(let right)): (left ? 1 : 0) - Int(right)
        default: nil
        }
    }

    private static func holds(_ comparison: Predicate.Comparison, _ order: Int) -> Bool {
        switch comparison {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }

    private static func contains(_ value: Value?, _ operand: StoredValue) -> Bool {
        guard case .text(let wanted) = operand else { return false }
        switch value {
        case .text(let text)?:
            let bytes = Array(text.utf8)
            let part = Array(wanted.utf8)
            return part.isEmpty || bytes.indices.contains { bytes[$0...].starts(with: part) }
        case .list(let elements)?: return elements.contains(wanted)
        default: return false
        }
    }

    private static func type(of value: Value) -> Predicate.AttributeType {
        switch value {
        case .null: .null
        case .text: .string
        case .number: .number
        case .boolean: .bool
        case .list: .list
        }
    }

    private static func size(of value: Value?) -> Int? {
        switch value {
        case .text(let text)?: text.utf8.count
        case .list(let elements)?: elements.count
        default: nil
        }
    }
}
