import JSON

/// `Int`: 32 bits with a sign. Variables may write it as `1.0` or `"1"`; literals may not. Specification: section 3.5.1.
enum IntScalar {
    static let coercion = ScalarCoercion(
        parseValue: coerce,
        parseLiteral: { value throws(ScalarError) in
            guard case .int(let number) = value, let integer = Int32(number.text) else {
                throw .wrongLiteral(value, "Int")
            }
            return .integer(Int64(integer))
        },
        serialize: coerce)

    @Sendable private static func coerce(_ value: JSONValue) throws(ScalarError) -> JSONValue {
        let integer: Int32? =
            switch value {
            case .integer(let integer): Int32(exactly: integer)
            case .double(let double): integral(double)
            case .string(let text): DecimalText.int32(text)
            default: nil
            }
        guard let integer else { throw .expected("Int", value) }
        return .integer(Int64(integer))
    }

    private static func integral(_ double: Double) -> Int32? {
        guard double >= -2_147_483_648, double <= 2_147_483_647 else { return nil }
        let integer = Int32(double)
        return Double(integer) == double ? integer : nil
    }
}
