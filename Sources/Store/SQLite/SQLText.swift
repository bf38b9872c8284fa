import JSON

/// The text of a statement, with its hash at hand: plans keep it, and a connection finds the prepared statement by it.
///
/// Only names of the blueprint and our own words ever go into a text. Values are bound.
///
/// The text is SQLite's. A server gets what `ServerText` makes of it, or the server's own text where the statement has one:
/// either is made when a connection to a server prepares it, so a file pays nothing for it.
package struct SQLText: Sendable, Hashable, CustomStringConvertible {
    /// One object for all copies: plans, rooms and connections hand them around with every query.
    private final class Texts: Sendable {
        let text: String
        let hash: Int
        let server: StaticString?
        let isOpen: Bool

        init(_ text: String, server: StaticString?, isOpen: Bool) {
            self.text = text
            hash = text.hashValue
            self.server = server
            self.isOpen = isOpen
        }
    }

    private let texts: Texts

    /// - Parameter isOpen: the reader of the rows ends the walk, and no LIMIT does. A server hands them over piece by piece.
    package init(_ text: String, isOpen: Bool = false) { texts = Texts(text, server: nil, isOpen: isOpen) }

    /// - Parameter server: the server's own text, where no text can be both engines'.
    init(_ text: StaticString, server: StaticString?, isOpen: Bool) {
        texts = Texts("\(text)", server: server, isOpen: isOpen)
    }

    var isOpen: Bool { texts.isOpen }

    var text: String { texts.text }

    var hash: Int { texts.hash }

    /// The text for PostgreSQL.
    var serverText: String { translated().string }

    /// The translation for PostgreSQL. It asks many times where some parameters, by their numbers, are arrays.
    func translated(manyTimesFor arrays: [Int] = []) -> ServerText {
        ServerText(texts.server.map { "\($0)" } ?? texts.text, manyTimesFor: arrays)
    }

    package static func == (left: SQLText, right: SQLText) -> Bool {
        left.texts === right.texts || left.texts.hash == right.texts.hash && left.text == right.text
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(texts.hash) }

    package var description: String { text }
}
