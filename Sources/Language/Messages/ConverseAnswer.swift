import JSON

/// The answer of a model.
package struct ConverseAnswer: Sendable, Equatable {
    package var content: [ContentBlock]
    /// Why it ended: `end_turn`, `tool_use`, `max_tokens`, `stop_sequence`, `content_filtered`.
    package var stopReason: String
    package var usage = TokenUsage()

    package init(_ content: [ContentBlock], stopReason: String = "end_turn", usage: TokenUsage = TokenUsage()) {
        self.content = content
        self.stopReason = stopReason
        self.usage = usage
    }

    /// Reads what the service answers.
    init(_ value: JSONValue) throws(LanguageError) {
        guard let message = value["output"]?["message"] else {
            throw .failed("The answer of the service has no message.")
        }
        self.init(
            try ConverseMessage(message).content, stopReason: value["stopReason"]?.string ?? "end_turn",
            usage: TokenUsage(
                input: value["usage"]?["inputTokens"]?.integer, output: value["usage"]?["outputTokens"]?.integer))
    }

    package func json(milliseconds: Int64) -> JSONValue {
        [
            "metrics": ["latencyMs": .integer(milliseconds)],
            "output": ["message": ConverseMessage(.assistant, content).json],
            "stopReason": .string(stopReason),
            "usage": usage.json,
        ]
    }

    /// The same piece by piece, texts in words.
    var events: [ConverseEvent] { events { text in ConverseEvent.pieces(of: text) } }

    func events(pieces: (String) -> [String]) -> [ConverseEvent] {
        var events = [ConverseEvent.messageStart]
        for (index, block) in content.enumerated() {
            switch block {
            case .text(let text): events += pieces(text).map { .text(index, $0) }
            case .toolUse(let use):
                events.append(.toolStart(index, id: use.id, name: use.name))
                events.append(.toolInput(index, JSONWriter.text(of: use.input)))
            default: continue
            }
            events.append(.blockStop(index))
        }
        return events + [.messageStop(stopReason), .metadata(usage)]
    }
}

/// The cost of an answer, in tokens.
package struct TokenUsage: Sendable, Equatable {
    package var input: Int64 = 0
    package var output: Int64 = 0

    package init(input: Int64? = nil, output: Int64? = nil) {
        self.input = max(0, input ?? 0)
        self.output = max(0, output ?? 0)
    }

    var json: JSONValue {
        [
            "inputTokens": .integer(input), "outputTokens": .integer(output),
            "totalTokens": .integer(input.addingReportingOverflow(output).partialValue),
        ]
    }

    /// About as many as a text has, where nobody counts: four letters are one.
    static func estimate(_ text: String) -> Int64 { Int64((text.utf8.count + 3) / 4) }
}
