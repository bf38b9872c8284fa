import GraphQL

/// `@connection`, the one relation of the first transformer, which becomes a `@hasMany`, `@hasOne` or `@belongsTo`.
///
/// Its implicit keys are always an ID, and they are in the inputs of mutations only.
extension SDLReading {
    mutating func readConnections() {
        for use in schema.uses["connection"] ?? [] {
            guard let field = use.field else { continue }
            do throws(Refusal) {
                let relation = try connection(use, field)
                add(relation)
                log.note(
                    "@connection on \(use.typeName).\(field.name) is read as @\(relation.kind.rawValue) by "
                        + "\(relation.sourceFields.joined(separator: ", "))", at: use.position, step: .visit(.hasMany))
            } catch {
                log.error(error.message, at: use.position, step: .visit(.hasMany), hint: error.hint)
            }
        }
    }

    private mutating func connection(_ use: DirectiveUse, _ field: FieldDefinition) throws(Refusal) -> Relation {
        guard models[use.typeName] != nil else {
            throw Refusal("@connection must be on an @model object type field.")
        }
        guard models[field.typeName] != nil else {
            throw Refusal("Object type \(field.typeName) must be annotated with @model.")
        }
        if use.directive.has("fields") { return try connectionByFields(use, field) }
        if let name = use.directive.text("name") { return try namedConnection(name, use, field) }
        return field.isList ? childConnection(use, field) : parentConnection(use, field)
    }

    private func connectionLimit(_ use: DirectiveUse) -> Int { use.directive.integer("limit") ?? Relation.limitDefault }

    // With fields: what they are looked up in is the other model's key, or one of its indexes.

    private func connectionByFields(_ use: DirectiveUse, _ field: FieldDefinition) throws(Refusal) -> Relation {
        let fields = use.directive.texts("fields") ?? []
        guard !fields.isEmpty else { throw Refusal("No fields passed in to @connection directive.") }
        var parts: [KeyPart] = []
        for name in fields {
            guard let part = models[use.typeName]?.keyPart(name) else {
                throw Refusal("\(name) is not a field in \(use.typeName)")
            }
            guard ScalarKind.isScalar(part.typeName) || schema.isEnum(part.typeName) else {
                throw Refusal("All fields provided to an @connection must be scalar or enum fields.")
            }
            parts.append(part)
        }
        let keyName = use.directive.text("keyName")
        if let keyName, !field.isList {
            throw Refusal(
                "Connection is to a single object but the keyName \(keyName) was provided which does not reference the "
                    + "default table.")
        }
        let key: [KeyPart]
        if let keyName {
            guard let index = models[field.typeName]?.indexes.first(where: { $0.name == keyName }) else {
                throw Refusal("Key \(keyName) does not exist for model \(field.typeName)")
            }
            key = index.parts
        } else {
            key = models[field.typeName]?.key.parts ?? []
        }
        if let part = parts.first, let partition = key.first, part.typeName != partition.typeName {
            throw Refusal("\(part.field) field is not of type \(partition.typeName)")
        }
        if fields.count > 1 || !field.isList, fields.count != key.count {
            throw Refusal("Invalid @connection directive  \(field.name). fields does not accept partial sort key")
        }
        return Relation(
            kind: field.isList ? .hasMany : pointsBack(use, field) ? .belongsTo : .hasOne, model: use.typeName,
            field: field.name.text, target: field.typeName, lookup: keyName.map { .index($0) } ?? .primaryKey,
            link: .fields, sourceFields: fields, targetFields: key.prefix(fields.count).map(\.field),
            limit: connectionLimit(use), isRequired: field.isRequired,
            sortParts: field.isList && fields.count < 2 ? Array(key.dropFirst()) : [], indexName: keyName)
    }

    /// Whether the other model has a list of this one.
    private func pointsBack(_ use: DirectiveUse, _ field: FieldDefinition) -> Bool {
        (schema.objects[field.typeName]?.fields ?? []).contains {
            $0.isList && $0.typeName == use.typeName && $0.directives.contains(named: "connection")
        }
    }

    // Without anything: a key is added, to the other model for a list, to this one for a single record.

    private mutating func childConnection(_ use: DirectiveUse, _ field: FieldDefinition) -> Relation {
        let key = KeyField(
            name: Names.keyField(use.typeName, field.name.text, "id"), typeName: "ID", isRequired: false)
        let index = "gsi-\(use.typeName).\(field.name)"
        addConnectionIndex(index, [KeyPart(field: key.name, typeName: "ID")], to: field.typeName)
        return Relation(
            kind: .hasMany, model: use.typeName, field: field.name.text, target: field.typeName, lookup: .index(index),
            link: .implicit, sourceFields: [models[use.typeName]?.key.partition.field ?? "id"],
            targetFields: [key.name], limit: connectionLimit(use), keyFields: [key], hasHiddenKeys: true)
    }

    private func parentConnection(_ use: DirectiveUse, _ field: FieldDefinition) -> Relation {
        let key = KeyField(
            name: connectionKey(use.directive, use.typeName, field), typeName: "ID", isRequired: field.isRequired)
        return Relation(
            kind: pointsBack(use, field) ? .belongsTo : .hasOne, model: use.typeName, field: field.name.text,
            target: field.typeName, lookup: .primaryKey, link: .implicit, sourceFields: [key.name],
            targetFields: [models[field.typeName]?.key.partition.field ?? "id"], isRequired: field.isRequired,
            keyFields: [key], hasHiddenKeys: true)
    }

    private func connectionKey(_ directive: Directive, _ model: String, _ field: FieldDefinition) -> String {
        directive.text("keyField") ?? Names.keyField(model, field.name.text, "id")
    }

    // With a name: both sides say it, and the single one holds the key.

    private mutating func namedConnection(
        _ name: String, _ use: DirectiveUse, _ field: FieldDefinition
    ) throws(Refusal) -> Relation {
        let other = (schema.objects[field.typeName]?.fields ?? []).first { candidate in
            candidate.directives.first(named: "connection")?.text("name") == name
                && !(field.typeName == use.typeName && candidate.name.text == field.name.text)
        }
        guard let other else {
            throw Refusal(
                "Found one half of connection \"\(name)\" at \(use.typeName).\(field.name) but no related field on type "
                    + field.typeName)
        }
        guard !field.isList || !other.isList else {
            throw Refusal("Invalid Connection (\(name)): Many to Many connections are not yet supported.")
        }
        guard field.isList else { return parentConnection(use, field) }
        let directive = other.directives.first(named: "connection") ?? use.directive
        let given = use.directive.text("keyField") ?? directive.text("keyField")
        let key = given ?? Names.keyField(field.typeName, other.name.text, "id")
        let sort = (directive.text("sortField") ?? use.directive.text("sortField"))
            .flatMap { models[field.typeName]?.keyPart($0) }
        let index = "gsi-\(name)"
        addConnectionIndex(
            index, [KeyPart(field: key, typeName: "ID")] + [sort].compactMap { $0 }, to: field.typeName)
        return Relation(
            kind: .hasMany, model: use.typeName, field: field.name.text, target: field.typeName, lookup: .index(index),
            link: .implicit, sourceFields: [models[use.typeName]?.key.partition.field ?? "id"], targetFields: [key],
            limit: connectionLimit(use), sortParts: [sort].compactMap { $0 })
    }

    private mutating func addConnectionIndex(_ name: String, _ fields: [KeyPart], to model: String) {
        guard let partition = fields.first else { return }
        models[model]?.relationIndexes.append(
            ModelIndex(name: name, partition: partition, sort: Array(fields.dropFirst())))
    }
}
