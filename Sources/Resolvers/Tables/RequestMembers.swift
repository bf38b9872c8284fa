import JSON

/// The members of what a handler has returned. Null is as good as missing.
package struct RequestMembers: Sendable {
    let object: JSONObject
    /// Where they stand: `transactItems][0`.
    private let path: String

    package init(_ value: JSONValue) throws(ResolverError) {
        guard let object = value.object else {
            throw .template("The request must be a JSON object, but it is \(value.kind).")
        }
        self.init(object, at: "")
    }

    package init(_ object: JSONObject, at path: String) {
        self.object = object
        self.path = path
    }

    /// The place of a member, as AppSync's messages have it between brackets: `update][expression`.
    func place(_ name: String) -> String { path.isEmpty ? name : "\(path)][\(name)" }

    package func value(_ name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    private func mismatch(_ name: String, _ wanted: String, _ value: JSONValue) -> ResolverError {
        .template("Expected \(wanted) for field '$[\(place(name))]', but it is \(value.kind).")
    }

    package func text(_ name: String, isRequired: Bool = false) throws(ResolverError) -> String? {
        guard let value = value(name) else {
            if isRequired { throw .missing(place(name)) }
            return nil
        }
        guard let text = value.string else { throw mismatch(name, "a string", value) }
        return text
    }

    package func bool(_ name: String) throws(ResolverError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let bool = value.bool else { throw mismatch(name, "a boolean", value) }
        return bool
    }

    package func integer(_ name: String) throws(ResolverError) -> Int64? {
        guard let value = value(name) else { return nil }
        if let integer = value.integer { return integer }
        // JavaScript's numbers know no kinds.
        if case .double(let double) = value, let integer = Int64(exactly: double) { return integer }
        throw mismatch(name, "an integer", value)
    }

    package func object(_ name: String) throws(ResolverError) -> JSONObject? {
        guard let value = value(name) else { return nil }
        guard let object = value.object else { throw mismatch(name, "an object", value) }
        return object
    }

    package func required(_ name: String) throws(ResolverError) -> JSONObject {
        guard let object = try object(name) else { throw .missing(place(name)) }
        return object
    }

    package func list(_ name: String) throws(ResolverError) -> [JSONValue] {
        guard let value = value(name) else { throw .missing(place(name)) }
        guard let list = value.array else { throw mismatch(name, "a list", value) }
        return list
    }

    /// An expression, or its text as JSON: what `util.transform.toDynamoDBFilterExpression` gives works as it is.
    func expression(_ name: String) throws(ResolverError) -> RequestMembers? {
        guard let value = value(name) else { return nil }
        if let text = value.string {
            guard let read = try? JSONReader.value(of: Array(text.utf8)), let object = read.object else {
                throw mismatch(name, "an expression", value)
            }
            return RequestMembers(object, at: place(name))
        }
        guard let object = value.object else { throw mismatch(name, "an expression", value) }
        return RequestMembers(object, at: place(name))
    }

    /// The typed values of a member.
    func typed(_ object: JSONObject, of name: String) throws(ResolverError) -> JSONObject {
        do throws(TypedValues.Fault) {
            return try TypedValues.typed(object)
        } catch {
            throw error.error(at: place(name))
        }
    }

    func members(_ object: JSONObject, of name: String) -> RequestMembers { RequestMembers(object, at: place(name)) }
}
