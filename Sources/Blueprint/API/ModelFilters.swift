import GraphQL

/// The filters of a model: for lists, for conditions of mutations, for subscriptions.
extension APIGenerator {
    mutating func addFilter(of model: Model) {
        let name = Names.filter(Names.upper(model.name))
        guard !draft.hasType(name) else { return }
        var fields = entries(for: model.fields)
        for (field, kind) in addedFilterFields(of: model) {
            fields.append(InputValueDefinition(field, kind.filterName))
        }
        fields += Self.combinations(of: name)
        addDeletedEntry(to: &fields, of: model, in: name)
        draft.addInput(name, fields)
    }

    mutating func addCondition(of model: Model) {
        let name = Names.condition(Names.upper(model.name))
        guard !draft.hasType(name) else { return }
        var fields = entries(for: model.fields)
        fields.removeAll { $0.name.text == "id" && $0.type.name.text == ScalarKind.id.filterName }
        fields += Self.combinations(of: name)
        addDeletedEntry(to: &fields, of: model, in: name)
        let count = fields.count
        for time in model.timestamps.names where !fields[..<count].contains(where: { $0.name.text == time }) {
            fields.append(InputValueDefinition(time, ScalarKind.string.filterName))
        }
        draft.addInput(name, fields)
    }

    mutating func addSubscriptionFilter(of model: Model) {
        let name = Names.subscriptionFilter(model.name)
        guard !draft.hasType(name) else { return }
        var fields: [InputValueDefinition] = []
        fields.reserveCapacity(model.fields.count + 8)
        for number in model.fields.indices where isFilterable(model.fields[number]) {
            let kind = model.fields[number].scalar ?? .string
            fields.append(InputValueDefinition(model.fields[number].name, kind.subscriptionFilterName))
        }
        for (field, kind) in addedFilterFields(of: model) {
            fields.append(InputValueDefinition(field, kind.subscriptionFilterName))
        }
        fields.append(InputValueDefinition("and", list: name))
        fields.append(InputValueDefinition("or", list: name))
        addDeletedEntry(to: &fields, of: model, in: name)
        draft.addInput(name, fields)
    }

    /// The automatic fields that a model does not declare, as filters see them. A filter has an id even where a custom
    /// key takes it out of the type; a model of an SQL database has nothing but what it declares.
    private func addedFilterFields(of model: Model) -> [(name: String, kind: ScalarKind)] {
        guard !model.isSQL else { return [] }
        let id = model.hasField(named: "id") ? [] : [("id", ScalarKind.id)]
        return id + model.timestamps.names.filter { !model.hasField(named: $0) }.map { ($0, .string) }
    }

    /// One entry for each field that holds scalars or enums. By number, so that no field is copied.
    private func entries(for fields: [ModelField]) -> [InputValueDefinition] {
        var entries: [InputValueDefinition] = []
        entries.reserveCapacity(fields.count + 8)
        for number in fields.indices {
            if let kind = fields[number].scalar {
                entries.append(InputValueDefinition(fields[number].name, kind.filterName))
            } else if blueprint.isEnum(fields[number].typeName) {
                let type = fields[number].typeName
                let filter = fields[number].isFilteredAsList ? Names.listFilter(type) : Names.scalarFilter(type)
                entries.append(InputValueDefinition(fields[number].name, filter))
            }
        }
        return entries
    }

    static func combinations(of name: String) -> [InputValueDefinition] {
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
        let fields = model.fields.filter { !$0.isExtension && isFilterable($0) }
            .map { field in
                let isEnumList = listsOfEnums && field.isList && blueprint.isEnum(field.typeName)
                let type = isEnumList ? Names.listFilter(field.typeName) : Names.scalarFilter(field.typeName)
                return InputValueDefinition(field.name, type)
            }
        var all = fields + Self.combinations(of: name)
        // A filter that an index makes knows nothing of deleted records.
        if !listsOfEnums, settings.isSynced {
            all.append(InputValueDefinition("_deleted", Names.scalarFilter("Boolean")))
        }
        draft.addInput(name, all)
    }

    /// Says that a field has the name of an operator of filters. The first input in which the two meet is named.
    mutating func checkOperators(of model: Model) {
        let operations = model.operations
        let upper = Names.upper(model.name)
        let input: String
        var operators = ["and", "or", "not"]
        if operations.list != nil || operations.sync != nil {
            input = Names.filter(upper)
        } else if operations.create != nil || operations.update != nil || operations.delete != nil {
            input = Names.condition(upper)
        } else if !operations.subscriptions.isEmpty {
            input = Names.subscriptionFilter(model.name)
            operators.removeLast()
        } else {
            return
        }
        for name in operators {
            guard let field = model.field(named: name), isFilterable(field) else { continue }
            log.error(
                "type \(input) has already a field with name \(name)", at: field.position, step: .schema(.model),
                hint: "Filters combine conditions by \(name): give the field another name.")
            return
        }
    }

    /// The connection that a relation or an index names, where the model itself has made none.
    mutating func addPlainConnection(of model: Model) {
        draft.addObject(Names.connection(model.name), Self.connectionFields(of: model.name))
    }
}
