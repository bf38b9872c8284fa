import GraphQL

/// What the schema declares itself, as it reaches AppSync.
extension APIGenerator {
    mutating func addDeclaredTypes() {
        // In the order of the schema, models among the other types; join models come last.
        let models = models.filter { !$0.isJoin }.map { ($0.position, declaredType($0)) }
        let types = blueprint.types.map { ($0.position, declaredType($0)) }
        let isOrdered = (models + types).allSatisfy { $0.0.isKnown }
        let all = models + types
        let sorted =
            isOrdered ? all.sorted { ($0.0.source, $0.0.offset) < ($1.0.source, $1.0.offset) } : all
        for (_, type) in sorted { draft.add(type) }
        for model in self.models where model.isJoin { draft.add(declaredType(model)) }
    }

    private func text(_ description: String?) -> StringValue? {
        description.map { StringValue($0, isBlock: true) }
    }

    private func fields(_ fields: [ModelField]) -> [FieldDefinition] {
        fields.map { field in
            FieldDefinition(
                description: text(field.description), name: Name(field.name, at: field.position),
                arguments: field.arguments, type: field.type, directives: field.directives)
        }
    }

    private func declaredType(_ model: Model) -> TypeDefinition {
        .object(
            ObjectTypeDefinition(
                description: text(model.description), name: Name(model.name, at: model.position),
                interfaces: model.interfaces.map { Name($0) }, directives: model.directives,
                fields: fields(model.fields)))
    }

    private func declaredType(_ type: CustomType) -> TypeDefinition {
        let name = Name(type.name, at: type.position)
        let description = text(type.description)
        switch type.kind {
        case .object:
            return .object(
                ObjectTypeDefinition(
                    description: description, name: name, interfaces: type.interfaces.map { Name($0) },
                    directives: type.directives, fields: fields(type.fields)))
        case .interface:
            return .interface(
                InterfaceTypeDefinition(
                    description: description, name: name, interfaces: type.interfaces.map { Name($0) },
                    directives: type.directives, fields: fields(type.fields)))
        case .union:
            return .union(
                UnionTypeDefinition(
                    description: description, name: name, directives: type.directives,
                    members: type.members.map { Name($0) }))
        case .enumeration:
            return .enum(
                EnumTypeDefinition(
                    description: description, name: name, directives: type.directives, values: type.values))
        case .input:
            return .inputObject(
                InputObjectTypeDefinition(
                    description: description, name: name, directives: type.directives, fields: type.inputFields))
        case .scalar:
            return .scalar(ScalarTypeDefinition(description: description, name: name, directives: type.directives))
        }
    }
}
