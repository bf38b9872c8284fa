import GraphQL

/// The values of a directive's arguments, by what they mean.
extension Directive {
    /// Returns whether the argument is written, be it as null.
    func has(_ name: String) -> Bool { argument(name) != nil }

    /// Returns whether the argument is written as null.
    func isNull(_ name: String) -> Bool { argument(name)?.isNull ?? false }

    /// The text of a string or of an enum value.
    func text(_ name: String) -> String? { argument(name)?.text }

    /// A list of texts. A single one is a list of one; nil when the argument is absent or null.
    func texts(_ name: String) -> [String]? { argument(name)?.texts }

    /// A list of names. A single one is a list of one, and a single empty text is no name at all.
    func names(_ name: String) -> [String]? {
        if case .string(let text)? = argument(name), text.value.isEmpty { return nil }
        return texts(name)
    }

    /// A whole number.
    func integer(_ name: String) -> Int? {
        if case .int(let number)? = argument(name) { return Int(number.text) }
        return nil
    }

    /// The fields of an object.
    func object(_ name: String) -> ObjectValue? { argument(name)?.object }
}

extension Value {
    var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    var text: String? {
        switch self {
        case .string(let string): string.value
        case .enum(let name): name.text
        default: nil
        }
    }

    var texts: [String]? {
        switch self {
        case .list(let list): list.values.compactMap(\.text)
        default: text.map { [$0] }
        }
    }

    var object: ObjectValue? {
        if case .object(let object) = self { return object }
        return nil
    }
}

extension ObjectValue {
    /// The value of the last field of that name.
    func value(_ name: String) -> Value? {
        fields.last { $0.name.text == name }?.value
    }
}
