import GraphQL

/// Relations by `references`: fields of the child point at the primary key of the parent, and both sides name them.
extension SDLReading {
    func checkReferences(_ draft: RelationDraft, owner: DirectiveUse.Owner) throws(DirectiveRefusal) {
        let name = draft.kind.rawValue
        let isChild = draft.kind == .belongsTo
        let parent = isChild ? draft.target : draft.model
        let child = isChild ? draft.model : draft.target
        if draft.kind == .hasMany, draft.directive.text("indexName") != nil {
            throw DirectiveRefusal(
                "Invalid @hasMany directive on \(draft.path) - indexName is not supported with DynamoDB references.",
                hint: "Remove indexName; write overrideIndexName on the @belongsTo to name the index.")
        }
        let keys = keyFields(of: parent)
        guard keys.count == draft.references.count else {
            throw DirectiveRefusal(
                "The number of references provided to @\(name) must match the number of primary keys on \(parent).")
        }
        var references: [FieldDefinition] = []
        for reference in draft.references {
            guard let field = schema.objects[child]?.fields.first(where: { $0.name.text == reference }) else {
                throw DirectiveRefusal(
                    "\(reference) is not a field in \(child)",
                    hint: "Declare it: write \(reference): ID in type \(child).")
            }
            guard schema.isScalarOrEnum(field.type) else {
                throw DirectiveRefusal("All reference fields provided to @\(name) must be scalar or enum fields.")
            }
            guard !field.isList else {
                throw DirectiveRefusal(
                    "The reference field \(child).\(reference) is a list: it cannot hold the key of one \(parent).",
                    hint: "Write \(reference): \(field.typeName).")
            }
            references.append(field)
        }
        try checkIsNullable(draft)
        if !isChild { try checkNullability(of: references, draft) }
        try checkBothSides(draft, parent: parent, child: child, keys: keys, references: references)
    }

    private func checkIsNullable(_ draft: RelationDraft) throws(DirectiveRefusal) {
        let wrapping = draft.field.type.wrapping
        let base = draft.kind == .hasMany ? "[\(draft.target)]" : draft.target
        let start = "@\(draft.kind.rawValue) fields must not be required. Change '\(draft.path): "
        if wrapping.isNonNull { throw DirectiveRefusal("\(start)\(base)!' to '\(draft.path): \(base)'") }
        if wrapping.isList, wrapping.item.isNonNull {
            let item = draft.kind == .hasMany ? "[\(draft.target)!]" : "\(draft.target)!"
            throw DirectiveRefusal("\(start)\(item)' to '\(draft.path): \(base)'")
        }
    }

    private func checkNullability(of references: [FieldDefinition], _ draft: RelationDraft) throws(DirectiveRefusal) {
        let required = references.filter(\.isRequired).map { "'\($0.name)'" }
        let nullable = references.filter { !$0.isRequired }.map { "'\($0.name)'" }
        guard !required.isEmpty, !nullable.isEmpty else { return }
        let list = draft.references.map { "'\($0)'" }.joined(separator: ", ")
        throw DirectiveRefusal(
            """
            Reference fields defined on related type: '\(draft.target)' for \
            @\(draft.kind.rawValue)(references: [\(list)]) \(draft.path) relationship have inconsistent nullability.
            Required fields: \(required.joined(separator: ", "))
            Nullable fields: \(nullable.joined(separator: ", "))
            Update reference fields on type '\(draft.target)' to have consistent nullability \
            -- either all required or all nullable.
            """)
    }

    private func checkBothSides(
        _ draft: RelationDraft, parent: String, child: String, keys: [KeyPart], references: [FieldDefinition]
    ) throws(DirectiveRefusal) {
        guard referencingField(opposite: draft) != nil else {
            let wanted = draft.kind == .belongsTo ? "@hasOne or @hasMany" : "@belongsTo"
            throw DirectiveRefusal(
                "Uni-directional relationships are not supported. Add a \(wanted) field in \(draft.target) to match "
                    + "the @\(draft.kind.rawValue) field \(draft.path), and ensure the number and type of reference "
                    + "fields match the number and type of primary key fields in \(parent).")
        }
        for (key, reference) in zip(keys, references) {
            let isText = ["ID", "String"].contains(key.typeName) && ["ID", "String"].contains(reference.typeName)
            guard isText || key.typeName == reference.typeName else {
                throw DirectiveRefusal(
                    "Type mismatch between primary key field(s) of \(parent) and reference fields of \(child). "
                        + "Type of \(parent).\(key.field) does not match type of \(child).\(reference.name)")
            }
        }
    }

    /// The field on the other side that names the same references.
    func referencingField(opposite draft: RelationDraft) -> (field: FieldDefinition, directive: Directive)? {
        let names = draft.kind == .belongsTo ? ["hasOne", "hasMany"] : ["belongsTo"]
        for field in schema.objects[draft.target]?.fields ?? [] where field.typeName == draft.model {
            guard let directive = field.directives.first(where: { names.contains($0.name.text) }) else { continue }
            if directive.texts("references") == draft.references { return (field, directive) }
        }
        return nil
    }

    /// The fields of a type's primary key as other models repeat it: those that `@primaryKey` names, or `id`, which is an
    /// ID there whatever it is declared as.
    func keyFields(of type: String) -> [KeyPart] { chosenKey(of: type) ?? [.id] }

    /// The same as a model that joins two others repeats it: `id` has its declared type.
    func joinedKeyFields(of type: String) -> [KeyPart] {
        chosenKey(of: type) ?? [schema.objects[type].flatMap { Self.keyPart("id", of: $0) } ?? .id]
    }

    private func chosenKey(of type: String) -> [KeyPart]? {
        guard let object = schema.objects[type] else { return [] }
        for field in object.fields {
            guard let directive = field.directives.first(named: "primaryKey") else { continue }
            let sort = (directive.names("sortKeyFields") ?? []).compactMap { Self.keyPart($0, of: object) }
            return [KeyPart(field: field.name.text, typeName: field.typeName)] + sort
        }
        return nil
    }

    private static func keyPart(_ name: String, of object: ObjectTypeDefinition) -> KeyPart? {
        object.fields.first { $0.name.text == name }.map { KeyPart(field: name, typeName: $0.typeName) }
    }
}
