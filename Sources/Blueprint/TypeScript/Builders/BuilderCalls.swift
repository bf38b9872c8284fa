import GraphQL

/// The functions of `a`, `a.handler` and `a.ai`, with the arguments of one call.
struct BuilderCalls {
    let evaluator: ScriptEvaluator
    let method: NativeMethod
    let arguments: [PlacedValue]

    var position: Position { method.position }

    func argument(_ index: Int) -> PlacedValue {
        index < arguments.count ? arguments[index] : PlacedValue(value: .undefined, position: position)
    }

    func error(_ message: String, at position: Position? = nil) -> TypeScriptError {
        TypeScriptError(message, at: position ?? self.position)
    }

    private func wrong(_ placed: PlacedValue, expected: String) -> TypeScriptError {
        if case .opaque(let opaque) = placed.value { return opaque.error }
        return TypeScriptError(
            "`\(method.name)` takes \(expected), found \(placed.value.description)", at: placed.position)
    }

    /// A text argument.
    func name(_ index: Int) throws(TypeScriptError) -> (name: String, position: Position) {
        let placed = argument(index)
        guard let text = placed.value.string else { throw wrong(placed, expected: "a text") }
        return (text, placed.position)
    }

    /// A list of texts.
    func names(_ index: Int, orOne: Bool = false) throws(TypeScriptError) -> [(name: String, position: Position)] {
        let placed = argument(index)
        if orOne, let text = placed.value.string { return [(text, placed.position)] }
        guard let list = placed.value.list else {
            throw wrong(placed, expected: orOne ? "a text or a list of texts" : "a list of texts")
        }
        var found: [(name: String, position: Position)] = []
        for element in list.elements {
            guard let text = element.value.string else { throw wrong(element, expected: "a list of texts") }
            found.append((text, element.position))
        }
        return found
    }

    func object(_ index: Int) throws(TypeScriptError) -> ScriptObject {
        let placed = argument(index)
        guard let object = placed.value.object else { throw wrong(placed, expected: "an object") }
        return object
    }

    /// The members of an object argument. What they are is looked at when the schema is put together.
    func parts(_ index: Int) throws(TypeScriptError) -> [NamedPart] {
        var found: [NamedPart] = []
        for member in try object(index).members {
            found.append(
                NamedPart(name: member.name, position: member.position, value: try evaluator.value(of: member)))
        }
        return found
    }

    func entries() throws(TypeScriptError) -> [SchemaBuilder.Entry] {
        try parts(0).map { SchemaBuilder.Entry(part: $0) }
    }

    /// Calls a function of `a`.
    func builder() throws(TypeScriptError) -> ScriptValue {
        if let type = FieldBuilder.typeNames[method.name] {
            return .builder(FieldBuilder(kind: method.name, typeName: type))
        }
        let made: Builder =
            switch method.name {
            case "schema": SchemaBuilder(engine: .dynamodb, entries: try entries())
            case "combine":
                CombinedBuilder(schemas: try list(0))
            case "model": ModelBuilder(fields: try parts(0))
            case "customType": TypeBuilder(fields: try parts(0))
            case "enum": EnumBuilder(values: try names(0).map { ($0.name, $0.position) })
            case "ref": try reference()
            case "hasMany": try relation(.hasMany)
            case "hasOne": try relation(.hasOne)
            case "belongsTo": try relation(.belongsTo)
            case "query": OperationBuilder(kind: .query)
            case "mutation": OperationBuilder(kind: .mutation)
            case "subscription": OperationBuilder(kind: .subscription)
            case "generation": OperationBuilder(kind: .generation, input: argument(0).value)
            default: ConversationBuilder(input: try object(0))
            }
        return .builder(made)
    }

    private func list(_ index: Int) throws(TypeScriptError) -> [PlacedValue] {
        guard let list = argument(index).value.list else { throw wrong(argument(index), expected: "a list") }
        return list.elements
    }

    private func reference() throws(TypeScriptError) -> ReferenceBuilder {
        let name = try name(0)
        return ReferenceBuilder(target: name.name, position: name.position)
    }

    private func relation(_ kind: RelationBuilder.Kind) throws(TypeScriptError) -> RelationBuilder {
        let name = try name(0)
        return RelationBuilder(
            kind: kind, target: name.name, position: name.position,
            references: try names(1, orOne: true).map(\.name))
    }

    /// Calls a function of `a.handler`.
    func handler() throws(TypeScriptError) -> ScriptValue {
        let kind: HandlerBuilder.Kind =
            switch method.name {
            case "function": .function
            case "custom": .custom
            case "inlineSql": .statement
            default: .file
            }
        if kind == .custom { _ = try object(0) }
        if kind == .statement || kind == .file { _ = try name(0) }
        return .builder(HandlerBuilder(kind: kind, input: argument(0)))
    }

