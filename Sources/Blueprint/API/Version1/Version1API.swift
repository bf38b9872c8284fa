import GraphQL

/// The API that version 1 of the transformer makes.
///
///     models        types, inputs, filters and operations of each model (`Version1ModelStage`, `…Inputs`, `…Filters`)
///     versions      what `@versioned` changes
///     @http         the inputs of calls, as in version 2
///     keys          what a primary key changes, the queries of further ones (`Version1KeyStage`)
///     connections   relations and the keys that they add to inputs (`Version1ConnectionStage`)
///     predictions   the inputs of `@predictions`, as in version 2
///     search        the search queries (`Version1Search`)
///     access        owner fields, arguments of subscriptions, the directives of AppSync's modes (`Version1AccessStage`)
///
/// Version 1 adds a type where it is needed first, names a model's types as the model is written, compares declared
/// fields only, and gives subscriptions no filters.
extension APIGenerator {
    mutating func runVersion1() {
        addDeclaredTypes()
        for model in models { addVersion1Model(model) }
        for model in models { addVersion1Versions(of: model) }
        addHTTPInputs()
        for model in models { applyVersion1Keys(of: model) }
        for model in models {
            for relation in model.relations { addVersion1Connection(relation, of: model) }
        }
        addPredictionInputs()
        for model in models { addVersion1Search(of: model) }
        addVersion1Access()
    }

    private mutating func addVersion1Versions(of model: Model) {
        guard let versioning = model.versioning else { return }
        draft.updateInput(Names.createInput(model.name)) { $0.removeAll { $0.name.text == versioning.field } }
        for input in [Names.deleteInput(model.name), Names.updateInput(model.name)] {
            draft.addInputFields([InputValueDefinition(versioning.input, required: "Int")], to: input)
        }
        draft.addFields([FieldDefinition(versioning.field, TypeReference(named: "Int"))], to: model.name)
        draft.updateField(versioning.field, of: model.name) { $0.type = $0.type.nonNull }
    }
}
