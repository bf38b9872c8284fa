import GraphQL

/// The modifiers of builders: each changes its builder and gives it back.
struct BuilderModifiers {
    let evaluator: ScriptEvaluator
    let method: NativeMethod
    let arguments: [PlacedValue]

    private var calls: BuilderCalls { BuilderCalls(evaluator: evaluator, method: method, arguments: arguments) }

    func call(_ builder: Builder) throws(TypeScriptError) -> ScriptValue {
        if let error = builder.spoiledBy { throw error }
        switch builder {
        case let field as FieldBuilder: try modify(field)
        case let reference as ReferenceBuilder: try modify(reference)
        case let relation as RelationBuilder:
            if method.name == "authorization" {
                relation.rules = try rules(.field)
            } else {
                relation.isRequired = true
            }
        case let model as ModelBuilder: try modify(model)
        case let index as IndexBuilder: try modify(index)
        case let rule as RuleBuilder:
            if method.name == "to" {
                rule.operations = try calls.names(0).map(\.name)
            } else {
                rule.claim = try calls.name(0).name
            }
        case let operation as OperationBuilder: try modify(operation)
        case let handler as HandlerBuilder: handler.isAsynchronous = true
        case let conversation as ConversationBuilder: conversation.rules = try rules(.conversation)
        case let schema as SchemaBuilder: try modify(schema)
        default: break
        }
        return .builder(builder)
    }

    /// Calls a callback with what it is to work with.
    private func callback(_ values: ScriptValue...) throws(TypeScriptError) -> PlacedValue {
        let function = calls.argument(0)
        switch function.value {
        case .function, .method: break
        case .opaque(let opaque): throw opaque.error
        default:
            throw TypeScriptError(
                "`.\(method.name)()` takes a function, found \(function.value.description)", at: function.position,
                hint: method.name == "authorization" ? "Write .authorization((allow) => [allow.owner()])." : nil)
        }
        let given = values.map { PlacedValue(value: $0, position: function.position) }
        return PlacedValue(
            value: try evaluator.call(function.value, given, at: function.position), position: function.position)
    }

    private func rules(_ place: RuleBuilder.Place) throws(TypeScriptError) -> [RuleBuilder] {
        let result = try callback(.native(NativeObject(kind: .allow(place), name: "allow")))
        let elements = result.value.list?.elements ?? [result]
        var found: [RuleBuilder] = []
        for element in elements {
            if case .opaque(let opaque) = element.value { throw opaque.error }
            guard case .builder(let builder) = element.value, let rule = builder as? RuleBuilder else {
                throw TypeScriptError(
                    "expected a rule of `allow`, found \(element.value.description)", at: element.position)
            }
            found.append(rule)
        }
        return found
    }

    // MARK: Fields

    private func modify(_ field: FieldBuilder) throws(TypeScriptError) {
        switch method.name {
        case "required":
            if field.lastCall == "array" { field.isListRequired = true } else { field.isElementRequired = true }
        case "array": field.isList = true
        case "default": try setDefault(of: field)
        case "authorization": field.rules = try rules(.field)
        default:
            field.validations = []
            _ = try callback(.native(NativeObject(kind: .validator(field), name: "v")))
        }
        field.lastCall = method.name
    }

    private func setDefault(of field: FieldBuilder) throws(TypeScriptError) {
        let value = calls.argument(0)
        switch value.value {
        case .undefined: field.standard = (.generated, method.position)
        case .boolean, .number, .string: field.standard = (.text(try evaluator.text(of: value)), value.position)
        case .opaque(let opaque): throw opaque.error
        default:
            throw TypeScriptError(
                "a default is a text, number or boolean, found \(value.value.description)", at: value.position)
        }
    }

    private func modify(_ reference: ReferenceBuilder) throws(TypeScriptError) {
        switch method.name {
        case "required":
            if reference.isList { reference.isListRequired = true } else { reference.isElementRequired = true }
        case "array": reference.isList = true
        case "authorization": reference.rules = try rules(.field)
        default: reference.mutations = try calls.names(0).map(\.name)
        }
    }

    // MARK: Models

    private static let operations: Set = [
        "queries", "mutations", "subscriptions", "list", "get", "create", "update", "delete", "onCreate", "onUpdate",
        "onDelete",
    ]

