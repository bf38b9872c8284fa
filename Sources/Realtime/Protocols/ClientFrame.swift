import JSON

/// A message of a client in the form that all protocols here share: a type, and perhaps an id and a payload.
struct ClientFrame {
    let type: String
    /// Nil when there is none or it is no text.
    let id: String?
    let payload: JSONValue

    /// What can be nested in a message: a document is a text in it, variables are as deep as input types go.
    private static let limits = JSONLimits(bytesMax: 16 << 20, nestingMax: 128)

    /// Nil for what is no JSON object with a type.
    init?(_ text: [UInt8]) {
        do throws(JSONError) {
            guard case .object(let members) = try JSONReader.value(of: text, limits: Self.limits),
                let type = members["type"]?.string
            else { return nil }
            self.type = type
            id = members["id"]?.string
            payload = members["payload"] ?? .null
        } catch {
            return nil
        }
    }
}

/// Something that a client showed of itself in a message: a name and a value, as a header field has them.
struct CredentialField: Equatable {
    let name: String
    let value: String

    init(_ field: (name: String, value: String)) {
        name = field.name
        value = field.value
    }
}
