/// What is wrong with a schema, and where. The sentences are those that users of Amplify's own tools know.
package struct SchemaError: Error, Sendable, Hashable {
    package let message: String
    /// The places that contradict each other, or the one place.
    package let positions: [Position]

    package init(_ message: String, at positions: Position...) {
        self.init(message, at: positions)
    }

    package init(_ message: String, at positions: [Position]) {
        self.message = message
        self.positions = positions.filter(\.isKnown)
    }
}

/// Everything that is wrong with a schema.
package struct SchemaErrors: Error, Sendable, Hashable {
    package let errors: [SchemaError]

    package init(errors: [SchemaError]) {
        self.errors = errors
    }
}

extension SchemaErrors: CustomStringConvertible {
    package var description: String { errors.map(\.message).joined(separator: "\n") }
}
