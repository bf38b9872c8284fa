import GraphQL

/// What a model adds to the API of version 1: its automatic fields, queries, mutations and subscriptions.
extension APIGenerator {
    mutating func addVersion1Model(_ model: Model) {
        draft.addFields([FieldDefinition("id", TypeReference(named: "ID").nonNull)], to: model.name)
        addVersion1ObjectInputs(of: model)
        addVersion1Queries(of: model)
        addVersion1Mutations(of: model)
        addVersion1Subscriptions(of: model)
        if model.isSynced { addSyncFields(to: model) }
        draft.addFields(
            model.timestamps.names.map { FieldDefinition($0, TypeReference(named: "AWSDateTime").nonNull) },
            to: model.name)
    }

    /// The page of records that lists give; it is made where it is needed first.
    mutating func addVersion1Page(of model: Model, isSynced: Bool = false) {
        var fields = Self.connectionFields(of: model.name)
        if isSynced { fields.append(FieldDefinition("startedAt", TypeReference(named: "AWSTimestamp"))) }
        draft.addObject(Names.connection(model.name), fields)
    }

    mutating func addVersion1SortDirection() { draft.addEnum("ModelSortDirection", ["ASC", "DESC"]) }

    static func version1PageArguments(of model: Model) -> [InputValueDefinition] {
        [
            InputValueDefinition("filter", Names.filter(model.name)), InputValueDefinition("limit", "Int"),
            InputValueDefinition("nextToken", "String"),
        ]
    }

    private mutating func addVersion1Queries(of model: Model) {
        let operations = model.operations
        let page = TypeReference(named: Names.connection(model.name))
        let arguments = Self.version1PageArguments(of: model)
        func add(_ name: String, _ type: TypeReference, _ arguments: [InputValueDefinition]) {
            let field = FieldDefinition(name, type, arguments: arguments)
            addRootField(field, to: .query, for: model, step: .visit(.model))
        }
        if operations.list != nil { addVersion1SortDirection() }
        if let sync = operations.sync {
            addVersion1Page(of: model, isSynced: true)
            addVersion1Filter(of: model)
            add(sync, page, arguments + [InputValueDefinition("lastSync", "AWSTimestamp")])
        }
        if let get = operations.get {
            add(get, TypeReference(named: model.name), [InputValueDefinition("id", required: "ID")])
        }
        if let list = operations.list {
            addVersion1Page(of: model)
            addVersion1Filter(of: model)
            add(list, page, arguments)
        }
    }

    private mutating func addVersion1Mutations(of model: Model) {
        let operations = model.operations
        let mutations: [(String?, String, [InputValueDefinition])] = [
            (operations.create, Names.createInput(model.name), version1CreateFields(of: model)),
            (operations.update, Names.updateInput(model.name), version1UpdateFields(of: model)),
            (operations.delete, Names.deleteInput(model.name), version1DeleteFields(of: model)),
        ]
        for (name, input, fields) in mutations {
            guard let name else { continue }
            addVersion1Condition(of: model)
            draft.addInput(input, fields)
            let arguments = [
                InputValueDefinition("input", required: input),
                InputValueDefinition("condition", Names.condition(model.name)),
            ]
            let field = FieldDefinition(name, TypeReference(named: model.name), arguments: arguments)
            addRootField(field, to: .mutation, for: model, step: .visit(.model))
        }
    }

    /// One subscription can listen to several mutations, and to none when its model lacks the one it is for.
    private mutating func addVersion1Subscriptions(of model: Model) {
        for name in model.operations.subscriptionNames {
            let sources = model.operations.subscriptions.filter { $0.name == name }.map(\.mutation)
            let listen = Directive(
                name: "aws_subscribe",
                arguments: [
                    Argument(
                        name: "mutations",
                        value: .list(ListValue(sources.map { .string(StringValue($0)) })))
                ])
            let field = FieldDefinition(name, TypeReference(named: model.name), directives: [listen])
            addRootField(field, to: .subscription, for: model, step: .visit(.model))
        }
    }
}
