/// A JSON value.
///
/// A number without fraction and exponent is an integer, as in `1`; any other is a double, as in `1.0` and `1e0`.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    /// An integer beyond `Int64`: its digits as they were written, with the sign.
    case largeInteger(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue: Equatable {
    /// Strings are equal when their bytes are.
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.largeInteger(let left), .largeInteger(let right)): ByteText(left) == ByteText(right)
        case (.string(let left), .string(let right)): ByteText(left) == ByteText(right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension JSONValue {
    /// The kind of this value, for messages: "a string", "an object".
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .largeInteger: "an integer"
        case .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// True if this is the value `null`.
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The boolean, or nil when this is something else.
    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The integer, or nil when this is something else or does not fit.
    package var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The string, or nil when this is something else.
    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The string as a text to compare, or nil when this is something else.
    package var text: ByteText? { string.map { ByteText($0) } }

    /// The elements, or nil when this is something else.
    package var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The object, or nil when this is something else.
    package var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The number as a double, rounded where it has more digits than a double holds, or nil when this is no number.
    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .largeInteger(let digits): Double(digits)
        default: nil
        }
    }

    /// The member of that name, or nil when there is none or this is no object.
    package subscript(key: String) -> JSONValue? {
        object?[key]
    }

    /// The element at that index, or nil when there is none or this is no array.
    package subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}
