import JSON

/// `String`: text. Variables of any kind are turned into text, as Java writes them; literals must be strings.
/// Specification: section 3.5.3.
enum StringScalar {
    static let coercion = ScalarCoercion(
        parseValue: { value throws(ScalarError) in coerce(value) },
        parseLiteral: { value throws(ScalarError) in
            guard case .string(let text) = value else { throw .wrongLiteral(value, "String") }
            return .string(text.value)
        },
        serialize: { value throws(ScalarError) in coerce(value) })

    private static func coerce(_ value: JSONValue) -> JSONValue {
        if case .string = value { value } else { .string(JavaText.text(of: value)) }
    }
}
