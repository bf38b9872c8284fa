import JSON

extension JSONObject {
    /// The value at a path of field names; null where there is none.
    func value(at path: [String]) -> JSONValue {
        guard let first = path.first, var value = self[first] else { return .null }
        for name in path.dropFirst() {
            guard let next = value[name] else { return .null }
            value = next
        }
        return value
    }
}
