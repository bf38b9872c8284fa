import Crypto
import JSON

/// A piece of what is said in a conversation with a model.
package enum ContentBlock: Sendable, Equatable {
    case text(String)
    /// An image, its bytes in base64.
    case image(format: String, bytes: String)
    /// A document, its bytes in base64.
    case document(format: String, name: String, bytes: String)
    case toolUse(ToolUse)
    case toolResult(ToolResult)

    /// Reads a block; nil for one that says nothing to other models than those of the service.
    static func read(_ value: JSONValue) throws(LanguageError) -> ContentBlock? {
        guard case .object(let object) = value else { throw .invalid("A content block is an object.") }
        // What is null is not there.
        for member in object where !member.value.isNull {
            let value = member.value
            switch ByteText(member.key) {
            case "text":
                guard let text = value.string else { throw .invalid("The text of a content block is a string.") }
                return .text(text)
            case "image": return try image(value)
            case "document": return try document(value)
            case "toolUse": return .toolUse(try ToolUse(value))
            case "toolResult": return .toolResult(try ToolResult(value))
            case "guardContent": return (value["text"]?["text"]?.string).map { .text($0) }
            case "cachePoint", "reasoningContent": return nil
            default: throw .invalid("A content block of the kind \(member.key) is not served here.")
            }
        }
        throw .invalid("A content block is empty.")
    }

    private static func image(_ value: JSONValue) throws(LanguageError) -> ContentBlock {
        guard let format = value["format"]?.string, let bytes = value["source"]?["bytes"]?.string else {
            throw .invalid("An image has a format, and its bytes in base64 as source.bytes.")
        }
        return .image(format: format, bytes: bytes)
    }

    private static func document(_ value: JSONValue) throws(LanguageError) -> ContentBlock {
        guard let source = value["source"], let name = value["name"]?.string else {
            throw .invalid("A document has a name and a source.")
        }
        if let text = source["text"]?.string {
            return .document(format: "txt", name: name, bytes: Base64.text(of: Array(text.utf8), .standard))
        }
        guard let bytes = source["bytes"]?.string else {
            throw .invalid("A document has its bytes in base64 as source.bytes.")
        }
        return .document(format: value["format"]?.string ?? "txt", name: name, bytes: bytes)
    }

    package var json: JSONValue {
        switch self {
        case .text(let text): ["text": .string(text)]
        case .image(let format, let bytes):
            ["image": ["format": .string(format), "source": ["bytes": .string(bytes)]]]
        case .document(let format, let name, let bytes):
            ["document": ["format": .string(format), "name": .string(name), "source": ["bytes": .string(bytes)]]]
        case .toolUse(let use): ["toolUse": use.json]
        case .toolResult(let result): ["toolResult": result.json]
        }
    }

    /// The text that it is.
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    package var toolUse: ToolUse? {
        if case .toolUse(let use) = self { use } else { nil }
    }
}

/// A model's call of a tool.
package struct ToolUse: Sendable, Equatable {
    package let id: String
    package let name: String
    package let input: JSONValue

    package init(id: String, name: String, input: JSONValue) {
        self.id = id
        self.name = name
        self.input = input
    }

    init(_ value: JSONValue) throws(LanguageError) {
        guard let id = value["toolUseId"]?.string, let name = value["name"]?.string else {
            throw .invalid("A tool use has a toolUseId and a name.")
        }
        self.init(id: id, name: name, input: value["input"] ?? .object(JSONObject()))
    }

    package var json: JSONValue { ["toolUseId": .string(id), "name": .string(name), "input": input] }

    /// An identifier as the service makes them.
    static func makeIdentifier() -> String { "tooluse_" + Base64.text(of: RandomBytes.make(count: 16)) }
}

/// The result of a tool.
package struct ToolResult: Sendable, Equatable {
    package let id: String
    /// Each with a member `text` or `json`, or what else the service has.
    package let content: [JSONValue]
    package let isError: Bool

    package init(id: String, content: [JSONValue], isError: Bool = false) {
        self.id = id
        self.content = content
        self.isError = isError
    }

    init(_ value: JSONValue) throws(LanguageError) {
        guard let id = value["toolUseId"]?.string else { throw .invalid("A tool result has a toolUseId.") }
        self.init(
            id: id, content: value["content"]?.array ?? [], isError: value["status"]?.text == ByteText("error"))
    }

    package var json: JSONValue {
        var object = JSONObject([("toolUseId", .string(id)), ("content", .array(content))])
        if isError { object["status"] = "error" }
        return .object(object)
    }

    /// All of it as one text.
    var text: String {
        content.map { part in
            part["text"]?.string ?? part["json"].map { JSONWriter.text(of: $0) } ?? JSONWriter.text(of: part)
        }.joined(separator: "\n")
    }
}
