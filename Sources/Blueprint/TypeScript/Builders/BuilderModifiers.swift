import GraphQL

/// The modifiers of builders: each changes its builder.
struct BuilderModifiers {
    let arguments: BuilderArguments

    private var modifier: String { arguments.function }

    func modify(_ builder: Builder) throws(TypeScriptError) {
        switch builder {
        case let field as FieldBuilder: try modify(field)
        case let reference as ReferenceBuilder: try modify(reference)
        case let relation as RelationBuilder:
            if modifier == "authorization" {
                relation.rules = try rules(.field)
            } else {
                relation.isRequired = true
            }
        case let model as ModelBuilder: try modify(model)
        case let index as IndexBuilder: try modify(index)
        case let rule as RuleBuilder:
            if modifier == "to" {
                guard rule.operations == nil || rule.strategy == .resource else {
                    throw arguments.error("`.to()` may be called once on \(rule.label)")
                }
                rule.operations = try arguments.texts(0).map(\.text)
            } else {
                rule.claim = try arguments.filledText(0)
            }
        case let operation as OperationBuilder: try modify(operation)
        case let handler as HandlerBuilder: handler.isAsynchronous = true
        case let conversation as ConversationBuilder: conversation.rules = try rules(.conversation)
        case let schema as SchemaBuilder: try modify(schema)
        default: break
        }
    }

    private func rules(_ place: RuleBuilder.Place) throws(TypeScriptError) -> [RuleBuilder] {
        let given = try arguments.callback(
            .allow(place), hint: "Write .authorization((allow) => [allow.owner()]).")
        return try Self.builders(given, "a rule of `allow`")
    }

    private static func builders<Kind: Builder>(
        _ given: [PlacedGiven], _ expected: String
    ) throws(TypeScriptError) -> [Kind] {
        var found: [Kind] = []
        for given in given { found.append(try given.builder(expected)) }
        return found
    }

    // MARK: Fields

    private func modify(_ field: FieldBuilder) throws(TypeScriptError) {
        switch modifier {
        case "required":
            if field.lastCall == "array" { field.isListRequired = true } else { field.isElementRequired = true }
        case "array": field.isList = true
        case "default": field.standard = (try arguments.standard(0), arguments.position(of: 0))
        case "authorization": field.rules = try rules(.field)
        default:
            field.validations = []
            _ = try arguments.callback(.validator(field))
        }
        field.lastCall = modifier
    }

    private func modify(_ reference: ReferenceBuilder) throws(TypeScriptError) {
        switch modifier {
        case "required":
            if reference.isList { reference.isListRequired = true } else { reference.isElementRequired = true }
        case "array": reference.isList = true
        case "authorization": reference.rules = try rules(.field)
        default: reference.mutations = try arguments.texts(0).map(\.text)
        }
    }

    // MARK: Models

    private static let operations: Set = [
        "queries", "mutations", "subscriptions", "list", "get", "create", "update", "delete", "onCreate", "onUpdate",
        "onDelete",
    ]

    private func modify(_ model: ModelBuilder) throws(TypeScriptError) {
        switch modifier {
        case "identifier":
            model.identifier = try arguments.texts(0)
        case "disableOperations":
            let names = try arguments.texts(0)
            for name in names where !Self.operations.contains(name.text) {
                throw arguments.error("there is no operation \"\(name.text)\" to disable", at: name.position)
            }
            model.disabled = names.map(\.text)
        case "authorization": model.rules = try rules(.model)
        case "relationships": model.fields += try arguments.parts(0)
        default:
            model.indexes = try Self.builders(arguments.callback(.index), "an index")
        }
    }

    private func modify(_ index: IndexBuilder) throws(TypeScriptError) {
        switch modifier {
        case "sortKeys": index.sortFields = try arguments.texts(0)
        case "name": index.name = try arguments.filledText(0)
        case "queryField":
            index.queryField =
                arguments.isNull(0) ? .none : try arguments.filledText(0).map { .named($0) } ?? .standard
        default:
            let kind = try arguments.text(0)
            switch kind.text {
            case "ALL": index.projection = nil
            case "KEYS_ONLY": index.projection = .keysOnly
            case "INCLUDE":
                index.projection = .include(arguments.count > 1 ? try arguments.texts(1).map(\.text) : [])
            default: throw arguments.error("expected ALL, KEYS_ONLY or INCLUDE", at: kind.position)
            }
        }
    }

    // MARK: Operations

    private func modify(_ operation: OperationBuilder) throws(TypeScriptError) {
        switch modifier {
        case "arguments": operation.arguments = try arguments.parts(0)
        case "returns": operation.result = arguments.given(0)
        case "authorization": operation.rules = try rules(.operation)
        case "handler": operation.handlers = try arguments.builders(0, "a handler")
        default: operation.sources = try arguments.builders(0, "a.ref(...)")
        }
    }

    // MARK: Schemas

    private func modify(_ schema: SchemaBuilder) throws(TypeScriptError) {
        switch modifier {
        case "authorization": schema.rules = try rules(.schema)
        case "setAuthorization", "setRelationships":
            _ = try arguments.callback(.models(schema), .schema(schema))
        case "renameModels": try renameModels(of: schema)
        default:
            for part in try arguments.parts(0) {
                guard !(part.builder is ModelBuilder) else {
                    throw arguments.error(
                        "Invalid value specified for \(part.name) in \(modifier)(). Models cannot be manually added to a SQL schema.",
                        at: part.position)
                }
                // What is there already keeps its place.
                if let number = schema.entries.firstIndex(where: { $0.part.name == part.name }) {
                    schema.entries[number].part = part
                } else {
                    schema.entries.append(SchemaBuilder.Entry(part: part))
                }
            }
        }
    }

    private func renameModels(of schema: SchemaBuilder) throws(TypeScriptError) {
        for (old, new) in try arguments.pairs() {
            guard case .text(let name) = old.value,
                let number = schema.entries.firstIndex(where: { $0.part.name == name })
            else {
                throw arguments.error(
                    "Invalid renameModels call. \(old.value.name) is not defined in the schema", at: old.position)
            }
            guard case .text(let newName) = new.value, !newName.isEmpty else {
                throw arguments.error(
                    "Invalid renameModels call. New name must be a non-empty string. Received: \"\(new.value.name)\"",
                    at: new.position)
            }
            // A name that stays is no other name.
            guard newName != name else { continue }
            var entry = schema.entries.remove(at: number)
            entry.storedName = entry.storedName ?? name
            entry.part = NamedPart(name: newName, position: new.position, value: entry.part.value)
            schema.entries.append(entry)
        }
    }
}

extension Given {
    /// The text that it is, or how messages call it.
    fileprivate var name: String { if case .text(let text) = self { text } else { description } }
}
