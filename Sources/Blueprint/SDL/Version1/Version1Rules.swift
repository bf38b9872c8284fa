import GraphQL

/// `@auth` in version 1 of the transformer.
///
/// A rule says by `operations`, or by the older `queries` and `mutations`, what it is for. What no rule is for is not
/// protected, so a rule for nothing and a list without rules mean something, and two rules for the same people are no
/// mistake. Rules on a field guard that field beside the rules of its model.
extension SDLReading {
    mutating func readVersion1Rules() {
        let step = DiagnosticLog.Step.visit(.auth)
        var missing: [AuthMode]?
        for use in version1Uses(of: "auth") {
            do throws(DirectiveRefusal) {
                try readVersion1Rules(use)
            } catch {
                // Worked out once, and only for schemas that are refused.
                if error.missingMode != nil { missing = missing ?? missingModes }
                let advice = error.missingMode.map { Self.hint(toAdd: missing ?? [$0]) }
                log.error(error.message, at: use.position, step: step, hint: advice ?? error.hint)
            }
        }
    }

    private mutating func readVersion1Rules(_ use: DirectiveUse) throws(DirectiveRefusal) {
        let type = use.typeName
        guard let field = use.field else {
            guard use.owner.isModel else {
                throw DirectiveRefusal("Types annotated with @auth must also be annotated with @model.")
            }
            let rules = version1Rules(use.directive)
            for object in ruleObjects(use.directive) { try checkVersion1Rule(object) }
            return try setRules(rules, of: type, repeated: .joins)
        }
        if case .interface = use.owner {
            throw DirectiveRefusal(
                "The @auth directive cannot be placed on an interface's field. See \(type)\(field.name)")
        }
        let rules = version1Rules(use.directive)
        for object in ruleObjects(use.directive) { try checkVersion1FieldRule(object, of: use) }
        try checkVersion1Readers(rules, of: field, in: type)
        fieldRules[FieldPath(type: type, field: field.name.text)] = rules
        addToMatrix(rules, field: field.name.text, of: type, isModel: use.owner.isModel)
    }

    /// Who may read a field is not told of changes by it, so it is null in them, which a required field cannot be.
    private func checkVersion1Readers(
        _ rules: [AccessRule], of field: FieldDefinition, in type: String
    ) throws(DirectiveRefusal) {
        guard let model = models[type], model.operations.level == .on, field.isRequired,
            rules.contains(where: { $0.operations.isSuperset(of: .read) })
        else { return }
        throw DirectiveRefusal(
            """
            Per-field auth on the required field \(field.name) is not supported with subscriptions.
            Either make the field optional, set auth on the object and not the field, or disable subscriptions for \
            the object (setting level to off or public)
            """)
    }

    private func version1Rules(_ directive: Directive) -> [AccessRule] {
        ruleObjects(directive).compactMap { object in
            guard let strategy = object.value("allow")?.text.flatMap(AccessRule.Strategy.init) else { return nil }
            return AccessRule(
                strategy: strategy, provider: object.value("provider")?.text.flatMap(AccessRule.Provider.init),
                ownerField: filled(object, "ownerField"), groupsField: filled(object, "groupsField"),
                groups: object.value("groups")?.texts,
                identityClaim: filled(object, "identityField") ?? filled(object, "identityClaim"),
                groupClaim: filled(object, "groupClaim"), operations: Self.version1Operations(object),
                position: object.fields.first?.position ?? directive.position)
        }
    }

    /// What a rule is for. An argument that is null names nothing.
    private static func version1Operations(_ rule: ObjectValue) -> OperationSet {
        func named(_ argument: String) -> OperationSet? {
            rule.value(argument).map { value in
                (value.texts ?? []).compactMap(OperationSet.init(name:)).reduce(into: []) { $0.formUnion($1) }
            }
        }
        if let operations = named("operations") { return operations }
        return (named("queries") ?? .read).union(named("mutations") ?? [.create, .update, .delete])
    }

    // The checks, in their order.

