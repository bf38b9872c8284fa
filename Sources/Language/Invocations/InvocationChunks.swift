import Crypto
import JSON

/// The pieces of an answer in a maker's own form, each in base64 as the service sends them.
struct InvocationChunks {
    private let form: InvocationForm
    private let model: String
    private var hasText = false
    private var reason = "end_turn"

    init(_ form: InvocationForm, _ model: String) {
        self.form = form
        self.model = model
    }

    mutating func chunks(of event: ConverseEvent, milliseconds: Int64) -> [JSONValue] {
        pieces(of: event, milliseconds: milliseconds).map { piece in
            ["bytes": .string(Base64.text(of: JSONWriter.bytes(of: piece), .standard))]
        }
    }

    private mutating func pieces(of event: ConverseEvent, milliseconds: Int64) -> [JSONValue] {
        if case .messageStop(let reason) = event { self.reason = reason }
        switch form {
        case .messages: return anthropic(event, milliseconds: milliseconds)
        case .nova:
            return [.object(JSONObject([(event.name, event.json(milliseconds: milliseconds))]))]
        default:
            switch event {
            case .text(_, let text): return [piece(text)]
            case .metadata(let usage): return [last(usage, milliseconds: milliseconds)]
            default: return []
            }
        }
    }

    /// A text of one of the simple forms.
    private func piece(_ text: String) -> JSONValue {
        let text = JSONValue.string(text)
        return switch form {
        case .titan: ["index": 0, "inputTextTokenCount": .null, "outputText": text, "completionReason": .null]
        case .llama: ["generation": text, "stop_reason": .null]
        case .mistral: ["outputs": [["stop_reason": .null, "text": text]]]
        case .cohere: ["event_type": "text-generation", "is_finished": false, "text": text]
        case .chat:
            ["choices": [["delta": ["content": text, "role": "assistant"], "finish_reason": .null, "index": 0]]]
        default: ["completion": text, "stop": .null, "stop_reason": .null]
        }
    }

    /// The last member of a chunk.
    private func last(_ usage: TokenUsage, milliseconds: Int64) -> JSONValue {
        let isCut = reason == "max_tokens"
        let word: JSONValue = isCut ? "length" : "stop"
        let metrics = Self.metrics(usage, milliseconds)
        return switch form {
        case .titan:
            [
                "index": 0, "outputText": "", "completionReason": isCut ? "LENGTH" : "FINISH",
                "inputTextTokenCount": .integer(usage.input), "totalOutputTextTokenCount": .integer(usage.output),
                "amazon-bedrock-invocationMetrics": metrics,
            ]
        case .llama: ["generation": "", "stop_reason": word, "amazon-bedrock-invocationMetrics": metrics]
        case .mistral:
            ["outputs": [["stop_reason": word, "text": ""]], "amazon-bedrock-invocationMetrics": metrics]
        case .cohere:
            [
                "event_type": "stream-end", "finish_reason": isCut ? "MAX_TOKENS" : "COMPLETE", "is_finished": true,
                "amazon-bedrock-invocationMetrics": metrics,
            ]
        case .chat:
            [
                "choices": [["delta": [:], "finish_reason": word, "index": 0]],
                "amazon-bedrock-invocationMetrics": metrics,
            ]
        default:
            [
                "completion": "", "stop": "\n\nHuman:", "stop_reason": isCut ? "max_tokens" : "stop_sequence",
                "amazon-bedrock-invocationMetrics": metrics,
            ]
        }
    }

    private static func metrics(_ usage: TokenUsage, _ milliseconds: Int64) -> JSONValue {
        [
            "firstByteLatency": .integer(milliseconds), "inputTokenCount": .integer(usage.input),
            "invocationLatency": .integer(milliseconds), "outputTokenCount": .integer(usage.output),
        ]
    }

    // MARK: Anthropic's

    private mutating func anthropic(_ event: ConverseEvent, milliseconds: Int64) -> [JSONValue] {
        switch event {
        case .messageStart:
            let message = AnthropicMessages.message(
                model, [], stopReason: .null, ["input_tokens": 0, "output_tokens": 0])
            return [["type": "message_start", "message": message]]
        case .toolStart(let index, let id, let name):
            let block: JSONValue = ["type": "tool_use", "id": .string(id), "name": .string(name), "input": [:]]
            return [["type": "content_block_start", "index": .integer(Int64(index)), "content_block": block]]
        case .text(let index, let text):
            let index = JSONValue.integer(Int64(index))
            let piece: JSONValue = [
                "type": "content_block_delta", "index": index, "delta": ["type": "text_delta", "text": .string(text)],
            ]
            guard !hasText else { return [piece] }
            hasText = true
            return [
                ["type": "content_block_start", "index": index, "content_block": ["type": "text", "text": ""]], piece,
            ]
        case .toolInput(let index, let text):
            let delta: JSONValue = ["type": "input_json_delta", "partial_json": .string(text)]
            return [["type": "content_block_delta", "index": .integer(Int64(index)), "delta": delta]]
        case .blockStop(let index):
            hasText = false
            return [["type": "content_block_stop", "index": .integer(Int64(index))]]
        case .messageStop: return []
        case .metadata(let usage):
            let delta: JSONValue = ["stop_reason": .string(reason), "stop_sequence": .null]
            return [
                [
                    "type": "message_delta", "delta": delta,
                    "usage": ["output_tokens": .integer(usage.output)],
                ],
                ["type": "message_stop", "amazon-bedrock-invocationMetrics": Self.metrics(usage, milliseconds)],
            ]
        }
    }
}
