import GraphQL

/// `@key`: the primary key of a model, which has no name, and further keys to query by.
extension SDLReading {
    mutating func readVersion1Key(_ use: DirectiveUse) {
        if let message = version1KeyRefusal(use) {
            log.error(message, at: use.position, step: .visit(.primaryKey))
            return
        }
        let type = use.typeName
        let parts = (use.directive.texts("fields") ?? []).compactMap { models[type]?.keyPart($0) }
        guard let partition = parts.first else { return }
        let sort = Array(parts.dropFirst())
        let sortNames = sort.map { "\"\($0.field)\"" }.joined(separator: ", ")
        let sortText = sort.isEmpty ? "" : "sortKeyFields: [\(sortNames)]"
        guard let name = keyName(use.directive) else {
            models[type]?.key = ModelKey(partition: partition, sort: sort, isCustom: true)
            models[type]?.keyPosition = use.position
            log.note(
                "@key on \(type) is read as \(partition.field) @primaryKey\(sort.isEmpty ? "" : "(\(sortText))")",
                at: use.position, step: .visit(.primaryKey))
            return
        }
        let query = use.directive.text("queryField").flatMap { $0.isEmpty ? nil : $0 }
        addIndex(ModelIndex(name: name, partition: partition, sort: sort, query: query), to: type, at: use.position)
        let arguments = ["name: \"\(name)\"", sortText, "queryField: \(query.map { "\"\($0)\"" } ?? "null")"]
        log.note(
            "@key \"\(name)\" on \(type) is read as \(partition.field) @index("
                + arguments.filter { !$0.isEmpty }.joined(separator: ", ") + ")",
            at: use.position, step: .visit(.index))
    }

    private func keyName(_ directive: Directive) -> String? {
        directive.text("name").flatMap { $0.isEmpty ? nil : $0 }
    }

    private func version1KeyRefusal(_ use: DirectiveUse) -> String? {
        let type = use.typeName
        let fields = use.directive.texts("fields") ?? []
        if let message = version1PeerRefusal(use, fields) { return message }
        for name in fields {
            if let message = version1KeyFieldRefusal(name, use) { return message }
        }
        guard models[type] != nil else {
            return "The @key directive may only be added to object definitions annotated with @model."
        }
        return fields.isEmpty ? "@key directives must include at least one field." : nil
    }

    /// What a key may not have in common with the others of its type.
    private func version1PeerRefusal(_ use: DirectiveUse, _ fields: [String]) -> String? {
        let type = use.typeName
        let others = use.owner.directives.filter {
            $0.name.text == "key" && $0.position.offset != use.directive.position.offset
        }
        // Of two alike it is said at the later one.
        func isEarlier(_ other: Directive) -> Bool { other.position.offset < use.directive.position.offset }
        if let name = keyName(use.directive) {
            return others.contains { keyName($0) == name && isEarlier($0) }
                ? "You may only supply one @key with the name '\(name)' on type '\(type)'." : nil
        }
        for other in others {
            guard let name = keyName(other) else {
                if isEarlier(other) { return "You may only supply one primary @key on type '\(type)'." }
                continue
            }
            guard fields.count > 1 || other.texts("fields")?.first != fields.first else {
                return
                    "Invalid @key \"\(name)\". You may not create a @key where the first field in 'fields' is the same "
                    + "as that of the primary @key unless the primary @key has multiple 'fields'. You cannot have a local "
                    + "secondary index without a sort key in the primary index."
            }
        }
        let query = use.directive.text("queryField") ?? ""
        return query.isEmpty ? nil : "You cannot pass 'queryField' to the primary @key on type '\(type)'."
    }

    private func version1KeyFieldRefusal(_ name: String, _ use: DirectiveUse) -> String? {
        let type = use.typeName
        let key = keyName(use.directive)
        guard let field = use.owner.fields.first(where: { $0.name.text == name }) else {
            return "You cannot specify a nonexistent field '\(name)' in @key '\(key ?? "<unnamed>")' on type '\(type)'."
        }
        if let message = sortTypeRefusal(field) { return message }
        guard key != nil || field.isRequired else {
            return "The primary @key on type '\(type)' must reference non-null fields."
        }
        return nil
    }

    /// Why records cannot be in the order of a field.
    func sortTypeRefusal(_ field: FieldDefinition) -> String? {
        guard !schema.isEnum(field.typeName) else { return nil }
        switch ScalarKind(scalar: field.typeName) {
        case .boolean: return "Boolean values cannot be used as sort keys."
        case nil: return "Expected scalar and got \(field.typeName)"
        case .string, .int, .float, .id: return nil
        }
    }
}
