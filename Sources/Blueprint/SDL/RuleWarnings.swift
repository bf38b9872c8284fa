import GraphQL

/// What may surprise the author of rules, though it is allowed.
extension SDLReading {
    /// Version 1 of the transformer has none of these.
    mutating func warnOfRules() {
        guard !isLegacy else { return }
        warnOfOldSpelling()
        warnOfIdentityClaim()
        warnOfReassignment()
        warnOfOwnerCase()
    }

    /// The words are those of Amplify's transformer; what it advises is the hint.
    private mutating func warn(_ message: String, at position: Position, hint: String) {
        log.warning(message, at: position, step: .resolvers(.auth), hint: hint)
    }

    private mutating func warnOfOldSpelling() {
        let rules = modelOrder.filter { models[$0]?.isJoin == false }.flatMap { models[$0]?.rules ?? [] }
        let all = rules + fieldRules.values.joined()
        guard let rule = all.first(where: { $0.provider == .iam }) else { return }
        warn(
            "Schema is using an @auth directive with deprecated provider 'iam'.", at: rule.position,
            hint: "Replace 'iam' provider with 'identityPool' provider.")
    }

    private mutating func warnOfIdentityClaim() {
        guard !settings.useSubUsernameForDefaultIdentityClaim else { return }
        let rules = modelOrder.flatMap { models[$0]?.rules ?? [] }
        guard let rule = rules.first(where: { $0.strategy == .owner && $0.identityClaim == nil }) else { return }
        warn(
            "Amplify CLI will change the default identity claim from 'username' to use 'sub::username'.",
            at: rule.position,
            hint: "To continue using only usernames, set 'identityClaim: \"username\"' on your 'owner' rules. "
                + "To read more: https://docs.amplify.aws/cli/migration/identity-claim-changes/")
    }

    private mutating func warnOfReassignment() {
        var found: [String] = []
        var place = Position.none
        for name in modelOrder {
            // A join model is nowhere in the schema, so its author has no field to give rules to.
            guard let model = models[name], !model.isJoin, let matrix = model.matrix else { continue }
            let fields = matrix.roles.indices.compactMap { number -> String? in
                guard matrix.roles[number].strategy == .owner, let field = matrix.roles[number].entity else {
                    return nil
                }
                let isAutomatic = field == AccessRule.defaultOwnerField && !model.hasField(field)
                return isAutomatic || matrix.allows(number, .update, field: field) ? field : nil
            }
            guard !fields.isEmpty else { continue }
            found.append("\(name): [\(fields.joined(separator: ", "))]")
            if !place.isKnown { place = model.definition.name.position }
        }
        guard !found.isEmpty else { return }
        warn(
            "owners may reassign ownership for the following model(s) and role(s): \(found.joined(separator: ", "))",
            at: place,
            hint: "If this is not intentional, give these fields rules of their own, as in "
                + (notes.isOfTypeScript
                    ? "owner: a.string().authorization((allow) => [allow.owner().to(['create', 'read', 'delete'])])."
                    : "owner: String @auth(rules: [{ allow: owner, operations: [read, create, delete] }])."))
    }

    private mutating func warnOfOwnerCase() {
        for name in modelOrder {
            guard let model = models[name], let matrix = model.matrix else { continue }
            guard matrix.roles.contains(where: { $0.strategy == .owner }) else { continue }
            let fields = model.definition.fields.map(\.name)
            for role in matrix.roles where role.strategy == .owner {
                guard let owner = role.entity, !fields.contains(where: { $0.text == owner }),
                    let twin = fields.first(where: { $0.text.lowercased() == owner.lowercased() })
                else { continue }
                warn(
                    "Schema field \"\(twin)\" and ownerField \"\(owner)\" in type \(name) are getting added to "
                        + "your schema but could be referencing the same owner field.", at: twin.position,
                    hint: "If this is not intentional, change one of the fields to the correct name.")
            }
        }
    }
}
