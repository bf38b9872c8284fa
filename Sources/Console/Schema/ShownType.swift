import GraphQL

/// A type of a field as the page shows it.
struct ShownType: Sendable {
    let text: String
    let base: String
    let isList: Bool
    let isRequired: Bool
    /// Whether the elements of the list are never null.
    let isRequiredInList: Bool

    init(_ type: TypeReference) { self.init(type.name.text, type.wrapping) }

    init(_ base: String, _ wrapping: TypeWrapping) {
        self.base = base
        text = wrapping.text(around: base)
        isList = wrapping.isList
        isRequired = wrapping.isNonNull
        isRequiredInList = wrapping.isList && wrapping.item.isNonNull
    }
}

extension Schema {
    /// The fields of an object type, in their order.
    func outputFields(of type: String) -> [(name: String, type: ShownType)] {
        (self.type(named: type)?.fields?.fields ?? []).map { field in
            (field.name, ShownType(self[field.type.named].name, field.type.wrapping))
        }
    }

    /// The names of an input type's fields; none where there is no such type.
    func inputFields(of type: String) -> [String] {
        guard case .inputObject(let input)? = self.type(named: type) else { return [] }
        return input.fields.values.map(\.name)
    }
}
