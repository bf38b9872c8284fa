import JSON
import Network
import TestSupport
import Testing

@testable import Language

@Suite("An endpoint with OpenAI's chat completions")
struct CompatibleBackendTests {
    private static let hello =
        #"{"choices":[{"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}"#

    @Test("is asked in its own words, with its own name of the model, and answers in the service's")
    func converse() async throws {
        let endpoint = FakeEndpoint(Self.hello)
        let settings = LanguageSettings.Compatible(
            url: "", key: "k", model: "other", models: ["maker.model-v1:0": "small"])
        var request = ConverseRequest.asking("hi")
        request.system = ["be brief"]
        request.settings = InferenceSettings(["maxTokens": 5, "temperature": 0.5, "stopSequences": ["."]])
        request.tools = [LanguageTool(name: "t", description: "d", schema: ["type": "object"])]
        request.messages = [
            ConverseMessage(.user, [.text("hi"), .image(format: "png", bytes: "AA==")]),
            ConverseMessage(.assistant, [.toolUse(ToolUse(id: "u", name: "t", input: ["a": 1]))]),
            ConverseMessage(.user, [.toolResult(ToolResult(id: "u", content: [["json": ["b": 2]]]))]),
        ]
        let (asked, answer) = try await endpoint.run(settings) { [request] language in
            (request, try await language.converse(request))
        }
        #expect(asked.model == "maker.model-v1:0")
        #expect(
            answer == ConverseAnswer([.text("Hello")], stopReason: "end_turn", usage: TokenUsage(input: 3, output: 2)))
        let sent = try #require(endpoint.requests.first)
        #expect(sent.path == "/v1/chat/completions" && sent.authorization == "Bearer k")
        let body = sent.body
        #expect(body["model"] == "small" && body["max_tokens"] == 5 && body["stop"] == ["."] && body["stream"] == false)
        let messages = body["messages"]?.array ?? []
        #expect(messages.map { $0["role"]?.string } == ["system", "user", "assistant", "tool"])
        #expect(messages[1]["content"]?[1]?["image_url"]?["url"] == "data:image/png;base64,AA==")
        #expect(messages[2]["tool_calls"]?[0]?["function"]?["arguments"] == #"{"a":1}"#)
        #expect(messages[3]["tool_call_id"] == "u" && messages[3]["content"] == #"{"b":2}"#)
        #expect(body["tools"]?[0]?["function"]?["name"] == "t")
    }

    @Test("tools that it wants to use are the service's, with an id even where it gives none")
    func tools() async throws {
        let endpoint = FakeEndpoint(
            #"{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"name":"t","arguments":"{\"a\":1}"}}]},"finish_reason":"stop"}]}"#
        )
        let answer = try await endpoint.run { try await $0.converse(.asking("hi")) }
        let use = try #require(answer.content.first?.toolUse)
        #expect(use.name == "t" && use.input == ["a": 1] && use.id.hasPrefix("tooluse_"))
        #expect(answer.stopReason == "tool_use")
    }

    @Test(
        "a model that knows no forced tools is understood when it answers with JSON",
        arguments: [
            "{\"value\": {\"x\": 1}}", "```json\n{\"value\": {\"x\": 1}}\n```", "Sure: {\"x\": 1}",
        ])
    func forced(text: String) async throws {
        let content = JSONWriter.text(of: .string(text))
        let endpoint = FakeEndpoint(#"{"choices":[{"message":{"content":\#(content)},"finish_reason":"stop"}]}"#)
        var request = ConverseRequest.asking("hi")
        request.tools = [
            LanguageTool(name: "box", description: nil, schema: ["type": "object", "required": ["value"]])
        ]
        request.toolChoice = .tool("box")
        let answer = try await endpoint.run { [request] in try await $0.converse(request) }
        #expect(answer.content.first?.toolUse?.input == ["value": ["x": 1]])
        #expect(endpoint.requests.first?.body["tool_choice"]?["function"]?["name"] == "box")
    }

    @Test("a stream becomes the service's events, whatever the pieces")
    func stream() async throws {
        let endpoint = FakeEndpoint(
            "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"Hel\"}}]}\n\nda",
            "ta: {\"choices\":[{\"delta\":{\"content\":\"lo\"}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"t\",\"arguments\":\"\"}}]}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"a\\\":\"}}]}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"1}\"}}]}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n",
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":9}}\n\ndata: [DONE]\n\n")
        let events = try await endpoint.run { try await $0.events(.asking("hi")) }
        #expect(
            events == [
                .messageStart, .text(0, "Hel"), .text(0, "lo"), .blockStop(0), .toolStart(1, id: "c1", name: "t"),
                .toolInput(1, "{\"a\":"), .toolInput(1, "1}"), .blockStop(1), .messageStop("tool_use"),
                .metadata(TokenUsage(input: 7, output: 9)),
            ])
        #expect(endpoint.requests.first?.body["stream_options"]?["include_usage"] == true)
    }

    @Test(
        "what it refuses is told in the service's types",
        arguments: [
            (400, "ValidationException", 400), (401, "AccessDeniedException", 403),
            (404, "ResourceNotFoundException", 404), (429, "ThrottlingException", 429),
            (500, "ModelErrorException", 424),
        ])
    func refusals(status: Int, type: String, told: Int) async throws {
        for isStream in [false, true] {
            let endpoint = FakeEndpoint(status: HTTPStatus(code: status), #"{"error":{"message":"because"}}"#)
            do {
                try await endpoint.run { language in
                    if isStream {
                        _ = try await language.events(.asking("hi"))
                    } else {
                        _ = try await language.converse(.asking("hi"))
                    }
                }
                Issue.record("\(status) was taken for an answer")
            } catch let error as LanguageError {
                #expect(error.type == type && error.status == told)
                #expect(status == 429 || error.message.contains("because"))
            }
        }
    }

    @Test(
        "what is no JSON, or ends before it has begun, is an error of the model's",
        arguments: ["oh", "", "data: oh\n\n"])
    func garbage(text: String) async throws {
        let endpoint = FakeEndpoint(text)
        try await endpoint.run { language in
            await #expect(throws: LanguageError.self) { _ = try await language.converse(.asking("hi")) }
            await #expect(throws: LanguageError.self) { _ = try await language.events(.asking("hi")) }
        }
    }

    @Test("an endpoint that is not there is an error that says so")
    func nobody() async throws {
        let group = try EventLoopGroup(count: 1)
        var settings = LanguageSettings()
        settings.compatible = LanguageSettings.Compatible(url: "http://127.0.0.1:1/v1")
        let language = Language(settings, HTTPClient(on: group.loops[0]))
        do {
            _ = try await language.converse(.asking("hi"))
            Issue.record("nobody answered")
        } catch {
            #expect(error.type == "ServiceUnavailableException" && error.message.contains("cannot be reached"))
        }
        await withCheckedContinuation { continuation in
            BlockingThread.detach {
                group.stop()
                continuation.resume()
            }
        }
    }
}

