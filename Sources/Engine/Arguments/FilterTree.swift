import JSON
import Store

/// The form that all filters have: fields with their operators, joined by `and`, `or` and `not`.
///
/// All entries of an object count together: several operators of a field, fields beside each other, and a field beside
/// an `or`.
struct FilterTree {
    /// Reads the operators of a field as conditions.
    typealias FieldReading =
        (_ field: String, _ operators: JSONObject) throws(FieldFailure) -> [Predicate.Condition]

    /// The filter as a predicate; nothing given is always true.
    static func predicate(_ filter: JSONValue?, _ read: FieldReading) throws(FieldFailure) -> Predicate {
        try predicate(filter, depth: 0, read)
    }

    private static func predicate(
        _ filter: JSONValue?, depth: Int, _ read: FieldReading
    ) throws(FieldFailure) -> Predicate {
        guard case .object(let object)? = filter else { return .always }
        guard depth < StoreLimits.filterDepthMax else { throw .unrecognizedFilter }
        var parts: [Predicate] = []
        for member in object where !member.value.isNull {
            switch member.key {
            case "and": parts += try predicates(member.value, depth: depth, read)
            case "or":
                // An empty list asks for nothing.
                let alternatives = try predicates(member.value, depth: depth, read)
                if !alternatives.isEmpty { parts.append(.any(alternatives)) }
            case "not": parts.append(.not(try predicate(member.value, depth: depth + 1, read)))
            default:
                guard case .object(let operators) = member.value else { continue }
                for condition in try read(member.key, operators) { parts.append(.field(member.key, condition)) }
            }
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// A list, or a single one that stands for a list of one.
    private static func predicates(
        _ value: JSONValue, depth: Int, _ read: FieldReading
    ) throws(FieldFailure) -> [Predicate] {
        guard case .array(let elements) = value else { return [try predicate(value, depth: depth + 1, read)] }
        var predicates: [Predicate] = []
        for element in elements where !element.isNull {
            predicates.append(try predicate(element, depth: depth + 1, read))
        }
        return predicates
    }
}

extension StoredValue {
    /// A value as the operator's input type says, which for a list is that of its elements.
    init(operand value: JSONValue, for kind: ColumnKind) {
        switch value {
        case .string(let text): self = .text(text)
        case .integer(let integer): self = kind == .real ? .real(Double(integer)) : .integer(integer)
        case .double(let double): self = .real(double)
        case .largeInteger(let digits): self = .text(digits)
        case .bool(let bool): self = .boolean(bool)
        case .null, .array, .object: self = .null
        }
    }
}
