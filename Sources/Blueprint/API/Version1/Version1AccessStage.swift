import GraphQL

/// What rules change in the API of version 1: owner fields, arguments of subscriptions, and the directives by which AppSync
/// admits the callers of a mode to a type or field.
///
/// An operation that no rule is for has no directive, so it admits the default mode.
extension APIGenerator {
    mutating func addVersion1Access() {
        for model in models {
            if let rules = model.rules { addVersion1Rules(version1Extended(rules), of: model) }
            for field in model.fields {
                guard let rules = field.rules else { continue }
                addVersion1OwnerFields(of: rules, to: model.name)
                draft.addDirectives(
                    version1Directives(rules, addsDefault: hasVersion1Default(model)), to: model.name)
                addVersion1FieldRules(rules, on: field, of: model)
            }
        }
        for type in blueprint.types { addVersion1FieldRules(of: type) }
    }

    // Rules on models.

    private mutating func addVersion1Rules(_ rules: [AccessRule], of model: Model) {
        addVersion1OwnerFields(of: rules, to: model.name)
        addToHeldTypes(of: model.name, rules)
        draft.addDirectives(
            version1Directives(rules, addsDefault: rules.isEmpty && addsVersion1Default), to: model.name)
        let operations = model.operations
        let roots = blueprint.roots
        let reading = rules.filter { $0.operations.isSuperset(of: .indirectRead) }
        for (name, type, operation) in [
            (operations.create, roots.mutation, OperationSet.create), (operations.update, roots.mutation, .update),
            (operations.delete, roots.mutation, .delete), (operations.get, roots.query, .get),
            (operations.list, roots.query, .list), (operations.sync, roots.query, .indirectRead),
            (model.search?.name, roots.query, .indirectRead),
        ] {
            guard let name else { continue }
            let operationRules = rules.filter { $0.operations.isSuperset(of: operation) }
            let asked = operation == .indirectRead ? OperationSet.list : operation
            admit(operationRules, to: name, of: type, addsDefault: hasVersion1Default(model, for: asked))
        }
        admitToConnections(with: model, reading)
        // Their directives follow the list query, also where they are queries of their own.
        if operations.list != nil {
            for index in model.indexes {
                guard let query = index.query else { continue }
                admit(reading, to: query, of: roots.query, addsDefault: addsVersion1Default)
            }
        }
        admitToSubscriptions(of: model, reading)
        removeFromCondition(of: model, rules)
    }

    /// A relation admits those who may read what it leads to, which may be others than the record that it belongs to does.
    private mutating func admitToConnections(with model: Model, _ reading: [AccessRule]) {
        for other in models {
            for relation in other.relations where relation.target == model.name {
                admit(reading, to: relation.field, of: other.name, addsDefault: false)
            }
        }
    }

    private mutating func admitToSubscriptions(of model: Model, _ reading: [AccessRule]) {
        guard model.operations.level == .on, !reading.isEmpty else { return }
        let root = blueprint.roots.subscription
        let directives = version1Directives(reading, addsDefault: hasVersion1Default(model, for: .get))
        let owners = reading.filter { $0.strategy == .owner }
        let checksCallers =
            reading.contains { $0.strategy == .owner || ($0.strategy == .groups && $0.groups != nil) }
            && !reading.contains { $0.provider == .userPools && ($0.strategy == .private || $0.strategy == .public) }
        // Who is no owner has to be let in by another rule, and only those rules count that need no field.
        let isRequired =
            owners.count == 1
            && !reading.contains { rule in
                rule.strategy == .private || rule.strategy == .public
                    || (rule.strategy == .groups && rule.groupsField == nil)
            }
        var arguments: [InputValueDefinition] = []
        for owner in owners.map({ $0.ownerField ?? AccessRule.defaultOwnerField })
        where !arguments.contains(where: { $0.name.text == owner }) {
            let type = TypeReference(named: "String")
            arguments.append(InputValueDefinition(owner, of: isRequired ? type.nonNull : type))
        }
        for name in model.operations.heardNames {
            draft.updateField(name, of: root) { field in
                field.directives.add(directives)
                if checksCallers { field.arguments = arguments }
            }
        }
        let needsOwner = checksCallers && owners.contains { $0.ownerField == nil }
        if needsOwner, !model.operations.heardNames.isEmpty {
            draft.addFields(
                [FieldDefinition(AccessRule.defaultOwnerField, TypeReference(named: "String"))], to: model.name)
        }
    }

    /// A condition does not compare what the rules do.
    private mutating func removeFromCondition(of model: Model, _ rules: [AccessRule]) {
        let fields = rules.compactMap { rule in
            switch rule.strategy {
            case .owner: rule.ownerField ?? AccessRule.defaultOwnerField
            case .groups: rule.groupsField ?? AccessRule.defaultGroupsField
            case .private, .public, .custom: nil
            }
        }
        draft.updateInput(Names.condition(model.name)) { $0.removeAll { fields.contains($0.name.text) } }
    }

    private mutating func addVersion1OwnerFields(of rules: [AccessRule], to type: String) {
        guard settings.addMissingOwnerFields else { return }
        let owners = rules.filter { $0.strategy == .owner }.map { $0.ownerField ?? AccessRule.defaultOwnerField }
        for owner in owners { draft.addFields([FieldDefinition(owner, TypeReference(named: "String"))], to: type) }
    }

