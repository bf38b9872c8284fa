import GraphQL

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
        hasConversations = true
        func argument(_ name: String, _ type: TypeReference) -> InputValueDefinition {
            InputValueDefinition(name: Name(name, at: place), type: type)
        }
        func named(_ name: String) -> TypeReference { TypeReference(Name(name, at: place)) }
        var settings = try modelArguments(conversation.input, isOrdered: true, of: part)
        settings.append(
            (
                "auth",
                SchemaSyntax.object(
                    [
                        ("strategy", SchemaSyntax.word("owner", place)),
                        ("provider", SchemaSyntax.word("userPools", place)),
                    ], place)
            ))
        if let handler = conversation.input["handler"]?.value, !handler.value.isNothing {
            let name = "Fn" + SchemaSyntax.upper(part.name)
            if case .opaque(let opaque) = handler.value { functions[name] = opaque.function ?? FunctionReference() }
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
        if let tools = try tools(of: conversation.input) { settings.append(("tools", tools)) }
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
        let input = operation.input.object ?? ScriptObject()
        return SchemaSyntax.directive(
            "generation", try modelArguments(input, isOrdered: false, of: part), part.position)
    }

    /// The model, what it is told, and how it answers.
    private func modelArguments(
        _ input: ScriptObject, isOrdered: Bool, of part: NamedPart
    ) throws(TypeScriptError) -> [(String, Value)] {
        let place = part.position
        guard let path = input["aiModel"]?.value.value.object?["resourcePath"]?.value.value.string else {
            throw TypeScriptError("\(part.name) names no model", at: input["aiModel"]?.position ?? place)
        }
        guard let prompt = input["systemPrompt"]?.value.value.string else {
            throw TypeScriptError("\(part.name) has no system prompt", at: input["systemPrompt"]?.position ?? place)
        }
        var arguments = [
            ("aiModel", SchemaSyntax.string(path, place)), ("systemPrompt", SchemaSyntax.string(prompt, place)),
        ]
        if let settings = input["inferenceConfiguration"]?.value.value.object {
            let names = isOrdered ? ["temperature", "maxTokens", "topP"] : settings.members.map(\.name)
            var parts: [(String, Value)] = []
            for name in names {
                guard let value = settings[name]?.value, !value.value.isNothing else { continue }
                guard case .number(let number) = value.value else {
                    throw TypeScriptError("\"\(name)\" is a number", at: value.position)
                }
                parts.append((name, SchemaSyntax.number(number, place)))
            }
            if !parts.isEmpty { arguments.append(("inferenceConfiguration", SchemaSyntax.object(parts, place))) }
        }
        return arguments
    }

    private func tools(of input: ScriptObject) throws(TypeScriptError) -> Value? {
        guard let tools = input["tools"]?.value, let list = tools.value.list, !list.elements.isEmpty else { return nil }
        var values: [Value] = []
        for tool in list.elements {
            let place = tool.position
            guard let members = tool.value.object, let name = members["name"]?.value.value.string else {
                throw TypeScriptError("a tool has a name and a description", at: place)
            }
            guard Names.isName(name), name.utf8.count <= 64, !name.hasPrefix("_") else {
                throw TypeScriptError(
                    "Tool name must be between 1 and 64 characters, start with a letter, and contain only letters, numbers, and underscores. Found: \(name)",
                    at: members["name"]?.value.position ?? place)
            }
            var parts = [("name", SchemaSyntax.string(name, place))]
            parts.append(
                ("description", SchemaSyntax.string(members["description"]?.value.value.string ?? "", place)))
            func target(_ member: String) -> String? {
                guard case .builder(let builder)? = members[member]?.value.value else { return nil }
                return (builder as? ReferenceBuilder)?.target
            }
            if let model = target("model") {
                let operation = members["modelOperation"]?.value.value.string ?? "list"
                parts.append(("modelName", SchemaSyntax.string(model, place)))
                parts.append(("modelOperation", SchemaSyntax.word(operation, place)))
            } else if let query = target("query") {
                parts.append(("queryName", SchemaSyntax.string(query, place)))
            }
            values.append(SchemaSyntax.object(parts, place))
        }
        return .list(ListValue(values, position: tools.position))
    }
}
