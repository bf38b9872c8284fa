import GraphQL

/// The filters and conditions of a model in version 1. They compare the fields of the definition, and those alone.
extension APIGenerator {
    mutating func addVersion1Filter(of model: Model) {
        addVersion1SharedFilters(of: model)
        let name = Names.filter(model.name)
        guard !draft.hasType(name) else { return }
        draft.addInput(name, version1Entries(of: model) + Self.combinations(of: name))
    }

    mutating func addVersion1Condition(of model: Model) {
        addVersion1SharedFilters(of: model)
        let name = Names.condition(model.name)
        guard !draft.hasType(name) else { return }
        // A record is found by its id, not by a condition on it.
        let entries = version1Entries(of: model).filter { $0.name.text != "id" }
        draft.addInput(name, entries + Self.combinations(of: name))
    }

    private func version1Entries(of model: Model) -> [InputValueDefinition] {
        model.fields.filter { !$0.isExtension && isFilterable($0) }.map { field in
            if let kind = field.scalar { return InputValueDefinition(field.name, kind.filterName) }
            let type = field.typeName
            return InputValueDefinition(field.name, field.isList ? Names.listFilter(type) : Names.scalarFilter(type))
        }
    }

    /// The filters of scalars, which all models share, and those of the enums that a model holds.
    private mutating func addVersion1SharedFilters(of model: Model) {
        // Each of its operations asks for them.
        guard modelsWithEnumFilters.insert(model.name).isNew else { return }
        addModelFilters()
        for field in model.fields where !field.isExtension && blueprint.isEnum(field.typeName) {
            addEnumFilter(of: field.typeName, isList: field.isList)
        }
    }
}
