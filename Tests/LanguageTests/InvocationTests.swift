import Crypto
import JSON
import Testing

@testable import Language

@Suite("Forms of makers")
struct InvocationTests {
    struct Row: Sendable {
        let model: String
        let body: JSONValue
        /// Where the answer's text is.
        let path: [String]
        var prompt = "hi"
    }

    static let rows = [
        Row(
            model: "anthropic.claude-3-haiku-20240307-v1:0",
            body: [
                "anthropic_version": "bedrock-2023-05-31", "max_tokens": 9, "system": "s",
                "messages": [["role": "user", "content": "hi"]],
            ],
            path: ["content", "0", "text"]),
        Row(
            model: "anthropic.claude-v2", body: ["prompt": "hi", "max_tokens_to_sample": 9], path: ["completion"]),
        Row(
            model: "amazon.titan-text-express-v1",
            body: ["inputText": "hi", "textGenerationConfig": ["maxTokenCount": 9]],
            path: ["results", "0", "outputText"]),
        Row(
            model: "amazon.nova-lite-v1:0",
            body: [
                "messages": [["role": "user", "content": [["text": "hi"]]]], "inferenceConfig": ["max_new_tokens": 9],
            ],
            path: ["output", "message", "content", "0", "text"]),
        Row(model: "meta.llama3-8b-instruct-v1:0", body: ["prompt": "hi", "max_gen_len": 9], path: ["generation"]),
        Row(
            model: "mistral.mistral-7b-instruct-v0:2", body: ["prompt": "hi", "max_tokens": 9],
            path: ["outputs", "0", "text"]),
        Row(model: "cohere.command-r-v1:0", body: ["message": "hi", "max_tokens": 9], path: ["text"]),
        Row(
            model: "deepseek.r1-v1:0", body: ["messages": [["role": "user", "content": "hi"]], "max_tokens": 9],
            path: ["choices", "0", "message", "content"]),
    ]

    @Test("what is asked is understood, and the answer stands where the maker has it", arguments: rows)
    func forms(_ row: Row) throws {
        let form = try InvocationForm(of: row.model, row.body)
        let request = try form.request(row.model, row.body)
        #expect(request.prompt == row.prompt && request.settings.tokensMax == 9, "\(row.model)")
        var value: JSONValue? = form.answer(ConverseAnswer([.text("yes")]), row.model)
        for step in row.path { value = Int(step).flatMap { value?[$0] } ?? value?[step] }
        #expect(value == "yes", "\(row.model)")
    }

    @Test("a stream of Anthropic's has its events, each in base64")
    func chunks() throws {
        var chunks = InvocationChunks(.messages, "m")
        let answer = ConverseAnswer(
            [.text("a b"), .toolUse(ToolUse(id: "u", name: "t", input: ["x": 1]))], stopReason: "tool_use",
            usage: TokenUsage(input: 1, output: 2))
        let pieces = answer.events.flatMap { chunks.chunks(of: $0, milliseconds: 3) }.compactMap { chunk in
            Base64.bytes(of: (chunk["bytes"]?.string ?? "").utf8, .standard).flatMap { try? JSONReader.value(of: $0) }
        }
        #expect(
            pieces.map { $0["type"]?.string } == [
                "message_start", "content_block_start", "content_block_delta", "content_block_delta",
                "content_block_stop", "content_block_start", "content_block_delta", "content_block_stop",
                "message_delta", "message_stop",
            ])
        #expect(pieces[8]["delta"]?["stop_reason"] == "tool_use")
        #expect(pieces[9]["amazon-bedrock-invocationMetrics"]?["outputTokenCount"] == 2)
    }

    @Test("what is in no form is refused with the way out", arguments: [[:], ["x": 1]] as [JSONValue])
    func unknown(_ body: JSONValue) {
        #expect(throws: LanguageError.self) { _ = try InvocationForm(of: "m", body) }
    }
}

@Suite("The stand-in")
struct StandInTests {
    @Test("says in words that it is one")
    func words() async throws {
        let answer = try await StandInBackend().answer(.asking("hi", model: "maker.m"))
        let text = answer.content.first?.text ?? ""
        #expect(text.contains("stand-in") && text.contains("maker.m") && text.contains("bedrock.openai"))
    }

    @Test("gives a forced tool a value of its schema, with the words in it")
    func forced() async throws {
        var request = ConverseRequest.asking("hi")
        request.tools = [
            LanguageTool(
                name: "t", description: nil,
                schema: [
                    "type": "object",
                    "properties": [
                        "a": ["type": "string"], "b": ["type": "array", "items": ["type": "integer"]],
                        "c": ["enum": ["X", "Y"]], "d": ["type": "string", "pattern": "^x$"],
                    ],
                ])
        ]
        request.toolChoice = .tool("t")
        let input = try await StandInBackend().answer(request).content.first?.toolUse?.input
        #expect(input?["a"]?.string?.contains("stand-in") == true && input?["b"] == [0] && input?["c"] == "X")
        #expect(input?["d"] == nil)
    }
}
