import JSON
import Store

/// Reads the `filter` of a search as a predicate, in the meaning of OpenSearch.
struct SearchFilterReader {
    let table: TableLayout
    /// The fields that the filter speaks of.
    private(set) var fields: Set<String> = []

    init(_ table: TableLayout) {
        self.table = table
    }

    mutating func predicate(_ filter: JSONValue?) throws(FieldFailure) -> Predicate {
        var seen = fields
        defer { fields = seen }
        return try FilterTree.predicate(filter) { field, operators throws(FieldFailure) in
            seen.insert(field)
            let kind = table.column(of: field)?.kind ?? .text
            return operators.compactMap { member in
                condition(member.key, member.value, kind).map { .search($0) }
            }
        }
    }

    /// Nil for a null, which asks for nothing.
    private func condition(_ name: String, _ value: JSONValue, _ kind: ColumnKind) -> SearchCondition? {
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

    private func stored(_ value: JSONValue, _ kind: ColumnKind) -> StoredValue {
        StoredValue(operand: value, for: kind)
    }
}
