extension IntrospectionDraft {
    private static let relations: Set = ["hasOne", "hasMany", "belongsTo"]

    /// Reads the relations of all models, in their order: each may add key fields to either side, and later ones see them.
    mutating func readRelations() {
        for number in models.indices {
            // What relations add is no relation.
            for place in models[number].fields.indices {
                let field = models[number].fields[place]
                guard let directive = field.directives.first(where: { Self.relations.contains($0.name) }),
                    let target = self.number(ofModel: field.type.name)
                else { continue }
                switch directive.name {
                case "hasMany": readHasMany(directive, of: number, at: place, to: target)
                case "hasOne": readHasOne(directive, of: number, at: place, to: target)
                default: readBelongsTo(directive, of: number, at: place, to: target)
                }
            }
            // A field that leads to a model by no relation is in no input, so clients do not see it.
            models[number].fields = models[number].fields.filter { field in
                field.association != nil || self.number(ofModel: field.type.name) == nil
            }
        }
    }

    /// The names of the key fields that a relation adds for a key.
    private func keyFieldNames(_ model: String, _ field: String, for key: [IntrospectedField]) -> [String] {
        key.map { Names.keyField(model, field, $0.name) }
    }

    /// The fields that a relation names itself, unless it names none.
    private func named(_ argument: String, of directive: IntrospectedDirective) -> [String]? {
        directive.texts(argument).flatMap { $0.isEmpty ? nil : $0 }
    }

    // MARK: To many

    private mutating func readHasMany(
        _ directive: IntrospectedDirective, of number: Int, at place: Int, to target: Int
    ) {
        let (model, field) = (models[number], models[number].fields[place])
        var names: [String]
        if let references = named("references", of: directive) {
            names = references
        } else if directive.texts("fields") != nil {
            names = [connectedField(directive, of: model, to: models[target])]
        } else {
            names = []
            for key in model.keyFields {
                let name = Names.keyField(model.name, field.name, key.name)
                names.append(name)
                models[target].add(IntrospectedField(name, IntrospectedUse(key.type.name)))
            }
        }
        models[number].fields[place].association = .hasMany(associatedWith: names)
        if !leadsBack(from: models[target], to: model), (directive.text("indexName") ?? "").isEmpty {
            models[target].addKey(name: Names.relationIndex(model.name, field.name), fields: names)
        }
    }

    /// Returns whether the first field of a model that leads to another belongs to it.
    private func leadsBack(from target: IntrospectedModel, to model: IntrospectedModel) -> Bool {
        target.fields.first { $0.type.name == model.name }?.has("belongsTo") ?? false
    }

    /// The field by which the records of a relation with fields are found: the relation back, if there is one by the same key.
    private func connectedField(
        _ directive: IntrospectedDirective, of model: IntrospectedModel, to target: IntrospectedModel
    ) -> String {
        let index = directive.text("indexName") ?? ""
        let key =
            index.isEmpty
            ? target.uses(of: "primaryKey").first
            : target.uses(of: "index").first { $0.directive.text("name") == index }
        let back = target.fields.filter { $0.type.name == model.name && $0.has("belongsTo") }
        let name = key?.field.name ?? back.first?.name ?? "id"
        return back.first { field in
            field.directives.contains { $0.name == "belongsTo" && $0.texts("fields")?.first == name }
        }?.name ?? name
    }

    // MARK: To one

    private mutating func readHasOne(
        _ directive: IntrospectedDirective, of number: Int, at place: Int, to target: Int
    ) {
        let (model, field, key) = (models[number], models[number].fields[place], models[target].keyFields)
        if let references = named("references", of: directive) {
            models[number].fields[place].association = .hasOne(associatedWith: references, targets: [])
            return
        }
        let names = named("fields", of: directive) ?? keyFieldNames(model.name, field.name, for: key)
        models[number].fields[place].association = .hasOne(associatedWith: key.map(\.name), targets: names)
        addKeyFields(names, for: key, of: field, to: number)
    }

    private mutating func readBelongsTo(
        _ directive: IntrospectedDirective, of number: Int, at place: Int, to target: Int
    ) {
        let (model, field, other) = (models[number], models[number].fields[place], models[target])
        let key = other.keyFields
        var names = (directive.texts("fields") ?? []) + (directive.texts("references") ?? [])
        if names.isEmpty {
            let opposite = other.uses(of: ["hasOne", "hasMany"]).first { use in
                use.field.type.name == model.name && use.field.type.isList == (use.directive.name == "hasMany")
            }?.field
            names =
                if let opposite, opposite.type.isList {
                    keyFieldNames(other.name, opposite.name, for: key)
                } else {
                    keyFieldNames(model.name, field.name, for: key)
                }
        }
        models[number].fields[place].association = .belongsTo(targets: names)
        addKeyFields(names, for: key, of: field, to: number)
    }

    private mutating func addKeyFields(
        _ names: [String], for key: [IntrospectedField], of field: IntrospectedField, to number: Int
    ) {
        for (name, part) in zip(names, key) {
            models[number].add(
                IntrospectedField(name, IntrospectedUse(part.type.name, isNullable: field.type.isNullable)))
        }
    }
}
