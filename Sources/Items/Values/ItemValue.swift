import JSON

/// A value of an attribute: one of DynamoDB's ten types.
package enum ItemValue: Sendable {
    case string(String)
    case number(ItemNumber)
    case binary([UInt8])
    case bool(Bool)
    case null
    case list([ItemValue])
    case map(Item)
    /// Each once, in the order of their bytes.
    case strings([String])
    /// Each once, the smallest first.
    case numbers([ItemNumber])
    /// Each once, in the order of their bytes.
    case binaries([[UInt8]])
}

extension ItemValue {
    /// A type of values, by the name that it has in JSON and in messages.
    package enum Kind: String, Sendable, CaseIterable {
        case string = "S"
        case number = "N"
        case binary = "B"
        case bool = "BOOL"
        case null = "NULL"
        case list = "L"
        case map = "M"
        case strings = "SS"
        case numbers = "NS"
        case binaries = "BS"

        /// Whether values of this type have an order, and may be keys.
        package var isOrdered: Bool { self == .string || self == .number || self == .binary }
        package var isSet: Bool { self == .strings || self == .numbers || self == .binaries }
    }

    package var kind: Kind {
        switch self {
        case .string: .string
        case .number: .number
        case .binary: .binary
        case .bool: .bool
        case .null: .null
        case .list: .list
        case .map: .map
        case .strings: .strings
        case .numbers: .numbers
        case .binaries: .binaries
        }
    }
}

extension ItemValue {
    /// The value as an attribute has it: numbers in their one form, unless they are within a list or map.
    package var canonical: ItemValue {
        switch self {
        case .number(let number): .number(number.canonical)
        case .numbers(let numbers): .numbers(numbers.map(\.canonical))
        default: self
        }
    }
}

extension ItemValue: Equatable {
    /// Texts are equal when their bytes are, numbers when they are the same number.
    package static func == (left: ItemValue, right: ItemValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.binary(let left), .binary(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        case (.null, .null): true
        case (.list(let left), .list(let right)): left == right
        case (.map(let left), .map(let right)): left == right
        case (.strings(let left), .strings(let right)): left == right
        case (.numbers(let left), .numbers(let right)): left == right
        case (.binaries(let left), .binaries(let right)): left == right
        default: false
        }
    }
}

extension ItemValue {
    /// How this value stands to another one of its type, where that type has an order; nil otherwise.
    package func order(to other: ItemValue) -> ValueOrder? {
        switch (self, other) {
        case (.string(let left), .string(let right)): ValueOrder(left.compareBytes(to: right))
        case (.number(let left), .number(let right)): left == right ? .same : left < right ? .before : .after
        case (.binary(let left), .binary(let right)): ValueOrder(left.compareBytes(to: right))
        default: nil
        }
    }
}

/// Where a value stands beside another one.
package enum ValueOrder: Sendable {
    case before
    case same
    case after

    /// Of what a comparison of bytes says: less than, equal to or greater than 0.
    init(_ difference: Int) {
        self = difference < 0 ? .before : difference == 0 ? .same : .after
    }
}
