import Blueprint

/// `a.conversation({...})`
final class ConversationBuilder: Builder {
    let input: AssistantInput
    var rules: [RuleBuilder] = []

    init(input: AssistantInput) {
        self.input = input
    }

    override var label: String { "a.conversation(...)" }
    override var surface: BuilderSurface { Self.surface }

    static let surface = BuilderSurface([
        .modifier("authorization") { (conversation: ConversationBuilder, arguments) throws(TypeScriptError) in
            conversation.rules = try arguments.rules(.conversation)
        }
    ])
}
