import GraphQL

/// What rules change in the API: owner fields, arguments of subscriptions, and the directives by which AppSync admits
/// the callers of a mode to a type or field.
extension APIGenerator {
    mutating func addAccess() {
        for model in models { removeFromSubscriptionFilter(of: model) }
        var searchModes: ModeSet = []
        for model in models {
            guard let matrix = model.matrix else { continue }
            addOwnerFields(to: model, matrix)
            let modes = modes(of: matrix.roles)
            if model.search != nil { searchModes.formUnion(modes) }
            draft.addDirectives(
                directives(for: modes, withDefault: modes.isEmpty && addsDefault), to: model.name)
            admitToOperations(of: model, matrix)
            admitToHeldTypes(model.name, modes)
            checkKeySizes(of: model)
            checkRequiredFields(of: model, matrix)
        }
        for type in blueprint.types { admitToFields(of: type) }
        if !searchModes.isEmpty {
            for type in Self.aggregateTypes where draft.hasObject(type) {
                draft.addDirectives(directives(for: searchModes, withDefault: false), to: type)
            }
        }
        admitIAMToDeclaredTypes()
    }

    // Owners.

    /// AppSync allows one condition on a field, and for these fields the rules have it.
    private mutating func removeFromSubscriptionFilter(of model: Model) {
        guard let matrix = model.matrix else { return }
        let fields = matrix.roles.filter { !$0.isStatic }.compactMap(\.entity)
        guard !fields.isEmpty else { return }
        draft.updateInput(Names.subscriptionFilter(model.name)) { $0.removeAll { fields.contains($0.name.text) } }
    }

    private mutating func addOwnerFields(to model: Model, _ matrix: AccessMatrix) {
        var seen: Set<String> = []
        let owners = matrix.roles.filter { $0.strategy == .owner }.compactMap(\.entity)
            .filter { seen.insert($0).inserted }
        guard !owners.isEmpty else { return }
        let upper = Names.upper(model.name)
        for input in [Names.filter(upper), Names.condition(upper), Names.subscriptionFilter(model.name)] {
            draft.addInputFields(owners.map { InputValueDefinition($0, ScalarKind.string.filterName) }, to: input)
        }
        draft.addFields(owners.map { FieldDefinition($0, TypeReference(named: "String")) }, to: model.name)
    }

    // Modes.

    /// The modes that roles are for. With IAM access, IAM is always one of them.
    private func modes(of roles: [Role]) -> ModeSet {
        var modes: ModeSet = settings.enableIamAccess ? ModeSet(.iam) : []
        for number in roles.indices { modes.formUnion(ModeSet(roles[number].provider.mode)) }
        return modes
    }

    /// True if what nobody has rules for is open to the default mode, as IAM access would shut it out.
    private var addsDefault: Bool { settings.enableIamAccess && settings.defaultMode != .iam }

    /// The directives that admit modes. The default mode needs one only beside others.
    func directives(for modes: ModeSet, withDefault: Bool) -> [Directive] {
        let usual = settings.defaultMode
        let hasOthers = !modes.subtracting(ModeSet(usual)).isEmpty
        var directives: [Directive] = []
        for mode in AuthMode.allCases {
            let isNamed = mode == usual ? hasOthers && (withDefault || modes.contains(usual)) : modes.contains(mode)
            if isNamed { directives.append(Directive(name: Name(mode.directiveName))) }
        }
        return directives
    }

    private mutating func admitToOperations(of model: Model, _ matrix: AccessMatrix) {
        let operations = model.operations
        let query = blueprint.roots.query
        let mutation = blueprint.roots.mutation
        // Several fields have the same operation, such as the subscriptions.
        var known: [(operation: OperationSet, directives: [Directive])] = []
        func admit(_ field: String?, of type: String, _ operation: OperationSet) {
            guard let field else { return }
            let added =
                known.first { $0.operation == operation }?.directives ?? directives(for: operation, matrix)
            known.append((operation, added))
            self.admit(added, to: field, of: type)
        }
        admit(operations.get, of: query, .get)
        admit(operations.list, of: query, .list)
        admit(operations.sync, of: query, .sync)
        admit(operations.create, of: mutation, .create)
        admit(operations.update, of: mutation, .update)
        admit(operations.delete, of: mutation, .delete)
        for index in model.indexes {
            admit(index.query, of: query, .list)
            admit(index.query, of: query, .get)
        }
        admit(model.search?.name, of: query, .search)
        if operations.level == .on {
            for subscription in operations.subscriptions {
                admit(subscription.name, of: blueprint.roots.subscription, .listen)
            }
            addOwnerArguments(to: model, matrix)
        }
    }

    /// The directives that admit those who have an operation.
    private func directives(for operation: OperationSet, _ matrix: AccessMatrix) -> [Directive] {
        let numbers = operation == .delete ? matrix.roles(withAll: .delete) : matrix.roles(with: operation)
        var modes: ModeSet = settings.enableIamAccess ? ModeSet(.iam) : []
        var hasDefault = false
        for number in numbers {
            let mode = matrix.roles[number].provider.mode
            modes.formUnion(ModeSet(mode))
            if mode == settings.defaultMode { hasDefault = true }
        }
        return directives(for: modes, withDefault: hasDefault || (numbers.isEmpty && addsDefault))
    }

