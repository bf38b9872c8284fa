import GraphQL

/// What nobody has rules for: models without `@auth`, and custom operations that IAM principals may call.
extension APIGenerator {
    /// The directives that the sandbox rule and IAM access put on models without rules.
    var directivesWithoutRules: [Directive] {
        let modes: [AuthMode]
        if blueprint.isSandbox, settings.enableIamAccess {
            // Any directive shuts out the default mode, so both are named.
            modes = [.apiKey, .iam]
        } else if blueprint.isSandbox, settings.defaultMode != .apiKey {
            modes = [.apiKey]
        } else if settings.enableIamAccess, settings.defaultMode != .iam {
            modes = [.iam]
        } else {
            modes = []
        }
        return modes.map { Directive(name: Name($0.directiveName)) }
    }

    mutating func admitWithoutRules(_ model: Model) {
        let directives = directivesWithoutRules
        guard !directives.isEmpty else { return }
        draft.addDirectives(directives, to: model.name)
        addToHeldTypes(of: [model.name], directives)
        let operations = model.operations
        let roots = blueprint.roots
        let fields =
            [operations.get, operations.list, operations.sync].map { (roots.query, $0) }
            + [operations.create, operations.update, operations.delete].map { (roots.mutation, $0) }
            + operations.subscriptions.map { (roots.subscription, Optional($0.name)) }
        for (type, name) in fields {
            guard let name else { continue }
            var returned: String?
            draft.updateField(name, of: type) { field in
                field.directives.add(directives)
                returned = field.typeName
            }
            if let returned { draft.addDirectives(directives, to: returned) }
        }
        if model.search != nil, blueprint.isSandbox, settings.defaultMode != .apiKey {
            for type in Self.aggregateTypes { draft.addDirectives(directives, to: type) }
        }
    }

    /// Adds directives to the custom types that types hold, however deep.
    private mutating func addToHeldTypes(of types: [String], _ directives: [Directive]) {
        var waiting = types
        var seen = Set(types)
        while let holder = waiting.popLast() {
            for field in draft.fields(ofObject: holder) {
                let held = field.typeName
                guard draft.hasObject(held), !blueprint.hasModel(named: held), seen.insert(held).inserted
                else { continue }
                draft.addDirectives(directives, to: held)
                waiting.append(held)
            }
        }
    }

    /// Sandbox mode and IAM access open to IAM what the schema declares itself: the fields of its root types, and all objects
    /// that are no models, whether or not anything leads to them.
    mutating func admitIAMToDeclaredTypes() {
        guard settings.enableIamAccess || blueprint.isSandbox else { return }
        let directive = Directive(name: Name(AuthMode.iam.directiveName))
        for type in blueprint.types where type.kind == .object {
            var opened = OpenedToIAM(isTypeOpened: !type.directives.contains(named: directive.name.text))
            if opened.isTypeOpened { draft.addDirectives([directive], to: type.name) }
            // Root types of other names are like any type to Amplify here.
            let fields = Self.usualRoots.contains(type.name) ? type.fields : []
            for field in fields where !field.directives.contains(named: directive.name.text) {
                opened.fields.insert(field.name)
                draft.updateField(field.name, of: type.name) { $0.directives.add([directive]) }
            }
            if blueprint.isSandbox { openedToIAM[type.name] = opened }
        }
    }

    private static let usualRoots = Set(OperationType.allCases.map(RootTypes().name))
}
