import GraphQL

/// What a custom primary key changes, and the queries of indexes.
extension APIGenerator {
    mutating func applyKey(of model: Model) {
        keyGet(of: model)
        keyList(of: model)
        keyInputs(of: model)
        if model.field(named: "id") == nil { draft.removeField("id", from: model.name) }
        addKeyConditions(for: model.key.sort, of: model, index: nil)
        removeFromCondition(Set(["id"] + model.key.fields), of: model)
    }

    private func requiredKey(_ key: ModelKey) -> [InputValueDefinition] {
        key.parts.map { InputValueDefinition($0.field, required: $0.typeName) }
    }

    private mutating func keyGet(of model: Model) {
        let operations = model.operations
        let usual = operations.hasNoQueries ? Names.operation("get", model.name) : nil
        guard let get = operations.get ?? usual else { return }
        let key = requiredKey(model.key)
        draft.updateField(get, of: blueprint.roots.query) { $0.arguments = key }
    }

    private mutating func keyList(of model: Model) {
        let operations = model.operations
        let usual = operations.hasNoQueries ? "list" + Names.upper(settings.plural(of: model.name)) : nil
        guard let list = operations.list ?? usual else { return }
        // Nobody asks an SQL database for a range of the key, nor for a key that it makes itself.
        if model.isSQL, model.field(named: model.key.partition.field)?.isGenerated == true { return }
        let partition = InputValueDefinition(model.key.partition.field, model.key.partition.typeName)
        let sort = model.isSQL ? [] : sortArgument(model.key.sort, of: model, index: nil)
        draft.updateField(list, of: blueprint.roots.query) { field in
            field.arguments =
                [partition] + sort + field.arguments
                + [InputValueDefinition("sortDirection", "ModelSortDirection")]
        }
    }

    private mutating func keyInputs(of model: Model) {
        let hasID = model.field(named: "id") != nil
        let keys = Set(model.key.fields)
        let operations = model.operations
        if !hasID, operations.create != nil {
            draft.updateInput(Names.createInput(model.name)) { $0.removeAll { $0.name.text == "id" } }
        }
        if operations.update != nil {
            draft.updateInput(Names.updateInput(model.name)) { fields in
                if !hasID { fields.removeAll { $0.name.text == "id" } }
                for index in fields.indices {
                    let name = fields[index].name.text
                    if keys.contains(name) {
                        fields[index].type = fields[index].type.nonNull
                    } else if name == "id" {
                        fields[index].type = fields[index].type.optional
                    }
                }
            }
        }
        if operations.delete != nil {
            let key = requiredKey(model.key)
            draft.updateInput(Names.deleteInput(model.name)) { fields in
                fields.removeAll { keys.contains($0.name.text) || ($0.name.text == "id" && $0.type.name.text == "ID") }
                fields = key + fields
            }
        }
    }

    /// A key is given by itself, not by a condition on the record.
    private mutating func removeFromCondition(_ fields: Set<String>, of model: Model) {
        draft.updateInput(Names.condition(model.name)) { $0.removeAll { fields.contains($0.name.text) } }
    }

    /// The argument that a query by key has for its sort fields: none, a condition on one, or on several together.
    func sortArgument(_ sort: [KeyPart], of model: Model, index: String?) -> [InputValueDefinition] {
        guard let first = sort.first else { return [] }
        guard sort.count > 1 else { return [InputValueDefinition(first.field, Names.keyCondition(first.typeName))] }
        return [
            InputValueDefinition(
                Names.camel(sort.map(\.field)), Names.compositeKeyCondition(model.name, index: index))
        ]
    }

    /// Adds the inputs that such an argument needs.
    mutating func addKeyConditions(for sort: [KeyPart], of model: Model, index: String?) {
        guard let last = sort.last else { return }
        guard sort.count > 1 else { return addKeyCondition(of: last.typeName) }
        let key = Names.compositeKey(model.name, index: index)
        draft.addInput(
            Names.compositeKeyCondition(model.name, index: index),
            ["eq", "le", "lt", "ge", "gt"].map { InputValueDefinition($0, key) }
                + [InputValueDefinition("between", list: key), InputValueDefinition("beginsWith", key)])
        // Only the last part is compared by its text, so only that one is reduced to the scalar behind it.
        let leading = sort.dropLast().map { InputValueDefinition($0.field, $0.typeName) }
        let lastType = ScalarKind(scalar: last.typeName)?.rawValue ?? last.typeName
        draft.addInput(key, leading + [InputValueDefinition(last.field, lastType)])
    }

    // Indexes.

    mutating func addIndex(_ index: ModelIndex, of model: Model) {
        if let query = index.query { addQuery(query, by: index, of: model) }
        addKeyConditions(for: index.sort, of: model, index: index.name)
        removeFromCondition(["id"], of: model)
    }

    private mutating func addQuery(_ query: String, by index: ModelIndex, of model: Model) {
        let arguments =
            [InputValueDefinition(index.argument, required: index.partition.typeName)]
            + sortArgument(index.sort, of: model, index: index.name)
            + [
                InputValueDefinition("sortDirection", "ModelSortDirection"),
                InputValueDefinition("filter", Names.filter(model.name)), InputValueDefinition("limit", "Int"),
                InputValueDefinition("nextToken", "String"),
            ]
        let directives = model.matrix == nil ? directivesWithoutRules : []
        let field = FieldDefinition(
            query, TypeReference(named: Names.connection(model.name)), arguments: arguments, directives: directives)
        addRootField(field, to: .query, for: model, step: .schema(.index))
        addEnumFilters(of: model)
        addPlainFilter(of: model, listsOfEnums: true)
        addPlainConnection(of: model)
    }
}
