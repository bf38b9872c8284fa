import JSON

/// The earlier messages of a conversation, in the form for a model.
struct TurnHistory {
    private struct Entry {
        let id: String
        let answered: String?
        let role: ConverseMessage.Role
        let content: [ContentBlock]
    }

    static let selection =
        "id conversationId associatedUserMessageId aiContext role content { text document { format name source { bytes } } "
        + "image { format source { bytes } } toolResult { status toolUseId content { json text image { format source { bytes } } "
        + "document { format name source { bytes } } } } toolUse { input name toolUseId } }"

    private let entries: [Entry]
    private let current: String

    /// - Parameters:
    ///   - items: records of messages in the order in which they were written.
    ///   - current: the message that is to be answered.
    init(_ items: [JSONValue], current: String) throws(LanguageError) {
        self.current = current
        var entries: [Entry] = []
        for item in items {
            guard let id = item["id"]?.string, let role = item["role"]?.string.flatMap(ConverseMessage.Role.init) else {
                continue
            }
            var content: [ContentBlock] = []
            for block in item["content"]?.array ?? [] {
                if let block = try ContentBlock.read(Self.unpacked(block)) { content.append(block) }
            }
            if let context = item["aiContext"], !context.isNull, role == .user {
                content.append(.text(JSONWriter.text(of: context)))
            }
            entries.append(
                Entry(id: id, answered: item["associatedUserMessageId"]?.string, role: role, content: content))
        }
        self.entries = entries
    }

    /// A block for a model: AWSJSON texts become JSON, and null members are left out.
    private static func unpacked(_ block: JSONValue) -> JSONValue {
        guard case .object(let object) = block else { return block }
        var result = JSONObject()
        for member in object where !member.value.isNull {
            switch (ByteText(member.key), member.value) {
            case ("input", .string(let text)), ("json", .string(let text)):
                result[member.key] = (try? JSONReader.value(of: text)) ?? member.value
            case (_, .array(let elements)): result[member.key] = .array(elements.map(unpacked))
            default: result[member.key] = unpacked(member.value)
            }
        }
        return .object(result)
    }

    /// The user's messages, each followed by its answer, whatever order they came in. Messages without an answer are left
    /// out, but for the current message.
    var messages: [ConverseMessage] {
        var answers: [ByteText: Entry] = [:]
        for entry in entries where entry.role == .assistant {
            if let question = entry.answered { answers[ByteText(question)] = entry }
        }
        var messages: [ConverseMessage] = []
        for entry in entries where entry.role == .user {
            let answer = answers[ByteText(entry.id)]
            let isCurrent = ByteText(entry.id) == ByteText(current)
            guard answer != nil || isCurrent else { continue }
            messages.append(ConverseMessage(.user, entry.content))
            if let answer, !isCurrent { messages.append(ConverseMessage(.assistant, answer.content)) }
        }
        return Self.withoutFormerTools(messages)
    }

    /// Tools of turns that are over are left out, and what one of the two then says in a row is one message.
    private static func withoutFormerTools(_ messages: [ConverseMessage]) -> [ConverseMessage] {
        func isWords(_ block: ContentBlock) -> Bool {
            switch block {
            case .toolUse, .toolResult: false
            default: true
            }
        }
        let begin = messages.lastIndex { $0.role == .user && $0.content.contains(where: isWords) } ?? 0
        var result: [ConverseMessage] = []
        for message in messages[..<begin] {
            let content = message.content.filter(isWords)
            guard !content.isEmpty else { continue }
            if result.last?.role == message.role {
                result[result.count - 1].content += content
            } else {
                result.append(ConverseMessage(message.role, content))
            }
        }
        return result + messages[begin...]
    }
}
