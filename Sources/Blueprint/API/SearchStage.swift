import GraphQL

/// The search queries of models, with their filters, sorting and aggregates.
extension APIGenerator {
    /// The types that carry aggregates.
    static let aggregateTypes = [
        "SearchableAggregateResult", "SearchableAggregateScalarResult", "SearchableAggregateBucketResult",
        "SearchableAggregateBucketResultItem",
    ]

    mutating func addSearchTypes() {
        for model in models {
            guard let search = model.search else { continue }
            let connection = "Searchable\(model.name)Connection"
            draft.addObject(
                connection,
                Self.connectionFields(of: model.name) + [
                    FieldDefinition("total", TypeReference(named: "Int")),
                    FieldDefinition("aggregateItems", TypeReference(named: "SearchableAggregateResult").list.nonNull),
                ])
            addAggregateTypes()
            let arguments = [
                InputValueDefinition("filter", "Searchable\(model.name)FilterInput"),
                InputValueDefinition("sort", list: "Searchable\(model.name)SortInput"),
                InputValueDefinition("limit", "Int"), InputValueDefinition("nextToken", "String"),
                InputValueDefinition("from", "Int"),
                InputValueDefinition("aggregates", list: "Searchable\(model.name)AggregationInput"),
            ]
            let field = FieldDefinition(
                search.name, TypeReference(named: connection), arguments: arguments,
                directives: model.matrix == nil ? directivesWithoutRules : [])
            addRootField(field, to: .query, for: model, step: .visit(.searchable))
        }
    }

    private mutating func addAggregateTypes() {
        func type(_ name: String) -> TypeReference { TypeReference(named: name) }
        draft.addObject(
            "SearchableAggregateResult",
            [
                FieldDefinition("name", type("String").nonNull),
                FieldDefinition("result", type("SearchableAggregateGenericResult")),
            ])
        draft.addObject("SearchableAggregateScalarResult", [FieldDefinition("value", type("Float").nonNull)])
        draft.addObject(
            "SearchableAggregateBucketResult",
            [FieldDefinition("buckets", type("SearchableAggregateBucketResultItem").list)])
        draft.addObject(
            "SearchableAggregateBucketResultItem",
            [FieldDefinition("key", type("String").nonNull), FieldDefinition("doc_count", type("Int").nonNull)])
        draft.add(
            .union(
                UnionTypeDefinition(
                    name: "SearchableAggregateGenericResult",
                    members: ["SearchableAggregateScalarResult", "SearchableAggregateBucketResult"])))
    }

    mutating func addSearchInputs(of model: Model) {
        for kind in ScalarKind.allCases { addSearchFilter(of: kind) }
        let name = model.name
        let fields = draft.fields(ofObject: name)
        let scalars = fields.filter { ScalarKind.isScalar($0.typeName) }
        let enums = fields.filter { blueprint.isEnum($0.typeName) }
        let filter = "Searchable\(name)FilterInput"
        draft.addInput(
            filter,
            scalars.map { field in
                let kind = ScalarKind(scalar: field.typeName) ?? .string
                return InputValueDefinition(field.name.text, "Searchable\(kind.rawValue)FilterInput")
            }
                + enums.map { InputValueDefinition($0.name.text, "SearchableStringFilterInput") }
                + [
                    InputValueDefinition("and", list: filter), InputValueDefinition("or", list: filter),
                    InputValueDefinition("not", filter),
                ])
        draft.addEnum("SearchableSortDirection", ["asc", "desc"])
        draft.addEnum("Searchable\(name)SortableFields", scalars.map(\.name.text))
        draft.addInput(
            "Searchable\(name)SortInput",
            [
                InputValueDefinition("field", "Searchable\(name)SortableFields"),
                InputValueDefinition("direction", "SearchableSortDirection"),
            ])
        draft.addEnum("SearchableAggregateType", ["terms", "avg", "min", "max", "sum", "cardinality"])
        draft.addEnum(
            "Searchable\(name)AggregateField",
            fields.filter { isFilterable($0.typeName) }.map(\.name.text))
        draft.addInput(
            "Searchable\(name)AggregationInput",
            [
                InputValueDefinition("name", required: "String"),
                InputValueDefinition("type", required: "SearchableAggregateType"),
                InputValueDefinition("field", required: "Searchable\(name)AggregateField"),
            ])
    }

    mutating func addSearchFilter(of kind: ScalarKind) {
        let type = kind.rawValue
        let name = "Searchable\(type)FilterInput"
        func entries(_ names: [String]) -> [InputValueDefinition] { names.map { InputValueDefinition($0, type) } }
        let range = InputValueDefinition("range", list: type)
        switch kind {
        case .string, .id:
            let words = ["match", "matchPhrase", "matchPhrasePrefix", "multiMatch"]
            draft.addInput(
                name,
                entries(["ne", "gt", "lt", "gte", "lte", "eq"] + words)
                    + [InputValueDefinition("exists", "Boolean")] + entries(["wildcard", "regexp"]) + [range])
        case .int, .float: draft.addInput(name, entries(["ne", "gt", "lt", "gte", "lte", "eq"]) + [range])
        case .boolean: draft.addInput(name, entries(["eq", "ne"]))
        }
    }
}
