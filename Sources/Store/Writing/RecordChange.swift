import JSON

/// What a mutation does to one record.
package struct RecordChange: Sendable {
    package enum Action: Sendable, Equatable {
        /// Fails when there is a record of that key.
        case create
        /// Fails when there is none. A null takes the field away.
        case update
        case delete
    }

    package struct Assignment: Sendable, Equatable {
        package let field: String
        package let value: StoredValue

        package init(_ field: String, _ value: StoredValue) {
            self.field = field
            self.value = value
        }
    }

    package let action: Action
    package let table: TableLayout
    /// The values of the key's fields, for update and delete.
    package let key: [StoredValue]
    /// In create, a null is kept as an explicit one.
    package let assignments: [Assignment]
    /// What must be true of the record before.
    package let condition: Predicate
    /// The fields that hold an explicit null after an update, of all that there are; nil: those that it does not assign keep
    /// theirs.
    package var explicitNulls: [String]?
    /// The fields whose values are wanted: after the change, or before a deletion.
    package let fields: [String]

    package static func create(
        in table: TableLayout, _ assignments: [Assignment], if condition: Predicate = .always,
        returning fields: [String]
    ) -> RecordChange {
        RecordChange(
            action: .create, table: table, key: [], assignments: assignments, condition: condition, fields: fields)
    }

    package static func update(
        in table: TableLayout, key: [StoredValue], _ assignments: [Assignment], if condition: Predicate = .always,
        returning fields: [String]
    ) -> RecordChange {
        RecordChange(
            action: .update, table: table, key: key, assignments: assignments, condition: condition, fields: fields)
    }

    package static func delete(
        from table: TableLayout, key: [StoredValue], if condition: Predicate = .always, returning fields: [String]
    ) -> RecordChange {
        RecordChange(action: .delete, table: table, key: key, assignments: [], condition: condition, fields: fields)
    }
}
