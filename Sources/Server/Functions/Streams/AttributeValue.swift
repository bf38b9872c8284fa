import JSON

/// Values as DynamoDB writes them in JSON: each with its type, numbers as texts.
enum AttributeValue {
    static func of(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null: ["NULL": true]
        case .bool(let bool): ["BOOL": .bool(bool)]
        case .string(let text): ["S": .string(text)]
        case .array(let values): ["L": .array(values.map(of))]
        case .object(let members): ["M": .object(JSONObject(members.map { ($0.key, of($0.value)) }))]
        case .integer, .largeInteger, .double: ["N": .string(JSONWriter.text(of: value))]
        }
    }

    /// About what DynamoDB says that a value takes.
    static func size(of value: JSONValue) -> Int {
        switch value {
        case .null, .bool: 1
        case .string(let text): text.utf8.count
        case .array(let values): values.reduce(3) { $0 + 1 + size(of: $1) }
        case .object(let members): members.reduce(3) { $0 + 1 + $1.key.utf8.count + size(of: $1.value) }
        case .integer, .largeInteger, .double: JSONWriter.text(of: value).utf8.count / 2 + 1
        }
    }
}
