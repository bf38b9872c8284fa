import JSON

/// The members of a call.
struct ParameterInput {
    private let members: JSONObject

    init(_ body: [UInt8]) throws(ParameterFault) {
        guard !body.isEmpty else {
            members = JSONObject()
            return
        }
        guard let members = Self.value(of: body)?.object else {
            throw ParameterFault("SerializationException", "The request's body is no JSON object.")
        }
        self.members = members
    }

    /// Reads a body; nil: it is no JSON that is read here.
    static func value(of body: [UInt8]) -> JSONValue? {
        let limits = JSONLimits(bytesMax: ParameterLimits.bodyBytesMax, nestingMax: ParameterLimits.bodyNestingMax)
        return try? JSONReader.value(of: body, limits: limits)
    }

    /// A text that must be there.
    func demanded(_ name: String) throws(ParameterFault) -> String {
        guard let text = try text(name), !text.isEmpty else {
            throw .invalid(
                "1 validation error detected: Value at '\(Self.lowered(name))' failed to satisfy constraint: Member must not be null"
            )
        }
        return text
    }

    func text(_ name: String) throws(ParameterFault) -> String? {
        switch members[name] {
        case nil, .null?: return nil
        case .string(let text)?: return text
        default: throw Self.wrong(name, "a string")
        }
    }

    func flag(_ name: String) throws(ParameterFault) -> Bool {
        switch members[name] {
        case nil, .null?: return false
        case .bool(let flag)?: return flag
        default: throw Self.wrong(name, "a boolean")
        }
    }

    func texts(_ name: String) throws(ParameterFault) -> [String]? {
        guard let value = members[name], !value.isNull else { return nil }
        guard let elements = value.array else { throw Self.wrong(name, "a list") }
        let texts = elements.compactMap(\.string)
        guard texts.count == elements.count else { throw Self.wrong(name, "a list of strings") }
        return texts
    }

    func number(_ name: String, from range: ClosedRange<Int64>) throws(ParameterFault) -> Int64? {
        guard let value = members[name], !value.isNull else { return nil }
        guard let number = value.integer else { throw Self.wrong(name, "a number") }
        guard range.contains(number) else {
            let (bound, word) = number < range.lowerBound ? (range.lowerBound, "greater") : (range.upperBound, "less")
            throw .invalid(
                "1 validation error detected: Value '\(number)' at '\(Self.lowered(name))' failed to satisfy constraint: "
                    + "Member must have value \(word) than or equal to \(bound)")
        }
        return number
    }

    func value(_ name: String) -> JSONValue? { members[name].flatMap { $0.isNull ? nil : $0 } }

    private static func wrong(_ name: String, _ kind: String) -> ParameterFault {
        ParameterFault("SerializationException", "\(name) must be \(kind).")
    }

    private static func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }
}
