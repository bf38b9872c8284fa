/// A kind of caller that rules speak of: the owner by a field and a claim, a group, everybody with an API key, …
package struct Role: Sendable, Hashable {
    package let strategy: AccessRule.Strategy
    package let provider: AccessRule.Provider
    /// True if it can be decided without looking at a record.
    package let isStatic: Bool
    /// The claim of the token that is compared.
    package let claim: String?
    /// The field with the owner or the groups, or the name of the group of a static rule.
    package let entity: String?
    /// True if that field is a list.
    package let isEntityList: Bool
    /// What it is called in messages, and what makes two of them the same: `Post:userPools:owner:owner:sub::username`.
    package let name: String

    package init(
        strategy: AccessRule.Strategy, provider: AccessRule.Provider, isStatic: Bool, claim: String? = nil,
        entity: String? = nil, isEntityList: Bool = false, name: String
    ) {
        self.strategy = strategy
        self.provider = provider
        self.isStatic = isStatic
        self.claim = claim
        self.entity = entity
        self.isEntityList = isEntityList
        self.name = name
    }

    /// Returns whether everybody signed in with that provider has it.
    func isPrivate(of other: AccessRule.Provider) -> Bool { strategy == .private && provider == other }

    /// The roles that a rule of a type stands for: one for each group of a static rule, one for any other.
    static func roles(
        of rule: AccessRule, on type: String, defaultClaim: String, isList: (String) -> Bool
    ) -> [Role] {
        let provider = rule.provider
        func name(_ parts: [String]) -> String {
            var name = type
            for part in parts {
                name += ":"
                name += part
            }
            return name
        }
        func role(
            _ parts: [String], isStatic: Bool = true, claim: String? = nil, entity: String? = nil, isList: Bool = false
        ) -> Role {
            Role(
                strategy: rule.strategy, provider: provider, isStatic: isStatic, claim: claim, entity: entity,
                isEntityList: isList, name: name(parts))
        }
        let groupClaim = rule.groupClaim ?? AccessRule.defaultGroupClaim
        if let groups = rule.groups, rule.groupsField == nil {
            return groups.map {
                role([provider.rawValue, "staticGroup", $0, groupClaim], claim: groupClaim, entity: $0)
            }
        }
        switch (provider, rule.strategy) {
        case (.apiKey, _): return [role(["apiKey", "public"])]
        case (.function, _): return [role(["function", "custom"])]
        case (.iam, let strategy), (.identityPool, let strategy): return [role(["iam", strategy.rawValue])]
        case (_, .groups):
            let field = rule.groupsField ?? AccessRule.defaultGroupsField
            return [
                role(
                    [provider.rawValue, "dynamicGroup", field, groupClaim], isStatic: false, claim: groupClaim,
                    entity: field, isList: isList(field))
            ]
        case (_, .owner):
            let field = rule.ownerField ?? AccessRule.defaultOwnerField
            let claim = rule.identityClaim ?? defaultClaim
            return [
                role(
                    [provider.rawValue, "owner", field, claim], isStatic: false, claim: claim, entity: field,
                    isList: isList(field))
            ]
        case (_, let strategy): return [role([provider.rawValue, strategy.rawValue])]
        }
    }
}