    /// Adds directives to a field and to the type that it returns.
    private mutating func admit(_ directives: [Directive], to field: String, of type: String) {
        guard !directives.isEmpty else { return }
        var returned: String?
        draft.updateField(field, of: type) { field in
            field.directives.add(directives)
            if field.type.wrapping.isNone { returned = field.typeName }
        }
        if let returned { draft.addDirectives(directives, to: returned) }
    }

    /// A subscription takes the owner as an argument, for each owner rule whose field is no list.
    private mutating func addOwnerArguments(to model: Model, _ matrix: AccessMatrix) {
        var owners: [String] = []
        for number in matrix.roles(with: .listen)
        where matrix.roles[number].strategy == .owner && !matrix.roles[number].isEntityList {
            if let entity = matrix.roles[number].entity { owners.append(entity) }
        }
        guard !owners.isEmpty else { return }
        for (name, _) in model.operations.subscriptions {
            draft.updateField(name, of: blueprint.roots.subscription) { field in
                for owner in owners where !field.arguments.contains(where: { $0.name.text == owner }) {
                    field.arguments.append(InputValueDefinition(owner, "String"))
                }
            }
        }
    }

    /// Admits the modes of a model to the types that its fields hold, and to those that these hold.
    private mutating func admitToHeldTypes(_ type: String, _ modes: ModeSet) {
        var waiting = [type]
        while let holder = waiting.popLast() {
            let fields = draft.fields(ofObject: holder)
            for number in fields.indices {
                let held = fields[number].typeName
                guard draft.hasObject(held), !blueprint.hasModel(named: held) else { continue }
                let isNew = admittedTypes[held] == nil
                let known = admittedTypes[held] ?? []
                let added = directives(for: modes, withDefault: !isNew).filter { !known.contains($0.name.text) }
                admittedTypes[held] = known.union(added.map(\.name.text))
                guard isNew || !added.isEmpty else { continue }
                draft.addDirectives(added, to: held)
                waiting.append(held)
            }
        }
    }

    /// Fields of custom types and root types with rules of their own. Only rules that need no record count there.
    private mutating func admitToFields(of type: CustomType) {
        for field in type.fields {
            guard let rules = field.rules else { continue }
            let roles = rules.filter { $0.strategy != .owner && $0.groupsField == nil }
                .flatMap { Role.roles(of: $0, on: type.name, defaultClaim: "", isList: { _ in false }) }
            let added = directives(for: modes(of: roles), withDefault: false)
            draft.updateField(field.name, of: type.name) { $0.directives.add(added) }
        }
    }

    /// Where both sides have rules, Amplify's decide by the whole key of the record that a relation leads to.
    private mutating func checkKeySizes(of model: Model) {
        for relation in model.relations where relation.link == .fields && !relation.kind.isMany {
            guard let target = blueprint.model(named: relation.target), target.matrix != nil,
                relation.sourceFields.count != target.key.parts.count
            else { continue }
            let parts = target.key.parts.map { "\"\($0.field)\"" }.joined(separator: ", ")
            log.error(
                "Invalid @\(relation.kind.rawValue) on \(model.name):\(relation.field). Provided fields do not match the "
                    + "size of primary key(s) for \(target.name)",
                at: model.field(named: relation.field)?.position ?? model.position, step: .resolvers(.auth),
                hint: "Name a field of \(model.name) for each part of the key, which is [\(parts)].")
        }
    }

    /// A restricted field can be null in an answer, so it cannot be required while subscribers are told of changes.
    private mutating func checkRequiredFields(of model: Model, _ matrix: AccessMatrix) {
        guard model.operations.level == .on || model.operations.hasNoSubscriptions else { return }
        let required = draft.fields(ofObject: model.name).filter { $0.type.wrapping.isNonNull }.map(\.name.text)
        let fields = matrix.fields.filter { required.contains($0) && matrix.isRestricted(field: $0) }
        guard let first = fields.first else { return }
        let list = fields.map { "\"\($0)\"" }.joined(separator: ",")
        log.error(
            """
            When using field-level authorization rules you need to add rules to all of the model's required fields \
            with at least read permissions. Found model "\(model.name)" with required fields [\(list)] missing \
            field-level authorization rules.

            For more information visit \
            https://docs.amplify.aws/cli/graphql/authorization-rules/#field-level-authorization-rules
            """, at: model.field(named: first)?.position ?? model.position, step: .resolvers(.auth),
            hint: first == "id"
                ? "Give id rules that let every reader of \(model.name) read it and every creator send it, as in "
                    + "id: ID! @auth(rules: [{ allow: private }])."
                : "Make \(first) nullable, or give it rules that let every reader of \(model.name) read it.")
    }
}
