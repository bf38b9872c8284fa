import GraphQL

/// `@connection`, the one relation of version 1, which becomes a `@hasMany`, `@hasOne` or `@belongsTo`.
///
/// With `fields` it looks them up in the other model's key, or in one of its further keys. Without, a key is added: to the
/// other model for a list, to this one for a single record. Two sides of one `name` share the key of the single one. These
/// keys are an ID, and in the inputs of mutations only.
extension SDLReading {
    mutating func readConnection(_ use: DirectiveUse) {
        guard let field = use.field else { return }
        do throws(DirectiveRefusal) {
            let relation = try connection(use, field)
            models[use.typeName]?.relations.append(relation)
            log.note(
                "@connection on \(use.typeName).\(field.name) is read as @\(relation.kind.rawValue) by "
                    + "\(relation.sourceFields.joined(separator: ", "))", at: use.position, step: .visit(.hasMany))
        } catch {
            log.error(error.message, at: use.position, step: .visit(.hasMany), hint: error.hint)
        }
    }

    private mutating func connection(_ use: DirectiveUse, _ field: FieldDefinition) throws(DirectiveRefusal) -> Relation
    {
        guard use.owner.isModel, models[use.typeName] != nil else {
            throw DirectiveRefusal("@connection must be on an @model object type field.")
        }
        guard schema.objects[field.typeName] != nil else {
            throw DirectiveRefusal("Could not find an object type named \(field.typeName).")
        }
        guard let target = models[field.typeName] else {
            throw DirectiveRefusal("Object type \(field.typeName) must be annotated with @model.")
        }
        if use.directive.texts("fields") != nil { return try connectionByFields(use, field, to: target) }
        return try connectionByKey(Connection(use, field, target))
    }

    // With fields: what they are looked up in is the other model's key, or one of its further ones.

    private mutating func connectionByFields(
        _ use: DirectiveUse, _ field: FieldDefinition, to target: ModelDraft
    ) throws(DirectiveRefusal) -> Relation {
        let names = use.directive.texts("fields") ?? []
        guard !names.isEmpty else { throw DirectiveRefusal("No fields passed in to @connection directive.") }
        var fields: [FieldDefinition] = []
        for name in names {
            guard let found = use.owner.fields.first(where: { $0.name.text == name }) else {
                throw DirectiveRefusal("\(name) is not a field in \(use.typeName)")
            }
            guard schema.isScalarOrEnum(found.type), !found.isList else {
                throw DirectiveRefusal("All fields provided to an @connection must be scalar or enum fields.")
            }
            fields.append(found)
        }
        let keyName = use.directive.text("keyName").flatMap { $0.isEmpty ? nil : $0 }
        let key: [KeyPart]
        if let keyName {
            guard let index = target.indexes.first(where: { $0.name == keyName }) else {
                throw DirectiveRefusal("Key \(keyName) does not exist for model \(field.typeName)")
            }
            key = index.parts
        } else {
            key = target.key.parts
        }
        try check(fields, against: key, of: target, at: field)
        if let keyName, !field.isList {
            throw DirectiveRefusal(
                "Connection is to a single object but the keyName \(keyName) was provided which does not reference the "
                    + "default table.")
        }
        return Relation(
            kind: field.isList ? .hasMany : pointsBack(use, field) ? .belongsTo : .hasOne, model: use.typeName,
            field: field.name.text, target: field.typeName,
            lookup: keyName.map { .index($0) } ?? lookup(of: names.count, parts: key, in: field, from: use),
            link: .fields, sourceFields: names, targetFields: key.prefix(names.count).map(\.field),
            limit: connectionLimit(use), isRequired: field.isRequired,
            sortParts: field.isList && names.count < 2 ? Array(key.dropFirst()) : [], indexName: keyName)
    }

    private func check(
        _ fields: [FieldDefinition], against key: [KeyPart], of target: ModelDraft, at field: FieldDefinition
    ) throws(DirectiveRefusal) {
        func declared(_ part: KeyPart) throws(DirectiveRefusal) -> String {
            guard let field = target.field(part.field) else {
                throw DirectiveRefusal(
                    "\(part.field) is not defined in \(target.name).",
                    hint: "Declare it: write \(part.field): \(part.typeName)! in type \(target.name).")
            }
            return field.typeName
        }
        guard let first = fields.first, let partition = key.first else { return }
        let partitionType = try declared(partition)
        guard first.typeName == partitionType else {
            throw DirectiveRefusal("\(first.name) field is not of type \(partitionType)")
        }
        guard fields.count > 1 else { return }
        guard key.count > 1 else { throw DirectiveRefusal("Too many fields passed in to @connection directive.") }
        guard fields.count == key.count else {
            throw DirectiveRefusal(
                "Invalid @connection directive  \(field.name). fields does not accept partial sort key")
        }
        for (sort, part) in zip(fields, key).dropFirst() {
            let type = try declared(part)
            guard sort.typeName == type else {
                throw DirectiveRefusal(
                    "\(sort.name) field is not of type \(type)\(fields.count > 2 ? " arguments" : "")")
            }
        }
    }

