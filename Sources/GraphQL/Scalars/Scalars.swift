import JSON

/// How the scalars that every AppSync API has read and write their values.
package enum Scalars {
    /// The built-in scalars and those of AWS, by name.
    package static let all: [String: ScalarCoercion] = [
        "Int": IntScalar.coercion,
        "Float": FloatScalar.coercion,
        "String": StringScalar.coercion,
        "Boolean": BooleanScalar.coercion,
        "ID": IDScalar.coercion,
        "AWSDate": .text("Date Object") { DateText.isDate($0) },
        "AWSTime": .text("Time Object") { DateText.isTime($0) },
        "AWSDateTime": .text("DateTime Object") { DateText.isDateTime($0) },
        "AWSTimestamp": AWSTimestampScalar.coercion,
        "AWSEmail": .text("email address") { EmailAddress.isValid($0) },
        "AWSJSON": AWSJSONScalar.coercion,
        "AWSURL": .text("URL") { URLText.isValid(Array($0)) },
        "AWSPhone": .text("phone number") { PhoneNumber.isValid($0) },
        "AWSIPAddress": .text("IP address") { IPAddressText.isValid(Array($0)) },
    ]

    /// A scalar that nothing is known about: any value, as it is.
    package static let anything = ScalarCoercion(
        parseValue: { $0 },
        parseLiteral: { value throws(ScalarError) in
            guard let constant = value.constant else { throw ScalarError("Expected a constant value.") }
            return constant
        },
        serialize: { $0 })
}

extension ScalarCoercion {
    /// A scalar whose values are texts of a certain form, and stay as they were written.
    static func text(_ noun: String, _ isValid: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) -> ScalarCoercion
    {
        let check: @Sendable (JSONValue, String) throws(ScalarError) -> JSONValue = { value, verb throws(ScalarError) in
            guard case .string(var text) = value, text.withUTF8({ isValid(UnsafeRawBufferPointer($0)) }) else {
                throw ScalarError("Unable to \(verb) `\(JavaText.text(of: value))` as a valid \(noun).")
            }
            return value
        }
        return ScalarCoercion(
            parseValue: { value throws(ScalarError) in try check(value, "parse") },
            parseLiteral: { value throws(ScalarError) in
                guard case .string(let text) = value else { throw .wrongLiteral(value, noun) }
                return try check(.string(text.value), "parse")
            },
            serialize: { value throws(ScalarError) in try check(value, "serialize") },
            allowsText: isValid)
    }
}

extension ScalarError {
    /// A literal of the wrong kind. Clients never see this text: validation says it its own way.
    static func wrongLiteral(_ value: Value, _ noun: String) -> ScalarError {
        ScalarError("Unable to parse `\(value.printed)` as a valid \(noun).")
    }

    /// A value of the wrong type, in the words of graphql-java.
    static func expected(_ type: String, _ value: JSONValue) -> ScalarError {
        ScalarError("Expected type '\(type)' but was '\(JavaText.className(of: value))'.")
    }
}

extension Value {
    /// What the value means without regard to its type, or nil when there is a variable in it. Enum values are strings.
    package var constant: JSONValue? {
        switch self {
        case .variable: return nil
        case .int(let number): return Int64(number.text).map(JSONValue.integer) ?? .largeInteger(number.text)
        case .float(let number): return Double(number.text).map(JSONValue.double)
        case .string(let string): return .string(string.value)
        case .boolean(let boolean): return .bool(boolean.value)
        case .null: return .null
        case .enum(let name): return .string(name.text)
        case .list(let list):
            var elements: [JSONValue] = []
            for value in list.values {
                guard let element = value.constant else { return nil }
                elements.append(element)
            }
            return .array(elements)
        case .object(let object):
            var members = JSONObject()
            for field in object.fields {
                guard let value = field.value.constant else { return nil }
                members.set(field.name.text, to: value)
            }
            return .object(members)
        }
    }
}
