import GraphQL

/// A conversation with a language model (`@conversation`): a mutation that sends a message, and what Amplify adds to the API
/// for it.
///
///     chat(conversationId:, content:, …)              the mutation that the schema declares
///     ConversationChat, ConversationMessageChat       two models, with an owner each
///     createAssistantResponseChat, …StreamChat        mutations by which the language model answers
///     onCreateAssistantResponseChat                   the subscription that brings the answers
package struct Conversation: Sendable, Hashable {
    /// The name of the mutation.
    package let field: String
    package let assistant: AssistantSettings
    /// The function that takes the turns in the place of Amplify's own.
    package let handler: String?
    /// True for Amplify's own function. The server answers the turn itself, unless the function is configured.
    package let isHandlerAmplifys: Bool
    package let tools: [ConversationTool]
    package let position: Position

    init(
        field: String, assistant: AssistantSettings = AssistantSettings(model: ""), handler: String? = nil,
        isHandlerAmplifys: Bool = false, tools: [ConversationTool] = [], position: Position
    ) {
        self.field = field
        self.assistant = assistant
        self.handler = handler
        self.isHandlerAmplifys = isHandlerAmplifys
        self.tools = tools
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
    package let answer: String
    package let streamedAnswer: String
    package let subscription: String

    var answerInput: String { "Create\(messageName)AssistantInput" }
    package var streamedAnswerInput: String { "Create\(messageName)AssistantStreamingInput" }

    /// What its mutations do.
    package enum Step: Sendable, Hashable {
        /// A message of the user's begins a turn.
        case send
        /// An answer as a whole.
        case answer
        /// A part of an answer.
        case streamedAnswer
    }

    /// The mutations that it adds, beside those of its models.
    package var mutations: [(name: String, step: Step)] { [(answer, .answer), (streamedAnswer, .streamedAnswer)] }

    /// What the mutation of a conversation returns: messages of all conversations have this interface.
    static let messageInterface = "AmplifyAIConversationMessage"
    package static let streamPart = "AmplifyAIConversationMessageStreamPart"
    static let errorInput = "AmplifyAIConversationTurnErrorInput"
    static let contentInput = "AmplifyAIContentBlockInput"
}