    /// What is read for a single record: its key, or the first one of an index where only a part of the key is known.
    private mutating func lookup(
        of count: Int, parts key: [KeyPart], in field: FieldDefinition, from use: DirectiveUse
    ) -> Relation.Lookup {
        guard !field.isList, count < key.count else { return .primaryKey }
        let index = "gsi-\(use.typeName).\(field.name)"
        addConnectionIndex(index, Array(key.prefix(count)), to: field.typeName)
        return .index(index)
    }

    /// Returns whether the other model has a list of this one.
    private func pointsBack(_ use: DirectiveUse, _ field: FieldDefinition) -> Bool {
        (schema.objects[field.typeName]?.fields ?? []).contains {
            $0.isList && $0.typeName == use.typeName && $0.directives.contains(named: "connection")
        }
    }

    private func connectionLimit(_ use: DirectiveUse) -> Int { use.directive.integer("limit") ?? Relation.limitDefault }

    private mutating func addConnectionIndex(_ name: String, _ fields: [KeyPart], to model: String) {
        guard let partition = fields.first else { return }
        models[model]?.relationIndexes.append(
            ModelIndex(name: name, partition: partition, sort: Array(fields.dropFirst())))
    }

    // Without fields: by a key that is added.

    /// A connection by a key, with what is on its other side.
    private struct Connection {
        let use: DirectiveUse
        let field: FieldDefinition
        let target: ModelDraft
        let name: String?
        /// The other side of the same name.
        let other: FieldDefinition?

        init(_ use: DirectiveUse, _ field: FieldDefinition, _ target: ModelDraft) {
            self.use = use
            self.field = field
            self.target = target
            let name = use.directive.text("name").flatMap { $0.isEmpty ? nil : $0 }
            self.name = name
            other = target.definition.fields.first { candidate in
                guard candidate.position.offset != field.position.offset else { return false }
                return name != nil && candidate.directives.first(named: "connection")?.text("name") == name
            }
        }

        var model: String { use.typeName }
        var otherDirective: Directive? { other?.directives.first(named: "connection") }
        /// The other side's field that records are sorted by.
        var otherSort: String? { otherDirective?.text("sortField") }
        var givenKey: String? { use.directive.text("keyField").flatMap { $0.isEmpty ? nil : $0 } }
    }

    private mutating func connectionByKey(_ connection: Connection) throws(DirectiveRefusal) -> Relation {
        let field = connection.field
        if let name = connection.name, connection.other == nil {
            throw DirectiveRefusal(
                "Found one half of connection \"\(name)\" at \(connection.model).\(field.name) but no related field on "
                    + "type \(field.typeName)")
        }
        try checkSort(of: connection)
        if field.isList, connection.other?.isList == true {
            throw DirectiveRefusal(
                "Invalid Connection (\(connection.name ?? "")): Many to Many connections are not yet supported.")
        }
        return field.isList ? try childConnection(connection) : try parentConnection(connection)
    }

    /// Checks the field that the other side sorts by, if this model has it and if that one has it.
    private func checkSort(of connection: Connection) throws(DirectiveRefusal) {
        guard let name = connection.otherSort else { return }
        if let sort = connection.use.owner.fields.first(where: { $0.name.text == name }) {
            guard !sort.isList else {
                throw DirectiveRefusal("sortField \"\(name)\" is a list. It should be a scalar.")
            }
            guard let kind = ScalarKind(scalar: sort.typeName), kind != .boolean else {
                throw DirectiveRefusal(
                    "sortField \"\(name)\" is of type \"\(sort.typeName)\". It should be a scalar that maps to a DynamoDB "
                        + "\"String\", \"Number\", or \"Binary\"")
            }
        }
        guard let foreign = connection.target.field(name) else { return }
        switch ScalarKind(scalar: foreign.typeName) {
        case .boolean: throw DirectiveRefusal("Boolean values cannot be used as sort keys.")
        case nil: throw DirectiveRefusal("Expected scalar and got \(foreign.typeName)")
        case .string, .int, .float, .id: break
        }
    }

