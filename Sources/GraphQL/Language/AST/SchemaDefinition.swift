/// `schema @directive { query: Query }`. Specification: section 3.3.
package struct SchemaDefinition: Sendable, Hashable {
    package var description: StringValue?
    package var directives: [Directive]
    package var operationTypes: [OperationTypeDefinition]
    package var position: Position

    package init(
        description: StringValue? = nil, directives: [Directive] = [],
        operationTypes: [OperationTypeDefinition] = [], position: Position = .none
    ) {
        self.description = description
        self.directives = directives
        self.operationTypes = operationTypes
        self.position = position
    }
}

/// Which type an operation starts at: `query: Query`.
package struct OperationTypeDefinition: Sendable, Hashable {
    package var operation: OperationType
    package var type: Name
    package var position: Position

    package init(operation: OperationType, type: Name, position: Position = .none) {
        self.operation = operation
        self.type = type
        self.position = position
    }
}

/// `directive @name(argument: Type) repeatable on LOCATION | LOCATION`. Specification: section 3.13.
package struct DirectiveDefinition: Sendable, Hashable {
    package var description: StringValue?
    package var name: Name
    package var arguments: [InputValueDefinition]
    package var isRepeatable: Bool
    package var locations: [DirectiveLocation]
    package var position: Position

    package init(
        description: StringValue? = nil, name: Name, arguments: [InputValueDefinition] = [],
        isRepeatable: Bool = false, locations: [DirectiveLocation], position: Position = .none
    ) {
        self.description = description
        self.name = name
        self.arguments = arguments
        self.isRepeatable = isRepeatable
        self.locations = locations
        self.position = position
    }
}

/// Where a directive may be applied.
package enum DirectiveLocation: String, Sendable, Hashable, CaseIterable {
    case query = "QUERY"
    case mutation = "MUTATION"
    case subscription = "SUBSCRIPTION"
    case field = "FIELD"
    case fragmentDefinition = "FRAGMENT_DEFINITION"
    case fragmentSpread = "FRAGMENT_SPREAD"
    case inlineFragment = "INLINE_FRAGMENT"
    case variableDefinition = "VARIABLE_DEFINITION"
    case schema = "SCHEMA"
    case scalar = "SCALAR"
    case object = "OBJECT"
    case fieldDefinition = "FIELD_DEFINITION"
    case argumentDefinition = "ARGUMENT_DEFINITION"
    case interface = "INTERFACE"
    case union = "UNION"
    case `enum` = "ENUM"
    case enumValue = "ENUM_VALUE"
    case inputObject = "INPUT_OBJECT"
    case inputFieldDefinition = "INPUT_FIELD_DEFINITION"
}
