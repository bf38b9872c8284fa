import JSON

/// `AWSJSON`: on the wire a string that holds JSON; inside the value that the text stands for.
///
/// A resolver that gives back such a string, not a value, gets it encoded twice, as in AppSync.
enum AWSJSONScalar {
    static let coercion = ScalarCoercion(
        parseValue: { value throws(ScalarError) in
            guard case .string(let text) = value, let parsed = parsed(text) else {
                throw ScalarError("Unable to parse `\(JavaText.text(of: value))` as a valid JSON.")
            }
            return parsed
        },
        parseLiteral: { value throws(ScalarError) in
            guard case .string(let text) = value, let parsed = parsed(text.value) else {
                throw .wrongLiteral(value, "JSON")
            }
            return parsed
        },
        serialize: { value throws(ScalarError) in .string(JSONWriter.text(of: value)) })

    private static func parsed(_ text: String) -> JSONValue? {
        do {
            return try JSONReader.value(of: text)
        } catch {
            return nil
        }
    }
}
