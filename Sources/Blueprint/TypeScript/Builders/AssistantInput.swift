import GraphQL

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

    init(_ object: ObjectArgument) {
        modelPosition = object.position(of: "aiModel")
        promptPosition = object.position(of: "systemPrompt")
        toolsPosition = object.position(of: "tools")
        let place = modelPosition
        model = object.object("aiModel")?.text("resourcePath").map { PlacedText(text: $0, position: place) }
        prompt = object.text("systemPrompt")
        let written = object.object("inferenceConfiguration")
        settings = (written?.names ?? []).compactMap { name in
            guard let written, written.has(name) else { return nil }
            return Setting(name: name, value: written.number(name), position: written.position(of: name))
        }
        tools = (object.objects("tools") ?? []).map { Tool($0.object, at: $0.position) }
        handler = object.functionTarget("handler")
    }
}

extension AssistantInput.Tool {
    fileprivate init(_ object: ObjectArgument?, at position: Position) {
        func reference(_ member: String) -> String? {
            (object?.given(member)?.value.builder as? ReferenceBuilder)?.target
        }
        name = object?.text("name").map { PlacedText(text: $0, position: object?.position(of: "name") ?? position) }
        description = object?.text("description") ?? ""
        target =
            if let model = reference("model") {
                .model(model, operation: object?.text("modelOperation") ?? "list")
            } else {
                reference("query").map { .query($0) }
            }
        self.position = position
    }
}
