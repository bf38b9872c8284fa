import GraphQL

/// The types of the fields by which a single related record is found: scalars that a table has as keys. An enum is none to
/// Amplify, though it may well be in the key itself.
extension SDLReading {
    mutating func checkLinkTypes() {
        guard !schema.enums.isEmpty else { return }
        let added = addedKeyTypes()
        for name in modelOrder {
            for relation in models[name]?.relations ?? [] {
                if relation.kind == .hasOne || relation.kind == .belongsTo {
                    checkLink(relation, added: added)
                } else if relation.kind == .hasMany {
                    checkSort(of: relation)
                }
            }
        }
    }

    private mutating func checkLink(_ relation: Relation, added: [FieldPath: String]) {
        let parts = relation.link == .references ? relation.sourceFields.count : keyCount(of: relation.target)
        // More than one sort field are one text, which has no type of its own.
        let fields = relation.sourceFields.prefix(parts == 2 ? 2 : 1)
        for field in fields {
            let path = FieldPath(type: relation.model, field: field)
            guard let type = declaredType(of: path) ?? added[path] else { continue }
            let place = place(of: relation)
            if schema.isEnum(type) {
                log.error(
                    "Expected scalar and got \(type)", at: place,
                    step: .resolvers(relation.kind == .hasOne ? .hasOne : .belongsTo),
                    hint:
                        "\(relation.model).\(relation.field) finds its record by \(field), which is an enum: let the key of "
                        + "\(relation.target) be a String.")
                return
            }
        }
    }

    /// Many records are listed by the sort field that the relation leaves open, so it has a type that keys have.
    private mutating func checkSort(of relation: Relation) {
        // Several sort fields are one text.
        guard relation.link == .fields, relation.sourceFields.count == 1, relation.sortParts.count == 1,
            let sort = relation.sortParts.first, schema.isEnum(sort.typeName)
        else { return }
        log.error(
            "Expected scalar and got \(sort.typeName)", at: place(of: relation), step: .resolvers(.hasMany),
            hint:
                "\(relation.model).\(relation.field) lists its records by \(sort.field), which is an enum: make it a String, "
                + "or name a field of \(relation.model) for it in fields.")
    }

    private func keyCount(of model: String) -> Int { models[model]?.key.parts.count ?? 1 }

    private func declaredType(of path: FieldPath) -> String? {
        let extended = schema.extensionFields[path.type]?.first { $0.name.text == path.field }
        return (models[path.type]?.field(path.field) ?? extended)?.typeName
    }

    /// The types of the foreign keys that relations add.
    private func addedKeyTypes() -> [FieldPath: String] {
        var types: [FieldPath: String] = [:]
        for name in modelOrder {
            for relation in models[name]?.relations ?? [] {
                for key in relation.keyFields {
                    let path = FieldPath(type: relation.keyOwner, field: key.name)
                    if types[path] == nil { types[path] = key.typeName }
                }
            }
        }
        return types
    }

    /// Where a relation stands in the schema; for one of a join model, the side that it leads to.
    private func place(of relation: Relation) -> Position {
        let written = relationDrafts.first { $0.model == relation.model && $0.field.name.text == relation.field }
        let side = joins[relation.model]?.first { $0.fieldName == relation.field }
        return written?.position ?? side?.directive.position ?? .none
    }
}
