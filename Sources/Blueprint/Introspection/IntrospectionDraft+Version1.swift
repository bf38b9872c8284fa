/// Schemas for version 1 of the transformer: keys by `@key`, relations by `@connection`.
extension IntrospectionDraft {
    /// What `@key` without a name says; empty when there is none.
    static func version1Key(of model: IntrospectedModel) -> [String] {
        model.directives.first { $0.name == "key" && $0.text("name") == nil }?.texts("fields") ?? []
    }

    /// Reads `@connection` of all models, in their order.
    mutating func readVersion1Connections() {
        for number in models.indices {
            for field in models[number].fields {
                guard let directive = field.directive("connection"), let target = self.number(ofModel: field.type.name)
                else { continue }
                let found = opposite(of: field, directive, in: models[number], models[target])
                let association = connect(field, directive, of: number, to: target, found)
                // Looked for only now: the relation may have taken a field away.
                guard let place = models[number].fields.firstIndex(where: { $0.name == field.name }) else { continue }
                models[number].fields[place].association = association
            }
            models[number].fields = models[number].fields.filter { field in
                field.association != nil || self.number(ofModel: field.type.name) == nil
            }
        }
    }

    /// The field on the other side, where there is one.
    private func opposite(
        of field: IntrospectedField, _ directive: IntrospectedDirective, in model: IntrospectedModel,
        _ target: IntrospectedModel
    ) -> IntrospectedField? {
        if directive.texts("fields") != nil {
            let index = directive.text("keyName")
            let key = target.directives.first { $0.name == "key" && $0.text("name") == index }
            let name = key?.texts("fields")?.first ?? "id"
            return target.fields.first { other in
                other.directives.contains { $0.name == "connection" && $0.texts("fields")?.first == name }
            } ?? target.field(name)
        }
        if let name = directive.text("name") {
            return target.fields.first { other in
                !(model.name == target.name && other.name == field.name)
                    && other.directives.contains { $0.name == "connection" && $0.text("name") == name }
            }
        }
        return target.field(Names.keyField(model.name, field.name, "id"))
    }

    private mutating func connect(
        _ field: IntrospectedField, _ directive: IntrospectedDirective, of number: Int, to target: Int,
        _ opposite: IntrospectedField?
    ) -> IntrospectedField.Association {
        let model = models[number]
        let keyField = directive.texts("fields")?.first ?? Names.keyField(model.name, field.name, "id")
        guard let opposite else {
            guard field.type.isList else { return belongs(number, keyField) }
            let name = Names.keyField(model.name, field.name, "id")
            models[target].add(IntrospectedField(name, IntrospectedUse("ID")))
            return .hasMany(associatedWith: [name])
        }
        if field.type.isList { return .hasMany(associatedWith: [opposite.name]) }
        if opposite.type.isList || !field.type.isNullable && opposite.type.isNullable {
            return belongs(number, keyField)
        }
        return .hasOne(associatedWith: [opposite.name], targets: [keyField])
    }

    /// The key field of a record that belongs to another goes with its relation, unless it is the record's own key.
    private mutating func belongs(_ number: Int, _ keyField: String) -> IntrospectedField.Association {
        if keyField != models[number].key.first { models[number].fields.removeAll { $0.name == keyField } }
        return .belongsTo(targets: [keyField])
    }
}
