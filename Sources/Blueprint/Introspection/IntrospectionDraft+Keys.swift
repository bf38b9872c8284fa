import JSON

extension IntrospectionDraft {
    /// Writes the keys of all models as attributes of theirs.
    mutating func readKeys() {
        for number in models.indices { Self.addKeys(to: &models[number]) }
    }

    static func addKeys(to model: inout IntrospectedModel) {
        if let (field, directive) = model.uses(of: "primaryKey").first {
            model.addKey(fields: [field.name] + (directive.texts("sortKeyFields") ?? []))
        }
        let declared = model
        // The two sides of a join model may be the same field.
        for (number, field) in declared.fields.enumerated()
        where declared.fields[..<number].allSatisfy({ $0.name != field.name }) {
            for directive in field.directives where directive.name == "index" {
                let fields = [field.name] + (directive.texts("sortKeyFields") ?? [])
                model.addKey(
                    name: directive.text("name") ?? Names.indexQuery(model.name, fields: fields),
                    query: directive.arguments["queryField"], fields: fields)
            }
        }
    }
}
extension IntrospectedModel {
    /// - Parameter name: that of an index; the primary key has none.
    /// - Parameter query: the name of its query, as it is written: null says that it has none.
    mutating func addKey(name: String? = nil, query: JSONValue? = nil, fields: [String]) {
        var arguments = JSONObject()
        arguments["name"] = name.map { .string($0) }
        arguments["queryField"] = query
        arguments["fields"] = .array(fields.map { .string($0) })
        directives.append(IntrospectedDirective(name: "key", arguments: arguments))
    }
}
