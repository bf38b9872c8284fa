import JSON

/// Calls of tasks of state machines, which know a service as the newer SDK for Java does.
extension ServiceTable {
    /// The members of a task's call: by the service's own names, and with JSON as a text where the service takes a text.
    package func members(ofTask input: JSONObject, _ name: String) -> JSONObject {
        guard let shapes = operation(named: name)?.members else { return input }
        return Self.members(input, shapes)
    }

    private static func members(_ object: JSONObject, _ shapes: [MemberShape.Member]) -> JSONObject {
        JSONObject(
            object.members.map { member -> (String, JSONValue) in
                let shape =
                    shapes.first { $0.name == member.key }
                    ?? shapes.first { MemberCheck.lowered($0.name) == MemberCheck.lowered(member.key) }
                guard let shape else { return (member.key, member.value) }
                return (shape.name, value(member.value, shape.shape))
            })
    }

    private static func value(_ value: JSONValue, _ shape: MemberShape) -> JSONValue {
        switch (shape, value) {
        case (_, .null), (.text, .string): value
        case (.text, _): .string(JSONWriter.text(of: value))
        case (.list(let element, _, _), .array(let list)): .array(list.map { self.value($0, element) })
        case (.map(let element, _, _), .object(let object)):
            .object(JSONObject(object.members.map { ($0.key, self.value($0.value, element)) }))
        case (.object(let shapes), .object(let object)): .object(members(object, shapes))
        default: value
        }
    }
}
