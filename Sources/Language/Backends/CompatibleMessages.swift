import Crypto
import JSON

/// The messages to a model, in the form of OpenAI's chat completions.
enum CompatibleMessages {
    static func messages(of request: ConverseRequest) throws(LanguageError) -> [JSONValue] {
        var messages: [JSONValue] = []
        if !request.system.isEmpty {
            messages.append(["role": "system", "content": .string(request.system.joined(separator: "\n"))])
        }
        for message in request.messages {
            switch message.role {
            case .assistant: messages.append(said(message.content))
            case .user: messages += try asked(message.content)
            }
        }
        return messages
    }

    private static func said(_ content: [ContentBlock]) -> JSONValue {
        var message = JSONObject([("role", "assistant")])
        message["content"] = .string(content.compactMap(\.text).joined(separator: "\n"))
        let uses = content.compactMap(\.toolUse)
        if !uses.isEmpty {
            message["tool_calls"] = .array(
                uses.map { use in
                    [
                        "id": .string(use.id), "type": "function",
                        "function": ["name": .string(use.name), "arguments": .string(JSONWriter.text(of: use.input))],
                    ]
                })
        }
        return .object(message)
    }

    /// Results of tools are messages of their own, before what is said beside them.
    private static func asked(_ content: [ContentBlock]) throws(LanguageError) -> [JSONValue] {
        var messages: [JSONValue] = []
        var parts: [JSONValue] = []
        for block in content {
            switch block {
            case .toolResult(let result):
                messages.append(["role": "tool", "tool_call_id": .string(result.id), "content": .string(result.text)])
            case .text(let text): parts.append(["type": "text", "text": .string(text)])
            case .image(let format, let bytes):
                parts.append([
                    "type": "image_url", "image_url": ["url": .string("data:image/\(format);base64,\(bytes)")],
                ])
            case .document(let format, let name, let bytes):
                parts.append(["type": "text", "text": .string(try text(of: bytes, format, name))])
            case .toolUse: throw .invalid("A message of the user's has no tool uses.")
            }
        }
        guard !parts.isEmpty else { return messages }
        let isText = parts.allSatisfy { $0["type"]?.text == ByteText("text") }
        let text = parts.compactMap { $0["text"]?.string }.joined(separator: "\n")
        messages.append(["role": "user", "content": isText ? .string(text) : .array(parts)])
        return messages
    }

    private static func text(of bytes: String, _ format: String, _ name: String) throws(LanguageError) -> String {
        guard ["txt", "md", "csv", "html"].contains(format), let bytes = Base64.bytes(of: bytes.utf8, .standard),
            let text = String(validating: bytes, as: UTF8.self)
        else {
            throw .invalid("The document \(name) is no text: bedrock.openai takes documents as txt, md, csv and html.")
        }
        return "\(name):\n\(text)"
    }

    static func tool(_ tool: LanguageTool) -> JSONValue {
        var function = JSONObject([("name", .string(tool.name)), ("parameters", tool.schema)])
        function["description"] = tool.description.map { .string($0) }
        return ["type": "function", "function": .object(function)]
    }

    static func choice(_ choice: ToolChoice) -> JSONValue {
        switch choice {
        case .auto: "auto"
        case .any: "required"
        case .tool(let name): ["type": "function", "function": ["name": .string(name)]]
        }
    }
}
