import Blueprint
import GraphQL
import Project

/// What a conversation or a generation with a language model is made of, as it is written. What is wrong with it is said
/// when the schema is put together.
struct AssistantInput {
    struct Setting {
        let name: String
        /// Nil when it is no number.
        let value: Double?
        let position: Position
    }

    struct Tool {
        enum Target {
            case model(String, operation: String)
            case query(String)
        }

        let name: PlacedText?
        let description: String
        let target: Target?
        let position: Position
    }

    /// The path of the model; nil when there is none.
    let model: PlacedText?
    let prompt: String?
    let settings: [Setting]
    let tools: [Tool]
    let handler: FunctionTarget?
    let modelPosition: Position
    let promptPosition: Position
    let toolsPosition: Position

    init(_ object: ObjectArgument) throws(TypeScriptError) {
        modelPosition = object.position(of: "aiModel")
        promptPosition = object.position(of: "systemPrompt")
        toolsPosition = object.position(of: "tools")
        let place = modelPosition
        model = try object.object("aiModel")?.text("resourcePath").map { PlacedText(text: $0.text, position: place) }
        prompt = try object.text("systemPrompt")?.text
        var settings: [Setting] = []
        if let written = try object.object("inferenceConfiguration") {
            for name in try written.names() where try written.has(name) {
                settings.append(
                    Setting(name: name, value: try written.number(name), position: written.position(of: name)))
            }
        }
        self.settings = settings
        var tools: [Tool] = []
        for tool in try object.objects("tools") ?? [] { tools.append(try Tool(tool.object, at: tool.position)) }
        self.tools = tools
        handler = try object.functionTarget("handler")
    }
}

extension AssistantInput.Tool {
    fileprivate init(_ object: ObjectArgument?, at position: Position) throws(TypeScriptError) {
        func reference(_ member: String) throws(TypeScriptError) -> String? {
            guard let given = try object?.given(member) else { return nil }
            if case .refused(let error) = given.value { throw error }
            return (given.value.builder as? ReferenceBuilder)?.target
        }
        name = try object?.text("name")
        description = try object?.text("description")?.text ?? ""
        target =
            if let model = try reference("model") {
                .model(model, operation: try object?.text("modelOperation")?.text ?? "list")
            } else {
                try reference("query").map { .query($0) }
            }
        self.position = position
    }
}
