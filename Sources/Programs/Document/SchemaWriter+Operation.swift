import Blueprint
import GraphQL
import Project

/// Queries, mutations, subscriptions and generations.
extension SchemaWriter {
    private func rules(of operation: OperationBuilder) -> [RuleBuilder] {
        operation.rules.isEmpty ? schemaRules : operation.rules
    }

    mutating func writeOperation(_ part: NamedPart, _ operation: OperationBuilder) throws(TypeScriptError) {
        let place = part.position
        try checkName(part.name, at: place)
        let rules = rules(of: operation)
        try check(part, operation, rules)
        var access: [Directive] = []
        if operation.handlers.first?.kind == .custom {
            access = try RuleDirectives.native(rules, isHandler: true, at: place)
        } else if operation.kind == .generation || !operation.handlers.isEmpty {
            access = RuleDirectives.auth(rules, at: place).map { [$0] } ?? []
        }
        let (type, values) = try resultType(part, operation)
        var arguments: [InputValueDefinition] = []
        for argument in operation.arguments { arguments.append(try self.argument(argument, of: part.name)) }
        var directives = try values + handlerDirectives(part, operation)
        if operation.kind == .subscription {
            let names = try mutations(part, operation)
            directives.append(
                SchemaSyntax.directive("aws_subscribe", [("mutations", SchemaSyntax.strings(names, place))], place))
        }
        directives += access
        let field = FieldDefinition(
            name: Name(part.name, at: place), arguments: arguments, type: type, directives: directives)
        fields[operation.kind == .generation ? .query : operation.kind, default: []].append(field)
    }

    private func isEvent(_ operation: OperationBuilder) -> Bool {
        operation.returnsEvent
    }

    // MARK: Checks

    private func check(
        _ part: NamedPart, _ operation: OperationBuilder, _ rules: [RuleBuilder]
    ) throws(TypeScriptError) {
        let name = part.name
        func error(_ message: String) -> TypeScriptError { TypeScriptError(message, at: part.position) }
        if operation.kind != .generation, rules.isEmpty != operation.handlers.isEmpty {
            throw error("Custom operation \(name) requires both an authorization rule and a handler reference")
        }
        let kinds = operation.handlers.map(\.kind)
        if Set(kinds).count > 1 {
            var others: [String] = []
            for kind in kinds where kind != .function && !others.contains(kind.rawValue) {
                others.append(kind.rawValue)
            }
            let list = others.map { "\"\($0)\"" }.joined(separator: ",")
            throw error("Field handlers must be of the same type. \(name) has been configured with [\(list)]")
        }
        if operation.kind != .subscription, operation.result == nil, !isEvent(operation) {
            let noun = operation.kind == .generation ? "Generation Route" : "Custom \(operation.kind.rawValue)"
            throw error(
                "Invalid \(noun) definition. A \(noun) must include a return type. \(name) has no return type specified."
            )
        }
        if operation.kind != .subscription {
            guard operation.sources.isEmpty else {
                throw error(
                    "The .for() modifier function can only be used with a custom subscription. \(name) is not a custom subscription."
                )
            }
        } else {
            try checkSources(part, operation)
        }
    }

    private func checkSources(_ part: NamedPart, _ operation: OperationBuilder) throws(TypeScriptError) {
        let name = part.name
        guard !operation.sources.isEmpty else {
            throw TypeScriptError(
                "\(name) is missing a mutation source. Custom subscriptions must reference a mutation source via subscription().for(a.ref('ModelOrOperationName')) ",
                at: part.position)
        }
        let start = "Invalid subscription definition."
        var expected: AnyObject?
        for source in operation.sources {
            func error(_ message: String) -> TypeScriptError { TypeScriptError(message, at: source.position) }
            let target = try entries.target(source.target, from: name, at: source.position)
            guard target.kind == .model || source.mutations.isEmpty else {
                throw error(
                    "\(start) .mutations() modifier can only be used with a Model ref. \(name) is referencing \(target.kind.rawValue)"
                )
            }
            var result: AnyObject = target.builder
            if target.kind == .model, source.mutations.isEmpty {
                throw error(
                    "\(start) .mutations() modifier must be used with a Model ref subscription source. \(name) is referencing \(source.target) without specifying a mutation"
                )
            }
            if let other = target.builder as? OperationBuilder {
                guard other.kind == .mutation else {
                    throw error(
                        "\(start) .for() can only reference a mutation. \(name) is referencing \(source.target) which is a \(other.kind.rawValue)"
                    )
                }
                if let builder = other.result?.value.builder {
                    result = builder
                    if let reference = builder as? ReferenceBuilder {
                        result = try entries.target(reference.target, from: name, at: source.position).builder
                    }
                }
            }
            guard expected == nil || expected === result else {
                throw error(
                    "\(start) .for() can only reference resources that have the same return type. \(name) is referencing resources that have different return types."
                )
            }
            expected = result
        }
    }

    private func mutations(_ part: NamedPart, _ operation: OperationBuilder) throws(TypeScriptError) -> [String] {
        var names: [String] = []
        for source in operation.sources {
            // What is neither a model nor an operation gives an empty name, which the reader of SDL refuses.
            let kind = try entries.target(source.target, from: part.name, at: source.position).kind
            names +=
                source.mutations.isEmpty
                ? [kind == .operation ? source.target : ""]
                : source.mutations.map { $0 + SchemaSyntax.upper(source.target) }
        }
        return names
    }

    // MARK: Results

    /// A type, and the directives that stand behind it as written, which a transformer may refuse.
    private typealias Result = (type: TypeReference, directives: [Directive])