    private func modify(_ model: ModelBuilder) throws(TypeScriptError) {
        switch method.name {
        case "identifier":
            let names = try calls.names(0)
            guard !names.isEmpty else { throw calls.error("an identifier has at least one field") }
            model.identifier = names
        case "disableOperations":
            let names = try calls.names(0)
            for name in names where !Self.operations.contains(name.name) {
                throw calls.error("there is no operation \"\(name.name)\" to disable", at: name.position)
            }
            model.disabled = names.map(\.name)
        case "authorization": model.rules = try rules(.model)
        case "relationships": model.fields += try calls.parts(0)
        default:
            let index = ScriptValue.method(NativeMethod(receiver: .none, name: "index", position: method.position))
            let result = try callback(index)
            var found: [IndexBuilder] = []
            for element in result.value.list?.elements ?? [result] {
                guard case .builder(let builder) = element.value, let index = builder as? IndexBuilder else {
                    if case .opaque(let opaque) = element.value { throw opaque.error }
                    throw TypeScriptError("expected an index, found \(element.value.description)", at: element.position)
                }
                found.append(index)
            }
            model.indexes = found
        }
    }

    private func modify(_ index: IndexBuilder) throws(TypeScriptError) {
        switch method.name {
        case "sortKeys": index.sortFields = try calls.names(0)
        case "name": index.name = try calls.name(0).name
        case "queryField":
            if case .null = calls.argument(0).value {
                index.queryField = .none
            } else {
                index.queryField = .named(try calls.name(0).name)
            }
        default:
            let kind = try calls.name(0)
            switch kind.name {
            case "ALL": index.projection = nil
            case "KEYS_ONLY": index.projection = .keysOnly
            case "INCLUDE":
                index.projection = .include(arguments.count > 1 ? try calls.names(1).map(\.name) : [])
            default: throw calls.error("expected ALL, KEYS_ONLY or INCLUDE", at: kind.position)
            }
        }
    }

    // MARK: Operations

    private func modify(_ operation: OperationBuilder) throws(TypeScriptError) {
        switch method.name {
        case "arguments": operation.arguments = try calls.parts(0)
        case "returns": operation.result = calls.argument(0)
        case "authorization": operation.rules = try rules(.operation)
        case "handler": operation.handlers = try builders("a handler")
        default: operation.sources = try builders("a.ref(...)")
        }
    }

    private func builders<Kind: Builder>(_ expected: String) throws(TypeScriptError) -> [Kind] {
        let argument = calls.argument(0)
        var found: [Kind] = []
        for element in argument.value.list?.elements ?? [argument] {
            if case .opaque(let opaque) = element.value { throw opaque.error }
            guard case .builder(let builder) = element.value, let kind = builder as? Kind else {
                throw TypeScriptError("expected \(expected), found \(element.value.description)", at: element.position)
            }
            found.append(kind)
        }
        return found
    }

    // MARK: Schemas

    private func modify(_ schema: SchemaBuilder) throws(TypeScriptError) {
        switch method.name {
        case "authorization": schema.rules = try rules(.schema)
        case "setAuthorization", "setRelationships":
            _ = try callback(.native(NativeObject(kind: .schemaParts(schema), name: "models")), .builder(schema))
        case "renameModels": try renameModels(of: schema)
        default:
            for part in try calls.parts(0) {
                guard !(part.builder is ModelBuilder) else {
                    throw calls.error(
                        "Invalid value specified for \(part.name) in \(method.name)(). Models cannot be manually added to a SQL schema.",
                        at: part.position)
                }
                schema.entries.removeAll { $0.part.name == part.name }
                schema.entries.append(SchemaBuilder.Entry(part: part))
            }
        }
    }

    private func renameModels(of schema: SchemaBuilder) throws(TypeScriptError) {
        let result = try callback()
        for pair in result.value.list?.elements ?? [] {
            guard let names = pair.value.list?.elements, names.count == 2, let old = names[0].value.string else {
                throw TypeScriptError("expected a list of an old and a new name", at: pair.position)
            }
            guard let number = schema.entries.firstIndex(where: { $0.part.name == old }) else {
                throw TypeScriptError(
                    "Invalid renameModels call. \(old) is not defined in the schema", at: names[0].position)
            }
            guard let new = names[1].value.string, !new.isEmpty else {
                let given = try evaluator.text(of: names[1])
                throw TypeScriptError(
                    "Invalid renameModels call. New name must be a non-empty string. Received: \"\(given)\"",
                    at: names[1].position)
            }
            var entry = schema.entries.remove(at: number)
            entry.storedName = entry.storedName ?? old
            entry.part = NamedPart(name: new, position: names[1].position, value: entry.part.value)
            schema.entries.append(entry)
        }
    }
}
