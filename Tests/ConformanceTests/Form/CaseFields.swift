import JSON

/// What is wrong with the form of a case.
struct CaseFormError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The members of an object in a case. What is not understood is an error: an expectation must not be passed over.
struct CaseFields {
    let members: JSONObject
    private let place: String

    init(_ value: JSONValue, _ place: String) throws(CaseFormError) {
        guard let object = value.object else {
            throw CaseFormError("\(place) must be an object, and is \(value.kind)")
        }
        members = object
        self.place = place
    }

    func has(_ key: String) -> Bool { members[key] != nil }

    func expectOnly(_ keys: Set<String>) throws(CaseFormError) {
        for key in members.keys where !keys.contains(key) {
            throw CaseFormError("\(place) has a member \(key), which means nothing here")
        }
    }

    func value(_ key: String) throws(CaseFormError) -> JSONValue {
        guard let value = members[key] else { throw CaseFormError("\(place) has no member \(key)") }
        return value
    }

    func text(_ key: String) throws(CaseFormError) -> String {
        guard let text = try value(key).string else { throw wrong(key, "a string") }
        return text
    }

    func text(_ key: String, or other: String) throws(CaseFormError) -> String {
        has(key) ? try text(key) : other
    }

    /// A text, which may be given line by line.
    func lines(_ key: String) throws(CaseFormError) -> String {
        guard let lines = try value(key).array else { return try text(key) }
        return try Self.texts(lines, wrong(key, "a string or strings")).joined(separator: "\n")
    }

    func texts(_ key: String) throws(CaseFormError) -> [String] {
        try Self.texts(array(key), wrong(key, "an array of strings"))
    }

    private static func texts(_ values: [JSONValue], _ error: CaseFormError) throws(CaseFormError) -> [String] {
        let texts = values.compactMap(\.string)
        guard texts.count == values.count else { throw error }
        return texts
    }

    func integer(_ key: String, or other: Int) throws(CaseFormError) -> Int {
        guard has(key) else { return other }
        guard let integer = try value(key).integer else { throw wrong(key, "an integer") }
        return Int(integer)
    }

    func flag(_ key: String, or other: Bool) throws(CaseFormError) -> Bool {
        guard has(key) else { return other }
        guard let flag = try value(key).bool else { throw wrong(key, "a boolean") }
        return flag
    }

    /// An array; empty when there is none.
    func array(_ key: String) throws(CaseFormError) -> [JSONValue] {
        guard has(key) else { return [] }
        guard let array = try value(key).array else { throw wrong(key, "an array") }
        return array
    }

    /// An object; empty when there is none.
    func object(_ key: String) throws(CaseFormError) -> JSONObject {
        guard has(key) else { return JSONObject() }
        guard let object = try value(key).object else { throw wrong(key, "an object") }
        return object
    }

    /// The fields of an object that has to be there.
    func fields(_ key: String) throws(CaseFormError) -> CaseFields {
        try CaseFields(value(key), "\(key) of \(place)")
    }

    /// Each member of an object read by itself.
    func named<Value>(
        _ key: String, _ read: (String, JSONValue) throws(CaseFormError) -> Value
    ) throws(CaseFormError) -> [String: Value] {
        var values: [String: Value] = [:]
        for member in try object(key) { values[member.key] = try read(member.key, member.value) }
        return values
    }

    private func wrong(_ key: String, _ expected: String) -> CaseFormError {
        CaseFormError("\(key) of \(place) must be \(expected), and is \(members[key]?.kind ?? "missing")")
    }
}
