import GraphQL

/// Relations in the API: connections with their arguments, and the foreign keys that are added for them.
extension APIGenerator {
    mutating func addRelations() {
        for kind in [Relation.Kind.hasMany, .hasOne, .manyToMany, .belongsTo] {
            for model in models {
                for relation in model.relations where relation.kind == kind { add(relation, of: model) }
            }
        }
    }

    private mutating func add(_ relation: Relation, of model: Model) {
        if !relation.keyFields.isEmpty, let owner = blueprint.model(named: relation.keyOwner) {
            addKeyFields(of: relation, to: owner)
        }
        if relation.kind.isMany, let target = blueprint.target(of: relation) {
            addConnection(of: relation, from: model, to: target)
        }
    }

    private mutating func addConnection(of relation: Relation, from model: Model, to target: Model) {
        addPlainConnection(of: target)
        let arguments =
            sortArgument(relation.sortParts, of: target, index: relation.indexName)
            + [
                InputValueDefinition("filter", Names.filter(target.name)),
                InputValueDefinition("sortDirection", "ModelSortDirection"), InputValueDefinition("limit", "Int"),
                InputValueDefinition("nextToken", "String"),
            ]
        let type = TypeReference(named: Names.connection(target.name))
        draft.updateField(relation.field, of: model.name) { field in
            field.arguments = arguments
            field.type = type
        }
        addPlainFilter(of: target, listsOfEnums: false)
        if relation.sortParts.count == 1 { addKeyCondition(of: relation.sortParts[0].typeName) }
    }

    private mutating func addKeyFields(of relation: Relation, to owner: Model) {
        let keys = relation.keyFields
        func type(_ key: KeyField) -> TypeReference {
            let type = TypeReference(named: key.typeName)
            return key.isRequired ? type.nonNull : type
        }
        draft.addInputFields(
            keys.map { InputValueDefinition($0.name, of: type($0)) }, to: Names.createInput(owner.name))
        draft.addInputFields(
            keys.map { InputValueDefinition($0.name, $0.typeName) }, to: Names.updateInput(owner.name))
        draft.addFields(keys.map { FieldDefinition($0.name, type($0)) }, to: owner.name)
        let entries = keys.map { InputValueDefinition($0.name, Names.scalarFilter($0.typeName)) }
        draft.addInputFields(entries, to: Names.filter(Names.upper(owner.name)))
        draft.addInputFields(entries, to: Names.condition(Names.upper(owner.name)))
        // In subscriptions the key of a @hasMany stands in the filter of the parent, which has no such field: a
        // mistake of Amplify's transformer that clients can see.
        draft.addInputFields(
            keys.map { InputValueDefinition($0.name, Names.subscriptionScalarFilter($0.typeName)) },
            to: Names.subscriptionFilter(relation.model))
    }
}
