import JSON

/// The older protocol: a call is a form, whose numbered parameters are lists; an answer has elements where JSON has members.
///
///     Attribute.1.Name=DelaySeconds&Attribute.1.Value=5      {"Attributes": {"DelaySeconds": "5"}}
///     <QueueUrl>...</QueueUrl><QueueUrl>...</QueueUrl>       {"QueueUrls": ["...", "..."]}
package enum QueueForm {
    private static let entries = [
        "SendMessageBatchRequestEntry", "DeleteMessageBatchRequestEntry", "ChangeMessageVisibilityBatchRequestEntry",
    ]
    /// The members that are lists of texts, and those that are maps of names and values.
    private static let lists = [
        ("AttributeName", "AttributeNames"), ("MessageSystemAttributeName", "MessageSystemAttributeNames"),
        ("MessageAttributeName", "MessageAttributeNames"), ("TagKey", "TagKeys"),
    ]
    private static let maps = [
        ("Attribute", "Attributes", "Name"), ("MessageAttribute", "MessageAttributes", "Name"),
        ("MessageSystemAttribute", "MessageSystemAttributes", "Name"), ("Tag", "Tags", "Key"),
    ]

    /// The members of a call.
    package static func object(of parameters: [(name: String, value: String)]) throws(QueueError) -> JSONValue {
        guard parameters.count <= QueueLimits.parametersMax else {
            throw QueueError("MalformedInput", "A call has at most \(QueueLimits.parametersMax) parameters.")
        }
        let root = Node()
        for (name, value) in parameters {
            let path = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard path.count <= QueueLimits.nestingMax else {
                throw QueueError(
                    "MalformedInput", "The name of a parameter has at most \(QueueLimits.nestingMax) parts.")
            }
            var node = root
            for part in path { node = node.child(ByteText(Substring(part))) }
            node.text = value
        }
        return .object(members(of: root))
    }

    private static func members(of node: Node) -> JSONObject {
        var object = JSONObject()
        for (name, child) in node.children {
            if entries.contains(name.string) {
                object.set("Entries", to: .array(child.list.map { .object(members(of: $0)) }))
            } else if let list = lists.first(where: { $0.0 == name.string }) {
                object.set(list.1, to: .array(child.list.compactMap { $0.text.map(JSONValue.string) }))
            } else if let map = maps.first(where: { $0.0 == name.string }) {
                var values = JSONObject()
                for entry in child.list {
                    guard let key = entry.named(map.2)?.text, let value = entry.named("Value") else { continue }
                    values.set(key, to: value.text.map(JSONValue.string) ?? .object(members(of: value)))
                }
                object.set(map.1, to: .object(values))
            } else if child.text?.isEmpty == true, lists.contains(where: { $0.1 == name.string }) {
                // A list without elements has its own name, and no number.
                object.set(name.string, to: .array([]))
            } else {
                object.set(name.string, to: child.text.map(JSONValue.string) ?? .object(members(of: child)))
            }
        }
        return object
    }

    private final class Node {
        var text: String?
        private var places: [ByteText: Int] = [:]
        private(set) var children: [(name: ByteText, node: Node)] = []

        func child(_ name: ByteText) -> Node {
            if let place = places[name] { return children[place].node }
            let child = Node()
            places[name] = children.count
            children.append((name, child))
            return child
        }

        func named(_ name: String) -> Node? { places[name].map { children[$0].node } }

        /// Those with numbers, in their order.
        var list: [Node] {
            children.compactMap { child in Int(child.name.string).map { ($0, child.node) } }.sorted { $0.0 < $1.0 }
                .map(\.1)
        }
    }

    // MARK: Answers

    /// An answer with the names of its elements; a list there is that element again and again.
    package static func shown(_ answer: JSONObject, to action: String) -> JSONObject {
        var shown = JSONObject()
        for member in answer.members {
            switch member.key {
            case "QueueUrls", "queueUrls": shown.set("QueueUrl", to: member.value)
            case "Attributes": shown.set("Attribute", to: pairs(member.value, "Name"))
            case "MessageAttributes": shown.set("MessageAttribute", to: pairs(member.value, "Name"))
            case "Tags": shown.set("Tag", to: pairs(member.value, "Key"))
            case "Messages": shown.set("Message", to: inner(member.value, action))
            case "Successful": shown.set("\(action)ResultEntry", to: inner(member.value, action))
            case "Failed": shown.set("BatchResultErrorEntry", to: inner(member.value, action))
            default: shown.set(member.key, to: member.value)
            }
        }
        return shown
    }

    private static func inner(_ value: JSONValue, _ action: String) -> JSONValue {
        .array((value.array ?? []).map { .object(self.shown($0.object ?? JSONObject(), to: action)) })
    }

    private static func pairs(_ value: JSONValue, _ name: String) -> JSONValue {
        .array(
            (value.object ?? JSONObject()).members.map {
                .object(JSONObject([(name, .string($0.key)), ("Value", $0.value)]))
            })
    }
}
