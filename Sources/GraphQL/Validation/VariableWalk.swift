/// The part of the walk that follows spreads: it meets the variables that an operation uses in its fragments.
enum VariableWalk {
    /// Walks the fragment of a spread, unless the operation has been there.
    static func visit(_ spread: FragmentSpread, _ context: inout ValidationContext) {
        guard !context.isStopped, let fragment = context.fragments[spread.name.text],
            context.visitedFragments.insert(spread.name.text).inserted
        else { return }
        let (path, parent) = (context.path, context.parentType)
        defer { (context.path, context.parentType) = (path, parent) }
        context.path.append(fragment.name.text)
        context.parentType = context.schema.compositeType(named: fragment.typeCondition.text)
        visit(fragment.directives, &context)
        visit(fragment.selectionSet, &context)
    }

    private static func visit(_ selectionSet: SelectionSet, _ context: inout ValidationContext) {
        guard context.spendWork(selectionSet.count), context.enter() else { return }
        defer { context.leave() }
        let parent = context.parentType
        for selection in selectionSet {
            switch selection {
            case .field(let field):
                let definition = parent.flatMap { context.schema.field(named: field.name.text, of: $0) }
                guard !field.arguments.isEmpty || !field.directives.isEmpty || !field.selectionSet.isEmpty else {
                    continue
                }
                context.path.append(field.name.text)
                visit(field.arguments, definition?.arguments, &context)
                visit(field.directives, &context)
                context.parentType = definition.flatMap {
                    context.schema[$0.type.named].isComposite ? $0.type.named : nil
                }
                visit(field.selectionSet, &context)
                context.parentType = parent
                context.path.removeLast()
            case .fragmentSpread(let spread):
                visit(spread.directives, &context)
                visit(spread, &context)
            case .inlineFragment(let fragment):
                if let condition = fragment.typeCondition {
                    context.parentType = context.schema.compositeType(named: condition.text)
                }
                visit(fragment.directives, &context)
                visit(fragment.selectionSet, &context)
                context.parentType = parent
            }
        }
    }

    private static func visit(_ directives: [Directive], _ context: inout ValidationContext) {
        for directive in directives {
            visit(directive.arguments, context.schema.directive(named: directive.name.text)?.arguments, &context)
        }
    }

    private static func visit(
        _ arguments: [Argument], _ expected: InputTable?, _ context: inout ValidationContext
    ) {
        for argument in arguments {
            let definition = expected?[argument.name.text]
            VariableUse.visit(argument.value, definition?.type, hasDefault: definition?.defaultValue != nil, &context)
        }
    }
}

/// Finds the variables in a value, and asks the rules about each.
enum VariableUse {
    /// `type` is the type of the place, if it is known; `hasDefault` says that the place has a default value.
    static func visit(_ value: Value, _ type: TypeUse?, hasDefault: Bool, _ context: inout ValidationContext) {
        switch value {
        case .variable(let name):
            context.usedVariables.insert(name.text)
            NoUndefinedVariables.check(name, &context)
            VariableTypesMatch.check(name, type, hasDefault: hasDefault, &context)
        case .list(let list):
            let item = type.map { $0.isList ? $0.item : $0.nullable }
            for value in list.values { visit(value, item, hasDefault: false, &context) }
        case .object(let object):
            let fields: InputTable? =
                if let type, !type.isList, case .inputObject(let input) = context.schema[type.named] {
                    input.fields
                } else if let type, case .inputObject(let input) = context.schema[type.named] {
                    // One object stands for a list of one.
                    input.fields
                } else {
                    nil
                }
            for field in object.fields {
                let definition = fields?[field.name.text]
                visit(field.value, definition?.type, hasDefault: definition?.defaultValue != nil, &context)
            }
        case .int, .float, .string, .boolean, .null, .enum: break
        }
    }
}
