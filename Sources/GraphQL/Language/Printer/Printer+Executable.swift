extension Printer {
    mutating func print(_ operation: OperationDefinition, canBeBare: Bool) {
        print(description: operation.description)
        let isBare =
            canBeBare && operation.operation == .query && operation.name == nil && operation.variableDefinitions.isEmpty
            && operation.directives.isEmpty && operation.description == nil
        if !isBare {
            switch operation.operation {
            case .query: write("query")
            case .mutation: write("mutation")
            case .subscription: write("subscription")
            }
            if let name = operation.name {
                write(" ")
                write(name.text)
            } else if !operation.variableDefinitions.isEmpty {
                write(" ")
            }
            print(operation.variableDefinitions)
            print(operation.directives)
            write(" ")
        }
        print(operation.selectionSet)
    }

    private mutating func print(_ definitions: [VariableDefinition]) {
        guard !definitions.isEmpty else { return }
        guard definitions.allSatisfy({ $0.description == nil }) else {
            return block(definitions, "(", ")") { $0.print($1) }
        }
        let start = buffer.count
        write("(")
        separated(definitions) { $0.print($1) }
        write(")")
        guard isTooLong(from: start) else { return }
        rewind(to: start)
        block(definitions, "(", ")") { $0.print($1) }
    }

    private mutating func print(_ definition: VariableDefinition) {
        print(description: definition.description)
        write("$")
        write(definition.variable.text)
        write(": ")
        print(definition.type)
        if let value = definition.defaultValue {
            write(" = ")
            print(value)
        }
        print(definition.directives)
    }

    mutating func print(_ fragment: FragmentDefinition) {
        print(description: fragment.description)
        write("fragment ")
        write(fragment.name.text)
        write(" on ")
        write(fragment.typeCondition.text)
        print(fragment.directives)
        write(" ")
        print(fragment.selectionSet)
    }

    mutating func print(_ selectionSet: SelectionSet) {
        block(selectionSet) { $0.print($1) }
    }

    mutating func print(_ selection: Selection) {
        switch selection {
        case .field(let field): print(field)
        case .fragmentSpread(let spread):
            write("...")
            write(spread.name.text)
            print(spread.directives)
        case .inlineFragment(let fragment):
            write("...")
            if let type = fragment.typeCondition {
                write(isTight ? "on " : " on ")
                write(type.text)
            }
            print(fragment.directives)
            write(" ")
            print(fragment.selectionSet)
        }
    }

    private mutating func print(_ field: Field) {
        if let alias = field.alias {
            write(alias.text)
            write(": ")
        }
        write(field.name.text)
        print(field.arguments, isBroken: true)
        print(field.directives)
        guard !field.selectionSet.isEmpty else { return }
        write(" ")
        print(field.selectionSet)
    }

    /// Writes arguments, on one line each if they may be broken and are too long for one.
    private mutating func print(_ arguments: [Argument], isBroken: Bool = false) {
        guard !arguments.isEmpty else { return }
        let start = buffer.count
        write("(")
        separated(arguments) { $0.print($1) }
        write(")")
        guard isBroken, isTooLong(from: start) else { return }
        rewind(to: start)
        block(arguments, "(", ")") { $0.print($1) }
    }

    private mutating func print(_ argument: Argument) {
        write(argument.name.text)
        write(": ")
        print(argument.value)
    }

    /// Writes directives, each with a space before it.
    mutating func print(_ directives: [Directive]) {
        for directive in directives {
            write(" @")
            write(directive.name.text)
            print(directive.arguments)
        }
    }

    mutating func print(_ type: TypeReference) {
        if type.wrapping.isNone { write(type.name.text) } else { write(type.description) }
    }
}
