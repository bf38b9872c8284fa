import GraphQL

/// The inputs of a model's mutations in version 1, and those for the objects that its fields hold.
///
/// They have the fields of the definition alone, and of those only what is stored: scalars, enums and objects that are no
/// models. What an extension adds is not in them, nor are interfaces, unions and scalars of the author's.
extension APIGenerator {
    mutating func addVersion1ObjectInputs(of model: Model) {
        // Without the scalars: only objects have inputs to be added.
        var waiting = model.fields.filter { !$0.isExtension && $0.scalar == nil }
        while let field = waiting.popLast() {
            guard let type = version1Object(in: field) else { continue }
            let name = Names.customInput(type.name)
            guard !draft.hasType(name) else { continue }
            let fields = type.fields.filter(isVersion1Stored)
            draft.addInput(name, fields.map { InputValueDefinition($0.name, of: version1InputType(of: $0)) })
            waiting += type.fields.filter { $0.scalar == nil }
        }
    }

    func version1CreateFields(of model: Model) -> [InputValueDefinition] {
        let stored = version1StoredFields(of: model).map { field in
            let isSet = field.name == "id" ? field.typeName == "ID" : isVersion1Time(field, of: model)
            return InputValueDefinition(field.name, of: isSet ? field.type.optional : version1InputType(of: field))
        }
        return (hasVersion1ID(model) ? [] : [InputValueDefinition("id", "ID")]) + stored + version1Version(of: model)
    }

    func version1UpdateFields(of model: Model) -> [InputValueDefinition] {
        let stored = version1StoredFields(of: model).map { field in
            let type = version1InputType(of: field)
            return InputValueDefinition(field.name, of: field.name == "id" ? type.nonNull : type.optional)
        }
        return (hasVersion1ID(model) ? [] : [InputValueDefinition("id", required: "ID")]) + stored
            + version1Version(of: model)
    }

    func version1DeleteFields(of model: Model) -> [InputValueDefinition] {
        [InputValueDefinition("id", required: "ID")] + version1Version(of: model)
    }

    private func version1Version(of model: Model) -> [InputValueDefinition] {
        model.isSynced ? [InputValueDefinition("_version", "Int")] : []
    }

    /// Returns whether the definition itself declares an id.
    func hasVersion1ID(_ model: Model) -> Bool { model.field(named: "id").map { !$0.isExtension } ?? false }

    /// Returns whether the field is a time that is set when the client does not.
    private func isVersion1Time(_ field: ModelField, of model: Model) -> Bool {
        (field.typeName == "AWSDateTime" || field.typeName == "String") && model.timestamps.contains(field.name)
    }

    private func version1StoredFields(of model: Model) -> [ModelField] {
        model.fields.filter { !$0.isExtension && isVersion1Stored($0) }
    }

    private func isVersion1Stored(_ field: ModelField) -> Bool {
        isFilterable(field) || version1Object(in: field) != nil
    }

    /// The object that a field holds, or holds lists of; nil for another type and for models.
    private func version1Object(in field: ModelField) -> CustomType? {
        guard field.scalar == nil, let type = blueprint.type(named: field.typeName), type.kind == .object else {
            return nil
        }
        return type
    }

    private func version1InputType(of field: ModelField) -> TypeReference {
        guard version1Object(in: field) != nil else { return field.type }
        return TypeReference(Name(Names.customInput(field.typeName)), wrapping: field.type.wrapping)
    }
}
