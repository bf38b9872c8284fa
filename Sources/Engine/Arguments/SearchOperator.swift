import JSON
import Store

/// The operators that the `filter` of a search may have.
enum SearchOperator {
    /// Nil for a null, which asks for nothing.
    static func condition(_ name: String, _ value: JSONValue, _ kind: ColumnKind) -> SearchCondition? {
        guard !value.isNull else { return nil }
        let text = value.string ?? ""
        return switch name {
        case "eq": .equal(stored(value, kind))
        case "ne": .notEqual(stored(value, kind))
        case "gt": .compare(.greater, stored(value, kind))
        case "gte": .compare(.greaterOrEqual, stored(value, kind))
        case "lt": .compare(.less, stored(value, kind))
        case "lte": .compare(.lessOrEqual, stored(value, kind))
        case "range": .range(stored(value[0] ?? .null, kind), stored(value[1] ?? .null, kind))
        case "exists": value.bool.map { .exists($0) }
        case "match": .match(text)
        case "multiMatch": .multiMatch(text)
        case "matchPhrase": .matchPhrase(text)
        case "matchPhrasePrefix": .matchPhrasePrefix(text)
        case "wildcard": .wildcard(text)
        case "regexp": .regexp(text)
        default: nil
        }
    }

    private static func stored(_ value: JSONValue, _ kind: ColumnKind) -> StoredValue {
        StoredValue(operand: value, for: kind)
    }
}
