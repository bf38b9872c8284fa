import TestSupport

@testable import Store

/// A record in memory, and searches as a reader of the specification would evaluate them: nothing of SQL.
struct PlainBook {
    enum Value: Equatable {
        case text(String)
        case number(Double)
        case boolean(Bool)
        case list([Value])
    }

    let id: String
    let values: [String: Value]

    private static let texts = ["", "a", "ab", "b a", "Éa", "B"]
    private static let fields = ["id", "title", "pages", "price", "isOpen", "tags", "marks"]

    private static func text(using random: inout SeededRandom) -> String {
        texts[Int.random(in: 0..<texts.count, using: &random)]
    }

    static func random(_ number: Int, using random: inout SeededRandom) -> PlainBook {
        var values: [String: Value] = ["id": .text("\(number)")]
        for field in fields.dropFirst() where Int.random(in: 0..<4, using: &random) > 0 {
            values[field] = value(of: field, using: &random)
        }
        return PlainBook(id: "\(number)", values: values)
    }

    private static func value(of field: String, using random: inout SeededRandom) -> Value {
        switch field {
        case "pages": .number(Double(Int.random(in: -2...4, using: &random)))
        case "price": .number(Double(Int.random(in: -4...4, using: &random)) / 4)
        case "isOpen": .boolean(Bool.random(using: &random))
        case "tags": .list((0..<Int.random(in: 0...3, using: &random)).map { _ in .text(text(using: &random)) })
        case "marks":
            .list(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    .number(Double(Int.random(in: 0...3, using: &random)))
                })
        default: .text(text(using: &random))
        }
    }

    var assignments: [RecordChange.Assignment] {
        values.map { field, value in
            switch value {
            case .text(let text): .init(field, .text(text))
            case .number(let number): .init(field, field == "pages" ? .integer(Int64(number)) : .real(number))
            case .boolean(let boolean): .init(field, .boolean(boolean))
            case .list(let elements):
                .init(
                    field,
                    .text(
                        "["
                            + elements.map { element in
                                switch element {
                                case .text(let text): "\"\(text)\""
                                case .number(let number): "\(Int(number))"
                                default: "null"
                                }
                            }.joined(separator: ",") + "]"))
            }
        }
    }

    // MARK: Filters

    static func randomFilter(depth: Int, using random: inout SeededRandom) -> Predicate {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
        case 4: return .not(randomFilter(depth: depth - 1, using: &random))
        case 5, 6:
            return .any(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in randomFilter(depth: depth - 1, using: &random) })
        case 7:
            return .all(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in randomFilter(depth: depth - 1, using: &random) })
        default:
            let field = fields[Int.random(in: 0..<fields.count, using: &random)]
            return .field(field, .search(randomCondition(on: field, using: &random)))
        }
    }

    private static func randomCondition(on field: String, using random: inout SeededRandom) -> SearchCondition {
        func operand() -> StoredValue {
            switch field {
            case "pages", "marks": .integer(Int64.random(in: -2...4, using: &random))
            case "price": .real(Double(Int.random(in: -4...4, using: &random)) / 4)
            case "isOpen": .boolean(Bool.random(using: &random))
            default: .text(text(using: &random))
            }
        }
        let comparisons = Predicate.Comparison.allCases
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return .equal(operand())
        case 1: return .notEqual(operand())
        case 2: return .exists(Bool.random(using: &random))
        case 3: return .range(operand(), operand())
        case 4: return .match(text(using: &random))
        case 5: return .wildcard(["*", "?", "a*", "*a", ""][Int.random(in: 0..<5, using: &random)])
        default:
            return .compare(comparisons[Int.random(in: 0..<comparisons.count, using: &random)], operand())
        }
    }

    func meets(_ filter: Predicate) -> Bool {
        switch filter {
        case .all(let parts): parts.allSatisfy(meets)
        case .any(let parts): parts.contains(where: meets)
        case .not(let part): !meets(part)
        case .field(let field, .search(let condition)): meets(condition, elements(of: field))
        case .field: false
        }
    }

    /// The values of a field: those of the list, or the one.
    private func elements(of field: String) -> [Value] {
        switch values[field] {
        case nil: []
        case .list(let elements)?: elements
        case let value?: [value]
        }
    }

    private func meets(_ condition: SearchCondition, _ elements: [Value]) -> Bool {
        func one(_ test: (Value) -> Bool) -> Bool { elements.contains(where: test) }
        switch condition {
        case .equal(let operand): return one { Self.order($0, operand) == 0 }
        case .notEqual(let operand): return !one { Self.order($0, operand) == 0 }
        case .exists(let isWanted): return elements.isEmpty != isWanted
        case .range(let low, let high):
            return one { (Self.order($0, low) ?? -1) >= 0 && (Self.order($0, high) ?? 1) <= 0 }
        case .compare(let comparison, let operand):
            return one { value in
                guard let order = Self.order(value, operand) else { return false }
                switch comparison {
                case .equal: return order == 0
                case .notEqual: return order != 0
                case .less: return order < 0
                case .lessOrEqual: return order <= 0
                case .greater: return order > 0
                case .greaterOrEqual: return order >= 0
                }
            }
        case .match(let text):
            let wanted = text.lowercased().split(separator: " ")
            return one { value in
                guard case .text(let found) = value else { return false }
                let words = found.lowercased().split(separator: " ")
                return wanted.contains { words.contains($0) }
            }
        case .wildcard(let pattern):
            return one { value in
                guard case .text(let text) = value else { return false }
                switch pattern {
                case "*": return true
                case "?": return text.count == 1
                case "a*": return text.hasPrefix("a")
                case "*a": return text.hasSuffix("a")
                default: return text.isEmpty
                }
            }
        default: return false
        }
    }

    private static func order(_ value: Value, _ operand: StoredValue) -> Int? {
        switch (value, operand) {
        case (.text(let left), .text(let right)): return order(Array(left.utf8), Array(right.utf8))
        case (.number(let left), .integer(let right)): return order([left], [Double(right)])
        case (.number(let left), .real(let right)): return order([left], [right])
        case (.boolean(let left), .integer(let right)): return (left ? 1 : 0) - Int(right)
        default: return nil
        }
    }

    private static func order<Element: Comparable>(_ left: [Element], _ right: [Element]) -> Int {
        left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    // MARK: Order

    static func randomSort(using random: inout SeededRandom) -> [TextSearch.SortKey] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
            .init(fields[Int.random(in: 0..<fields.count, using: &random)], isDescending: Bool.random(using: &random))
        }
    }

    static func sorted(_ books: [PlainBook], by sort: [TextSearch.SortKey]) -> [PlainBook] {
        let keys = sort + [TextSearch.SortKey("id")]
        return books.sorted { left, right in
            for key in keys {
                let (one, other) = (left.sortValue(key), right.sortValue(key))
                switch (one, other) {
                case (nil, nil): continue
                case (nil, _): return false
                case (_, nil): return true
                case (let one?, let other?):
                    let order = compare(one, other)
                    if order != 0 { return key.isDescending ? order > 0 : order < 0 }
                }
            }
            return false
        }
    }

    private func sortValue(_ key: TextSearch.SortKey) -> Value? {
        let sorted = elements(of: key.field).sorted { Self.compare($0, $1) < 0 }
        return key.isDescending ? sorted.last : sorted.first
    }

    private static func compare(_ left: Value, _ right: Value) -> Int {
        switch (left, right) {
        case (.text(let left), .text(let right)): order(Array(left.utf8), Array(right.utf8))
        case (.number(let left), .number(let right)): order([left], [right])
        case (.boolean(let left), .boolean(let right)): (left ? 1 : 0) - (right ? 1 : 0)
        default: 0
        }
    }

    // MARK: Aggregates

    static func aggregate(_ aggregate: SearchAggregate, of books: [PlainBook]) -> SearchAggregate.Outcome {
        // A record counts once for a value, however often it has it.
        let values = books.flatMap { book in
            book.elements(of: aggregate.field).reduce(into: [Value]()) { if !$0.contains($1) { $0.append($1) } }
        }
        let numbers = values.compactMap { value -> Double? in
            switch value {
            case .number(let number): number
            case .boolean(let boolean): boolean ? 1 : 0
            default: nil
            }
        }
        switch aggregate.kind {
        case .sum: return .number(numbers.reduce(0, +))
        case .avg: return numbers.isEmpty ? .nothing : .number(numbers.reduce(0, +) / Double(numbers.count))
        case .min: return numbers.min().map { .number($0) } ?? .nothing
        case .max: return numbers.max().map { .number($0) } ?? .nothing
        case .cardinality:
            return .number(Double(values.reduce(into: [Value]()) { if !$0.contains($1) { $0.append($1) } }.count))
        case .terms:
            var counts: [(value: Value, count: Int)] = []
            for value in values {
                if let index = counts.firstIndex(where: { $0.value == value }) {
                    counts[index].count += 1
                } else {
                    counts.append((value, 1))
                }
            }
            let sorted = counts.sorted { $0.count != $1.count ? $0.count > $1.count : compare($0.value, $1.value) < 0 }
            let buckets = sorted.prefix(10).map {
                SearchAggregate.Bucket(key: key(of: $0.value, aggregate.field), count: $0.count)
            }
            return buckets.isEmpty ? .nothing : .buckets(buckets)
        }
    }

    private static func key(of value: Value, _ field: String) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): field == "price" ? "\(number)" : "\(Int(number))"
        case .boolean(let boolean): boolean ? "1" : "0"
        case .list: ""
        }
    }

    static func areNear(_ one: SearchAggregate.Outcome, _ other: SearchAggregate.Outcome) -> Bool {
        if case .number(let left) = one, case .number(let right) = other { return abs(left - right) < 1e-9 }
        return one == other
    }
}
