import GraphQL

/// What may surprise the author of rules, though it is allowed.
extension SDLReading {
    mutating func warnOfRules() {
        warnOfOldSpelling()
        warnOfIdentityClaim()
        warnOfReassignment()
        warnOfOwnerCase()
    }

    private mutating func warn(_ message: String, at position: Position) {
        log.warning(message, at: position, step: .resolvers(.auth))
    }

    private mutating func warnOfOldSpelling() {
        let rules = modelOrder.filter { models[$0]?.isJoin == false }.flatMap { models[$0]?.rules ?? [] }
        let all = rules + fieldRules.values.joined()
        guard let rule = all.first(where: { $0.provider == .iam }) else { return }
        warn(
            "WARNING: Schema is using an @auth directive with deprecated provider 'iam'. Replace 'iam' provider with "
                + "'identityPool' provider.", at: rule.position)
    }

    private mutating func warnOfIdentityClaim() {
        guard !settings.useSubUsernameForDefaultIdentityClaim else { return }
        let rules = modelOrder.flatMap { models[$0]?.rules ?? [] }
        guard let rule = rules.first(where: { $0.strategy == .owner && $0.identityClaim == nil }) else { return }
        warn(
            "WARNING: Amplify CLI will change the default identity claim from 'username' to use 'sub::username'. To "
                + "continue using only usernames, set 'identityClaim: \"username\"' on your 'owner' rules on your schema. "
                + "The default will be officially switched with v9.0.0. To read more: "
                + "https://docs.amplify.aws/cli/migration/identity-claim-changes/", at: rule.position)
    }

    private mutating func warnOfReassignment() {
        var found: [String] = []
        var place = Position.none
        for name in modelOrder {
            guard let model = models[name], let matrix = model.matrix else { continue }
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
            "WARNING: owners may reassign ownership for the following model(s) and role(s): "
                + "\(found.joined(separator: ", ")). If this is not intentional, you may want to apply field-level "
                + "authorization rules to these fields. To read more: "
                + "https://docs.amplify.aws/cli/graphql/authorization-rules/#per-user--owner-based-data-access.",
            at: place)
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
                    "WARNING: Schema field \"\(twin)\" and ownerField \"\(owner)\" in type \(name) are getting added to "
                        + "your schema but could be referencing the same owner field. If this is not intentional, you "
                        + "may want to change one of the fields to the correct name.", at: twin.position)
            }
        }
    }
}
