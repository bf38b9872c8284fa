import JSON

/// A piece of an answer that comes as a stream.
package enum ConverseEvent: Sendable, Equatable {
    case messageStart
    case toolStart(Int, id: String, name: String)
    case text(Int, String)
    /// A piece of what a tool is asked, as text of JSON.
    case toolInput(Int, String)
    case blockStop(Int)
    case messageStop(String)
    case metadata(TokenUsage)

    package var name: String {
        switch self {
        case .messageStart: "messageStart"
        case .toolStart: "contentBlockStart"
        case .text, .toolInput: "contentBlockDelta"
        case .blockStop: "contentBlockStop"
        case .messageStop: "messageStop"
        case .metadata: "metadata"
        }
    }

    package func json(milliseconds: Int64) -> JSONValue {
        switch self {
        case .messageStart: ["role": "assistant"]
        case .toolStart(let index, let id, let name):
            [
                "contentBlockIndex": .integer(Int64(index)),
                "start": ["toolUse": ["name": .string(name), "toolUseId": .string(id)]],
            ]
        case .text(let index, let text):
            ["contentBlockIndex": .integer(Int64(index)), "delta": ["text": .string(text)]]
        case .toolInput(let index, let text):
            ["contentBlockIndex": .integer(Int64(index)), "delta": ["toolUse": ["input": .string(text)]]]
        case .blockStop(let index): ["contentBlockIndex": .integer(Int64(index))]
        case .messageStop(let reason): ["stopReason": .string(reason)]
        case .metadata(let usage): ["metrics": ["latencyMs": .integer(milliseconds)], "usage": usage.json]
        }
    }

    /// Reads an event of the service; nil for one that says nothing here.
    init?(_ name: String, _ value: JSONValue) {
        let index = Int(clamping: value["contentBlockIndex"]?.integer ?? 0)
        switch ByteText(name) {
        case "messageStart": self = .messageStart
        case "contentBlockStart":
            guard let use = value["start"]?["toolUse"], let id = use["toolUseId"]?.string,
                let name = use["name"]?.string
            else { return nil }
            self = .toolStart(index, id: id, name: name)
        case "contentBlockDelta":
            if let text = value["delta"]?["text"]?.string {
                self = .text(index, text)
            } else if let input = value["delta"]?["toolUse"]?["input"]?.string {
                self = .toolInput(index, input)
            } else {
                return nil
            }
        case "contentBlockStop": self = .blockStop(index)
        case "messageStop": self = .messageStop(value["stopReason"]?.string ?? "end_turn")
        case "metadata":
            self = .metadata(
                TokenUsage(
                    input: value["usage"]?["inputTokens"]?.integer, output: value["usage"]?["outputTokens"]?.integer))
        default: return nil
        }
    }

    /// A text in words, each with the blank before it.
    static func pieces(of text: String) -> [String] {
        var pieces: [String] = []
        var piece: [UInt8] = []
        for byte in text.utf8 {
            if byte == UInt8(ascii: " "), !piece.isEmpty {
                pieces.append(String(decoding: piece, as: UTF8.self))
                piece = []
            }
            piece.append(byte)
        }
        if !piece.isEmpty { pieces.append(String(decoding: piece, as: UTF8.self)) }
        return pieces
    }
}
