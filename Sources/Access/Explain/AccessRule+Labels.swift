import Blueprint

extension AccessRule {
    /// What traces call the roles of the rule: one for each of its groups.
    package var traceLabels: [String] {
        var kinds: [[String]]
        switch (strategy, provider) {
        case (.owner, _): kinds = [["allow: owner", "ownerField: \"\(ownerField ?? Self.defaultOwnerField)\""]]
        case (.groups, _):
            if let groups, case nil = groupsField {
                kinds = groups.map { ["allow: groups", "groups: [\"\($0)\"]"] }
                if groups.isEmpty { kinds = [["allow: groups", "groups: []"]] }
            } else {
                kinds = [["allow: groups", "groupsField: \"\(groupsField ?? Self.defaultGroupsField)\""]]
            }
        case (.public, .iam), (.public, .identityPool): kinds = [["allow: public", "provider: identityPool"]]
        case (_, .iam), (_, .identityPool): kinds = [["allow: private", "provider: identityPool"]]
        default: kinds = [["allow: \(strategy.rawValue)"]]
        }
        if provider == .oidc { kinds = kinds.map { $0 + ["provider: oidc"] } }
        return kinds.map { "{\($0.joined(separator: ", "))}" }
    }
}
