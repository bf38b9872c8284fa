/// The names that the API derives from those of models, fields and indexes.
package enum Names {
    /// Subscription fields that the API names itself are cut at this many characters.
    static let subscriptionLengthMax = 50

    /// With the first character in upper case.
    package static func upper(_ name: String) -> String {
        // Nearly all names of types begin so already.
        if let byte = name.utf8.first, byte < 0x80, !(0x61...0x7A).contains(byte) { return name }
        guard let first = name.unicodeScalars.first else { return name }
        return first.properties.uppercaseMapping + String(name.unicodeScalars.dropFirst())
    }

    /// With the first character in lower case.
    package static func lower(_ name: String) -> String {
        if let byte = name.utf8.first, byte < 0x80, !(0x41...0x5A).contains(byte) { return name }
        guard let first = name.unicodeScalars.first else { return name }
        return first.properties.lowercaseMapping + String(name.unicodeScalars.dropFirst())
    }

    /// Joined in camel case: the first part begins in lower case, the others in upper case.
    package static func camel(_ parts: [String]) -> String {
        parts.enumerated().map { $0 == 0 ? lower($1) : upper($1) }.joined()
    }

    /// Without what a name in GraphQL cannot have.
    package static func cleaned(_ text: String) -> String {
        let word = text.unicodeScalars.filter { isLetter($0) || isDigit($0) }
        return String(String.UnicodeScalarView(word.drop { isDigit($0) }))
    }

    /// Returns whether GraphQL takes it for a name.
    package static func isName(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, isLetter(first) else { return false }
        return scalars.allSatisfy { isLetter($0) || isDigit($0) }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || (scalar >= "a" && scalar <= "z") || (scalar >= "A" && scalar <= "Z")
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }

    /// The three parts one after the other. Hot path: a start makes dozens of names for each model.
    private static func joined(_ start: String, _ name: String, _ end: String) -> String {
        // Room for all at once: a text that is made of bytes would be looked through for what is no UTF-8.
        var text = ""
        text.reserveCapacity(start.utf8.count + name.utf8.count + end.utf8.count)
        text.append(start)
        text.append(name)
        text.append(end)
        return text
    }

    // The fields of the root types.

    /// `getPost`, `createPost`, …
    package static func operation(_ verb: String, _ model: String) -> String { verb + upper(model) }

    /// `onCreatePost`; long names end in a digest, so that two of them stay apart.
    package static func subscription(_ event: String, _ model: String) -> String {
        let name = event + upper(model)
        guard name.utf8.count > subscriptionLengthMax else { return name }
        return String(decoding: name.utf8.prefix(45), as: UTF8.self)
            + String(MD5.hexDigest(of: Array(name.utf8)).prefix(5))
    }

    /// `searchPosts`.
    package static func search(_ model: String, plural: (String) -> String = Plural.of) -> String {
        cleaned("search" + plural(upper(model)))
    }

    /// `ordersByRegionAndStatus`: the query of an index, and its name when it has none.
    package static func indexQuery(_ model: String, fields: [String]) -> String {
        lower(Plural.of(model)) + "By" + fields.map(upper).joined(separator: "And")
    }

    // Foreign keys and join models.

    /// `postCommentsId`: the key field that the relation `Post.comments` adds.
    package static func keyField(_ model: String, _ field: String, _ key: String) -> String {
        camel([model, field, key])
    }

    /// The name of the join model of a relation.
    package static func joinModel(_ relation: String) -> String { cleaned(upper(relation)) }

    /// The index that a relation needs and nobody declared.
    package static func relationIndex(_ model: String, _ field: String) -> String { "gsi-\(model).\(field)" }

    // The types that belong to a model. Those that the model itself makes have its name in upper case, those that
    // relations and indexes make have it as it is: a model with a lower case name has both.

    package static func connection(_ model: String) -> String { joined("Model", model, "Connection") }
    package static func filter(_ model: String) -> String { joined("Model", model, "FilterInput") }
    package static func condition(_ model: String) -> String { joined("Model", model, "ConditionInput") }
    package static func subscriptionFilter(_ model: String) -> String {
        joined("ModelSubscription", upper(model), "FilterInput")
    }
    package static func createInput(_ model: String) -> String { joined("Create", upper(model), "Input") }
    package static func updateInput(_ model: String) -> String { joined("Update", upper(model), "Input") }
    package static func deleteInput(_ model: String) -> String { joined("Delete", upper(model), "Input") }
    /// The input for a custom object type.
    package static func customInput(_ type: String) -> String { cleaned(upper(type) + "Input") }

    /// The filter of a scalar or enum: `ModelStringInput`, `ModelStatusInput`.
    package static func scalarFilter(_ type: String) -> String {
        ScalarKind(scalar: type)?.filterName ?? "Model\(type)Input"
    }

    /// The filter of a list of an enum.
    package static func listFilter(_ type: String) -> String {
        "Model\(ScalarKind(scalar: type)?.rawValue ?? type)ListInput"
    }

    /// The filter of a scalar in a subscription; enums are strings there.
    package static func subscriptionScalarFilter(_ type: String) -> String {
        (ScalarKind(scalar: type) ?? .string).subscriptionFilterName
    }

    /// The condition on one sort field; enums are strings there.
    package static func keyCondition(_ type: String) -> String {
        "Model\((ScalarKind(scalar: type) ?? .string).rawValue)KeyConditionInput"
    }

    /// The condition on several sort fields of an index, or of the primary key when there is no index.
    package static func compositeKeyCondition(_ model: String, index: String?) -> String {
        "Model\(model)\(upper(index ?? "Primary"))CompositeKeyConditionInput"
    }

    /// The values in such a condition.
    package static func compositeKey(_ model: String, index: String?) -> String {
        "Model\(model)\(upper(index ?? "Primary"))CompositeKeyInput"
    }
}