    private func checkVersion1FieldRule(_ rule: ObjectValue, of use: DirectiveUse) throws(DirectiveRefusal) {
        try checkVersion1Provider(of: rule)
        guard !isGiven(rule, "queries"), !isGiven(rule, "mutations") else {
            throw DirectiveRefusal(
                "@auth directives used on field definitions may not specify the 'queries' or 'mutations' arguments. "
                    + "All @auth directives used on field definitions are performed when the field is resolved and can be "
                    + "thought of as 'read' operations.")
        }
        let namesOperations = !(rule.value("operations")?.texts ?? []).isEmpty
        if namesOperations, schema.roots.contains(use.typeName) {
            throw DirectiveRefusal(
                "@auth rules on fields within Query, Mutation, Subscription cannot specify 'operations' argument as "
                    + "these rules are already on an operation already.")
        }
        if namesOperations, !use.owner.isModel {
            throw DirectiveRefusal(
                "@auth rules on fields within types that does not have @model directive cannot specify 'operations' "
                    + "argument as there are operations will be generated by the CLI.")
        }
        try checkVersion1Claims(of: rule)
    }

    private func checkVersion1Rule(_ rule: ObjectValue) throws(DirectiveRefusal) {
        try checkVersion1Provider(of: rule)
        try checkVersion1Claims(of: rule)
    }

    private func checkVersion1Provider(of rule: ObjectValue) throws(DirectiveRefusal) {
        guard let strategy = rule.value("allow")?.text.flatMap(AccessRule.Strategy.init) else { return }
        let provider =
            rule.value("provider")?.text.flatMap(AccessRule.Provider.init) ?? strategy.defaultProvider
        let supported: (providers: [AccessRule.Provider], text: String)? =
            switch strategy {
            case .groups: ([.userPools, .oidc], "'userPools' and 'oidc' providers")
            case .owner: ([.userPools, .oidc], "'userPools' (default) and 'oidc' providers")
            case .public: ([.apiKey, .iam], "'apiKey' (default) and 'iam' providers")
            case .private: ([.userPools, .iam], "'userPools' (default) and 'iam' providers")
            case .custom: nil
            }
        if let supported, !supported.providers.contains(provider) {
            throw DirectiveRefusal(
                "@auth directive with '\(strategy.rawValue)' strategy only supports \(supported.text), but found "
                    + "'\(provider.rawValue)' assigned.")
        }
        guard settings.modes.contains(provider.mode) else {
            throw DirectiveRefusal(
                "@auth directive with '\(provider.rawValue)' provider found, but the project has no "
                    + "\(provider.mode.label) authentication provider configured.", missingMode: provider.mode)
        }
    }

    private func checkVersion1Claims(of rule: ObjectValue) throws(DirectiveRefusal) {
        let strategy = rule.value("allow")?.text
        let namesIdentity = filled(rule, "identityClaim") != nil || filled(rule, "identityField") != nil
        if strategy == AccessRule.Strategy.groups.rawValue, namesIdentity {
            throw DirectiveRefusal(
                "@auth identityField/Claim can only be used for 'allow: owner'", hint: "Write groupClaim.")
        }
        if strategy == AccessRule.Strategy.owner.rawValue, filled(rule, "groupClaim") != nil {
            throw DirectiveRefusal("@auth groupClaim can only be used 'allow: groups'", hint: "Write identityClaim.")
        }
        if filled(rule, "groupsField") != nil, isGiven(rule, "groups") {
            throw DirectiveRefusal("This rule has groupsField and groups, please use one or the other")
        }
        if filled(rule, "identityField") != nil, filled(rule, "identityClaim") != nil {
            throw DirectiveRefusal(
                "Please use consider IdentifyClaim over IdentityField as it is deprecated.",
                hint: "Remove identityField.")
        }
    }

    /// Returns whether an argument has a value that is not null.
    private func isGiven(_ rule: ObjectValue, _ key: String) -> Bool {
        rule.value(key).map { !$0.isNull } ?? false
    }
}
