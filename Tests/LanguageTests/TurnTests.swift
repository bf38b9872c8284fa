import JSON
import Network
import Synchronization
import TestSupport
import Testing

@testable import Language

@Suite("Turns of conversations")
struct TurnTests {
    /// The API, as a turn asks it.
    private final class Host: TurnHost {
        private let items: JSONValue
        private let state = Mutex<(parts: [JSONObject], tools: [(String, JSONObject)])>(([], []))

        init(_ items: JSONValue) { self.items = items }

        func answer(_ query: String, _ variables: JSONObject) async -> JSONValue {
            if query.hasPrefix("mutation") {
                state.withLock { $0.parts.append(variables["input"]?.object ?? JSONObject()) }
                return ["data": ["respond": [:]]]
            }
            if query.hasPrefix("query ToolQuery") {
                state.withLock { $0.tools.append((query, variables)) }
                return ["data": ["listTrips": ["items": [["destination": "Rome"]]]]]
            }
            return ["data": ["listMessages": ["items": items]]]
        }

        var parts: [JSONObject] { state.withLock { $0.parts } }
        var tools: [(String, JSONObject)] { state.withLock { $0.tools } }
    }

    private static let event: JSONValue = [
        "conversationId": "c", "currentMessageId": "m3",
        "modelConfiguration": ["modelId": "maker.m", "systemPrompt": "s", "inferenceConfiguration": [:]],
        "responseMutation": ["name": "respond", "inputTypeName": "PartInput", "selectionSet": "id"],
        "messageHistoryQuery": ["listQueryName": "listMessages", "listQueryInputTypeName": "Filter"],
        "toolsConfiguration": [
            "dataTools": [
                [
                    "name": "list_trips", "inputSchema": ["json": ["type": "object"]],
                    "graphqlRequestInputDescriptor": [
                        "queryName": "listTrips", "selectionSet": "items { destination }",
                        "propertyTypes": ["filter": "TripFilter"],
                    ],
                ]
            ],
            "clientTools": [["name": "pick", "inputSchema": ["json": "{\"type\":\"object\"}"]]],
        ],
    ]

    private static func message(_ id: String, _ role: String, _ text: String, answers: String? = nil) -> JSONValue {
        [
            "id": .string(id), "role": .string(role), "content": [["text": .string(text), "image": .null]],
            "associatedUserMessageId": answers.map { .string($0) } ?? .null, "aiContext": .null,
        ]
    }

    private static let items: JSONValue = [
        message("m1", "user", "one"), message("m2", "user", "never answered"),
        message("a1", "assistant", "first", answers: "m1"), message("m3", "user", "trips"),
    ]

    /// Runs a turn whose model answers by rules; what becomes of it, and what was published.
    private static func run(_ rules: String, host: Host = Host(items)) async throws -> (failure: String?, host: Host) {
        let folder = TemporaryFolder()
        try folder.write("{\"rules\": \(rules)}", to: "rules.json")
        let group = try EventLoopGroup(count: 1)
        var settings = LanguageSettings()
        settings.rules = folder.file("rules.json")
        let language = Language(settings, HTTPClient(on: group.loops[0]))
        let failure = await ConversationTurn.run(event, on: language, for: host)
        await withCheckedContinuation { continuation in
            BlockingThread.detach {
                group.stop()
                continuation.resume()
            }
        }
        return (failure, host)
    }

