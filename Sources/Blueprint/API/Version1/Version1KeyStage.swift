import GraphQL

/// What `@key` changes in the API of version 1.
extension APIGenerator {
    mutating func applyVersion1Keys(of model: Model) {
        if model.key.isCustom { applyVersion1PrimaryKey(of: model) }
        for index in model.indexes {
            if let query = index.query { addVersion1Query(query, by: index, of: model) }
            addKeyConditions(for: index.sort, of: model, index: index.name)
        }
    }

    private mutating func applyVersion1PrimaryKey(of model: Model) {
        let roots = blueprint.roots
        let parts = model.key.parts
        if let get = model.operations.get {
            draft.updateField(get, of: roots.query) { field in
                field.arguments = parts.map { InputValueDefinition($0.field, required: $0.typeName) }
            }
        }
        if let list = model.operations.list {
            let key = version1KeyArguments(parts, of: model, index: nil)
            draft.updateField(list, of: roots.query) { field in
                field.arguments =
                    key + field.arguments + [InputValueDefinition("sortDirection", "ModelSortDirection")]
            }
        }
        shapeVersion1Inputs(of: model)
        if !hasVersion1ID(model) { draft.removeField("id", from: model.name) }
        addKeyConditions(for: model.key.sort, of: model, index: nil)
        draft.updateInput(Names.condition(model.name)) { fields in
            fields.removeAll { field in parts.contains { $0.field == field.name.text } }
        }
    }

    /// The partition can be left out, though only a list means something without it.
    private func version1KeyArguments(
        _ parts: [KeyPart], of model: Model, index: String?
    ) -> [InputValueDefinition] {
        guard let partition = parts.first else { return [] }
        return [InputValueDefinition(partition.field, partition.typeName)]
            + sortArgument(Array(parts.dropFirst()), of: model, index: index)
    }

    private mutating func addVersion1Query(_ query: String, by index: ModelIndex, of model: Model) {
        let arguments =
            version1KeyArguments(index.parts, of: model, index: index.name)
            + [InputValueDefinition("sortDirection", "ModelSortDirection")] + Self.version1PageArguments(of: model)
        let field = FieldDefinition(
            query, TypeReference(named: Names.connection(model.name)), arguments: arguments)
        addRootField(field, to: .query, for: model, step: .visit(.primaryKey))
        addVersion1SortDirection()
        addVersion1Filter(of: model)
        addVersion1Page(of: model)
    }

    /// Shapes the inputs of mutations. An input of the author's that has the name of one is shaped too, unless the project
    /// says that those of mutations which the model does not have are left alone.
    private mutating func shapeVersion1Inputs(of model: Model) {
        let operations = model.operations
        func isShaped(_ mutation: String?) -> Bool { !settings.skipOverrideMutationInputTypes || mutation != nil }
        let hasID = hasVersion1ID(model)
        let parts = model.key.parts
        if !hasID, isShaped(operations.create) {
            draft.updateInput(Names.createInput(model.name)) { $0.removeAll { $0.name.text == "id" } }
        }
        if isShaped(operations.update) {
            draft.updateInput(Names.updateInput(model.name)) { fields in
                if !hasID { fields.removeAll { $0.name.text == "id" } }
                for index in fields.indices {
                    let name = fields[index].name.text
                    if parts.contains(where: { $0.field == name }) {
                        fields[index].type = fields[index].type.nonNull
                    } else if name == "id" {
                        fields[index].type = fields[index].type.optional
                    }
                }
            }
        }
        if isShaped(operations.delete) {
            draft.updateInput(Names.deleteInput(model.name)) { fields in
                fields.removeAll { field in
                    parts.contains { $0.field == field.name.text }
                        || (field.name.text == "id" && field.type.name.text == "ID")
                }
                fields = parts.map { InputValueDefinition($0.field, required: $0.typeName) } + fields
            }
        }
    }
}
