import GraphQL

/// `@conversation` and `@generation`: fields that a language model answers.
extension SDLReading {
    mutating func readAssistants() {
        for use in uses(of: "conversation", step: .visit(.conversation)) {
            guard let field = use.field else { continue }
            if let message = conversationRefusal(use, field) {
                log.error(message, at: use.position, step: .visit(.conversation))
                continue
            }
            let path = FieldPath(type: use.typeName, field: field.name.text)
            guard let conversation = conversations.first(where: { $0.field == field.name.text }) else { continue }
            resolvers[path] = .conversation(conversation, .send)
        }
        for use in uses(of: "generation", step: .visit(.generation)) {
            guard let field = use.field else { continue }
            if let message = generationRefusal(use) {
                log.error(message, at: use.position, step: .visit(.generation))
                continue
            }
            let path = FieldPath(type: use.typeName, field: field.name.text)
            resolvers[path] = .generation(AssistantSettings(use.directive))
        }
    }

    private func generationRefusal(_ use: DirectiveUse) -> String? {
        guard use.typeName == schema.roots.query else { return "@generation directive must be used on Query field." }
        return Self.settingRefusal(use.directive)
    }

    private func conversationRefusal(_ use: DirectiveUse, _ field: FieldDefinition) -> String? {
        guard use.typeName == schema.roots.mutation else {
            return "@conversation directive must be used on Mutation field."
        }
        guard field.type.wrapping.isNone, field.typeName == Conversation.messageInterface else {
            return "@conversation return type must be \(Conversation.messageInterface)"
        }
        // It is left out where a name that it needs is taken.
        guard conversations.contains(where: { $0.field == field.name.text }) else {
            let conversation = Conversation(field: field.name.text, position: use.position)
            let isTaken = schema.objects[conversation.modelName] != nil
            return "Conflicting type '\(isTaken ? conversation.modelName : conversation.messageName)' found."
        }
        return Self.settingRefusal(use.directive) ?? Self.handlerRefusal(use.directive)
            ?? Self.toolRefusal(use.directive)
    }

    /// The number that a setting is, unless it is within its bounds, as Bedrock has them.
    private static func settingRefusal(_ directive: Directive) -> String? {
        guard let settings = directive.object("inferenceConfiguration") else { return nil }
        func refusal(_ name: String, _ range: ClosedRange<Double>, _ bounds: String) -> String? {
            guard let number = settings.value(name)?.number, !range.contains(number) else { return nil }
            let text = Int64(exactly: number).map(String.init) ?? number.description
            return "@\(directive.name) directive \(name) valid range: \(bounds) Provided: \(text)"
        }
        let share = "Minimum value of 0. Maximum value of 1."
        return refusal("maxTokens", 1...Double.infinity, "Minimum value of 1.") ?? refusal("temperature", 0...1, share)
            ?? refusal("topP", 0...1, share)
    }

    private static func handlerRefusal(_ directive: Directive) -> String? {
        guard let handler = directive.object("handler") else { return nil }
        if directive.text("functionName")?.isEmpty == false {
            return "'functionName' and 'handler' are mutually exclusive"
        }
        let version = handler.value("eventVersion")?.text ?? ""
        let major = version.drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }
        guard Int(major) != 1 else { return nil }
        return "Unsupported custom conversation handler. Expected eventVersion to match 1.x, received \(version)"
    }

    // MARK: Tools

    static func tools(_ directive: Directive) -> [ObjectValue] {
        switch directive.argument("tools") {
        case .list(let list)?: list.values.compactMap(\.object)
        case let single?: single.object.map { [$0] } ?? []
        case nil: []
        }
    }

    private static func toolRefusal(_ directive: Directive) -> String? {
        let tools = tools(directive)
        for tool in tools {
            let name = tool.value("name")?.text ?? ""
            guard Names.isName(name), !name.hasPrefix("_"), name.utf8.count <= toolNameBytesMax else {
                return "Tool name must be between 1 and 64 characters, start with a letter, and contain only letters, "
                    + "numbers, and underscores. Found: \(name)"
            }
        }
        let invalid = tools.filter { tool in
            let (isOfModel, isList) = (tool.value("modelName") != nil, tool.value("modelOperation") != nil)
            return tool.value("queryName") != nil ? isOfModel || isList : !isOfModel || !isList
        }
        guard !invalid.isEmpty else { return nil }
        let names = invalid.compactMap { $0.value("name")?.text }.joined(separator: ", ")
        return "Tool definitions must contain a modelName and modelOperation, or queryName. Invalid tools: \(names)"
    }

    private static let toolNameBytesMax = 64

    /// Tools are queries. The generated ones are known once everything else has been read.
    mutating func checkTools() {
        let step = DiagnosticLog.Step.resolvers(.conversation)
        var queries: Set<String>?
        for use in schema.uses["conversation"] ?? [] {
            for tool in Self.tools(use.directive) {
                let model = tool.value("modelName")?.text
                if let model, schema.objects[model] == nil {
                    log.error("Could not find type definition for \(model)", at: use.position, step: step)
                    continue
                }
                let known = queries ?? queryNames
                queries = known
                let query = model.map { models[$0]?.operations.list } ?? tool.value("queryName")?.text
                guard query.map(known.contains) != true, let name = tool.value("name")?.text else { continue }
                log.error(
                    "Tool \"\(name)\" defined in @conversation directive has no matching Query field definition",
                    at: use.position, step: step)
            }
        }
    }

    private var queryNames: Set<String> {
        let root = schema.roots.query
        let declared = (schema.objects[root]?.fields ?? []) + (schema.extensionFields[root] ?? [])
        let generated = models.values.flatMap { model in
            [model.operations.get, model.operations.list, model.operations.sync, model.search?.name].compactMap(\.self)
                + model.indexes.compactMap(\.query)
        }
        return Set(declared.map(\.name.text) + generated)
    }
}
