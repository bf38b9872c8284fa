import JSON

extension GraphQLError {
    /// About how many bytes it takes in a response. Names of the document and data of records may be in it, so that many
    /// errors are no less than many values.
    package var byteCount: Int {
        var count = 100 + message.utf8.count + 60 * (locations?.count ?? 0)
        for step in path?.steps ?? [] {
            switch step {
            case .name(let name): count += name.utf8.count + 3
            case .index: count += 8
            }
        }
        guard let resolver else { return count }
        count += 40 + (resolver.errorType?.utf8.count ?? 0)
        for value in [resolver.data, resolver.errorInfo] where !value.isNull { count += value.byteCount }
        return count
    }
}

extension JSONValue {
    /// About how many bytes it takes as text.
    package var byteCount: Int {
        switch self {
        case .null, .bool: 5
        case .integer, .double: 16
        case .string(let text), .largeInteger(let text): text.utf8.count + 2
        case .array(let elements): elements.reduce(2) { $0 + $1.byteCount + 1 }
        case .object(let object): object.members.reduce(2) { $0 + $1.key.utf8.count + $1.value.byteCount + 4 }
        }
    }
}
