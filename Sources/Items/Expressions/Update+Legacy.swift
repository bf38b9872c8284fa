import JSON

extension Update {
    /// The meaning of `AttributeUpdates`, the form that updates had before expressions:
    /// `{"n": {"Action": "ADD", "Value": {"N": "1"}}}`.
    package init(legacy json: JSONValue, isStrict: Bool = false) throws(ItemError) {
        guard let object = json.object else { throw .serialization("Expected an object, found \(json.kind)") }
        var actions: [Action] = []
        for member in object {
            try ItemReader.checkName(member.key)
            try actions.append(Action(path: DocumentPath(member.key), change: Self.change(member.value, isStrict)))
        }
        self.init(actions: actions, isLegacy: true)
    }

    private static func change(_ json: JSONValue, _ isStrict: Bool) throws(ItemError) -> Change {
        guard json.object != nil else { throw .serialization("Expected an object, found \(json.kind)") }
        let name = json["Action"].flatMap { $0.isNull ? nil : $0 } ?? .string("PUT")
        let value = try json["Value"].flatMap { json throws(ItemError) in
            json.isNull ? nil : try ItemValue(json: json, isStrict: isStrict)
        }
        switch (name, value) {
        case (.string("DELETE"), nil): return .remove
        case (.string("PUT"), nil), (.string("ADD"), nil):
            throw .invalidValues("Only DELETE action is allowed when no attribute value is specified")
        case (.string("PUT"), let value?): return .set(.value(value))
        case (.string("ADD"), let value?):
            guard value.kind == .number || value.kind == .list || value.kind.isSet else {
                throw .invalidValues("ADD action is not supported for the type \(value.kind.engineName)")
            }
            return .add(value)
        case (.string("DELETE"), let value?):
            guard value.kind.isSet else {
                throw .invalidValues(
                    "DELETE action with value is not supported for the type \(value.kind.engineName)")
            }
            return .delete(value)
        default: throw .validation("Member must satisfy enum value set: [ADD, DELETE, PUT]")
        }
    }
}
