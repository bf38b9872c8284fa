import JSON
import Store

/// Filters of the page as conditions of the store. What a column cannot be compared with is said, not taken for no match.
enum RowFilter {
    static func predicates(_ filters: [JSONValue], _ table: TableLayout) throws(ConsoleError) -> [Predicate] {
        var predicates: [Predicate] = []
        for (number, filter) in filters.enumerated() {
            predicates.append(try predicate(filter, table, "filter.\(number)"))
        }
        return predicates
    }

    private static func predicate(
        _ filter: JSONValue, _ table: TableLayout, _ place: String
    ) throws(ConsoleError) -> Predicate {
        guard let field = filter["field"]?.string, let column = table.column(of: field) else {
            throw .badRequest(
                "There is no field \(filter["field"]?.string ?? "") that is stored.", place: "\(place).field")
        }
        let value = filter["value"] ?? .null
        func stored(_ value: JSONValue) throws(ConsoleError) -> StoredValue {
            try Self.stored(value, column, "\(place).value")
        }
        func condition(_ condition: Predicate.Condition) -> Predicate { .field(field, condition) }
        switch filter["is"]?.string ?? "=" {
        case "=":
            return value.isNull ? condition(.exists(false)) : condition(.equal(.value(try stored(value))))
        case "!=":
            guard !value.isNull else { return condition(.exists(true)) }
            return .not(condition(.equal(.value(try stored(value)))))
        case "<": return condition(.compare(.less, try stored(value)))
        case "<=": return condition(.compare(.lessOrEqual, try stored(value)))
        case ">": return condition(.compare(.greater, try stored(value)))
        case ">=": return condition(.compare(.greaterOrEqual, try stored(value)))
        case "contains": return condition(.contains(try stored(value)))
        case "notContains": return .not(condition(.contains(try stored(value))))
        case "beginsWith":
            guard let text = value.string else {
                throw .badRequest("beginsWith takes a text.", place: "\(place).value")
            }
            return condition(.beginsWith(text))
        case "between":
            guard let ends = value.array, ends.count == 2 else {
                throw .badRequest("between takes two values.", place: "\(place).value")
            }
            return condition(.between(try stored(ends[0]), try stored(ends[1])))
        case "in":
            guard let values = value.array, (1...ConsoleLimits.valuesMax).contains(values.count) else {
                throw .badRequest(
                    "in takes 1 to \(ConsoleLimits.valuesMax) values.", place: "\(place).value")
            }
            return condition(.isOneOf(try values.map { value throws(ConsoleError) in try stored(value) }))
        case "exists": return condition(.exists(value.bool ?? true))
        case let other:
            throw .badRequest(
                "There is no comparison \(other): =, !=, <, <=, >, >=, contains, notContains, beginsWith, between, in, exists.",
                place: "\(place).is")
        }
    }

    /// A value as the column has it.
    static func stored(
        _ value: JSONValue, _ column: TableLayout.Column, _ place: String
    ) throws(ConsoleError) -> StoredValue {
        switch (column.kind, value) {
        case (.integer, .integer(let integer)): return .integer(integer)
        case (.real, _):
            if let number = value.number, number.isFinite { return .real(number) }
        case (.boolean, .bool(let bool)): return .boolean(bool)
        case (.text, .string(let text)): return .text(text)
        case (.list, .string(let text)), (.json, .string(let text)): return .text(text)
        case (.list, .integer(let integer)), (.json, .integer(let integer)): return .integer(integer)
        case (.list, .double(let double)), (.json, .double(let double)): return .real(double)
        case (.list, .bool(let bool)), (.json, .bool(let bool)): return .boolean(bool)
        default: break
        }
        throw .badRequest("\(column.field) is \(word(column.kind)), not \(value.kind).", place: place)
    }

    private static func word(_ kind: ColumnKind) -> String {
        switch kind {
        case .text: "a text"
        case .integer: "an integer"
        case .real: "a number"
        case .boolean: "true or false"
        case .list: "a list"
        case .json: "JSON"
        case .object: "an object, in which no filter looks"
        }
    }
}