    /// Calls a function of `a.ai`.
    func assistant() throws(TypeScriptError) -> ScriptValue {
        guard method.name == "model" else { return argument(0).value }
        let object = ScriptObject()
        let path = AssistantModels.paths[try name(0).name] ?? "undefined"
        object.set("resourcePath", to: .string(path), at: argument(0).position)
        return .object(object)
    }

    func engine() throws(TypeScriptError) -> SchemaBuilder.Engine {
        guard let database = try object(0)["database"]?.value, let members = database.value.object else {
            throw error("`configure` takes a database", at: argument(0).position)
        }
        let name = members["engine"]?.value
        guard let text = name?.value.string, let engine = SchemaBuilder.Engine(rawValue: text) else {
            throw error(
                "expected one of the engines dynamodb, mysql and postgresql", at: name?.position ?? database.position)
        }
        return engine
    }

    // MARK: Validation

    /// Calls a function of the validator of a field.
    func validate(_ field: FieldBuilder) throws(TypeScriptError) {
        var (rule, value, messageIndex) = (method.name, "0", 1)
        switch rule {
        case "positive": (rule, messageIndex) = ("gt", 0)
        case "negative": (rule, messageIndex) = ("lt", 0)
        case "startsWith", "endsWith", "matches":
            guard let text = argument(0).value.string else {
                throw error("`\(rule)` takes a text", at: argument(0).position)
            }
            value = GraphQLText.unescaped(text)
        default:
            guard case .number(let number) = argument(0).value else {
                throw error("`\(rule)` takes a number", at: argument(0).position)
            }
            value = NumberText.text(of: number)
        }
        let message = argument(messageIndex).value
        if !message.isNothing, message.string == nil { _ = try name(messageIndex) }
        field.validations.append(
            FieldBuilder.Validation(
                rule: rule, value: value, message: message.string.flatMap { $0.isEmpty ? nil : $0 },
                position: position))
    }
}

/// Texts that Amplify puts between quotes as they are, so that the parser of SDL reads escapes in them.
enum GraphQLText {
    static func unescaped(_ text: String) -> String {
        guard text.contains("\\"), !text.contains("\""), !text.contains("\n"),
            let document = try? Document(parsing: Source("type T @d(v: \"\(text)\")"), limits: .schema),
            case .type(let type)? = document.definitions.first,
            case .string(let value)? = type.directives.first?.arguments.first?.value
        else { return text }
        return value.value
    }
}

/// The names of the models that `a.ai.model` knows.
enum AssistantModels {
    static let paths: [String: String] = [
        "Amazon Nova Pro": "amazon.nova-pro-v1:0",
        "Amazon Nova Lite": "amazon.nova-lite-v1:0",
        "Amazon Nova Micro": "amazon.nova-micro-v1:0",
        "Claude 3 Haiku": "anthropic.claude-3-haiku-20240307-v1:0",
        "Claude 3 Opus": "anthropic.claude-3-opus-20240229-v1:0",
        "Claude 3 Sonnet": "anthropic.claude-3-sonnet-20240229-v1:0",
        "Claude 3.5 Haiku": "anthropic.claude-3-5-haiku-20241022-v1:0",
        "Claude 3.5 Sonnet": "anthropic.claude-3-5-sonnet-20240620-v1:0",
        "Claude 3.5 Sonnet v2": "anthropic.claude-3-5-sonnet-20241022-v2:0",
        "Claude 3.7 Sonnet": "anthropic.claude-3-7-sonnet-20250219-v1:0",
        "Claude Opus 4": "anthropic.claude-opus-4-20250514-v1:0",
        "Claude Sonnet 4": "anthropic.claude-sonnet-4-20250514-v1:0",
        "Claude Sonnet 4.6": "global.anthropic.claude-sonnet-4-6",
        "Claude Haiku 4.5": "global.anthropic.claude-haiku-4-5-20251001-v1:0",
        "Claude Sonnet 4.5": "global.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "Claude Opus 4.5": "global.anthropic.claude-opus-4-5-20251101-v1:0",
        "Claude Opus 4.6": "global.anthropic.claude-opus-4-6-v1",
        "Cohere Command R": "cohere.command-r-v1:0",
        "Cohere Command R+": "cohere.command-r-plus-v1:0",
        "Llama 3.1 8B Instruct": "meta.llama3-1-8b-instruct-v1:0",
        "Llama 3.1 70B Instruct": "meta.llama3-1-70b-instruct-v1:0",
        "Llama 3.1 405B Instruct": "meta.llama3-1-405b-instruct-v1:0",
        "Mistral Large": "mistral.mistral-large-2402-v1:0",
        "Mistral Large 2": "mistral.mistral-large-2407-v1:0",
        "Mistral Small": "mistral.mistral-small-2402-v1:0",
    ]
}
