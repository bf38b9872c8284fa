import JSON

/// What a caller may read of what was asked for.
package enum Decision: Sendable, Hashable {
    /// Everything.
    case allow
    /// Nothing: the field is null, with AppSync's error.
    case deny
    /// The records that meet the predicate. In a list the others are left out; a single one that fails is denied.
    case filter(AccessPredicate)
    /// The records whose key has these values: in place of the caller's key for the partition field of a relation,
    /// beside it for a sort field. A part of the key, so other records do not count as read.
    case narrow([KeyCondition])

    /// A value that a field of the key must have.
    package struct KeyCondition: Sendable, Hashable {
        package let field: String
        package let value: ByteText
    }

    /// Returns whether a record at hand may be read. With a trace, each comparison is noted under its question.
    package func admits(
        _ value: (String) -> JSONValue?, telling trace: DecisionTrace? = nil, asking question: String? = nil
    ) -> Bool {
        if let trace, let question { trace.begin(question) }
        return switch self {
        case .allow: true
        case .deny: false
        case .filter(let predicate): predicate.isMet(by: value, telling: trace)
        case .narrow(let conditions): conditions.allSatisfy { value($0.field)?.text == $0.value }
        }
    }
}

/// What a request says of a field of the key that it queries by.
package enum KeyArgument: Sendable, Hashable {
    case absent
    case equals(ByteText)
    /// A comparison of another kind, or a value that is no text.
    case other

    /// The argument as it was sent: a value, or a condition on it.
    package init(_ argument: JSONValue?) {
        switch argument {
        case nil, .null?: self = .absent
        case .string(let text)?: self = .equals(ByteText(text))
        case .object(let condition)?:
            let given = condition.members.filter { !$0.value.isNull }
            // One more comparison beside `eq` may be the one that is used.
            if given.count == 1, given.first?.key == "eq", let text = given.first?.value.text {
                self = .equals(text)
            } else {
                self = given.isEmpty ? .absent : .other
            }
        default: self = .other
        }
    }
}

/// Whether a record may be written.
package enum WriteDecision: Sendable, Hashable {
    case allow
    /// The field is null, with AppSync's error.
    case deny
    /// The record that is stored, or the lack of one, fails what the rules ask of it: the same as a condition that fails.
    case failsCondition
    /// These fields of the input may not be written by the caller; in the order in which the error names them.
    case denyFields([String])

    /// The message of a refusal of fields.
    package static func message(denying fields: [String]) -> String {
        "Unauthorized on [\(fields.joined(separator: ", "))]"
    }
}

/// AppSync's words for a field that a caller may not ask for.
package enum Refusals {
    package static let errorType = "Unauthorized"

    package static func message(field: String, type: String) -> String {
        "Not Authorized to access \(field) on type \(type)"
    }
}
