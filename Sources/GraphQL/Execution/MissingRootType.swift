extension OperationType {
    /// What AppSync's engine says of an operation that the schema has no root type for.
    package var missingRootText: String {
        switch self {
        case .query: "Schema does not define the required query root type."
        case .mutation: "Schema is not configured for mutations."
        case .subscription: "Schema is not configured for subscriptions."
        }
    }
}

extension GraphQLError {
    /// An operation of a kind that the schema does not have.
    package static func missingRoot(for operation: OperationDefinition, in document: ExecutableDocument) -> GraphQLError
    {
        GraphQLError(
            operation.operation.missingRootText,
            locations: [document.lines.location(of: operation.position)].compactMap(\.self))
    }
}
