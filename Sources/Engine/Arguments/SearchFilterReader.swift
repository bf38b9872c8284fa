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

    mutating func predicate(_ filter: JSONValue?) throws(FieldFailure) -> Predicate { try predicate(filter, depth: 0) }

    private mutating func predicate(_ filter: JSONValue?, depth: Int) throws(FieldFailure) -> Predicate {
        guard case .object(let object)? = filter else { return .always }
        guard depth < StoreLimits.filterDepthMax else { throw .unrecognizedFilter }
        var parts: [Predicate] = []
        for member in object {
            switch member.key {
            case "and": parts += try predicates(member.value, depth: depth)
            case "or":
                let alternatives = try predicates(member.value, depth: depth)
                if !alternatives.isEmpty { parts.append(.any(alternatives)) }
            case "not":
                guard !member.value.isNull else { continue }
                parts.append(.not(try predicate(member.value, depth: depth + 1)))
            default:
                guard case .object(let operators) = member.value else { continue }
                fields.insert(member.key)
                let kind = table.column(of: member.key)?.kind ?? .text
                for entry in operators {
                    guard let condition = condition(entry.key, entry.value, kind) else { continue }
                    parts.append(.field(member.key, .search(condition)))
                }
            }
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func predicates(_ value: JSONValue, depth: Int) throws(FieldFailure) -> [Predicate] {
        guard case .array(let elements) = value else {
            return value.isNull ? [] : [try predicate(value, depth: depth + 1)]
        }
        var predicates: [Predicate] = []
        for element in elements where !element.isNull {
            predicates.append(try predicate(element, depth: depth + 1))
        }
        return predicates
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
        switch value {
        case .string(let text): .text(text)
        case .integer(let integer): kind == .real ? .real(Double(integer)) : .integer(integer)
        case .double(let double): .real(double)
        case .largeInteger(let digits): .text(digits)
        case .bool(let bool): .boolean(bool)
        case .null, .array, .object: .null
        }
    }
}
