import Blueprint
import GraphQL
import Project

/// Conversations and generations with a language model.
extension SchemaWriter {
    mutating func writeConversation(_ part: NamedPart, _ conversation: ConversationBuilder) throws(TypeScriptError) {
        let place = part.position
        try checkName(part.name, at: place)
        let advice =
            "Use .authorization((allow) => allow.owner()) to configure authorization for your conversation route."
        guard let rule = conversation.rules.first else {
            throw TypeScriptError("Conversation \(part.name) is missing authorization rules. \(advice)", at: place)
        }
        guard rule.strategy == .owner, rule.provider == "userPools" else {
            throw TypeScriptError(
                "Conversation \(part.name) must use owner authorization with a user pool provider. \(advice)", at: place
            )
        }
        guard let input = conversation.input else { return }
        hasConversations = true
        func argument(_ name: String, _ type: TypeReference) -> InputValueDefinition {
            InputValueDefinition(name: Name(name, at: place), type: type)
        }
        func named(_ name: String) -> TypeReference { TypeReference(Name(name, at: place)) }
        var settings = try modelArguments(input, isOrdered: true, of: part)
        settings.append(
            (
                "auth",
                SchemaSyntax.object(
                    [
                        ("strategy", SchemaSyntax.word("owner", place)),
                        ("provider", SchemaSyntax.word("userPools", place)),
                    ], place)
            ))
        if let handler = input.handler {
            let name = "Fn" + SchemaSyntax.upper(part.name)
            if case .function(let function) = handler { functions[name] = function }
            settings.append(
                (
                    "handler",
                    SchemaSyntax.object(
                        [
                            ("functionName", SchemaSyntax.string(name, place)),
                            ("eventVersion", SchemaSyntax.string("1.0", place)),
                        ], place)
                ))
        }
        if let tools = try tools(of: input) { settings.append(("tools", tools)) }
        fields[.mutation, default: []].append(
            FieldDefinition(
                name: Name(part.name, at: place),
                arguments: [
                    argument("conversationId", named("ID").nonNull),
                    argument("content", named("AmplifyAIContentBlockInput").list),
                    argument("aiContext", named("AWSJSON")),
                    argument("toolConfiguration", named("AmplifyAIToolConfigurationInput")),
                ],
                type: named("AmplifyAIConversationMessage"),
                directives: [
                    SchemaSyntax.directive("conversation", settings, place),
                    SchemaSyntax.directive("aws_cognito_user_pools", place),
                ]))
    }

    func generation(_ part: NamedPart, _ operation: OperationBuilder) throws(TypeScriptError) -> Directive {
        guard let input = operation.input, input.model != nil, input.prompt?.isEmpty == false else {
            throw TypeScriptError(
                "Invalid Generation Route definition. A Generation Route must include a valid input. \(part.name) has an invalid or no input defined.",
                at: part.position)
        }
        return SchemaSyntax.directive(
            "generation", try modelArguments(input, isOrdered: false, of: part), part.position)
    }

    /// The model, what it is told, and how it answers.
    private func modelArguments(
        _ input: AssistantInput, isOrdered: Bool, of part: NamedPart
    ) throws(TypeScriptError) -> [(String, Value)] {
        guard let model = input.model else {
            throw TypeScriptError("\(part.name) names no model", at: input.modelPosition)
        }
        guard let prompt = input.prompt else {
            throw TypeScriptError("\(part.name) has no system prompt", at: input.promptPosition)
        }
        var arguments = [
            ("aiModel", SchemaSyntax.string(model.text, part.position)),
            ("systemPrompt", SchemaSyntax.string(GraphQLText.unescapedLines(prompt), part.position)),
        ]
        var settings = input.settings
        if isOrdered {
            settings = ["temperature", "maxTokens", "topP"].compactMap { name in settings.first { $0.name == name } }
        }
        var parts: [(String, Value)] = []
        for setting in settings {
            guard let number = setting.value else {
                throw TypeScriptError("\"\(setting.name)\" is a number", at: setting.position)
            }
            parts.append((setting.name, SchemaSyntax.number(number, setting.position)))
        }
        if !parts.isEmpty {
            arguments.append(("inferenceConfiguration", SchemaSyntax.object(parts, part.position)))
        }
        return arguments
    }

    private func tools(of input: AssistantInput) throws(TypeScriptError) -> Value? {
        guard !input.tools.isEmpty else { return nil }
        var values: [Value] = []
        for tool in input.tools {
            let place = tool.position
            guard let name = tool.name else {
                throw TypeScriptError("a tool has a name and a description", at: place)
            }
            guard Names.isName(name.text), name.text.utf8.count <= 64, !name.text.hasPrefix("_") else {
                throw TypeScriptError(
                    "Tool name must be between 1 and 64 characters, start with a letter, and contain only letters, numbers, and underscores. Found: \(name.text)",
                    at: name.position)
            }
            var parts = [
                ("name", SchemaSyntax.string(name.text, place)),
                ("description", SchemaSyntax.string(tool.description, place)),
            ]
            switch tool.target {
            case .model(let model, let operation)?:
                parts.append(("modelName", SchemaSyntax.string(model, place)))
                parts.append(("modelOperation", SchemaSyntax.word(operation, place)))
            case .query(let query)?: parts.append(("queryName", SchemaSyntax.string(query, place)))
            case nil:
                throw TypeScriptError(
                    "the tool \"\(name.text)\" leads nowhere: give it a query or a model, such as query: a.ref('name')",
                    at: place)
            }
            values.append(SchemaSyntax.object(parts, place))
        }
        return .list(ListValue(values, position: input.toolsPosition))
    }
}
