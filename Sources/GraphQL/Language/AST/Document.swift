/// A text in the GraphQL language, as a tree. Specification: section 2.2.
///
/// Every node is a value. Two trees are equal when they say the same, wherever their parts stand.
package struct Document: Sendable, Hashable {
    package var definitions: [Definition]

    package init(definitions: [Definition] = []) {
        self.definitions = definitions
    }
}

/// One definition of a document.
///
/// An extension has the form of what it extends, without a description: `extend type Query { … }` is a
/// `typeExtension` with an object type in it.
package enum Definition: Sendable, Hashable {
    case operation(OperationDefinition)
    case fragment(FragmentDefinition)
    case schema(SchemaDefinition)
    case type(TypeDefinition)
    case directive(DirectiveDefinition)
    case schemaExtension(SchemaDefinition)
    case typeExtension(TypeDefinition)

    /// Whether this is an operation or a fragment.
    package var isExecutable: Bool {
        switch self {
        case .operation, .fragment: true
        default: false
        }
    }

    /// Where it starts: its keyword.
    package var position: Position {
        switch self {
        case .operation(let operation): operation.position
        case .fragment(let fragment): fragment.position
        case .schema(let schema), .schemaExtension(let schema): schema.position
        case .type(let type), .typeExtension(let type): type.position
        case .directive(let directive): directive.position
        }
    }
}

extension Document {
    /// The operations in their order.
    package var operations: [OperationDefinition] {
        definitions.compactMap { if case .operation(let operation) = $0 { operation } else { nil } }
    }

    /// The fragments in their order.
    package var fragments: [FragmentDefinition] {
        definitions.compactMap { if case .fragment(let fragment) = $0 { fragment } else { nil } }
    }

    /// The definitions of types in their order, without the extensions.
    package var types: [TypeDefinition] {
        definitions.compactMap { if case .type(let type) = $0 { type } else { nil } }
    }
}
