import JSON

/// `ID`: a string or an integer on the way in, always a string on the way out. Specification: section 3.5.5.
enum IDScalar {
    static let coercion = ScalarCoercion(
        parseValue: coerce,
        parseLiteral: { value throws(ScalarError) in
            switch value {
            case .string(let text): return .string(text.value)
            case .int(let number): return .string(number.text)
            default: throw .wrongLiteral(value, "ID")
            }
        },
        serialize: coerce)

    @Sendable private static func coerce(_ value: JSONValue) throws(ScalarError) -> JSONValue {
        switch value {
        case .string: return value
        case .integer(let integer): return .string(String(integer))
        case .largeInteger(let digits): return .string(digits)
        default: throw .expected("ID", value)
        }
    }
}
