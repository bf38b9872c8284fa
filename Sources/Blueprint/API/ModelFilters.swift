import GraphQL

/// The filters of a model: for lists, for conditions of mutations, for subscriptions.
extension APIGenerator {
    mutating func addFilter(of model: Model) {
        let name = Names.filter(Names.upper(model.name))
        guard !draft.hasType(name) else { return }
        var fields = entries(for: filteredFields(of: model)) + Self.combinations(of: name)
        addDeletedEntry(to: &fields, of: model, in: name)
        draft.addInput(name, fields)
    }

    mutating func addCondition(of model: Model) {
        let name = Names.condition(Names.upper(model.name))
        guard !draft.hasType(name) else { return }
        var fields = entries(for: model.fields).filter { field in
            field.name.text != "id" || field.type.name.text != Names.scalarFilter("ID")
        }
        fields += Self.combinations(of: name)
        addDeletedEntry(to: &fields, of: model, in: name)
        let names = Set(fields.map(\.name.text))
        fields += model.timestamps.names
            .filter { !names.contains($0) }
            .map { InputValueDefinition($0, Names.scalarFilter("String")) }
        draft.addInput(name, fields)
    }

    mutating func addSubscriptionFilter(of model: Model) {
        let name = Names.subscriptionFilter(model.name)
        guard !draft.hasType(name) else { return }
        var fields = filteredFields(of: model)
            .filter { isFilterable($0.typeName) }
            .map { InputValueDefinition($0.name, Names.subscriptionScalarFilter($0.typeName)) }
        fields += [InputValueDefinition("and", list: name), InputValueDefinition("or", list: name)]
        addDeletedEntry(to: &fields, of: model, in: name)
        draft.addInput(name, fields)
    }

    /// One entry for each field that holds scalars or enums.
    private func entries(for fields: [ModelField]) -> [InputValueDefinition] {
        fields
            .filter { isFilterable($0.typeName) }
            .map { field in
                let isEnumList = field.isFilteredAsList && blueprint.isEnum(field.typeName)
                let type = isEnumList ? Names.listFilter(field.typeName) : Names.scalarFilter(field.typeName)
                return InputValueDefinition(field.name, type)
            }
    }

    private static func combinations(of name: String) -> [InputValueDefinition] {
        [
            InputValueDefinition("and", list: name), InputValueDefinition("or", list: name),
            InputValueDefinition("not", name),
        ]
    }

    private mutating func addDeletedEntry(to fields: inout [InputValueDefinition], of model: Model, in type: String) {
        guard settings.isSynced else { return }
        checkIsFree("_deleted", of: model, in: type)
        fields.removeAll { $0.name.text == "_deleted" }
        fields.append(InputValueDefinition("_deleted", Names.scalarFilter("Boolean")))
    }

    /// The filter that a relation or an index names, where the model itself has made none: for models whose names
    /// begin in lower case, and for models without a list query. It knows the fields of the definition only.
    mutating func addPlainFilter(of model: Model, listsOfEnums: Bool) {
        let name = Names.filter(model.name)
        guard !draft.hasType(name) else { return }
        let fields = model.fields.filter { !$0.isExtension && isFilterable($0.typeName) }
            .map { field in
                let isEnumList = listsOfEnums && field.isList && blueprint.isEnum(field.typeName)
                let type = isEnumList ? Names.listFilter(field.typeName) : Names.scalarFilter(field.typeName)
                return InputValueDefinition(field.name, type)
            }
        draft.addInput(name, fields + Self.combinations(of: name))
    }

    /// The connection that a relation or an index names, where the model itself has made none.
    mutating func addPlainConnection(of model: Model) {
        draft.addObject(Names.connection(model.name), Self.connectionFields(of: model.name))
    }
}
