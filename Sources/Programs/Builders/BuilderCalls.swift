import Blueprint
import GraphQL
import Project

/// The functions of `a`, `a.handler` and `a.ai`, with the arguments of one call.
struct BuilderCalls {
    let arguments: BuilderArguments

    private var function: String { arguments.function }

    /// Calls a function of `a`.
    func builder() throws(TypeScriptError) -> Builder {
        if let type = FieldBuilder.typeNames[function] { return FieldBuilder(kind: function, typeName: type) }
        return switch function {
        case "schema": try SchemaBuilder(engine: .dynamodb, arguments)
        case "combine": try CombinedBuilder(arguments)
        case "model": ModelBuilder(arguments)
        case "customType": TypeBuilder(arguments)
        case "enum": EnumBuilder(arguments)
        case "ref": try reference()
        case "hasMany": try RelationBuilder(kind: .hasMany, arguments)
        case "hasOne": try RelationBuilder(kind: .hasOne, arguments)
        case "belongsTo": try RelationBuilder(kind: .belongsTo, arguments)
        case "query": OperationBuilder(kind: .query)
        case "mutation": OperationBuilder(kind: .mutation)
        case "subscription": OperationBuilder(kind: .subscription)
        case "generation": generation()
        default: try ConversationBuilder(arguments)
        }
    }

    private func generation() -> OperationBuilder {
        let operation = OperationBuilder(kind: .generation)
        let arguments = arguments
        operation.$input.keep { () throws(TypeScriptError) in
            try arguments.optionalObject(0).map { (object) throws(TypeScriptError) in try AssistantInput(object) }
        }
        return operation
    }

    private func reference() throws(TypeScriptError) -> ReferenceBuilder {
        let name = try arguments.text(0)
        return ReferenceBuilder(target: name.text, position: name.position)
    }

    /// Calls a function of `a.handler`.
    func handler() throws(TypeScriptError) -> HandlerBuilder {
        let work: HandlerBuilder.Work =
            switch function {
            case "function": .function(arguments.functionTarget(0))
            case "custom": try script()
            case "inlineSql": .statement(try arguments.text(0).text)
            default: .file(try arguments.text(0).text)
            }
        return HandlerBuilder(work, at: arguments.position(of: 0))
    }

    private func script() throws(TypeScriptError) -> HandlerBuilder.Work {
        let input = try arguments.object(0)
        var source = CustomHandler.noSource
        if let given = try input.given("dataSource") {
            if case .text(let name) = given.value {
                source = name
            } else {
                let model: ReferenceBuilder = try given.builder("a name or a.ref(...)")
                source = model.target + "Table"
            }
        }
        return .custom(entry: try input.text("entry"), dataSource: source)
    }

    /// The path of the model that `a.ai.model` names.
    func modelPath() throws(TypeScriptError) -> String {
        AssistantModels.paths[try arguments.text(0).text] ?? "undefined"
    }

    /// The database that `configure` names.
    func engine() throws(TypeScriptError) -> SchemaBuilder.Engine {
        guard let database = try arguments.object(0).object("database") else {
            throw arguments.error("`configure` takes a database", at: arguments.position(of: 0))
        }
        guard let text = try database.text("engine")?.text, let engine = SchemaBuilder.Engine(rawValue: text) else {
            throw arguments.error(
                "expected one of the engines dynamodb, mysql and postgresql", at: database.position(of: "engine"))
        }
        return engine
    }

    /// Calls `index` of a model's secondary indexes.
    func index() throws(TypeScriptError) -> IndexBuilder { IndexBuilder(field: try arguments.text(0)) }

    /// Calls `defineData`.
    func data() -> DataBuilder { DataBuilder(arguments) }

    /// What is known of a function that is defined here. Its name is for people, so it may be unknown.
    func functionReference(folder: String?) throws(TypeScriptError) -> FunctionReference {
        if case .refused = arguments.given(0).value { return FunctionReference() }
        let input = arguments.optionalObject(0)
        func text(_ name: String) throws(TypeScriptError) -> (text: String?, isThere: Bool) {
            guard let given = try input?.given(name) else { return (nil, false) }
            if case .text(let text) = given.value { return (text, true) }
            return (nil, true)
        }
        let name = try text("name")
        let entry = try text("entry")
        if name.isThere, name.text == nil { return FunctionReference() }
        if entry.isThere, entry.text == nil { return FunctionReference(name: name.text) }
        return FunctionReference(name: name.text, entry: entry.text, folder: folder)
    }

    // MARK: Validation

    /// Calls a function of the validator of a field.
    func validate(_ field: FieldBuilder) throws(TypeScriptError) {
        var (rule, value, messageIndex) = (function, "0", 1)
        switch rule {
        case "positive": (rule, messageIndex) = ("gt", 0)
        case "negative": (rule, messageIndex) = ("lt", 0)
        case "startsWith", "endsWith", "matches": value = GraphQLText.unescaped(try arguments.text(0).text)
        default: value = try arguments.number(0).programText
        }
        field.validations.append(
            FieldBuilder.Validation(
                rule: rule, value: value, message: try arguments.filledText(messageIndex),
                position: arguments.position))
    }
}

/// Texts that Amplify puts between quotes as they are, so that the parser of SDL reads escapes in them.
enum GraphQLText {
    static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")), isOneText(text.utf8),
            let document = try? Document(parsing: Source("type T @d(v: \"\(text)\")"), limits: .schema),
            case .type(let type)? = document.definitions.first,
            case .string(let value)? = type.directives.first?.arguments.first?.value
        else { return text }
        return value.value
    }

    /// The same for a text of several lines: Amplify writes the ends of its lines as `\n`.
    static func unescapedLines(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            guard byte == 0x0A else {
                bytes.append(byte)
                continue
            }
            if bytes.last == 0x0D { bytes.removeLast() }
            bytes += "\\n".utf8
        }
        let line = String(decoding: bytes, as: UTF8.self)
        return isOneText(line.utf8) ? unescaped(line) : text
    }

    /// Returns whether nothing in it ends the text between quotes: a quote or a line break of its own.
    private static func isOneText(_ bytes: String.UTF8View) -> Bool {
        var isEscaped = false
        for byte in bytes {
            if byte == 0x0A || byte == 0x0D || byte == 0x22 && !isEscaped { return false }
            isEscaped = byte == 0x5C && !isEscaped
        }
        return true
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
