import GraphQL

/// Finds out what each relation looks up, and which keys and indexes that takes.
extension SDLReading {
    mutating func resolveRelations() {
        // Amplify adds keys for one kind of relation after the other.
        for kind in [Relation.Kind.hasMany, .hasOne, .belongsTo] {
            for draft in relationDrafts where draft.kind == kind {
                guard models[draft.model] != nil, models[draft.target] != nil else { continue }
                if draft.references.isEmpty { resolveFields(of: draft) } else { resolveReferences(of: draft) }
            }
        }
    }

    /// Adds a relation to its model.
    mutating func add(_ relation: Relation) {
        models[relation.model]?.relations.append(relation)
    }

    private func limit(of draft: RelationDraft) -> Int {
        draft.directive.integer("limit") ?? Relation.limitDefault
    }

    private mutating func resolveReferences(of draft: RelationDraft) {
        let isChild = draft.kind == .belongsTo
        let keys = keyFields(of: isChild ? draft.target : draft.model).map(\.field)
        var lookup = Relation.Lookup.primaryKey
        if !isChild {
            let override = referencingField(opposite: draft)?.directive.text("overrideIndexName")
            let index = override ?? Names.relationIndex(draft.model, draft.field.name.text)
            addReferenceIndex(index, for: draft)
            lookup = .index(index)
        }
        add(
            Relation(
                kind: draft.kind, model: draft.model, field: draft.field.name.text, target: draft.target,
                lookup: lookup, link: .references, sourceFields: isChild ? draft.references : keys,
                targetFields: isChild ? keys : draft.references, limit: limit(of: draft),
                isRequired: draft.field.isRequired))
    }

    private mutating func addReferenceIndex(_ name: String, for draft: RelationDraft) {
        guard let child = models[draft.target] else { return }
        if child.indexes.contains(where: { $0.name == name }) {
            log.error(
                "Global secondary index \(name) defined on \(draft.target) conflicts with the naming convention used "
                    + "to create implicit GSIs for querying relationships. Please rename your @index",
                at: child.indexPositions[name] ?? draft.position, step: .resolvers(draft.transformer))
            return
        }
        addRelationIndex(name, fields: draft.references.compactMap(child.keyPart), to: draft.target)
    }

    private mutating func addRelationIndex(_ name: String, fields: [KeyPart], to model: String) {
        guard let partition = fields.first,
            models[model]?.relationIndexes.contains(where: { $0.name == name }) == false
        else { return }
        models[model]?.relationIndexes.append(
            ModelIndex(name: name, partition: partition, sort: Array(fields.dropFirst())))
    }

    private mutating func resolveFields(of draft: RelationDraft) {
        let indexName = draft.directive.text("indexName").flatMap { $0.isEmpty ? nil : $0 }
        let target: [KeyPart]
        do throws(DirectiveRefusal) {
            target = try lookedUpKey(of: draft, index: indexName)
        } catch {
            log.error(error.message, at: draft.position, step: .schema(draft.transformer), hint: error.hint)
            return
        }
        let sortParts = draft.kind == .hasMany && draft.fields.count < 2 ? Array(target.dropFirst()) : []
        let resolved = draft.fields.isEmpty ? implicitLink(of: draft, index: indexName) : nil
        add(
            Relation(
                kind: draft.kind, model: draft.model, field: draft.field.name.text, target: draft.target,
                lookup: resolved?.lookup ?? indexName.map { .index($0) } ?? .primaryKey,
                link: draft.fields.isEmpty ? .implicit : .fields, sourceFields: resolved?.source ?? draft.fields,
                targetFields: resolved?.target ?? target.prefix(draft.fields.count).map(\.field),
                limit: limit(of: draft), isRequired: draft.field.isRequired, sortParts: sortParts,
                indexName: indexName, keyFields: resolved?.added ?? []))
    }

