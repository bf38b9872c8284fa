/// A name as a document writes it, with its place.
package struct Name: Sendable, Hashable {
    package var text: String
    package var position: Position

    package init(_ text: String, at position: Position = .none) {
        self.text = text
        self.position = position
    }
}

extension Name: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral value: String) { self.init(value) }
    package var description: String { text }
}
