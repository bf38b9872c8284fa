import JSON
import Store

/// Reads the `filter` of a list or search, and the `condition` of a mutation, as a predicate.
struct FilterReader {
    /// Whose operators a filter has.
    enum Language {
        /// Those of lists and conditions. What the cloud's filter translator cannot take is refused as it does.
        case database
        /// Those of searches, in the meaning of OpenSearch.
        case search
    }

    private let table: TableLayout
    private let language: Language
    /// The fields that the filter speaks of.
    private(set) var fields: Set<ByteText> = []

    init(_ table: TableLayout, _ language: Language = .database) {
        self.table = table
        self.language = language
    }

    /// Nothing given is always true.
    mutating func predicate(_ filter: JSONValue?) throws(FieldFailure) -> Predicate {
        var seen = fields
        defer { fields = seen }
        return try FilterTree.predicate(filter) { field, operators throws(FieldFailure) in
            seen.add(field)
            let kind = table.column(of: field)?.kind ?? .text
            var conditions: [Predicate.Condition] = []
            for member in operators {
                let condition: Predicate.Condition? =
                    switch language {
                    case .database: try condition(member.key, member.value, kind)
                    case .search: SearchOperator.condition(member.key, member.value, kind).map { .search($0) }
                    }
                if let condition { conditions.append(condition) }
            }
            return conditions
        }
    }

    private func condition(
        _ name: String, _ value: JSONValue, _ kind: ColumnKind
    ) throws(FieldFailure) -> Predicate.Condition? {
        switch name {
        case "eq": return .equal(operand(value, kind))
        case "ne": return .notEqual(operand(value, kind))
        case "lt": return comparison(.less, value, kind)
        case "le": return comparison(.lessOrEqual, value, kind)
        case "gt": return comparison(.greater, value, kind)
        case "ge": return comparison(.greaterOrEqual, value, kind)
        case "between":
            guard let (low, high) = ends(value, kind) else { throw .unrecognizedFilter }
            return .between(low, high)
        case "beginsWith": return value.string.map { .beginsWith($0) } ?? .isOneOf([])
        case "contains": return .contains(scalar(value, kind))
        case "notContains": return .notContains(scalar(value, kind))
        case "attributeExists": return value.bool.map { .exists($0) }
        case "attributeType":
            return value.string.flatMap(Predicate.AttributeType.init(rawValue:)).map { .hasType($0) }
        case "size": return try size(value)
        default: throw .unrecognizedFilter
        }
    }

    /// Null compares with nothing.
    private func comparison(
        _ comparison: Predicate.Comparison, _ value: JSONValue, _ kind: ColumnKind
    ) -> Predicate.Condition {
        value.isNull ? .isOneOf([]) : .compare(comparison, scalar(value, kind))
    }

    private func operand(_ value: JSONValue, _ kind: ColumnKind) -> Predicate.Operand {
        if case .array(let elements) = value { return .list(elements.map { scalar($0, kind) }) }
        return .value(scalar(value, kind))
    }

    private func ends(_ value: JSONValue, _ kind: ColumnKind) -> (StoredValue, StoredValue)? {
        guard case .array(let elements) = value, elements.count == 2 else { return nil }
        let ends = elements.map { scalar($0, kind) }
        return ends.contains(.null) ? nil : (ends[0], ends[1])
    }

    private func scalar(_ value: JSONValue, _ kind: ColumnKind) -> StoredValue {
        StoredValue(operand: value, for: kind)
    }

    private func size(_ value: JSONValue) throws(FieldFailure) -> Predicate.Condition? {
        guard case .object(let operators) = value, let member = operators.members.first else { return nil }
        guard operators.count == 1 else { throw .unrecognizedFilter }
        if member.key == "between" {
            guard case .array(let ends) = member.value, ends.count == 2, let low = ends[0].integer,
                let high = ends[1].integer
            else { throw .unrecognizedFilter }
            return .size(.between(low, high))
        }
        guard let count = member.value.integer else { throw .unrecognizedFilter }
        let comparison: Predicate.Comparison? =
            switch member.key {
            case "eq": .equal
            case "ne": .notEqual
            case "lt": .less
            case "le": .lessOrEqual
            case "gt": .greater
            case "ge": .greaterOrEqual
            default: nil
            }
        guard let comparison else { throw .unrecognizedFilter }
        return .size(.compare(comparison, count))
    }
}
