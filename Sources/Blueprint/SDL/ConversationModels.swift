import GraphQL

/// The models that Amplify makes for each conversation, as if they stood in the schema.
enum ConversationModels {
    /// The conversations of a schema, in its order; those that Amplify refuses are left out. `amplifysHandlers` are the handlers that are
    /// Amplify's own.
    static func conversations(in definitions: [Definition], amplifysHandlers: Set<String>) -> [Conversation] {
        let root = definitions.mutationName
        let fields = definitions.flatMap { definition -> [FieldDefinition] in
            switch definition {
            case .type(.object(let object)), .typeExtension(.object(let object)):
                object.name.text == root ? object.fields : []
            default: []
            }
        }
        let taken = Set(definitions.compactMap { if case .type(let type) = $0 { type.name.text } else { nil } })
        return fields.compactMap { field in
            guard let directive = field.directives.first(named: "conversation"),
                field.typeName == Conversation.messageInterface
            else { return nil }
            let handler =
                directive.object("handler")?.value("functionName")?.text ?? directive.text("functionName")
            let conversation = Conversation(
                field: field.name.text, assistant: AssistantSettings(directive), handler: handler,
                isHandlerAmplifys: handler.map(amplifysHandlers.contains) ?? false,
                tools: SDLReading.tools(directive).compactMap(ConversationTool.init), position: field.name.position)
            return taken.contains(conversation.modelName) || taken.contains(conversation.messageName)
                ? nil : conversation
        }
    }

    /// The two models of a conversation, both where its field stands.
    static func definitions(of conversation: Conversation) -> [Definition] {
        let place = conversation.position
        func name(_ text: String) -> Name { Name(text, at: place) }
        func type(_ text: String) -> TypeReference { TypeReference(name(text)) }
        func field(_ text: String, _ type: TypeReference, _ directives: [Directive] = []) -> FieldDefinition {
            FieldDefinition(name: name(text), type: type, directives: directives)
        }
        func relation(_ directive: String) -> [Directive] {
            [SchemaSyntax.directive(directive, [("references", SchemaSyntax.strings([reference], place))], place)]
        }
        let owner = SchemaSyntax.object(
            [("allow", SchemaSyntax.word("owner", place)), ("ownerField", SchemaSyntax.string("owner", place))], place)
        let rules = SchemaSyntax.directive("auth", [("rules", .list(ListValue([owner], position: place)))], place)
        func model(_ arguments: [(String, Value)]) -> [Directive] {
            [SchemaSyntax.directive("model", arguments, place), rules]
        }
        let silent = SchemaSyntax.object([("level", SchemaSyntax.word("off", place))], place)
        func none(_ names: String...) -> Value {
            SchemaSyntax.object(names.map { ($0, SchemaSyntax.null(place)) }, place)
        }
        let conversations = ObjectTypeDefinition(
            name: name(conversation.modelName), directives: model([("subscriptions", silent)]),
            fields: [
                field("id", type("ID").nonNull), field("name", type("String")), field("metadata", type("AWSJSON")),
                field("messages", type(conversation.messageName).list, relation("hasMany")),
            ], position: place)
        let messages = ObjectTypeDefinition(
            name: name(conversation.messageName), interfaces: [name(Conversation.messageInterface)],
            directives: model([("subscriptions", none("onUpdate", "onDelete")), ("mutations", none("update"))]),
            fields: [
                field("id", type("ID").nonNull), field(reference, type("ID").nonNull),
                field("conversation", type(conversation.modelName), relation("belongsTo")),
                field("role", type("AmplifyAIConversationParticipantRole")),
                field("content", type("AmplifyAIContentBlock").list), field("aiContext", type("AWSJSON")),
                field("toolConfiguration", type("AmplifyAIToolConfiguration")),
                field("associatedUserMessageId", type("ID")),
            ], position: place)
        return [.type(.object(conversations)), .type(.object(messages))]
    }

    /// The field of a message that names its conversation.
    private static let reference = "conversationId"
}

extension [Definition] {
    fileprivate var mutationName: String {
        for case .schema(let schema) in self {
            if let type = schema.operationTypes.first(where: { $0.operation == .mutation }) { return type.type.text }
        }
        return RootTypes().mutation
    }
}
