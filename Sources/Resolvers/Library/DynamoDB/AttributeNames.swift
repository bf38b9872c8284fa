import JSON

/// The names of attributes in one expression: each has one alias, numbered in the order in which they come.
struct AttributeNames {
    private var members: [JSONObject.Member] = []
    private var aliases: [ByteText: String] = [:]

    /// `#expName_1`
    mutating func alias(of name: String) -> String {
        if let known = aliases[name] { return known }
        let alias = "#expName_\(members.count + 1)"
        aliases[name] = alias
        members.append(.init(key: alias, value: .string(name)))
        return alias
    }

    var object: JSONObject { JSONObject(distinct: members) }
}
