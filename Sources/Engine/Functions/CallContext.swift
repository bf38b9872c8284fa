import JSON

/// What a template can name: Velocity's `$ctx`.
struct CallContext: Sendable {
    private let call: FieldCall

    init(_ call: FieldCall) {
        self.call = call
    }

    func parameter(_ name: String) -> String {
        call.arguments["params"]?[name].map(Self.text) ?? ""
    }

    /// The text of what a path leads to; nil when there is nothing or null.
    func text(at path: [String]) -> String? {
        guard let root = path.first else { return nil }
        var value: JSONValue? =
            switch root {
            case "args", "arguments": .object(call.arguments)
            case "source": call.source.map(JSONValue.object)
            case "identity": call.caller.identity
            case "request": call.caller.request
            default: nil
            }
        for name in path.dropFirst() { value = value?[name] }
        guard let value, !value.isNull else { return nil }
        return Self.text(of: value)
    }

    /// A value as a text: JSON only where it is no scalar.
    static func text(of value: JSONValue) -> String {
        value.string ?? JSONWriter.text(of: value)
    }
}
