import JSON

/// The input of a call, by the names of its service.
extension JSONValue {
    /// The texts of a list; none where there is none.
    func texts(_ name: String) throws(OutboxError) -> [String] {
        guard let value = self[name], value != .null else { return [] }
        guard let list = value.array else { throw .invalid("\(name) is a list.") }
        var texts: [String] = []
        for item in list {
            guard let text = item.string else { throw .invalid("\(name) is a list of texts.") }
            texts.append(text)
        }
        return texts
    }

    /// A text that has to be there.
    func text(_ name: String, in place: String? = nil) throws(OutboxError) -> String {
        guard let text = self[name]?.string else {
            throw .missing([place, name].compactMap(\.self).joined(separator: ".").lowercasedFirst)
        }
        return text
    }

    func textIfAny(_ name: String) -> String? {
        guard let text = self[name]?.string, !text.isEmpty else { return nil }
        return text
    }
}

extension String {
    /// The services' own constraints write members in this way.
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
