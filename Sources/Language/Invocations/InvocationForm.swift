import JSON

/// The form in which a maker's models are asked by InvokeModel, and in which they answer.
enum InvocationForm: Sendable {
    /// Anthropic's messages.
    case messages
    /// Anthropic's older prompts.
    case completion
    case titan
    case nova
    case llama
    case mistral
    case cohere
    /// OpenAI's chat completions, as several makers take them.
    case chat

    /// Told by what the body has; where several have the same, by the model's name.
    init(of model: String, _ body: JSONValue) throws(LanguageError) {
        func has(_ name: String) -> Bool { body[name] != nil }
        func isOf(_ maker: String) -> Bool { model.contains(bytesOf: maker) }
        if has("anthropic_version") {
            self = .messages
        } else if has("max_tokens_to_sample") {
            self = .completion
        } else if has("inputText") {
            guard has("textGenerationConfig") || !isOf("embed") else {
                throw .invalid("Embeddings are not served here: set bedrock.url to a service that has them.")
            }
            self = .titan
        } else if has("messages"), has("inferenceConfig") || has("schemaVersion") || isOf("nova") {
            self = .nova
        } else if has("messages") {
            self = isOf("anthropic") ? .messages : .chat
        } else if has("message") {
            self = .cohere
        } else if has("prompt") {
            self = isOf("mistral") ? .mistral : isOf("anthropic") ? .completion : .llama
        } else {
            throw .invalid(
                "Malformed input request: the body is in none of the forms that are served here. Use Converse in its place."
            )
        }
    }

    // MARK: What is asked

    func request(_ model: String, _ body: JSONValue) throws(LanguageError) -> ConverseRequest {
        var request = ConverseRequest(model: model)
        func ask(_ text: JSONValue?) { request.messages = [ConverseMessage(.user, [.text(text?.string ?? "")])] }
        var settings = InferenceSettings()
        settings.temperature = body["temperature"]?.numeric
        settings.topP = (body["top_p"] ?? body["p"])?.numeric
        settings.tokensMax = (body["max_tokens"] ?? body["max_completion_tokens"])?.integer
        settings.stops = ((body["stop_sequences"] ?? body["stop"])?.array ?? []).compactMap(\.string)
        switch self {
        case .messages:
            try AnthropicMessages.read(body, into: &request)
        case .completion:
            ask(body["prompt"])
            settings.tokensMax = body["max_tokens_to_sample"]?.integer
        case .titan:
            ask(body["inputText"])
            let config = body["textGenerationConfig"]
            settings.tokensMax = config?["maxTokenCount"]?.integer
            settings.temperature = config?["temperature"]?.numeric
            settings.topP = config?["topP"]?.numeric
            settings.stops = (config?["stopSequences"]?.array ?? []).compactMap(\.string)
        case .nova:
            request = try ConverseRequest(model: model, body)
            let config = body["inferenceConfig"]
            settings = request.settings
            settings.tokensMax = settings.tokensMax ?? config?["max_new_tokens"]?.integer
            settings.topP = settings.topP ?? config?["top_p"]?.numeric
        case .llama:
            ask(body["prompt"])
            settings.tokensMax = body["max_gen_len"]?.integer
        case .mistral: ask(body["prompt"])
        case .cohere:
            if let preamble = body["preamble"]?.string { request.system = [preamble] }
            for turn in body["chat_history"]?.array ?? [] {
                let role: ConverseMessage.Role = turn["role"]?.text == ByteText("CHATBOT") ? .assistant : .user
                request.messages.append(ConverseMessage(role, [.text(turn["message"]?.string ?? "")]))
            }
            request.messages.append(ConverseMessage(.user, [.text(body["message"]?.string ?? "")]))
        case .chat:
            for message in try ConverseRequest.list(body["messages"], "messages") {
                let parts = message["content"]?.array?.compactMap { $0["text"]?.string } ?? []
                let text = message["content"]?.string ?? parts.joined(separator: "\n")
                switch message["role"]?.string {
                case "system", "developer": request.system.append(text)
                case "assistant": request.messages.append(ConverseMessage(.assistant, [.text(text)]))
                default: request.messages.append(ConverseMessage(.user, [.text(text)]))
                }
            }
        }
        request.settings = settings
        return request
    }

    // MARK: What is answered

    func answer(_ answer: ConverseAnswer, _ model: String) -> JSONValue {
        let text = JSONValue.string(answer.content.compactMap(\.text).joined())
        let (input, output) = (JSONValue.integer(answer.usage.input), JSONValue.integer(answer.usage.output))
        let isCut = answer.stopReason == "max_tokens"
        switch self {
        case .messages: return AnthropicMessages.answer(answer, model)
        case .completion:
            return ["completion": text, "stop": "\n\nHuman:", "stop_reason": isCut ? "max_tokens" : "stop_sequence"]
        case .titan:
            return [
                "inputTextTokenCount": input,
                "results": [
                    ["completionReason": isCut ? "LENGTH" : "FINISH", "outputText": text, "tokenCount": output]
                ],
            ]
        case .nova:
            return [
                "output": ["message": ConverseMessage(.assistant, answer.content).json],
                "stopReason": .string(answer.stopReason), "usage": answer.usage.json,
            ]
        case .llama:
            return [
                "generation": text, "generation_token_count": output, "prompt_token_count": input,
                "stop_reason": isCut ? "length" : "stop",
            ]
        case .mistral: return ["outputs": [["stop_reason": isCut ? "length" : "stop", "text": text]]]
        case .cohere:
            return [
                "finish_reason": isCut ? "MAX_TOKENS" : "COMPLETE", "generation_id": .string(ToolUse.makeIdentifier()),
                "text": text,
            ]
        case .chat:
            let reason: JSONValue = isCut ? "length" : "stop"
            return [
                "choices": [
                    [
                        "finish_reason": reason, "index": 0, "message": ["content": text, "role": "assistant"],
                        "stop_reason": reason,
                    ]
                ],
                "model": .string(model), "object": "chat.completion",
                "usage": ["completion_tokens": output, "prompt_tokens": input],
            ]
        }
    }
}
