import JSON
import Network
import Synchronization
import TestSupport
import Testing

@testable import Language

@Suite("Limits of calls of models")
struct LanguageLimitTests {
    /// A model that answers when it is let.
    private final class SlowModel: HTTPApplication {
        private struct State {
            var waiting: [CheckedContinuation<Void, Never>] = []
            var isOpen = false
        }

        private let state = Mutex(State())
        private let arrivals: AsyncStream<Void>.Continuation

        init(_ arrivals: AsyncStream<Void>.Continuation) { self.arrivals = arrivals }

        func receive(
            _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
        ) -> HTTPReception {
            .collect(bodyMax: 1 << 20) { [self] _ in
                arrivals.yield()
                await withCheckedContinuation { continuation in
                    let isOpen = state.withLock { state in
                        if !state.isOpen { state.waiting.append(continuation) }
                        return state.isOpen
                    }
                    if isOpen { continuation.resume() }
                }
                let answer = #"{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}]}"#
                return HTTPResponse(body: .bytes(Array(answer.utf8)))
            }
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    @Test("more calls at the same time than may be are refused, and there is room again when they have ended")
    func calls() async throws {
        let (arrivals, continuation) = AsyncStream<Void>.makeStream()
        let model = SlowModel(continuation)
        let server = try await LoopbackServer(model)
        var settings = LanguageSettings()
        settings.compatible = LanguageSettings.Compatible(url: server.url)
        let language = Language(settings, HTTPClient(on: server.group.loops[0]))
        let calls = (0..<LanguageLimits.callsMax).map { _ in
            Task { try await language.converse(.asking("hi")).stopReason }
        }
        var count = 0
        for await _ in arrivals {
            count += 1
            if count == calls.count { break }
        }
        do {
            _ = try await language.converse(.asking("one more"))
            Issue.record("one more was taken")
        } catch {
            #expect(error.type == "ThrottlingException" && error.status == 429)
        }
        model.open()
        for call in calls { #expect(try await call.value == "end_turn") }
        #expect(try await language.converse(.asking("again")).stopReason == "end_turn")
        await server.stop()
    }

    private static func body(messages: Int = 1, blocks: Int = 1, tools: Int = 0) -> JSONValue {
        let content = JSONValue.array(Array(repeating: ["text": "a"], count: blocks))
        let message: JSONValue = ["role": "user", "content": content]
        let tool: JSONValue = ["toolSpec": ["name": "t"]]
        return [
            "messages": .array(Array(repeating: message, count: messages)),
            "toolConfig": ["tools": .array(Array(repeating: tool, count: tools))],
        ]
    }

    @Test("a request has as many messages, blocks and tools as may be, and no more")
    func counts() throws {
        let rows: [(good: JSONValue, bad: JSONValue)] = [
            (Self.body(messages: LanguageLimits.messagesMax), Self.body(messages: LanguageLimits.messagesMax + 1)),
            (Self.body(blocks: LanguageLimits.blocksMax), Self.body(blocks: LanguageLimits.blocksMax + 1)),
            (Self.body(tools: LanguageLimits.toolsMax), Self.body(tools: LanguageLimits.toolsMax + 1)),
        ]
        for row in rows {
            _ = try ConverseRequest(model: "m", row.good)
            #expect(throws: LanguageError.self) { _ = try ConverseRequest(model: "m", row.bad) }
        }
    }

    @Test("the name of a model has a length")
    func names() async throws {
        let group = try EventLoopGroup(count: 1)
        let language = Language(LanguageSettings(), HTTPClient(on: group.loops[0]))
        let body = JSONWriter.bytes(of: Self.body())
        let longest = String(repeating: "m", count: LanguageLimits.modelBytesMax)
        _ = try await language.answer(.converse, of: longest, body, accept: "*/*")
        await #expect(throws: LanguageError.self) {
            _ = try await language.answer(.converse, of: longest + "m", body, accept: "*/*")
        }
        await withCheckedContinuation { continuation in
            BlockingThread.detach {
                group.stop()
                continuation.resume()
            }
        }
    }

    @Test("a schema that is a part of itself is filled in to a depth")
    func depth() async throws {
        var schema: JSONValue = ["type": "string"]
        for _ in 0..<1_000 { schema = ["type": "object", "properties": ["a": schema]] }
        var request = ConverseRequest.asking("hi")
        request.tools = [LanguageTool(name: "t", description: nil, schema: schema)]
        request.toolChoice = .tool("t")
        var value = try await StandInBackend().answer(request).content.first?.toolUse?.input
        var depth = 0
        while let inner = value?["a"] {
            value = inner
            depth += 1
        }
        #expect(depth == LanguageLimits.schemaDepthMax - 1)
    }
}
