import GraphQL

/// The inputs and enums that filters and keys share. All but those for keys are in every schema.
extension APIGenerator {
    mutating func addScalarFilters() {
        addModelFilters()
        for kind in [ScalarKind.string, .int, .float, .boolean, .id] {
            draft.addInput("ModelSubscription\(kind.rawValue)Input", Self.subscriptionFilter(of: kind))
        }
        draft.addEnum("ModelSortDirection", ["ASC", "DESC"])
    }

    /// The inputs of which the filters of models consist.
    mutating func addModelFilters() {
        for kind in [ScalarKind.string, .int, .float, .boolean, .id] {
            draft.addInput("Model\(kind.rawValue)Input", Self.filter(of: kind))
        }
        draft.addEnum(
            "ModelAttributeTypes",
            ["binary", "binarySet", "bool", "list", "map", "number", "numberSet", "string", "stringSet", "_null"])
        draft.addInput("ModelSizeInput", Self.comparisons(of: "Int"))
    }

    private static func comparisons(of type: String) -> [InputValueDefinition] {
        ["ne", "eq", "le", "lt", "ge", "gt"].map { InputValueDefinition($0, type) }
            + [InputValueDefinition("between", list: type)]
    }

    private static func textComparisons(of type: String) -> [InputValueDefinition] {
        ["ne", "eq", "le", "lt", "ge", "gt", "contains", "notContains"].map { InputValueDefinition($0, type) }
            + [InputValueDefinition("between", list: type), InputValueDefinition("beginsWith", type)]
    }

    private static func filter(of kind: ScalarKind) -> [InputValueDefinition] {
        let type = kind.rawValue
        let attribute = [
            InputValueDefinition("attributeExists", "Boolean"),
            InputValueDefinition("attributeType", "ModelAttributeTypes"),
        ]
        switch kind {
        case .string, .id:
            return textComparisons(of: type) + attribute + [InputValueDefinition("size", "ModelSizeInput")]
        case .int, .float: return comparisons(of: type) + attribute
        case .boolean: return ["ne", "eq"].map { InputValueDefinition($0, type) } + attribute
        }
    }

    private static func subscriptionFilter(of kind: ScalarKind) -> [InputValueDefinition] {
        let type = kind.rawValue
        let lists = [InputValueDefinition("in", list: type), InputValueDefinition("notIn", list: type)]
        switch kind {
        case .string, .id: return textComparisons(of: type) + lists
        case .int, .float: return comparisons(of: type) + lists
        case .boolean: return ["ne", "eq"].map { InputValueDefinition($0, type) }
        }
    }

    /// The condition on one sort field of that type; added when it is needed.
    mutating func addKeyCondition(of type: String) {
        let kind = ScalarKind(scalar: type) ?? .string
        guard kind != .boolean else { return }
        let name = kind.rawValue
        let isText = kind == .string || kind == .id
        draft.addInput(
            Names.keyCondition(type),
            ["eq", "le", "lt", "ge", "gt"].map { InputValueDefinition($0, name) }
                + [InputValueDefinition("between", list: name)]
                + (isText ? [InputValueDefinition("beginsWith", name)] : []))
    }

    /// The filters for an enum, of single values and of lists, as far as fields of those kinds are there.
    mutating func addEnumFilters(of model: Model) {
        // Each of its operations asks for them.
        guard modelsWithEnumFilters.insert(model.name).isNew else { return }
        let fields = model.fields
        // By number: most fields are not of enums, and need not be copied.
        for number in fields.indices
        where fields[number].scalar == nil && blueprint.isEnum(fields[number].typeName) {
            addEnumFilter(of: fields[number].typeName, isList: fields[number].isFilteredAsList)
        }
    }

    /// The filter for an enum, of single values or of lists; added when it is needed.
    mutating func addEnumFilter(of type: String, isList: Bool) {
        let name = isList ? Names.listFilter(type) : Names.scalarFilter(type)
        guard !draft.hasType(name) else { return }
        guard isList else {
            return draft.addInput(name, [InputValueDefinition("eq", type), InputValueDefinition("ne", type)])
        }
        draft.addInput(
            name,
            [
                InputValueDefinition("eq", list: type), InputValueDefinition("ne", list: type),
                InputValueDefinition("contains", type), InputValueDefinition("notContains", type),
            ])
    }
}
