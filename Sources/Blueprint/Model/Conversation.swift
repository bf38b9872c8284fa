import GraphQL

/// A conversation with a language model (`@conversation`): a mutation that sends a message, and what Amplify adds to the API
/// for it. Nothing of it runs here: all its operations answer that.
///
///     chat(conversationId:, content:, …)              the mutation that the schema declares
///     ConversationChat, ConversationMessageChat       two models, with an owner each
///     createAssistantResponseChat, …StreamChat        mutations by which the language model answers
///     onCreateAssistantResponseChat                   the subscription that brings the answers
package struct Conversation: Sendable, Hashable {
    /// The name of the mutation.
    package let field: String
    /// The path of the language model on AWS.
    package let assistant: String
    let position: Position

    init(field: String, assistant: String, position: Position) {
        self.field = field
        self.assistant = assistant
        self.position = position
        let name = Names.upper(field)
        modelName = "Conversation\(name)"
        messageName = "ConversationMessage\(name)"
        answer = "createAssistantResponse\(name)"
        streamedAnswer = "createAssistantResponseStream\(name)"
        subscription = "onCreateAssistantResponse\(name)"
    }

    /// The model of the conversations themselves.
    package let modelName: String
    /// The model of their messages.
    package let messageName: String
    let answer: String
    let streamedAnswer: String
    let subscription: String

    var answerInput: String { "Create\(messageName)AssistantInput" }
    var streamedAnswerInput: String { "Create\(messageName)AssistantStreamingInput" }

    /// The mutations that it adds, beside those of its models.
    package var mutations: [String] { [answer, streamedAnswer] }
    package var resolver: FieldResolver { .conversation(model: assistant) }

    /// What the mutation of a conversation returns: messages of all conversations have this interface.
    static let messageInterface = "AmplifyAIConversationMessage"
    static let streamPart = "AmplifyAIConversationMessageStreamPart"
    static let errorInput = "AmplifyAIConversationTurnErrorInput"
    static let contentInput = "AmplifyAIContentBlockInput"
}
