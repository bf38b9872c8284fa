import JSON

/// `Boolean`: true or false. In variables, the text "true" in any case is true and all other text false, and every
/// number but zero is true; literals must be booleans. Specification: section 3.5.4.
enum BooleanScalar {
    static let coercion = ScalarCoercion(
        parseValue: coerce,
        parseLiteral: { value throws(ScalarError) in
            guard case .boolean(let boolean) = value else { throw .wrongLiteral(value, "Boolean") }
            return .bool(boolean.value)
        },
        serialize: coerce)

    @Sendable private static func coerce(_ value: JSONValue) throws(ScalarError) -> JSONValue {
        switch value {
        case .bool: return value
        case .string(let text): return .bool(text.lowercased() == "true")
        case .integer(let integer): return .bool(integer != 0)
        case .double(let double): return .bool(double != 0)
        case .largeInteger: return .bool(true)
        case .null, .array, .object: throw .expected("Boolean", value)
        }
    }
}
