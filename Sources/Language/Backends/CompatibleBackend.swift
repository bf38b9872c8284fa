import Crypto
import JSON
import Network

/// An endpoint that speaks OpenAI's chat completions, as Ollama, llama.cpp and vLLM serve them.
struct CompatibleBackend: LanguageBackend {
    private let settings: LanguageSettings.Compatible
    private let client: ModelClient

    init(_ settings: LanguageSettings.Compatible, _ client: ModelClient) {
        self.settings = settings
        self.client = client
    }

    func answer(_ request: ConverseRequest) async throws(LanguageError) -> ConverseAnswer {
        let response = try await client.send(
            url, fields, try body(of: request, isStream: false),
            milliseconds: request.milliseconds)
        let value = try Self.value(of: response)
        guard let message = value["choices"]?[0]?["message"] else {
            throw .failed("The language model answered without a message.")
        }
        var content: [ContentBlock] = []
        if let text = message["content"]?.string, !text.isEmpty { content.append(.text(text)) }
        for call in message["tool_calls"]?.array ?? [] {
            let function = call["function"]
            guard let name = function?["name"]?.string else { continue }
            let input = try Self.input(function?["arguments"])
            content.append(.toolUse(ToolUse(id: Self.identifier(call["id"]), name: name, input: input)))
        }
        content = Self.forced(content, request)
        let reason = Self.reason(value["choices"]?[0]?["finish_reason"]?.string, content)
        return ConverseAnswer(content, stopReason: reason, usage: Self.usage(value["usage"]))
    }

    func stream(
        _ request: ConverseRequest, _ tell: (ConverseEvent) async throws(LanguageError) -> Void
    ) async throws(LanguageError) {
        // What has to be a tool's input is told when it is whole: not every model knows that it has to use one.
        guard request.forcedTool == nil else {
            for event in try await answer(request).events { try await tell(event) }
            return
        }
        var lines = ServerSentLines()
        var reader = CompatibleStream()
        let response = try await client.stream(
            url, fields, try body(of: request, isStream: true), milliseconds: request.milliseconds
        ) {
            (piece) throws(LanguageError) in
            guard let data = lines.data(piece) else {
                throw LanguageError.failed("The language model sent an event that is too long.")
            }
            for line in data {
                for event in try reader.events(of: line) { try await tell(event) }
            }
        }
        guard response.status == .ok else { throw Self.fault(of: response) }
        for event in try reader.end() { try await tell(event) }
    }

    // MARK: There

    private var url: String {
        let base = settings.url.hasSuffix("/") ? String(settings.url.dropLast()) : settings.url
        return base + "/chat/completions"
    }

    private var fields: [(name: String, value: String)] {
        var fields = [(name: "content-type", value: "application/json")]
        if let key = settings.key { fields.append((name: "authorization", value: "Bearer \(key)")) }
        return fields
    }

    private func body(of request: ConverseRequest, isStream: Bool) throws(LanguageError) -> [UInt8] {
        var object = JSONObject([("model", .string(settings.model(for: request.model)))])
        object["messages"] = .array(try CompatibleMessages.messages(of: request))
        object["max_tokens"] = request.settings.tokensMax.map { .integer($0) }
        object["temperature"] = request.settings.temperature
        object["top_p"] = request.settings.topP
        if !request.settings.stops.isEmpty {
            object["stop"] = .array(request.settings.stops.map { .string($0) })
        }
        if !request.tools.isEmpty {
            object["tools"] = .array(request.tools.map(CompatibleMessages.tool))
            object["tool_choice"] = request.toolChoice.map(CompatibleMessages.choice)
        }
        object["stream"] = .bool(isStream)
        if isStream { object["stream_options"] = ["include_usage": true] }
        return JSONWriter.bytes(of: .object(object))
    }

    // MARK: And back

    private static func value(of response: HTTPClientResponse) throws(LanguageError) -> JSONValue {
        guard response.status == .ok else { throw fault(of: response) }
        do throws(JSONError) {
            return try JSONReader.value(of: response.body)
        } catch {
            throw .failed("The language model answered with something that is not JSON: \(error)")
        }
    }

    private static func fault(of response: HTTPClientResponse) -> LanguageError {
        let value = try? JSONReader.value(of: response.body)
        let words =
            value?["error"]?["message"]?.string ?? value?["error"]?.string ?? value?["message"]?.string
            ?? String(decoding: response.body, as: UTF8.self)
        let text = LanguageError.shortened(words)
        return switch response.status.code {
        case 400, 413, 422: .invalid("The language model refuses the request: \(text)")
        case 401, 403:
            LanguageError(
                "AccessDeniedException", "The language model refuses the key of bedrock.openai: \(text)", status: 403)
        case 404:
            LanguageError(
                "ResourceNotFoundException",
                "The endpoint of bedrock.openai does not know the model or the path: \(text)", status: 404)
        case 429: .tooManyCalls
        case let code: .failed("The language model answered with status \(code): \(text)")
        }
    }

    static func usage(_ value: JSONValue?) -> TokenUsage {
        TokenUsage(input: value?["prompt_tokens"]?.integer, output: value?["completion_tokens"]?.integer)
    }

    static func identifier(_ value: JSONValue?) -> String {
        let text = value?.string ?? ""
        return text.isEmpty ? ToolUse.makeIdentifier() : text
    }

    /// The input of a tool: a text of JSON, and with some servers JSON itself.
    static func input(_ value: JSONValue?) throws(LanguageError) -> JSONValue {
        guard let text = value?.string else { return value ?? .object(JSONObject()) }
        if text.utf8.allSatisfy({ $0 <= 0x20 }) { return .object(JSONObject()) }
        do throws(JSONError) {
            return try JSONReader.value(of: text)
        } catch {
            throw .failed("The model asked a tool with something that is not JSON: \(error)")
        }
    }

    static func reason(_ told: String?, _ content: [ContentBlock]) -> String {
        if content.contains(where: { $0.toolUse != nil }) { return "tool_use" }
        return switch told {
        case "length": "max_tokens"
        case "content_filter": "content_filtered"
        default: "end_turn"
        }
    }

    /// A model that knows of no tool that has to be used answers with its input as text, or within a fence.
    private static func forced(_ content: [ContentBlock], _ request: ConverseRequest) -> [ContentBlock] {
        guard let tool = request.forcedTool, !content.contains(where: { $0.toolUse != nil }),
            let text = content.compactMap(\.text).first
        else { return content }
        guard let start = text.utf8.firstIndex(of: UInt8(ascii: "{")),
            let end = text.utf8.lastIndex(of: UInt8(ascii: "}")), start < end,
            let value = try? JSONReader.value(of: String(text[start...end])), let object = value.object
        else { return content }
        let names = tool.schema["required"]?.array?.compactMap(\.string) ?? []
        // The one value that a box holds, without its box.
        let isBoxed = names.count != 1 || names.allSatisfy { object[$0] != nil }
        let input = isBoxed ? value : .object(JSONObject(names.map { ($0, value) }))
        return [.toolUse(ToolUse(id: ToolUse.makeIdentifier(), name: tool.name, input: input))]
    }
}
