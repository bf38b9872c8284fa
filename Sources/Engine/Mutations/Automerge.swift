import JSON
import Store

/// How a change is brought together with a record that has changed meanwhile (`AUTOMERGE`).
///
/// The record alone is looked at: nobody knows which of the fields the client has changed. So what the record has stays,
/// what it lacks is added, lists grow, and objects are merged member by member by the same rules.
enum Automerge {
    /// The value that a field has afterwards.
    static func merged(_ stored: JSONValue, _ sent: JSONValue) -> JSONValue {
        // Objects nest as deep as JSON may.
        switch (stored, sent) {
        case (.null, _): return sent
        case (.array(let elements), .array(let more)): return .array(elements + more)
        case (.object(var object), .object(let other)):
            for member in other {
                object.set(member.key, to: object[member.key].map { merged($0, member.value) } ?? member.value)
            }
            return .object(object)
        default: return stored
        }
    }

    /// The change as it is made of a record with these values: of what stays as it is nothing is assigned.
    static func merged(_ change: RecordChange, onto stored: JSONObject) -> RecordChange {
        let assignments = change.assignments.compactMap { assignment -> RecordChange.Assignment? in
            guard let kind = change.table.column(of: assignment.field)?.kind, !assignment.value.isNull else {
                return nil
            }
            let before = stored[assignment.field] ?? .null
            let after = merged(before, assignment.value.json(as: kind))
            return after == before
                ? nil : RecordChange.Assignment(assignment.field, StoredValue(after, as: kind))
        }
        return .update(
            in: change.table, key: change.key, assignments, if: change.condition, returning: change.fields)
    }
}
