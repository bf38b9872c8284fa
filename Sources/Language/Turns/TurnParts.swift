import JSON

/// The parts of an answer that subscribers get, made of what the model tells. Blocks are numbered over all rounds of a turn; of tools
/// only those of the client's are among them.
struct TurnParts {
    private let event: TurnEvent
    private var block = 0
    private var lastBlock = 0
    private var delta = 0
    /// The blocks shown to the user, for the record of the message.
    private var shown: [JSONValue] = []

    // Of the round.
    private var text = ""
    private var hasText = false
    private var tool: (id: String, name: String)?
    private var input = ""
    private(set) var said: [ContentBlock] = []
    private(set) var stopReason = ""
    private(set) var usesClientTool = false

    init(_ event: TurnEvent) { self.event = event }

    var toolUses: [ToolUse] { said.compactMap(\.toolUse) }

    mutating func beginRound() {
        (said, stopReason, usesClientTool) = ([], "", false)
        (text, hasText, tool, input, delta) = ("", false, nil, "", 0)
    }

    mutating func parts(of told: ConverseEvent) throws(LanguageError) -> [JSONObject] {
        switch told {
        case .messageStart, .metadata: return []
        case .toolStart(_, let id, let name):
            tool = (id, name)
            input = ""
            return []
        case .toolInput(_, let piece):
            input += piece
            return []
        case .text(_, let piece):
            defer { delta += 1 }
            text += piece
            hasText = true
            return [
                part([
                    ("contentBlockIndex", .integer(Int64(block))), ("contentBlockText", .string(piece)),
                    ("contentBlockDeltaIndex", .integer(Int64(delta))),
                ])
            ]
        case .blockStop: return try close()
        case .messageStop(let reason):
            stopReason = reason
            return []
        }
    }

    private mutating func close() throws(LanguageError) -> [JSONObject] {
        defer { (text, hasText, tool, input, delta) = ("", false, nil, "", 0) }
        if let tool {
            let use = ToolUse(id: tool.id, name: tool.name, input: try CompatibleBackend.input(.string(input)))
            said.append(.toolUse(use))
            guard event.isClientTool(use.name) else { return [] }
            usesClientTool = true
            // AWSJSON is text.
            let packed: JSONValue = [
                "toolUse": [
                    "toolUseId": .string(use.id), "name": .string(use.name),
                    "input": .string(JSONWriter.text(of: use.input)),
                ]
            ]
            shown.append(packed)
            let written = JSONWriter.text(of: ["toolUse": use.json])
            return [ended([("contentBlockToolUse", .string(written))])]
        }
        guard hasText else { return [] }
        said.append(.text(text))
        shown.append(["text": .string(text)])
        return [ended([("contentBlockDoneAtIndex", .integer(Int64(max(0, delta - 1))))])]
    }

    /// The part that ends a block.
    private mutating func ended(_ members: [(String, JSONValue)]) -> JSONObject {
        defer {
            lastBlock = block
            block += 1
        }
        return part(
            [("accumulatedTurnContent", .array(shown)), ("contentBlockIndex", .integer(Int64(block)))] + members)
    }

    /// The part that ends the turn.
    func end() -> JSONObject {
        part([
            ("accumulatedTurnContent", .array(shown)), ("contentBlockIndex", .integer(Int64(lastBlock))),
            ("stopReason", .string(stopReason)),
        ])
    }

    private func part(_ members: [(String, JSONValue)]) -> JSONObject {
        JSONObject(
            [
                ("conversationId", JSONValue.string(event.conversationID)),
                ("associatedUserMessageId", .string(event.messageID)),
            ] + members)
    }
}
