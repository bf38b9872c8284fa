import JSON

/// An event on its way from the node that has made it to all others, itself among them.
///
///     {"field": "createTodo", "type": "Todo", "value": {"id": "1"}}      a mutation
///     {"ends": "onCreateTodo", "value": {"id": "1"}}                     the end of subscriptions
///     {"channel": "/default/room", "value": ["{\"a\":1}"]}                a publish to a channel
enum SharedEvent {
    case mutation(_ field: String, _ type: String, JSONValue)
    case invalidation(_ field: String, _ payload: JSONObject)
    case publish(_ channel: String, _ texts: [String])

    var bytes: [UInt8] {
        switch self {
        case .mutation(let field, let type, let value):
            JSONWriter.bytes(of: ["field": .string(field), "type": .string(type), "value": value])
        case .invalidation(let field, let payload):
            JSONWriter.bytes(of: ["ends": .string(field), "value": .object(payload)])
        case .publish(let channel, let texts):
            JSONWriter.bytes(of: ["channel": .string(channel), "value": .array(texts.map { .string($0) })])
        }
    }

    private static let publishStart = Array(#"{"channel":"#.utf8)

    /// Returns whether these are the bytes of a publish.
    static func isPublish(_ bytes: [UInt8]) -> Bool { bytes.starts(with: publishStart) }

    /// Nil for what another version has written, whose subscribers are its own.
    init?(bytes: [UInt8]) {
        guard let content = try? JSONReader.value(of: bytes), let value = content["value"] else { return nil }
        if let field = content["field"]?.string, let type = content["type"]?.string {
            self = .mutation(field, type, value)
        } else if let field = content["ends"]?.string, let payload = value.object {
            self = .invalidation(field, payload)
        } else if let channel = content["channel"]?.string, let texts = value.array {
            self = .publish(channel, texts.compactMap(\.string))
        } else {
            return nil
        }
    }
}
