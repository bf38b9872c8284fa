import JSON

/// A change of the schema that stored data stands in the way of.
package struct MigrationLoss: Sendable, Equatable {
    package let model: String
    /// Nil when the whole model or its key is meant.
    package let field: String?
    /// What would happen to the data.
    package let what: String
    /// The records that it would happen to.
    package let rowCount: Int
    /// What forces it, by name.
    package let name: String
}

extension StoreError {
    /// A migration that was refused, with all that stands in its way.
    init(refused losses: [MigrationLoss]) {
        let lines = losses.map { loss in
            "  \(loss.name): \(loss.what) (\(loss.rowCount) \(loss.rowCount == 1 ? "record" : "records"))"
        }
        self.init(
            .migrationRefused,
            "the new schema does not fit the stored data:\n\(lines.joined(separator: "\n"))\n"
                + "Change the schema, or force these changes by their names: \(losses.map(\.name).joined(separator: ","))"
        )
    }
}