    private func checkKeyField(_ name: String, in model: String) throws(DirectiveRefusal) {
        guard let field = models[model]?.field(name) else { return }
        guard field.typeName == "ID" || field.typeName == "String", !field.isList else {
            throw DirectiveRefusal(
                "If you define a field and specify it as a 'keyField', it must be of type 'ID' or 'String'.")
        }
    }

    private mutating func childConnection(_ connection: Connection) throws(DirectiveRefusal) -> Relation {
        let field = connection.field
        let child = field.typeName
        let added = connection.other == nil
        let usual =
            connection.other.map { Names.keyField(child, $0.name.text, "id") }
            ?? Names.keyField(connection.model, field.name.text, "id")
        try checkKeyField(connection.givenKey ?? usual, in: child)
        // The single side says where it keeps the key.
        let name = connection.givenKey ?? connection.otherDirective?.text("keyField") ?? usual
        let key = keyPart(name, of: child)
        let listed = connection.otherSort.flatMap { connection.target.keyPart($0) }
        // Without a condition of its own, the list is in the order that this side asks for.
        let sort =
            listed
            ?? (added ? nil : connection.use.directive.text("sortField").flatMap { connection.target.keyPart($0) })
        let index = "gsi-\(connection.name ?? "\(connection.model).\(field.name)")"
        addConnectionIndex(index, [key] + [sort].compactMap { $0 }, to: child)
        return Relation(
            kind: .hasMany, model: connection.model, field: field.name.text, target: child, lookup: .index(index),
            link: .implicit, sourceFields: [models[connection.model]?.key.partition.field ?? "id"],
            targetFields: [name], limit: connectionLimit(connection.use), sortParts: [listed].compactMap { $0 },
            keyFields: added ? [KeyField(name: name, typeName: "ID", isRequired: false)] : [])
    }

    private mutating func parentConnection(_ connection: Connection) throws(DirectiveRefusal) -> Relation {
        let field = connection.field
        var sort: String?
        if connection.other?.isList == true {
            if let name = connection.otherSort, !(models[connection.model]?.hasField(name) ?? false) {
                throw DirectiveRefusal(
                    "sortField \"\(name)\" not found on type \"\(connection.model)\", other half of connection "
                        + "\"\(connection.name ?? "")\".")
            }
        } else {
            sort = try parentSort(of: connection)
        }
        let name = connection.givenKey ?? Names.keyField(connection.model, field.name.text, "id")
        try checkKeyField(name, in: connection.model)
        let sources = [name] + [sort].compactMap { $0 }
        let key = connection.target.key.parts
        return Relation(
            kind: pointsBack(connection.use, field) ? .belongsTo : .hasOne, model: connection.model,
            field: field.name.text, target: field.typeName,
            lookup: lookup(of: sources.count, parts: key, in: field, from: connection.use), link: .implicit,
            sourceFields: sources, targetFields: key.prefix(sources.count).map(\.field),
            isRequired: field.isRequired,
            keyFields: [KeyField(name: name, typeName: "ID", isRequired: field.isRequired)])
    }

    /// The field that has the sort key of the record on the other side.
    private func parentSort(of connection: Connection) throws(DirectiveRefusal) -> String? {
        guard let name = connection.use.directive.text("sortField"), !name.isEmpty else { return nil }
        let target = connection.target
        guard target.key.sort.count == 1, let related = target.key.sort.first else {
            throw DirectiveRefusal(
                "sortField \"\(name)\" requires a primary @key on type \"\(target.name)\" with a sort key that was not "
                    + "found.")
        }
        guard let field = models[connection.model]?.field(name) else {
            throw DirectiveRefusal("sortField with name \"\(name) cannot be found on type: \(connection.model)")
        }
        guard field.typeName == related.typeName else {
            throw DirectiveRefusal(
                "sortField \"\(related.field)\" on type \"\(target.name)\" is not matching the type of field \"\(name)\" "
                    + "on type \"\(connection.model)\"")
        }
        return name
    }

    /// A key as the model declares it, or as it is added.
    private func keyPart(_ name: String, of model: String) -> KeyPart {
        models[model]?.keyPart(name) ?? KeyPart(field: name, typeName: "ID")
    }
}
