import JSON

/// A condition on a record that a caller must meet: one of its fields names them, or a group of theirs.
///
/// The engine makes it a part of the SQL, so that what may not be seen is never read; where a record is at hand
/// already, `isMet` decides the same.
package struct AccessPredicate: Sendable, Hashable {
    /// What is asked of a field.
    package struct Condition: Sendable, Hashable {
        package let field: String
        /// The texts of which it must be one. Never empty.
        package let values: [ByteText]
        /// True if the field is a list, of which an element must be one of them.
        package let isList: Bool

        package init(field: String, values: [ByteText], isList: Bool) {
            self.field = field
            self.values = values
            self.isList = isList
        }

        /// The same, told to a trace.
        func isMet(by value: JSONValue?, _ trace: DecisionTrace?) -> Bool {
            let isMet = isMet(by: value)
            trace?.note(
                DecisionTrace.record, isMet: isMet,
                value.map { "its \(field) is \(JSONWriter.text(of: $0)), compared with \(values)" }
                    ?? "it has no \(field)",
                comparing: value.map { DecisionTrace.Compared(field: field, value: $0) }
            )
            return isMet
        }

        func isMet(by value: JSONValue?) -> Bool {
            guard isList else { return value?.text.map(values.contains) ?? false }
            return value?.array?.contains { $0.text.map(values.contains) ?? false } ?? false
        }
    }

    /// The conditions of which one must be met. Without any, nothing is.
    package let anyOf: [Condition]

    package init(anyOf: [Condition]) {
        self.anyOf = anyOf
    }

    /// What no record meets.
    package static let ofNothing = AccessPredicate(anyOf: [])

    /// True if no record can meet it.
    package var isOfNothing: Bool { anyOf.isEmpty }

    /// The fields that it reads.
    package var fields: [String] {
        anyOf.map(\.field).eachOnce()
    }

    /// Returns whether a record with these values meets it.
    package func isMet(by value: (String) -> JSONValue?, telling trace: DecisionTrace? = nil) -> Bool {
        anyOf.contains { $0.isMet(by: value($0.field), trace) }
    }
}
