import JSON

/// Anthropic's messages, the form in which most apps call InvokeModel.
enum AnthropicMessages {
    static func read(_ body: JSONValue, into request: inout ConverseRequest) throws(LanguageError) {
        switch body["system"] {
        case .string(let text)?: request.system = [text]
        case .array(let blocks)?: request.system = blocks.compactMap { $0["text"]?.string }
        default: break
        }
        for message in try ConverseRequest.list(body["messages"], "messages") {
            guard let role = message["role"]?.string.flatMap(ConverseMessage.Role.init(rawValue:)) else {
                throw .invalid("messages: a message has the role user or assistant")
            }
            var content: [ContentBlock] = []
            if let text = message["content"]?.string {
                content = [.text(text)]
            } else {
                for block in try ConverseRequest.list(message["content"], "content") {
                    if let block = try Self.block(block) { content.append(block) }
                }
            }
            request.messages.append(ConverseMessage(role, content))
        }
        guard !request.messages.isEmpty else { throw .invalid("messages: at least one message is required") }
        guard request.messages.count <= LanguageLimits.messagesMax else {
            throw .invalid("A request has at most \(LanguageLimits.messagesMax) messages.")
        }
        for tool in try ConverseRequest.list(body["tools"], "tools") {
            guard let name = tool["name"]?.string else { throw .invalid("tools: a tool has a name") }
            request.tools.append(
                LanguageTool(
                    name: name, description: tool["description"]?.string,
                    schema: tool["input_schema"] ?? ["type": "object"]))
        }
        guard request.tools.count <= LanguageLimits.toolsMax else {
            throw .invalid("A request has at most \(LanguageLimits.toolsMax) tools.")
        }
        switch body["tool_choice"]?["type"]?.string {
        case "auto": request.toolChoice = .auto
        case "any": request.toolChoice = .any
        case "tool": request.toolChoice = body["tool_choice"]?["name"]?.string.map { .tool($0) }
        default: break
        }
    }

    private static func block(_ value: JSONValue) throws(LanguageError) -> ContentBlock? {
        switch value["type"]?.string {
        case "text": return .text(value["text"]?.string ?? "")
        case "image":
            guard let source = value["source"], let bytes = source["data"]?.string else {
                throw .invalid("messages: an image has its bytes in base64 as source.data")
            }
            let type = source["media_type"]?.string ?? "image/png"
            return .image(format: type.hasPrefix("image/") ? String(type.dropFirst(6)) : type, bytes: bytes)
        case "document":
            let source = value["source"]
            let name = value["title"]?.string ?? "document"
            if source?["type"]?.text == ByteText("text") {
                return try ContentBlock.read(
                    ["document": ["name": .string(name), "source": ["text": source?["data"] ?? ""]]])
            }
            return .document(format: "pdf", name: name, bytes: source?["data"]?.string ?? "")
        case "tool_use":
            guard let id = value["id"]?.string, let name = value["name"]?.string else {
                throw .invalid("messages: a tool_use has an id and a name")
            }
            return .toolUse(ToolUse(id: id, name: name, input: value["input"] ?? .object(JSONObject())))
        case "tool_result":
            guard let id = value["tool_use_id"]?.string else {
                throw .invalid("messages: a tool_result has a tool_use_id")
            }
            let text = value["content"]?.string.map { [["text": .string($0)] as JSONValue] }
            return .toolResult(
                ToolResult(
                    id: id, content: text ?? value["content"]?.array ?? [], isError: value["is_error"]?.bool ?? false))
        // What a model thought before.
        case "thinking", "redacted_thinking": return nil
        case let type: throw .invalid("messages: a block of the type \(type ?? "null") is not served here")
        }
    }

    static func answer(_ answer: ConverseAnswer, _ model: String) -> JSONValue {
        let content = answer.content.compactMap { block -> JSONValue? in
            switch block {
            case .text(let text): ["type": "text", "text": .string(text)]
            case .toolUse(let use):
                ["type": "tool_use", "id": .string(use.id), "name": .string(use.name), "input": use.input]
            default: nil
            }
        }
        return message(
            model, content, stopReason: .string(answer.stopReason),
            ["input_tokens": .integer(answer.usage.input), "output_tokens": .integer(answer.usage.output)])
    }

    static func message(_ model: String, _ content: [JSONValue], stopReason: JSONValue, _ usage: JSONValue) -> JSONValue
    {
        [
            "id": .string("msg_bdrk_" + ToolUse.makeIdentifier().dropFirst("tooluse_".count)),
            "type": "message", "role": "assistant", "model": .string(model), "content": .array(content),
            "stop_reason": stopReason, "stop_sequence": .null, "usage": usage,
        ]
    }
}
