import JSON
import Store

/// Reads the `filter` of a list and the `condition` of a mutation as a predicate.
///
/// All entries of an object count together: several operators of a field, fields beside each other, and a field beside
/// an `or`. What the cloud's filter translator cannot take is refused as it does.
struct FilterReader {
    let table: TableLayout
    /// The fields that the filter speaks of.
    private(set) var fields: Set<String> = []

    init(_ table: TableLayout) {
        self.table = table
    }

    /// Nothing given is always true.
    mutating func predicate(_ filter: JSONValue?) throws(FieldFailure) -> Predicate {
        try predicate(filter, depth: 0)
    }

    private mutating func predicate(_ filter: JSONValue?, depth: Int) throws(FieldFailure) -> Predicate {
        guard case .object(let object)? = filter else { return .always }
        guard depth < StoreLimits.filterDepthMax else { throw .unrecognizedFilter }
        var parts: [Predicate] = []
        for member in object {
            switch member.key {
            case "and": parts.append(contentsOf: try predicates(member.value, depth: depth))
            case "or":
                // An empty list asks for nothing.
                let alternatives = try predicates(member.value, depth: depth)
                if !alternatives.isEmpty { parts.append(.any(alternatives)) }
            case "not":
                guard !member.value.isNull else { continue }
                parts.append(.not(try predicate(member.value, depth: depth + 1)))
            default: try addConditions(on: member.key, member.value, to: &parts)
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

    private mutating func addConditions(
        on field: String, _ value: JSONValue, to parts: inout [Predicate]
    ) throws(FieldFailure) {
        guard case .object(let operators) = value else { return }
        fields.insert(field)
        let kind = table.column(of: field)?.kind ?? .text
        for member in operators {
            guard let condition = try condition(member.key, member.value, kind) else { continue }
            parts.append(.field(field, condition))
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

    /// A value as the operator's input type says, which for a list is that of its elements.
    private func scalar(_ value: JSONValue, _ kind: ColumnKind) -> StoredValue {
        switch value {
        case .string(let text): .text(text)
        case .integer(let integer): kind == .real ? .real(Double(integer)) : .integer(integer)
        case .double(let double): .real(double)
        case .largeInteger(let digits): .text(digits)
        case .bool(let bool): .boolean(bool)
        case .null, .array, .object: .null
        }
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
