import GraphQL

/// What a model adds to the API: its automatic fields, queries, mutations and subscriptions.
extension APIGenerator {
    mutating func addModel(_ model: Model) {
        draft.addFields(automaticFields(of: model), to: model.name)
        addCustomInputs(for: model.fields)
        checkOperators(of: model)
        addQueries(of: model)
        addMutations(of: model)
        addSubscriptions(of: model)
        if settings.isSynced { addSyncFields(to: model) }
        if model.matrix == nil { admitWithoutRules(model) }
    }

    /// The fields that every record has: its id, and the times of its creation and change.
    func automaticFields(of model: Model) -> [FieldDefinition] {
        [FieldDefinition("id", TypeReference(named: "ID").nonNull)]
            + model.timestamps.names.map { FieldDefinition($0, TypeReference(named: "AWSDateTime").nonNull) }
    }

    // Queries.

    private mutating func addQueries(of model: Model) {
        let operations = model.operations
        let step = DiagnosticLog.Step.schema(.model)
        if let get = operations.get {
            let id = InputValueDefinition("id", required: "ID")
            let field = FieldDefinition(get, TypeReference(named: model.name), arguments: [id])
            addRootField(field, to: .query, for: model, step: step)
        }
        let connection = Names.connection(Names.upper(model.name))
        let page = [
            InputValueDefinition("filter", Names.filter(Names.upper(model.name))),
            InputValueDefinition("limit", "Int"), InputValueDefinition("nextToken", "String"),
        ]
        if let list = operations.list {
            addConnection(connection, of: model)
            addEnumFilters(of: model)
            addFilter(of: model)
            let field = FieldDefinition(list, TypeReference(named: connection), arguments: page)
            addRootField(field, to: .query, for: model, step: step)
        }
        if let sync = operations.sync {
            addConnection(connection, of: model)
            addFilter(of: model)
            let arguments = page + [InputValueDefinition("lastSync", "AWSTimestamp")]
            let field = FieldDefinition(sync, TypeReference(named: connection), arguments: arguments)
            addRootField(field, to: .query, for: model, step: step)
        }
        checkDistinct([operations.get, operations.list, operations.sync].compactMap { $0 }, of: .query, for: model)
    }

    private mutating func addConnection(_ name: String, of model: Model) {
        var fields = Self.connectionFields(of: model.name)
        if settings.isSynced { fields.append(FieldDefinition("startedAt", TypeReference(named: "AWSTimestamp"))) }
        draft.addObject(name, fields)
    }

    static func connectionFields(of model: String) -> [FieldDefinition] {
        [
            FieldDefinition("items", TypeReference(named: model).list.nonNull),
            FieldDefinition("nextToken", TypeReference(named: "String")),
        ]
    }

    // Mutations.

    private mutating func addMutations(of model: Model) {
        let operations = model.operations
        for (name, kind) in [
            (operations.create, MutationKind.create), (operations.update, .update), (operations.delete, .delete),
        ] {
            guard let name else { continue }
            addEnumFilters(of: model)
            addCondition(of: model)
            let input = addInput(for: kind, of: model)
            let arguments = [
                InputValueDefinition("input", required: input),
                InputValueDefinition("condition", Names.condition(Names.upper(model.name))),
            ]
            let field = FieldDefinition(name, TypeReference(named: model.name), arguments: arguments)
            addRootField(field, to: .mutation, for: model, step: .schema(.model))
        }
        let names = [operations.create, operations.update, operations.delete].compactMap { $0 }
        checkDistinct(names, of: .mutation, for: model)
    }

    // Subscriptions.

    private mutating func addSubscriptions(of model: Model) {
        let subscriptions = model.operations.subscriptions
        guard !subscriptions.isEmpty else { return }
        addEnumFilters(of: model)
        addSubscriptionFilter(of: model)
        var added: [String] = []
        for (name, _) in subscriptions where !added.contains(name) {
            added.append(name)
            let sources = subscriptions.filter { $0.name == name }.map { Value.string(StringValue($0.mutation)) }
            let listen = Directive(
                name: "aws_subscribe", arguments: [Argument(name: "mutations", value: .list(ListValue(sources)))])
            let filter = InputValueDefinition("filter", Names.subscriptionFilter(model.name))
            let field = FieldDefinition(
                name, TypeReference(named: model.name), arguments: [filter], directives: [listen])
            addRootField(field, to: .subscription, for: model, step: .schema(.model))
        }
        checkDistinct(subscriptions.map(\.name), of: .subscription, for: model)
    }

    /// A field has one resolver, so two operations of a model cannot share a name.
    private mutating func checkDistinct(_ names: [String], of operation: OperationType, for model: Model) {
        // A few names: comparing them is faster than hashing.
        guard let twin = names.indices.first(where: { names[..<$0].contains(names[$0]) }).map({ names[$0] }) else {
            return
        }
        let type = Names.upper(operation.rawValue)
        log.error(
            "A resolver for typeName \(type) fieldName: \(twin) already exists", at: model.position,
            step: .resolvers(.model), hint: "Give each operation of \(model.name) a name of its own.")
    }

    // Conflict detection.

    mutating func addSyncFields(to model: Model) {
        let fields = [
            FieldDefinition("_version", TypeReference(named: "Int").nonNull),
            FieldDefinition("_deleted", TypeReference(named: "Boolean")),
            FieldDefinition("_lastChangedAt", TypeReference(named: "AWSTimestamp").nonNull),
        ]
        for field in fields { checkIsFree(field.name.text, of: model, in: model.name) }
        draft.addFields(fields, to: model.name)
    }

    /// Says that a model declares a field whose name the API needs for itself.
    mutating func checkIsFree(_ field: String, of model: Model, in type: String) {
        guard let declared = model.field(named: field) else { return }
        log.error(
            "type \(type) has already a field with name \(field)", at: declared.position, step: .schema(.model),
            hint: "With conflict detection AppSync adds \(field) itself: remove it here.")
    }
}
