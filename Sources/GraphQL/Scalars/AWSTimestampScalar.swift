import JSON

/// `AWSTimestamp`: seconds since 1970, as far as Java's calendar reaches.
package enum AWSTimestampScalar {
    package static var range: ClosedRange<Int64> { -31_557_014_167_219_200...31_556_889_864_403_199 }

    static let coercion = ScalarCoercion(
        parseValue: { value throws(ScalarError) in
            guard let checked = checked(value) else {
                throw ScalarError("Unable to parse `\(JavaText.text(of: value))` as a valid timestamp.")
            }
            return checked
        },
        parseLiteral: { value throws(ScalarError) in
            guard case .int(let number) = value, let integer = Int64(number.text), range.contains(integer) else {
                throw .wrongLiteral(value, "timestamp")
            }
            return .integer(integer)
        },
        serialize: { value throws(ScalarError) in
            guard let checked = checked(value) else {
                throw ScalarError(
                    "Unable to serialize `\(JavaText.text(of: value))` as a valid timestamp. Ensure that the value provided is an Integer that lies within the limits specified in this scalar's description."
                )
            }
            return checked
        })

    private static func checked(_ value: JSONValue) -> JSONValue? {
        if case .integer(let integer) = value, range.contains(integer) { value } else { nil }
    }
}