    @Test("text comes word by word, then the block, then the end")
    func text() async throws {
        let (failure, host) = try await Self.run(#"[{"prompt": "trips", "chunks": ["a", " b"]}]"#)
        #expect(failure == nil)
        let parts = host.parts
        #expect(parts.map { $0["contentBlockText"]?.string } == ["a", " b", nil, nil])
        #expect(parts.map { $0["contentBlockDeltaIndex"]?.integer } == [0, 1, nil, nil])
        #expect(parts.map { $0["contentBlockDoneAtIndex"]?.integer } == [nil, nil, 1, nil])
        #expect(parts.last?["stopReason"] == "end_turn")
        #expect(parts.last?["accumulatedTurnContent"] == [["text": "a b"]])
        #expect(parts.allSatisfy { $0["conversationId"] == "c" && $0["associatedUserMessageId"] == "m3" })
    }

    @Test("a tool of the API is a query with what the model asked, and its result comes back")
    func tool() async throws {
        let (failure, host) = try await Self.run(
            #"[{"afterTool": "list_trips", "prompt": "Rome", "text": "to Rome"}, {"prompt": "trips", "toolUse": {"name": "list_trips", "input": {"filter": {"days": {"gt": 1}}, "other": 1}}}]"#
        )
        #expect(failure == nil)
        let (query, variables) = try #require(host.tools.first)
        #expect(
            query == "query ToolQuery($filter: TripFilter) { listTrips(filter: $filter) { items { destination } } }")
        #expect(variables == JSONObject([("filter", ["days": ["gt": 1] as JSONValue] as JSONValue)]))
        #expect(host.parts.compactMap { $0["contentBlockText"]?.string }.joined() == "to Rome")
    }

    @Test("a tool of the client's ends the turn, and its input is text in the record")
    func clientTool() async throws {
        let (failure, host) = try await Self.run(
            #"[{"toolUse": {"name": "pick", "input": {"n": 1}, "toolUseId": "u"}}]"#)
        #expect(failure == nil && host.tools.isEmpty)
        let part = try #require(host.parts.first)
        #expect(part["contentBlockToolUse"]?.string?.contains(#""input":{"n":1}"#) == true)
        #expect(
            part["accumulatedTurnContent"] == [["toolUse": ["toolUseId": "u", "name": "pick", "input": #"{"n":1}"#]]])
        #expect(host.parts.last?["stopReason"] == "tool_use")
    }

    @Test("a model that asks for tools again and again is stopped, and whoever follows is told")
    func rounds() async throws {
        let (failure, host) = try await Self.run(
            #"[{"afterTool": "list_trips", "toolUse": {"name": "list_trips"}}, {"toolUse": {"name": "list_trips"}}]"#)
        #expect(failure?.contains("\(LanguageLimits.roundsMax) times") == true)
        #expect(host.tools.count == LanguageLimits.roundsMax)
        #expect(host.parts.last?["errors"]?[0]?["errorType"] == "ValidationException")
    }

    @Test("an error of the model is told with its type")
    func errors() async throws {
        let (failure, host) = try await Self.run(
            #"[{"error": {"type": "ThrottlingException", "message": "slow"}}]"#)
        #expect(failure == "slow")
        #expect(host.parts.map { $0["errors"] } == [[["errorType": "ThrottlingException", "message": "slow"]]])
    }

    @Test("history is the user's messages, each with its answer; what was never answered is left out")
    func history() throws {
        let history = try TurnHistory(Self.items.array ?? [], current: "m3")
        #expect(
            history.messages == [
                ConverseMessage(.user, [.text("one")]), ConverseMessage(.assistant, [.text("first")]),
                ConverseMessage(.user, [.text("trips")]),
            ])
    }

    @Test("tools of turns that are over are no part of what is told")
    func formerTools() throws {
        let use: JSONValue = ["toolUse": ["toolUseId": "u", "name": "pick", "input": "{\"n\":1}"]]
        let result: JSONValue = ["toolResult": ["toolUseId": "u", "content": [["json": "{\"ok\":true}"]]]]
        let items: [JSONValue] = [
            Self.message("m1", "user", "one"),
            ["id": "a1", "role": "assistant", "content": [use], "associatedUserMessageId": "m1"],
            ["id": "m2", "role": "user", "content": [result]],
            Self.message("a2", "assistant", "done", answers: "m2"), Self.message("m3", "user", "next"),
        ]
        let told = try TurnHistory(items, current: "m3").messages
        #expect(
            told == [
                ConverseMessage(.user, [.text("one")]), ConverseMessage(.assistant, [.text("done")]),
                ConverseMessage(.user, [.text("next")]),
            ])
        // In its own turn it is.
        let open = try TurnHistory(Array(items[..<3]), current: "m2").messages
        #expect(open.count == 3 && open[1].content.first?.toolUse?.input == ["n": 1])
        #expect(open[2].content == [.toolResult(ToolResult(id: "u", content: [["json": ["ok": true]]]))])
    }
}
