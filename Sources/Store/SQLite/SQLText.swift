import JSON

/// The text of a statement, with its hash at hand: plans keep it, and a connection finds the prepared statement by it.
///
/// Only names of the blueprint and our own words ever go into a text. Values are bound.
package struct SQLText: Sendable, Hashable, CustomStringConvertible {
    let text: String
    let hash: Int

    package init(_ text: String) {
        self.text = text
        hash = text.hashValue
    }

    package static func == (left: SQLText, right: SQLText) -> Bool {
        left.hash == right.hash && left.text == right.text
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    package var description: String { text }
}