    private mutating func resultType(
        _ part: NamedPart, _ operation: OperationBuilder
    ) throws(TypeScriptError) -> Result {
        let place = part.position
        if isEvent(operation) {
            eventRules = ((eventRules?.rules ?? []) + rules(of: operation), eventRules?.position ?? place)
            return (TypeReference(Name(Self.eventType, at: place)), [])
        }
        guard operation.kind == .subscription, let source = operation.sources.first else {
            return try resultType(of: operation, named: part.name, at: place, isFirst: true)
        }
        let target = try entries.target(source.target, from: part.name, at: source.position)
        guard let mutation = target.builder as? OperationBuilder else {
            return (type(of: source, named: source.target, at: place), [])
        }
        if isEvent(mutation) { return (TypeReference(Name(Self.eventType, at: place)), []) }
        return try resultType(of: mutation, named: source.target, at: place, isFirst: false)
    }

    /// The type that an operation returns; one that is declared in it is defined by the operation itself.
    private mutating func resultType(
        of operation: OperationBuilder, named name: String, at place: Position, isFirst: Bool
    ) throws(TypeScriptError) -> Result {
        guard let result = operation.result else {
            throw TypeScriptError("Unrecognized return type on \(name)", at: place)
        }
        if case .refused(let error) = result.value { throw error }
        switch result.value.builder {
        case let reference as ReferenceBuilder:
            _ = try entries.target(reference.target, from: name, at: reference.position)
            return (type(of: reference, named: reference.target, at: place), [])
        case let scalar as FieldBuilder: return (type(of: scalar, at: place), try values(of: scalar))
        case let builder? where builder is TypeBuilder || builder is EnumBuilder:
            let typeName = SchemaSyntax.upper(name) + "ReturnType"
            if isFirst { implicit.append(Implicit(name: typeName, position: place, builder: builder)) }
            return (TypeReference(Name(typeName, at: place)), [])
        default: throw TypeScriptError("Unrecognized return type on \(name)", at: result.position)
        }
    }

    // MARK: Handlers

    private mutating func handlerDirectives(
        _ part: NamedPart, _ operation: OperationBuilder
    ) throws(TypeScriptError) -> [Directive] {
        if operation.kind == .generation { return [try generation(part, operation)] }
        let place = part.position
        var directives: [Directive] = []
        for (number, handler) in operation.handlers.enumerated() {
            switch handler.work {
            case .function(let target):
                directives.append(try function(target, number, of: part, handler))
            case .custom(let entry, let dataSource):
                guard let entry else {
                    throw TypeScriptError("a custom handler of \(part.name) names no entry", at: handler.position)
                }
                handlers.append(
                    CustomHandler(
                        typeName: operation.kind.rawValue, fieldName: part.name, dataSource: dataSource,
                        entry: entry.text, position: entry.position))
            case .statement(let text) where schema.isSQL:
                directives.append(
                    SchemaSyntax.directive("sql", [("statement", SchemaSyntax.string(text, place))], place))
            case .statement: break
            case .file(let name):
                directives.append(
                    SchemaSyntax.directive("sql", [("reference", SchemaSyntax.string(name, place))], place))
                if schema.isSQL { statementFiles.append(PlacedText(text: name, position: handler.position)) }
            }
        }
        return directives
    }

    private mutating func function(
        _ target: FunctionTarget, _ number: Int, of part: NamedPart, _ handler: HandlerBuilder
    ) throws(TypeScriptError) -> Directive {
        let place = handler.position
        switch target {
        case .name(let name):
            return SchemaSyntax.directive("function", [("name", SchemaSyntax.string(name, place))], place)
        case .function(let function):
            let name = "Fn" + SchemaSyntax.upper(part.name) + (number == 0 ? "" : "\(number + 1)")
            functions[name] = function
            var arguments = [("name", SchemaSyntax.string(name, place))]
            if handler.isAsynchronous { arguments.append(("invocationType", SchemaSyntax.word("Event", place))) }
            return SchemaSyntax.directive("function", arguments, place)
        case .other:
            throw TypeScriptError(
                "Invalid value specified for \(part.name) handler.function(). Expected: defineFunction or string.",
                at: place)
        }
    }

    // MARK: Rules of types

    /// A custom type can be read by those who may call the operations that return it.
    mutating func collectRules(of part: NamedPart) throws(TypeScriptError) {
        guard let operation = part.builder as? OperationBuilder, !isEvent(operation) else { return }
        var name = part.name
        var result = operation.result
        if operation.kind == .subscription {
            guard let source = operation.sources.first,
                let mutation = entries.builder(source.target) as? OperationBuilder,
                mutation.result?.value.builder is ReferenceBuilder
            else { return }
            (name, result) = (source.target, mutation.result)
        }
        guard let builder = result?.value.builder else { return }
        let rules = rules(of: operation)
        var visited: Set<String> = []
        var pending: [(name: String, type: TypeBuilder)] = []
        func add(_ name: String, _ builder: Builder?) {
            if let reference = builder as? ReferenceBuilder {
                if let type = entries.type(reference.target) { pending.append((reference.target, type)) }
            } else if let type = builder as? TypeBuilder {
                pending.append((name, type))
            }
        }
        add(SchemaSyntax.upper(name) + "ReturnType", builder)
        guard !pending.isEmpty else { return }
        _ = try RuleDirectives.native(rules, isHandler: false, at: part.position)
        while let next = pending.popLast() {
            guard visited.insert(next.name).inserted else { continue }
            guard visited.count <= limits.elementsMax else { return }
            typeRules[next.name, default: []] += rules
            for field in next.type.fields {
                add(SchemaSyntax.upper(next.name) + SchemaSyntax.upper(field.name), field.builder)
            }
        }
    }
}
