import JSON

/// The backend where no model is set up: its answer says so.
struct StandInBackend: LanguageBackend {
    func answer(_ request: ConverseRequest) async throws(LanguageError) -> ConverseAnswer {
        let words = Self.words(for: request.model)
        let usage = TokenUsage(
            input: TokenUsage.estimate(request.prompt), output: TokenUsage.estimate(words))
        guard let tool = request.forcedTool else { return ConverseAnswer([.text(words)], usage: usage) }
        let input = Self.value(of: tool.schema, in: tool.schema, words, depth: 0) ?? .object(JSONObject())
        let use = ToolUse(id: ToolUse.makeIdentifier(), name: tool.name, input: input)
        return ConverseAnswer([.toolUse(use)], stopReason: "tool_use", usage: usage)
    }

    static func words(for model: String) -> String {
        "This is a stand-in and no language model: nothing answers for \(model) here. Set bedrock.openai to an endpoint such as "
            + "Ollama's, http://127.0.0.1:11434/v1, or bedrock.url, or bedrock.rules for tests."
    }

    /// A value that a schema admits, with the words wherever it has a text; nil where there is none.
    private static func value(
        of schema: JSONValue, in root: JSONValue, _ words: String, depth: Int
    ) -> JSONValue? {
        guard depth < LanguageLimits.schemaDepthMax else { return nil }
        if let first = schema["enum"]?.array?.first { return first }
        switch schema["type"]?.string {
        case "string": return schema["pattern"] == nil ? .string(words) : nil
        case "number", "integer": return .integer(0)
        case "boolean": return .bool(false)
        case "array":
            let item = schema["items"].flatMap { value(of: $0, in: root, words, depth: depth + 1) }
            return .array(item.map { [$0] } ?? [])
        case "object":
            var object = JSONObject()
            for member in schema["properties"]?.object ?? JSONObject() {
                object[member.key] = value(of: member.value, in: root, words, depth: depth + 1)
            }
            return .object(object)
        default: return nil
        }
    }
}
