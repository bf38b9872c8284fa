import GraphQL

/// The three mutations of a model.
enum MutationKind {
    case create, update, delete
}

/// The inputs of a model's mutations, and the inputs for custom types that its fields hold.
extension APIGenerator {
    /// Adds the input of a mutation and returns its name.
    mutating func addInput(for kind: MutationKind, of model: Model) -> String {
        let name: String
        var fields: [InputValueDefinition]
        switch kind {
        case .create:
            name = Names.createInput(model.name)
            fields = createFields(of: model)
        case .update:
            name = Names.updateInput(model.name)
            fields = updateFields(of: model)
        case .delete:
            name = Names.deleteInput(model.name)
            fields = [InputValueDefinition("id", required: "ID")]
        }
        if settings.isSynced {
            if kind != .delete { checkIsFree("_version", of: model, in: name) }
            fields.removeAll { $0.name.text == "_version" }
            fields.append(InputValueDefinition("_version", "Int"))
        }
        draft.addInput(name, fields)
        return name
    }

    /// The fields that are stored in the record itself: relations are not. By number, so that no field is copied.
    private func storedFields(of model: Model) -> [InputValueDefinition] {
        var fields: [InputValueDefinition] = []
        fields.reserveCapacity(model.fields.count + 4)
        for number in model.fields.indices {
            let isStored =
                model.fields[number].scalar != nil || !blueprint.hasModel(named: model.fields[number].typeName)
            guard isStored else { continue }
            fields.append(
                InputValueDefinition(model.fields[number].name, of: inputType(of: model.fields[number], isModel: true)))
        }
        return fields
    }

    private func createFields(of model: Model) -> [InputValueDefinition] {
        var fields = storedFields(of: model)
        let id = model.fields.first { $0.name == "id" }
        let isIDGenerated = id?.typeName == "ID" || id?.typeName == "String"
        let hasGenerated = model.fields.contains(where: \.isGenerated)
        for index in fields.indices {
            let name = fields[index].name.text
            let isGenerated =
                isIDGenerated && name == "id" || hasGenerated && model.field(named: name)?.isGenerated == true
            if isGenerated || isAutomatic(fields[index], of: model) {
                fields[index].type = fields[index].type.optional
            }
        }
        return id == nil ? fields + [InputValueDefinition("id", "ID")] : fields
    }

    private func updateFields(of model: Model) -> [InputValueDefinition] {
        var fields = storedFields(of: model)
        for index in fields.indices {
            let isID = fields[index].name.text == "id" && !isAutomatic(fields[index], of: model)
            fields[index].type = isID ? fields[index].type.nonNull : fields[index].type.optional
        }
        return model.hasField(named: "id") ? fields : fields + [InputValueDefinition("id", required: "ID")]
    }

    /// Returns whether a field is a timestamp that is set when the client does not.
    private func isAutomatic(_ field: InputValueDefinition, of model: Model) -> Bool {
        let type = field.type.name.text
        return (type == "AWSDateTime" || type == "String") && model.timestamps.contains(field.name.text)
    }

    /// The type of a field in an input. An object is replaced by its input.
    private func inputType(of field: ModelField, isModel: Bool) -> TypeReference {
        if isModel, Self.isFilledIn(field) { return field.type.optional }
        guard !isFilterable(field) else { return field.type }
        return TypeReference(Name(Names.customInput(field.typeName)), wrapping: field.type.wrapping)
    }

    /// Returns whether a model's field is filled in by its name and type, whatever the names of the timestamps are.
    private static func isFilledIn(_ field: ModelField) -> Bool {
        switch field.name {
        case "id": field.typeName == "ID" && !field.isList
        case "createdAt", "updatedAt":
            (field.typeName == "AWSDateTime" || field.typeName == "String") && !field.isList
        default: false
        }
    }

    /// Adds the inputs for the objects that fields hold, and for what those hold.
    mutating func addCustomInputs(for fields: [ModelField]) {
        // Without the scalars: only objects have inputs to be added.
        var waiting = fields.filter { $0.scalar == nil }
        while let field = waiting.popLast() {
            guard let type = blueprint.type(named: field.typeName), type.kind == .object else { continue }
            let name = Names.customInput(type.name)
            guard !draft.hasType(name) else { continue }
            draft.addInput(
                name, type.fields.map { InputValueDefinition($0.name, of: inputType(of: $0, isModel: false)) })
            waiting += type.fields.filter { $0.scalar == nil }
        }
    }
}
