/// What an operation does. Specification: section 2.3.
package enum OperationType: String, Sendable, Hashable, CaseIterable {
    case query
    case mutation
    case subscription
}

/// An operation: `query Name($variable: Type) @directive { … }`, or a bare selection set, which is a query.
package struct OperationDefinition: Sendable, Hashable {
    package var description: StringValue?
    package var operation: OperationType
    package var name: Name?
    package var variableDefinitions: [VariableDefinition]
    package var directives: [Directive]
    package var selectionSet: SelectionSet
    package var position: Position

    package init(
        description: StringValue? = nil, operation: OperationType = .query, name: Name? = nil,
        variableDefinitions: [VariableDefinition] = [], directives: [Directive] = [], selectionSet: SelectionSet,
        position: Position = .none
    ) {
        self.description = description
        self.operation = operation
        self.name = name
        self.variableDefinitions = variableDefinitions
        self.directives = directives
        self.selectionSet = selectionSet
        self.position = position
    }
}

/// A variable of an operation: `$name: Type = value @directive`.
package struct VariableDefinition: Sendable, Hashable {
    package var description: StringValue?
    /// The name without its dollar sign; its position is that of the dollar sign.
    package var variable: Name
    package var type: TypeReference
    package var defaultValue: Value?
    package var directives: [Directive]

    package init(
        description: StringValue? = nil, variable: Name, type: TypeReference, defaultValue: Value? = nil,
        directives: [Directive] = []
    ) {
        self.description = description
        self.variable = variable
        self.type = type
        self.defaultValue = defaultValue
        self.directives = directives
    }

    package var position: Position { variable.position }
}

/// A fragment: `fragment Name on Type @directive { … }`. Specification: section 2.8.
package struct FragmentDefinition: Sendable, Hashable {
    package var description: StringValue?
    package var name: Name
    package var typeCondition: Name
    package var directives: [Directive]
    package var selectionSet: SelectionSet
    package var position: Position

    package init(
        description: StringValue? = nil, name: Name, typeCondition: Name, directives: [Directive] = [],
        selectionSet: SelectionSet, position: Position = .none
    ) {
        self.description = description
        self.name = name
        self.typeCondition = typeCondition
        self.directives = directives
        self.selectionSet = selectionSet
        self.position = position
    }
}
