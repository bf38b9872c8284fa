import GraphQL

/// `@connection` in the API of version 1: pages with their arguments, and keys in the inputs of mutations. These keys are in
/// nothing else.
extension APIGenerator {
    mutating func addVersion1Connection(_ relation: Relation, of model: Model) {
        if relation.kind.isMany, let target = blueprint.target(of: relation) {
            addVersion1List(relation, of: model, to: target)
        }
        for key in relation.keyFields {
            let type = TypeReference(named: key.typeName)
            draft.addInputFields(
                [InputValueDefinition(key.name, of: key.isRequired ? type.nonNull : type)],
                to: Names.createInput(relation.keyOwner))
            draft.addInputFields(
                [InputValueDefinition(key.name, of: type)], to: Names.updateInput(relation.keyOwner))
        }
    }

    private mutating func addVersion1List(_ relation: Relation, of model: Model, to target: Model) {
        addVersion1Page(of: target)
        addVersion1SortDirection()
        addVersion1Filter(of: target)
        if relation.sortParts.count == 1 { addKeyCondition(of: relation.sortParts[0].typeName) }
        let arguments =
            sortArgument(relation.sortParts, of: target, index: relation.indexName)
            + [InputValueDefinition("sortDirection", "ModelSortDirection")]
            + Self.version1PageArguments(of: target)
        draft.updateField(relation.field, of: model.name) { field in
            field.arguments = arguments
            field.type = TypeReference(named: Names.connection(target.name))
        }
    }
}
