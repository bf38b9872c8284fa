/// The walk through a document that asks every rule about every node, in AppSync's order.
///
/// What a rule must know of variables is only known inside an operation, so at a spread the walk goes into the
/// fragment, once for each operation, and asks the rules about variables alone (`VariableWalk`).
struct ValidationWalk {
    var context: ValidationContext

    init(_ context: ValidationContext) {
        self.context = context
    }

    mutating func visit(_ document: Document) {
        ExpandedExtent.check(document, &context)
        ExecutableDefinitions.check(document, &context)
        for definition in document.definitions {
            if context.isStopped { return }
            switch definition {
            case .operation(let operation): visit(operation)
            case .fragment(let fragment): visit(fragment)
            default: break
            }
        }
        NoUnusedFragments.checkEnd(&context)
    }

    private mutating func visit(_ operation: OperationDefinition) {
        context.variables = [:]
        context.usedVariables = []
        context.visitedFragments = []
        context.parentType = context.schema.rootType(of: operation.operation)
        LoneAnonymousOperation.check(operation, &context)
        for definition in operation.variableDefinitions {
            context.variables[definition.variable.text] = definition
            VariableDefaultValuesOfCorrectType.check(definition, &context)
            VariablesAreInputTypes.check(definition, &context)
            KnownTypeNames.check(definition.type.name, &context)
            visit(definition.directives, at: .variableDefinition, isInOperation: true)
        }
        visit(operation.directives, at: operation.operation.directiveLocation, isInOperation: true)
        visit(operation.selectionSet, isInOperation: true)
        NoUnusedVariables.checkEnd(of: operation, &context)
    }

    private mutating func visit(_ fragment: FragmentDefinition) {
        context.path = [fragment.name.text]
        context.parentType = context.schema.compositeType(named: fragment.typeCondition.text)
        FragmentsOnCompositeType.check(fragment, &context)
        NoFragmentCycles.check(fragment, &context)
        KnownTypeNames.check(fragment.typeCondition, &context)
        visit(fragment.directives, at: .fragmentDefinition, isInOperation: false)
        visit(fragment.selectionSet, isInOperation: false)
        context.path = []
    }

    private mutating func visit(_ selectionSet: SelectionSet, isInOperation: Bool) {
        for selection in selectionSet {
            if context.isStopped { return }
            switch selection {
            case .field(let field): visit(field, isInOperation: isInOperation)
            case .fragmentSpread(let spread): visit(spread, isInOperation: isInOperation)
            case .inlineFragment(let fragment): visit(fragment, isInOperation: isInOperation)
            }
        }
        OverlappingFieldsCanBeMerged.check(selectionSet, &context)
    }

    private mutating func visit(_ field: Field, isInOperation: Bool) {
        let parent = context.parentType
        context.path.append(field.name.text)
        defer {
            context.path.removeLast()
            context.parentType = parent
        }
        let definition = parent.flatMap { context.schema.field(named: field.name.text, of: $0) }
        FieldsOnCorrectType.check(field, definition, &context)
        ProvidedNonNullArguments.check(field, definition, &context)
        ScalarLeafs.check(field, definition, &context)
        if !field.arguments.isEmpty {
            visit(field.arguments, of: definition?.arguments, isOnDirective: false, isInOperation: isInOperation)
        }
        visit(field.directives, at: .field, isInOperation: isInOperation)
        guard !field.selectionSet.isEmpty else { return }
        context.parentType = definition.flatMap {
            context.schema[$0.type.named].isComposite ? $0.type.named : nil
        }
        visit(field.selectionSet, isInOperation: isInOperation)
    }

    private mutating func visit(_ spread: FragmentSpread, isInOperation: Bool) {
        KnownFragmentNames.check(spread, &context)
        PossibleFragmentSpreads.check(spread, &context)
        visit(spread.directives, at: .fragmentSpread, isInOperation: isInOperation)
        guard isInOperation else { return }
        context.operationSpreads.insert(spread.name.text)
        VariableWalk.visit(spread, &context)
    }

    private mutating func visit(_ fragment: InlineFragment, isInOperation: Bool) {
        let parent = context.parentType
        defer { context.parentType = parent }
        FragmentsOnCompositeType.check(fragment, &context)
        PossibleFragmentSpreads.check(fragment, &context)
        if let condition = fragment.typeCondition {
            KnownTypeNames.check(condition, &context)
            context.parentType = context.schema.compositeType(named: condition.text)
        }
        visit(fragment.directives, at: .inlineFragment, isInOperation: isInOperation)
        visit(fragment.selectionSet, isInOperation: isInOperation)
    }

    private mutating func visit(_ directives: [Directive], at location: DirectiveLocation, isInOperation: Bool) {
        for directive in directives {
            let definition = context.schema.directive(named: directive.name.text)
            KnownDirectives.check(directive, definition, at: location, &context)
            ProvidedNonNullArguments.check(directive, definition, &context)
            visit(directive.arguments, of: definition?.arguments, isOnDirective: true, isInOperation: isInOperation)
        }
    }

    /// `expected` is nil where the field or directive is unknown, which has been reported.
    private mutating func visit(
        _ arguments: [Argument], of expected: InputTable?, isOnDirective: Bool, isInOperation: Bool
    ) {
        for argument in arguments {
            let definition = expected?[argument.name.text]
            ArgumentsOfCorrectType.check(argument, definition, &context)
            if expected != nil {
                KnownArgumentNames.check(argument, definition, isOnDirective: isOnDirective, &context)
            }
            if isInOperation {
                VariableUse.visit(
                    argument.value, definition?.type, hasDefault: definition?.defaultValue != nil, &context)
            }
        }
    }
}

extension OperationType {
    /// Where directives on an operation of this kind stand.
    var directiveLocation: DirectiveLocation {
        switch self {
        case .query: .query
        case .mutation: .mutation
        case .subscription: .subscription
        }
    }
}

extension Schema {
    /// The type of that name, if it can be selected from.
    package func compositeType(named name: String) -> TypeID? {
        id(named: name).flatMap { self[$0].isComposite ? $0 : nil }
    }
}
