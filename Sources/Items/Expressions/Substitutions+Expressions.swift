// The expressions of a request, each read once. They share names and values, and what none of them uses is refused at the end.

extension Substitutions {
    /// Reads a condition or a filter.
    package mutating func condition(
        _ text: String, _ kind: ExpressionKind = .condition
    ) throws(ItemError) -> Condition {
        try ExpressionReader.condition(text, kind, &self)
    }

    package mutating func keyCondition(_ text: String) throws(ItemError) -> KeyCondition {
        try KeyCondition(ExpressionReader.condition(text, .keyCondition, &self))
    }

    package mutating func projection(_ text: String) throws(ItemError) -> Projection {
        try ExpressionReader.projection(text, &self)
    }

    package mutating func update(_ text: String) throws(ItemError) -> Update {
        try ExpressionReader.update(text, &self)
    }
}