    /// Admits the modes of a model to the objects that its fields hold, and to those that these hold.
    private mutating func addToHeldTypes(of holder: String, _ rules: [AccessRule]) {
        let directives = version1Directives(rules, addsDefault: true)
        var waiting = [holder]
        while let holder = waiting.popLast() {
            let fields =
                blueprint.model(named: holder)?.fields.filter { !$0.isExtension }
                ?? blueprint.type(named: holder)?.fields ?? []
            for field in fields where field.scalar == nil && blueprint.type(named: field.typeName)?.kind == .object {
                let known = admittedTypes[field.typeName] ?? []
                let added = directives.filter { !known.contains($0.name.text) }
                guard !added.isEmpty else { continue }
                admittedTypes[field.typeName] = known.union(added.map(\.name.text))
                draft.addDirectives(added, to: field.typeName)
                waiting.append(field.typeName)
            }
        }
    }

    // Rules on fields.

    private mutating func addVersion1FieldRules(_ rules: [AccessRule], on field: ModelField, of model: Model) {
        let operations = model.operations
        let roots = blueprint.roots
        let reading = rules.filter { $0.operations.isSuperset(of: .read) }
        let creating = rules.filter { $0.operations.contains(.create) }
        if !version1Directives(reading, addsDefault: false).isEmpty {
            admit(reading, toFieldAlone: field.name, of: model.name)
            for (name, operation) in [(operations.get, OperationSet.get), (operations.list, .list)] {
                guard let name else { continue }
                let addsDefault = hasVersion1Default(model, for: operation)
                admit(reading, to: name, of: roots.query, addsDefault: addsDefault)
            }
        }
        if let create = operations.create, !version1Directives(creating, addsDefault: false).isEmpty {
            admit(creating, toFieldAlone: field.name, of: model.name)
            admit(creating, to: create, of: roots.mutation, addsDefault: hasVersion1Default(model, for: .create))
        }
        // Setting a field to null is an update, whose operation admits those who may.
        guard let update = operations.update else { return }
        admit(rules.filter { $0.operations.contains(.update) }, to: update, of: roots.mutation, addsDefault: false)
        if let delete = operations.delete {
            admit(rules.filter { $0.operations.contains(.delete) }, to: delete, of: roots.mutation, addsDefault: false)
        }
    }

    private mutating func addVersion1FieldRules(of type: CustomType) {
        let isRoot = blueprint.roots.contains(type.name)
        for field in type.fields {
            guard let rules = field.rules else { continue }
            if !isRoot {
                addVersion1OwnerFields(of: rules, to: type.name)
                draft.addDirectives(version1Directives(rules, addsDefault: true), to: type.name)
            }
            admit(rules, toFieldAlone: field.name, of: type.name)
        }
    }

    // Directives.

    /// Adds directives to a field and to the type that it returns.
    private mutating func admit(_ rules: [AccessRule], to field: String, of type: String, addsDefault: Bool) {
        let directives = version1Directives(rules, addsDefault: addsDefault)
        guard !directives.isEmpty else { return }
        var returned: String?
        draft.updateField(field, of: type) { field in
            field.directives.add(directives)
            if field.type.wrapping.isNone { returned = field.typeName }
        }
        if let returned { draft.addDirectives(directives, to: returned) }
    }

    private mutating func admit(_ rules: [AccessRule], toFieldAlone field: String, of type: String) {
        let directives = version1Directives(rules, addsDefault: false)
        draft.updateField(field, of: type) { $0.directives.add(directives) }
    }

    /// The directives that admit those whom rules are for. Version 1 knows none for Lambda authorizers.
    private func version1Directives(_ rules: [AccessRule], addsDefault: Bool) -> [Directive] {
        let modes = rules.reduce(into: ModeSet()) { $0.formUnion(ModeSet($1.provider.mode)) }
        return directives(for: modes, withDefault: addsDefault && settings.defaultMode != .lambda)
    }

    /// Returns whether the model's rules admit the default mode to an operation.
    private func hasVersion1Default(_ model: Model, for operation: OperationSet) -> Bool {
        guard let rules = model.rules else { return addsVersion1Default }
        let reading = rules.filter { $0.operations.isSuperset(of: .indirectRead) }
        let matching = rules.filter { $0.operations.isSuperset(of: operation) }
        let isQuery = operation == .get || operation == .list
        let considered = isQuery ? reading + matching : matching
        if considered.contains(where: { $0.provider.mode == settings.defaultMode }) { return true }
        let listing = isQuery ? rules.filter { $0.operations.contains(.list) } : matching
        return addsVersion1Default && listing.isEmpty && (!isQuery || reading.isEmpty)
    }

    /// Returns whether a type that carries rules on fields is open to the default mode: it has no rules, or one for that mode.
    private func hasVersion1Default(_ model: Model) -> Bool {
        model.rules.map { $0.contains { $0.provider.mode == settings.defaultMode } } ?? true
    }

    /// With IAM access, all that has rules admits IAM too.
    private func version1Extended(_ rules: [AccessRule]) -> [AccessRule] {
        hasVersion1IAMAccess ? rules + [AccessRule(strategy: .private, provider: .iam)] : rules
    }

    private var hasVersion1IAMAccess: Bool { settings.enableIamAccess && settings.modes.contains(.iam) }
    private var addsVersion1Default: Bool { hasVersion1IAMAccess && settings.defaultMode != .iam }
}
