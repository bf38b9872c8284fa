import GraphQL

/// What the schema allows in a column of texts, where that is not every text. Records may hold others: the schema has
/// changed since, or they were imported as they stood.
enum TextForm: Sendable {
    case oneOf(EnumType)
    /// A form such as that of `AWSDateTime`.
    case scalar(@Sendable (UnsafeRawBufferPointer) -> Bool)

    /// Nil for a type that every text is a value of.
    init?(_ type: NamedType) {
        switch type {
        case .enum(let enumeration): self = .oneOf(enumeration)
        case .scalar(let scalar):
            guard let allowsText = scalar.coercion.allowsText else { return nil }
            self = .scalar(allowsText)
        default: return nil
        }
    }

    func allows(_ text: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .oneOf(let enumeration): enumeration.contains(text)
        case .scalar(let allowsText): allowsText(text)
        }
    }
}