    /// The key of the other model that a relation looks in, checked against the fields that are given for it.
    private func lookedUpKey(of draft: RelationDraft, index: String?) throws(DirectiveRefusal) -> [KeyPart] {
        guard let related = models[draft.target] else { return [] }
        let key: [KeyPart]
        if let index {
            guard let found = related.indexes.last(where: { $0.name == index && !$0.isNameGenerated }) else {
                let names = related.indexes.filter { !$0.isNameGenerated }.map(\.name)
                let hint = Suggestions.didYouMean(index, among: names)
                throw DirectiveRefusal(
                    "Index \(index) does not exist for model \(draft.target)",
                    hint: hint.isEmpty
                        ? "Add @index(name: \"\(index)\") to the field of \(draft.target) that holds the key."
                        : String(hint.dropFirst()))
            }
            key = found.parts
        } else {
            key = related.key.isCustom ? related.key.parts : [related.keyPart("id") ?? .id]
        }
        let given = draft.fields.compactMap { models[draft.model]?.keyPart($0) }
        guard let first = given.first, let partition = key.first else { return key }
        guard first.typeName == partition.typeName else {
            throw DirectiveRefusal("\(first.field) field is not of type \(partition.typeName)")
        }
        guard given.count > 1 else { return key }
        guard given.count == key.count else {
            throw DirectiveRefusal(
                "Invalid @\(draft.kind.rawValue) directive on \(draft.field.name). Partial sort keys are not accepted.")
        }
        for (field, sort) in zip(given, key).dropFirst() where field.typeName != sort.typeName {
            throw DirectiveRefusal("\(field.field) field is not of type \(sort.typeName)")
        }
        return key
    }

    /// What links two models when nobody names any fields: keys that are added where they are missing.
    private struct ImplicitLink {
        let lookup: Relation.Lookup
        let source: [String]
        let target: [String]
        var added: [KeyField] = []
    }

    private mutating func implicitLink(of draft: RelationDraft, index: String?) -> ImplicitLink {
        let field = draft.field.name.text
        switch draft.kind {
        case .hasMany, .manyToMany:
            let key = keyFields(of: draft.model)
            let added = addedKeyFields(for: draft, repeating: key)
            if let index {
                let target = models[draft.target]?.indexes.last { $0.name == index }?.parts.map(\.field) ?? []
                return ImplicitLink(
                    lookup: .index(index), source: key.map(\.field), target: target, added: added)
            }
            let name = Names.relationIndex(draft.model, field)
            addRelationIndex(
                name, fields: added.map { KeyPart(field: $0.name, typeName: $0.typeName) }, to: draft.target)
            return ImplicitLink(
                lookup: .index(name), source: key.map(\.field), target: added.map(\.name), added: added)
        case .hasOne: return hasOneLink(of: draft)
        case .belongsTo:
            guard let owner = counterpart(of: draft), owner.directives.contains(named: "hasMany") else {
                return hasOneLink(of: draft)
            }
            // It reads the key that the other side's @hasMany adds.
            let key = keyFields(of: draft.target)
            return ImplicitLink(
                lookup: .primaryKey, source: keyFieldNames(draft.target, owner.name.text, key),
                target: key.map(\.field))
        }
    }

    private func hasOneLink(of draft: RelationDraft) -> ImplicitLink {
        let key = keyFields(of: draft.target)
        let added = addedKeyFields(for: draft, repeating: key)
        return ImplicitLink(
            lookup: .primaryKey, source: added.map(\.name), target: key.map(\.field), added: added)
    }

    private func keyFieldNames(_ model: String, _ field: String, _ key: [KeyPart]) -> [String] {
        key.enumerated().map { number, part in
            let isNamedID = number == 0 && !settings.respectPrimaryKeyAttributesOnConnectionField
            return Names.keyField(model, field, isNamedID ? "id" : part.field)
        }
    }

    private func addedKeyFields(for draft: RelationDraft, repeating key: [KeyPart]) -> [KeyField] {
        let names = keyFieldNames(draft.model, draft.field.name.text, key)
        return zip(names, key).enumerated().map { number, pair in
            let isTypedID = number == 0 && !settings.respectPrimaryKeyAttributesOnConnectionField
            return KeyField(
                name: pair.0, typeName: isTypedID ? "ID" : pair.1.typeName, isRequired: draft.field.isRequired)
        }
    }
}