@Suite("Bedrock by its URL")
struct PassingBackendTests {
    @Test("calls are passed on as they are, and signed")
    func passes() async throws {
        let endpoint = FakeEndpoint(#"{"any":1}"#)
        let answer = try await endpoint.run(passing: true) { language in
            try await language.answer(.invoke, of: "m:0", Array(#"{"own":true}"#.utf8), accept: "*/*").body
        }
        #expect(String(decoding: answer, as: UTF8.self) == #"{"any":1}"#)
        let sent = try #require(endpoint.requests.first)
        #expect(sent.path == "/model/m:0/invoke" && sent.body == ["own": true])
        let signature = sent.authorization ?? ""
        #expect(signature.hasPrefix("AWS4-HMAC-SHA256 Credential=AK/"))
        #expect(signature.contains("/us-east-1/bedrock/aws4_request"))
        #expect(signature.contains("SignedHeaders=accept;content-type;host;x-amz-date;x-amz-security-token"))
    }

    @Test("its streams are read for turns of conversations")
    func stream() async throws {
        let answer = ConverseAnswer([.text("a b")], usage: TokenUsage(input: 1, output: 2))
        let bytes = answer.events.flatMap { EventStreamMessage(event: $0.name, $0.json(milliseconds: 0)).bytes }
        let endpoint = BytesEndpoint([Array(bytes[..<50]), Array(bytes[50...])])
        let events = try await endpoint.run { try await $0.events(.asking("hi")) }
        #expect(events == answer.events)
    }

    @Test("what ends a stream in the middle is thrown")
    func exception() async throws {
        let bytes =
            EventStreamMessage(event: "messageStart", ["role": "assistant"]).bytes
            + EventStreamMessage(LanguageError("ThrottlingException", "slow", status: 429)).bytes
        let endpoint = BytesEndpoint([bytes])
        try await endpoint.run { language in
            do {
                _ = try await language.events(.asking("hi"))
                Issue.record("no error")
            } catch let error as LanguageError {
                #expect(error == LanguageError("ThrottlingException", "slow", status: 429))
            }
        }
    }
}

/// A service that answers with these bytes.
private final class BytesEndpoint: HTTPApplication {
    private let pieces: [[UInt8]]

    init(_ pieces: [[UInt8]]) { self.pieces = pieces }

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        .collect(bodyMax: 1 << 22) { [pieces] _ in
            HTTPResponse(body: .stream(length: nil) { writer in for piece in pieces { try await writer.write(piece) } })
        }
    }

    func run<Value: Sendable>(_ body: (Language) async throws -> Value) async throws -> Value {
        let server = try await LoopbackServer(self)
        var settings = LanguageSettings()
        settings.url = server.url
        let language = Language(settings, HTTPClient(on: server.group.loops[0]))
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(language))
        } catch {
            outcome = .failure(error)
        }
        await server.stop()
        return try outcome.get()
    }
}
