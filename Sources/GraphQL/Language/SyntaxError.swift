/// Why a text is not a GraphQL document: what was expected, what was found, and where.
package struct SyntaxError: Error, Sendable, Hashable {
    /// Whether the text is wrong or only too much.
    package enum Kind: Sendable, Hashable {
        /// The text is not in the language.
        case syntax
        /// The text may be in the language, but goes beyond a limit.
        case limit
    }

    package let kind: Kind
    /// A sentence without its full stop: `expected a name, found "}"`.
    package let message: String
    package let position: Position
    package let location: SourceLocation
    /// The file, if the text came from one.
    package let sourceName: String?
    /// The line of the text that holds the place.
    package let lineText: String

    init(_ kind: Kind = .syntax, _ message: String, at position: Position, in source: Source) {
        self.kind = kind
        self.message = message
        self.position = position
        let lines = LineMap(source)
        location = lines.location(of: position) ?? SourceLocation(line: 1, column: 1)
        sourceName = source.name
        lineText = lines.text(ofLine: location.line) ?? ""
    }
}

extension SyntaxError: CustomStringConvertible {
    /// As a compiler prints it: `schema.graphql:3:7: expected a name, found "}"`.
    package var description: String {
        "\(sourceName.map { "\($0):" } ?? "")\(location.line):\(location.column): \(message)"
    }
}
