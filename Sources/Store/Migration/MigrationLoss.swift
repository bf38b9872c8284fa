import Blueprint
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
    /// What to do if something else was meant.
    package var advice: String?
}

extension StoreError {
    /// A migration that was refused, with all that stands in its way.
    /// - Parameters:
    ///   - forced: what was asked to be forced, which may be none of the changes.
    ///   - changes: the names of all changes that lose data.
    init(refused losses: [MigrationLoss], forced: Set<ByteText> = [], of changes: [String] = []) {
        let lines = losses.map { loss in
            let advice = loss.advice.map { "\n    \($0)" } ?? ""
            return
                "  \(loss.name): \(loss.what) (\(loss.rowCount) \(loss.rowCount == 1 ? "record" : "records"))\(advice)"
        }
        let known = Set(changes.map { ByteText($0) })
        let unknown = forced.filter { !known.contains($0) }.sorted().map(\.string).map { name in
            let nearest = NearestName.of(name, in: changes)
            return "\nThere is no change \(name) to force" + (nearest.map { "; did you mean \($0)?" } ?? ".")
        }
        self.init(
            .migrationRefused,
            "the new schema does not fit the stored data:\n\(lines.joined(separator: "\n"))\n"
                + "Change the schema, or force these changes by their names: \(losses.map(\.name).joined(separator: ","))"
                + unknown.joined()
                + "\nBefore a forced change, a copy is written beside the database; to go back, stop the server and put it "
                + "in the database's place. With --database :memory: the server starts without the stored data."
        )
        refusedChanges = losses.map(\.name)
    }
}
