import Cloud
import JSON

/// Answers in the older protocol: elements have other names there than members of JSON, and a list is its element again and again.
///
///     <QueueUrl>...</QueueUrl><QueueUrl>...</QueueUrl>       {"QueueUrls": ["...", "..."]}
enum QueueForm {
    static let wire = FormWire(
        namespace: "http://queue.amazonaws.com/doc/2012-11-05/", parametersMax: QueueLimits.parametersMax,
        nestingMax: QueueLimits.nestingMax, pathMember: "QueueUrl", shown: shown)

    /// An answer with the names of its elements.
    @Sendable private static func shown(_ answer: JSONObject, to action: String) -> JSONObject {
        var shown = JSONObject()
        for member in answer.members {
            switch member.key {
            case "QueueUrls", "queueUrls": shown.set("QueueUrl", to: member.value)
            case "Attributes": shown.set("Attribute", to: pairs(member.value, "Name"))
            case "MessageAttributes": shown.set("MessageAttribute", to: pairs(member.value, "Name"))
            case "Tags": shown.set("Tag", to: pairs(member.value, "Key"))
            case "Messages": shown.set("Message", to: inner(member.value, action))
            case "Successful": shown.set("\(action)ResultEntry", to: inner(member.value, action))
            case "Results": shown.set("ListMessageMoveTasksResultEntry", to: inner(member.value, action))
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
