import GraphQL

/// What a conversation adds to the API beside its two models.
extension APIGenerator {
    mutating func addConversations() {
        // It is in every schema, whether or not anything uses it.
        draft.addInput(
            Conversation.errorInput,
            [
                InputValueDefinition("errorType", required: "String"),
                InputValueDefinition("message", required: "String"),
            ])
        for conversation in blueprint.conversations { add(conversation) }
    }

    private mutating func add(_ conversation: Conversation) {
        draft.addInput(
            conversation.answerInput,
            [
                InputValueDefinition("conversationId", "ID"),
                InputValueDefinition("content", list: Conversation.contentInput),
                InputValueDefinition("associatedUserMessageId", "ID"),
            ])
        draft.addInput(
            conversation.streamedAnswerInput,
            [
                InputValueDefinition("conversationId", required: "ID"),
                InputValueDefinition("associatedUserMessageId", required: "ID"),
                InputValueDefinition("contentBlockIndex", "Int"), InputValueDefinition("contentBlockText", "String"),
                InputValueDefinition("contentBlockDeltaIndex", "Int"),
                InputValueDefinition("contentBlockToolUse", "AWSJSON"),
                InputValueDefinition("contentBlockDoneAtIndex", "Int"), InputValueDefinition("stopReason", "String"),
                InputValueDefinition("accumulatedTurnContent", list: Conversation.contentInput),
                InputValueDefinition("errors", list: Conversation.errorInput), InputValueDefinition("p", "String"),
            ])
        func answer(_ name: String, _ type: String, _ input: String) -> FieldDefinition {
            FieldDefinition(
                name, TypeReference(named: type), arguments: [InputValueDefinition("input", required: input)],
                directives: Self.forUsers)
        }
        add(answer(conversation.answer, conversation.messageName, conversation.answerInput), .mutation, conversation)
        add(
            answer(conversation.streamedAnswer, Conversation.streamPart, conversation.streamedAnswerInput), .mutation,
            conversation)
        let mutations = SchemaSyntax.strings([conversation.streamedAnswer], .none)
        let event = FieldDefinition(
            conversation.subscription, TypeReference(named: Conversation.streamPart),
            arguments: [InputValueDefinition("conversationId", "ID")],
            directives: [SchemaSyntax.directive("aws_subscribe", [("mutations", mutations)], .none)] + Self.forUsers)
        add(event, .subscription, conversation)
    }

    private static let forUsers = [Directive(name: Name(AuthMode.userPools.directiveName))]

    private mutating func add(_ field: FieldDefinition, _ operation: OperationType, _ conversation: Conversation) {
        let type = blueprint.roots.name(of: operation)
        guard !draft.addRootField(field, to: type) else { return }
        log.error(
            "Object type extension '\(type)' cannot redeclare field \(field.name)", at: conversation.position,
            step: .prepare(.conversation), hint: "Amplify makes it for the conversation \(conversation.field).")
    }
}
