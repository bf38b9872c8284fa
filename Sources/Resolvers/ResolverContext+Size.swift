import JSON

extension ResolverContext {
    /// Whether what a handler is told is too much to be gone through while others wait.
    var isLarge: Bool {
        var room = ContextRoom()
        return
            !(room.holds(arguments) && room.holds(source) && room.holds(result ?? .null)
            && room.holds(previous ?? .null) && room.holds(.object(stash)) && room.holds(info.variables)
            && room.holds(channel?.events ?? .null))
    }
}

/// What a context may still have. Hot path: it is asked before each handler, and stops where there is no room.
private struct ContextRoom {
    private var values = ResolverLimits.briefContextValuesMax
    private var bytes = ResolverLimits.briefContextBytesMax

    mutating func holds(_ value: JSONValue) -> Bool {
        values -= 1
        switch value {
        case .null, .bool, .integer, .double: break
        case .largeInteger(let digits): bytes -= digits.utf8.count
        case .string(let text): bytes -= text.utf8.count
        case .array(let elements):
            guard elements.count <= values else { return false }
            for element in elements where !holds(element) { return false }
        case .object(let object):
            guard object.count <= values else { return false }
            for member in object.members {
                bytes -= member.key.utf8.count
                guard holds(member.value) else { return false }
            }
        }
        return values >= 0 && bytes >= 0
    }
}
