import JSON

/// A turn of a conversation: reads what was said, asks the model, has tools run, and publishes the answer as it comes.
///
///     history ─▶ model ─┬─ text ─▶ a part for subscribers
///                 ▲     ├─ a tool of the client's ─▶ the client uses it, and the turn is over
///                 │     └─ a tool of the API's ─▶ a query with the caller's rights
///                 └───────────────────────────────────┘
package struct ConversationTurn: Sendable {
    private let event: TurnEvent
    private let language: Language
    private let host: any TurnHost

    /// Runs a turn. Returns the failure for the log; nil: it succeeded.
    package static func run(_ value: JSONValue, on language: Language, for host: any TurnHost) async -> String? {
        do throws(LanguageError) {
            let turn = ConversationTurn(try TurnEvent(value), language, host)
            do throws(TurnFailure) {
                try await turn.run()
                return nil
            } catch {
                return await turn.tell(error)
            }
        } catch {
            // There may be nobody whom it could be told.
            return await ConversationTurn.tell(TurnFailure(error), of: value, host)
        }
    }

    private init(_ event: TurnEvent, _ language: Language, _ host: any TurnHost) {
        self.event = event
        self.language = language
        self.host = host
    }

    private func run() async throws(TurnFailure) {
        var request = ConverseRequest(model: event.model)
        request.system = [event.systemPrompt]
        request.settings = event.settings
        request.tools = event.dataTools.map(\.tool) + event.clientTools
        request.messages = try await history()
        var parts = TurnParts(event)
        for _ in 0..<LanguageLimits.roundsMax {
            parts.beginRound()
            do throws(LanguageError) {
                try await language.converse(request) { (told) throws(LanguageError) in
                    for part in try parts.parts(of: told) { try await publish(part) }
                }
            } catch {
                throw TurnFailure(error)
            }
            guard parts.stopReason == "tool_use", !parts.usesClientTool, !parts.toolUses.isEmpty else {
                do throws(LanguageError) {
                    return try await publish(parts.end())
                } catch {
                    throw TurnFailure(error)
                }
            }
            guard parts.toolUses.count <= LanguageLimits.toolUsesMax else {
                throw TurnFailure(
                    "ValidationException", "The model used more than \(LanguageLimits.toolUsesMax) tools at once.")
            }
            request.messages.append(ConverseMessage(.assistant, parts.said))
            var results: [ContentBlock] = []
            for use in parts.toolUses { results.append(.toolResult(try await result(of: use))) }
            request.messages.append(ConverseMessage(.user, results))
        }
        throw TurnFailure(
            "ValidationException",
            "The model asked for tools \(LanguageLimits.roundsMax) times and did not come to an answer.")
    }

    // MARK: History

    private func history() async throws(TurnFailure) -> [ConverseMessage] {
        guard let list = event.history["listQueryName"]?.string,
            let type = event.history["listQueryInputTypeName"]?.string
        else { throw TurnFailure("Error", "The event of the turn has no query for messages.") }
        let limit = event.history["listQueryLimit"]?.integer ?? Int64(LanguageLimits.historyMax)
        let filter: JSONValue = ["conversationId": ["eq": .string(event.conversationID)]]
        let response = await host.answer(
            "query ListMessages($filter: \(type)!, $limit: Int) { \(list)(filter: $filter, limit: $limit) { items { "
                + "\(TurnHistory.selection) } } }",
            JSONObject([("filter", filter), ("limit", .integer(limit))]))
        guard let items = response["data"]?[list]?["items"]?.array, response["errors"] == nil else {
            throw .unanswered(list, response)
        }
        do throws(LanguageError) {
            let messages = try TurnHistory(items, current: event.messageID).messages
            guard messages.last?.role == .user else { throw .invalid("The message that is to be answered is gone.") }
            return messages
        } catch {
            throw TurnFailure(error)
        }
    }

    // MARK: Tools

    private func result(of use: ToolUse) async throws(TurnFailure) -> ToolResult {
        guard let tool = event.dataTools.first(where: { ByteText($0.tool.name) == ByteText(use.name) }) else {
            throw TurnFailure("Error", "Bedrock tool use response contains unknown tool '\(use.name)'")
        }
        let response = await host.answer(tool.query, tool.variables(use.input))
        if response["errors"] != nil {
            let words = "Error: GraphQL request failed, body=\(LanguageError.shortened(JSONWriter.text(of: response)))"
            return ToolResult(id: use.id, content: [["text": .string(words)]], isError: true)
        }
        guard JSONWriter.bytes(of: response).count <= LanguageLimits.toolResultBytesMax else {
            let words = "The result has more than \(LanguageLimits.toolResultBytesMax) bytes: ask for less."
            return ToolResult(id: use.id, content: [["text": .string(words)]], isError: true)
        }
        return ToolResult(id: use.id, content: [["json": response]])
    }

    // MARK: Parts

    private func publish(_ part: JSONObject) async throws(LanguageError) {
        let response = await host.answer(Self.mutation(of: event), JSONObject([("input", .object(part))]))
        guard response["errors"] == nil else {
            // The conversation may be gone, and whoever follows it.
            throw LanguageError("Error", TurnFailure.unanswered(event.responseName, response).message, status: 500)
        }
    }

    private static func mutation(of event: TurnEvent) -> String {
        mutation(event.responseName, event.responseType, event.responseSelection)
    }

    private static func mutation(_ name: String, _ type: String, _ selection: String) -> String {
        "mutation PublishModelResponse($input: \(type)!) { \(name)(input: $input) { \(selection) } }"
    }

    private func tell(_ failure: TurnFailure) async -> String {
        await Self.publish(
            failure, Self.mutation(of: event), conversation: event.conversationID, message: event.messageID, host)
        return failure.message
    }

    private static func tell(_ failure: TurnFailure, of event: JSONValue, _ host: any TurnHost) async -> String {
        let mutation = event["responseMutation"]
        if let name = mutation?["name"]?.string, let type = mutation?["inputTypeName"]?.string,
            let selection = mutation?["selectionSet"]?.string, let conversation = event["conversationId"]?.string,
            let message = event["currentMessageId"]?.string
        {
            await publish(
                failure, Self.mutation(name, type, selection), conversation: conversation, message: message, host)
        }
        return failure.message
    }

    private static func publish(
        _ failure: TurnFailure, _ mutation: String, conversation: String, message: String, _ host: any TurnHost
    ) async {
        let errors: JSONValue = [["errorType": .string(failure.type), "message": .string(failure.message)]]
        let input = JSONObject([
            ("conversationId", .string(conversation)), ("associatedUserMessageId", .string(message)),
            ("errors", errors),
        ])
        _ = await host.answer(mutation, JSONObject([("input", .object(input))]))
    }
}
