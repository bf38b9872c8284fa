import Blueprint
import JSON

/// A role of a rule, made ready to be asked whether a caller has it.
struct RoleTest: Sendable {
    enum Kind: Sendable {
        /// Everybody of the mode.
        case everybody
        /// The signed-in identities of the identity pool, or its guests.
        case principals(IAMPrincipal.Role)
        /// The members of a group.
        case group(ByteText, claim: Int)
        /// Whom a field of the record names.
        case owner(claim: Int, field: String, isList: Bool)
        /// The members of a group that a field of the record names.
        case groupField(claim: Int, field: String, isList: Bool)
        /// Everybody of the mode, since no rule of version 1 names the operation for them.
        case unnamed
        /// The members of no group: a rule whose list of groups is empty.
        case nobody
    }

    let kind: Kind
    let mode: AuthMode
    let strategy: AccessRule.Strategy
    let name: String

    init(_ role: Role, _ claims: inout ClaimTable) {
        mode = role.provider.mode
        strategy = role.strategy
        name = role.name
        switch (role.strategy, role.entity, role.claim) {
        case (.owner, let field?, let claim?):
            kind = .owner(claim: claims.number(ofOwner: claim), field: field, isList: role.isEntityList)
        case (.groups, let group?, let claim?):
            let number = claims.number(ofGroups: claim)
            kind =
                role.isStatic
                ? .group(ByteText(group), claim: number)
                : .groupField(claim: number, field: group, isList: role.isEntityList)
        default:
            kind = Self.kind(role.strategy, mode)
        }
    }

    /// A role that was made up without one of the blueprint.
    init(_ kind: Kind, _ mode: AuthMode, _ strategy: AccessRule.Strategy, name: String) {
        self.kind = kind
        self.mode = mode
        self.strategy = strategy
        self.name = name
    }

    /// The roles of a rule that needs no record: on fields that belong to none, others admit nobody.
    static func tests(_ rule: AccessRule, _ claims: inout ClaimTable) -> [RoleTest] {
        guard !rule.isDynamic else { return [] }
        let name = "\(rule.provider.rawValue):\(rule.strategy.rawValue)"
        guard rule.strategy == .groups else {
            let mode = rule.provider.mode
            return [RoleTest(kind(rule.strategy, mode), mode, rule.strategy, name: name)]
        }
        let number = claims.number(ofGroups: rule.groupClaim ?? AccessRule.defaultGroupClaim)
        return (rule.groups ?? []).map {
            RoleTest(
                .group(ByteText($0), claim: number), rule.provider.mode, rule.strategy, name: "\(name):\($0)")
        }
    }

    private static func kind(_ strategy: AccessRule.Strategy, _ mode: AuthMode) -> Kind {
        guard mode == .iam else { return .everybody }
        return .principals(strategy == .public ? .unauthenticated : .authenticated)
    }

    /// True if it can be decided without a record.
    var isStatic: Bool { field == nil }

    /// The field of the record that is compared.
    var field: String? {
        switch kind {
        case .owner(_, let field, _), .groupField(_, let field, _): field
        case .everybody, .principals, .group, .unnamed, .nobody: nil
        }
    }

    var isOwner: Bool {
        if case .owner = kind { true } else { false }
    }

    /// True if it is about groups that the rule names.
    var isOfNamedGroups: Bool {
        switch kind {
        case .group, .nobody: true
        case .everybody, .principals, .owner, .groupField, .unnamed: false
        }
    }

    /// The rule as a schema has it, without its operations.
    var label: String {
        var parts: [String]
        switch kind {
        case .everybody: parts = ["allow: \(strategy.rawValue)"]
        case .principals(let role):
            parts = ["allow: \(role == .unauthenticated ? "public" : "private")", "provider: identityPool"]
        case .group(let group, _): parts = ["allow: groups", "groups: [\"\(group)\"]"]
        case .owner(_, let field, _): parts = ["allow: owner", "ownerField: \"\(field)\""]
        case .groupField(_, let field, _): parts = ["allow: groups", "groupsField: \"\(field)\""]
        case .unnamed: return "no rule"
        case .nobody: parts = ["allow: groups", "groups: []"]
        }
        if mode == .oidc { parts.append("provider: oidc") }
        return "{\(parts.joined(separator: ", "))}"
    }

    // What is asked of a caller of its mode.

    /// Returns whether the caller has it, whatever the record. Of a role that depends on the record nobody has that.
    func isHeld(by caller: Caller) -> Bool {
        switch kind {
        case .everybody:
            caller.trace?.note(label, isMet: true, "it admits every caller of the mode \(mode.rawValue)")
            return true
        case .principals(let role):
            let isHeld = caller.identity.principal?.role == role
            caller.trace?.note(label, isMet: isHeld, "the caller is \(caller.identity.name)")
            return isHeld
        case .group(let group, let claim):
            let groups = caller.groupNames(claim)
            let isHeld = groups.contains(group)
            caller.trace?.note(
                label, isMet: isHeld,
                groups.isEmpty ? "the caller is in no group" : "the caller's groups are \(groups)")
            return isHeld
        case .unnamed:
            caller.trace?.note(
                label, isMet: true, "none names the operation, so it is open to the mode \(mode.rawValue)")
            return true
        case .nobody:
            caller.trace?.note(label, isMet: false, "it names no group")
            return false
        case .owner, .groupField:
            return false
        }
    }

    /// What a record must have for the caller to have the role; nil when no record can.
    ///
    /// For reading, the parts of a claim count by themselves, even if others are missing.
    func condition(for caller: Caller) -> AccessPredicate.Condition? {
        let values: [ByteText]
        let fieldName: String
        let isFieldList: Bool
        switch kind {
        case .owner(let claim, let field, let isList):
            (values, fieldName, isFieldList) = (caller.ownerValues(claim).all, field, isList)
        case .groupField(let claim, let field, let isList):
            (values, fieldName, isFieldList) = (caller.groupNames(claim), field, isList)
        case .everybody, .principals, .group, .unnamed, .nobody:
            return nil
        }
        caller.trace?.note(
            label, values.isEmpty ? .doesNotAdmit : .dependsOnRecord,
            values.isEmpty
                ? "the caller has no claim to compare with \(fieldName)"
                : "the record's \(fieldName) \(isFieldList ? "contains one" : "is one") of \(values)")
        guard !values.isEmpty else { return nil }
        return AccessPredicate.Condition(field: fieldName, values: values, isList: isFieldList)
    }

    /// The same where a record is at hand: a claim counts only when it is complete.
    func completeCondition(for caller: Caller) -> AccessPredicate.Condition? {
        if case .owner(let claim, let field, _) = kind, caller.ownerValues(claim).full == nil {
            caller.trace?.note(label, isMet: false, "the caller's claim is incomplete, so \(field) is not compared")
            return nil
        }
        return condition(for: caller)
    }
}

extension [RoleTest] {
    /// The tests by the mode that they are for.
    var byMode: [[RoleTest]] {
        var table = [[RoleTest]](repeating: [], count: AuthMode.count)
        for test in self { table[test.mode.number].append(test) }
        return table
    }
}
