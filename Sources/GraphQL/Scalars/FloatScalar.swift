import JSON

/// `Float`: a double that is a number. Variables may write it as a string. Specification: section 3.5.2.
enum FloatScalar {
    static let coercion = ScalarCoercion(
        parseValue: coerce,
        parseLiteral: { value throws(ScalarError) in
            switch value {
            case .int(let number), .float(let number):
                guard let double = Double(number.text), double.isFinite else { throw .wrongLiteral(value, "Float") }
                return .double(double)
            default: throw .wrongLiteral(value, "Float")
            }
        },
        serialize: coerce)

    @Sendable private static func coerce(_ value: JSONValue) throws(ScalarError) -> JSONValue {
        let number: Double? =
            switch value {
            case .string(let text): DecimalText.double(text)
            default: value.number
            }
        guard let number, number.isFinite else { throw .expected("Float", value) }
        return .double(number)
    }
}
