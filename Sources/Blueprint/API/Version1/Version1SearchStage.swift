import GraphQL

/// `@searchable` in the API of version 1: one order, no aggregates, and the scalars of the definition alone.
extension APIGenerator {
    mutating func addVersion1Search(of model: Model) {
        guard let search = model.search else { return }
        for kind in ScalarKind.allCases { addSearchFilter(of: kind) }
        let name = model.name
        let scalars = model.fields.filter { !$0.isExtension && $0.scalar != nil }
        let filter = "Searchable\(name)FilterInput"
        draft.addInput(
            filter,
            scalars.map { field in
                InputValueDefinition(field.name, "Searchable\((field.scalar ?? .string).rawValue)FilterInput")
            } + Self.combinations(of: filter))
        draft.addEnum("SearchableSortDirection", ["asc", "desc"])
        draft.addEnum("Searchable\(name)SortableFields", scalars.map(\.name))
        draft.addInput(
            "Searchable\(name)SortInput",
            [
                InputValueDefinition("field", "Searchable\(name)SortableFields"),
                InputValueDefinition("direction", "SearchableSortDirection"),
            ])
        let page = "Searchable\(name)Connection"
        draft.addObject(
            page,
            Self.connectionFields(of: name) + [FieldDefinition("total", TypeReference(named: "Int"))])
        let arguments = [
            InputValueDefinition("filter", filter), InputValueDefinition("sort", "Searchable\(name)SortInput"),
            InputValueDefinition("limit", "Int"), InputValueDefinition("nextToken", "String"),
            InputValueDefinition("from", "Int"),
        ]
        let field = FieldDefinition(search.name, TypeReference(named: page), arguments: arguments)
        addRootField(field, to: .query, for: model, step: .visit(.searchable))
    }
}
