/// A value as a document writes it. Specification: section 2.9.
package enum Value: Sendable, Hashable {
    case variable(Name)
    case int(NumberValue)
    case float(NumberValue)
    case string(StringValue)
    case boolean(BooleanValue)
    case null(NullValue)
    case `enum`(Name)
    case list(ListValue)
    case object(ObjectValue)

    package var position: Position {
        switch self {
        case .variable(let name), .enum(let name): name.position
        case .int(let number), .float(let number): number.position
        case .string(let string): string.position
        case .boolean(let boolean): boolean.position
        case .null(let null): null.position
        case .list(let list): list.position
        case .object(let object): object.position
        }
    }
}

/// A number, by the digits that were written, so that none is lost.
package struct NumberValue: Sendable, Hashable {
    package var text: String
    package var position: Position

    package init(_ text: String, position: Position = .none) {
        self.text = text
        self.position = position
    }
}

/// A string, by what it means; `isBlock` says which of the two forms it was written in.
package struct StringValue: Sendable, Hashable {
    package var value: String
    package var isBlock: Bool
    package var position: Position

    package init(_ value: String, isBlock: Bool = false, position: Position = .none) {
        self.value = value
        self.isBlock = isBlock
        self.position = position
    }
}

/// `true` or `false`.
package struct BooleanValue: Sendable, Hashable {
    package var value: Bool
    package var position: Position

    package init(_ value: Bool, position: Position = .none) {
        self.value = value
        self.position = position
    }
}

/// The word `null`.
package struct NullValue: Sendable, Hashable {
    package var position: Position

    package init(position: Position = .none) {
        self.position = position
    }
}

/// A list: `[value value]`.
package struct ListValue: Sendable, Hashable {
    package var values: [Value]
    package var position: Position

    package init(_ values: [Value], position: Position = .none) {
        self.values = values
        self.position = position
    }
}

/// An object: `{name: value}`.
package struct ObjectValue: Sendable, Hashable {
    package var fields: [ObjectField]
    package var position: Position

    package init(_ fields: [ObjectField], position: Position = .none) {
        self.fields = fields
        self.position = position
    }
}

/// A field of an object: `name: value`.
package struct ObjectField: Sendable, Hashable {
    package var name: Name
    package var value: Value

    package init(name: Name, value: Value) {
        self.name = name
        self.value = value
    }

    package var position: Position { name.position }
}
