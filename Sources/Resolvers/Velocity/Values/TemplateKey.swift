import JSON

/// A value as a key of a map: equal to another one where Java's `equals` says so.
///
/// Lists and maps are keys by who they are: their content may change while they are keys.
struct TemplateKey: Hashable {
    let value: TemplateValue

    init(_ value: TemplateValue) {
        self.value = value
    }

    static func == (left: TemplateKey, right: TemplateKey) -> Bool {
        switch (left.value, right.value) {
        case (.text(let left), .text(let right)): ByteText(left) == ByteText(right)
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.long(let left), .long(let right)): left == right
        case (.large(let left), .large(let right)): left == right
        case (.double(let left), .double(let right)): left == right || (left.isNaN && right.isNaN)
        case (.character(let left), .character(let right)): left == right
        default: left.value.identity != nil && left.value.identity == right.value.identity
        }
    }

    func hash(into hasher: inout Hasher) {
        switch value {
        case .text(let text): ByteText(text).hash(into: &hasher)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .long(let value): hasher.combine(value)
        case .large(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.isNaN ? 0 : value)
        case .character(let value): hasher.combine(value)
        default: hasher.combine(value.identity)
        }
    }
}

extension TemplateValue {
    /// Who a list or a map is.
    var identity: ObjectIdentifier? {
        switch self {
        case .list(let list): ObjectIdentifier(list)
        case .map(let map): ObjectIdentifier(map)
        default: nil
        }
    }
}
