import Blueprint
import JSON

/// The rules of a model as version 1 reads them: for each operation those that name it. They guard the operation; one
/// that none of them names has no guard.
struct NamedRules {
    private let model: Model
    private let open: OpenOperations
    /// Whom an operation is open to that no rule names; nil where nobody asks.
    private let defaultMode: AuthMode?

    init(_ model: Model, open: OpenOperations, defaultMode: AuthMode?) {
        self.model = model
        self.open = open
        self.defaultMode = defaultMode
    }

    /// The claim that identifies owners when a rule names none.
    private static let defaultClaim = "username"

    // MARK: The model's own rules

    /// Whom an operation admits.
    func tests(for operation: OperationSet, _ claims: inout ClaimTable) -> [RoleTest] {
        let rules = (model.rules ?? []).naming(operation)
        var tests = Self.asked(tests(of: rules, &claims))
        guard !rules.isEmpty || open.contains(operation) else { return [] }
        if rules.isEmpty, let defaultMode { tests.append(Self.unnamed(defaultMode)) }
        // A rule on a field lets its mode in to the operations with that field, where nothing is asked of it. It does so only
        // where nobody is kept out: the rules of the others are no less rules for that.
        guard rules.isEmpty || rules.contains(where: { $0.strategy == .public }) else { return tests }
        for mode in fieldModes(of: operation) where !tests.contains(where: { $0.mode == mode }) {
            tests.append(Self.unnamed(mode))
        }
        return tests
    }

    /// The modes of rules on fields that name an operation.
    private func fieldModes(of operation: OperationSet) -> [AuthMode] {
        guard operation != .indirectRead else { return [] }
        let named: OperationSet = operation.isSubset(of: .read) ? .read : operation
        let modes = Set(model.fields.flatMap { ($0.rules ?? []).naming(named).map(\.provider.mode) })
        return AuthMode.allCases.filter(modes.contains)
    }

    private static func unnamed(_ mode: AuthMode) -> RoleTest {
        RoleTest(.unnamed, mode, .public, name: "\(mode.rawValue):unnamed")
    }

    // MARK: Rules on its fields

    /// Whom a field admits to an operation with it; nil where no rule on the field names it, so that nothing is asked.
    func tests(of field: ModelField, for operation: OperationSet, _ claims: inout ClaimTable) -> [RoleTest]? {
        let rules = (field.rules ?? []).naming(operation)
        return rules.isEmpty ? nil : Self.asked(tests(of: rules, &claims))
    }

    /// All tests of the model's own rules.
    func ofModel(_ claims: inout ClaimTable) -> [RoleTest] { tests(of: model.rules ?? [], &claims) }

    /// All tests of its rules and of those on its fields.
    func all(_ claims: inout ClaimTable) -> [RoleTest] {
        tests(of: (model.rules ?? []) + model.fields.flatMap { $0.rules ?? [] }, &claims)
    }

    private func tests(of rules: [AccessRule], _ claims: inout ClaimTable) -> [RoleTest] {
        rules.flatMap { rule in
            let isList = { (name: String) in model.field(named: name)?.isList ?? false }
            return Self.tests(of: rule, isList: isList, &claims)
        }
    }

    /// A rule for groups is about those that it names, or else about those that a field of the record names.
    private static func tests(
        of rule: AccessRule, isList: (String) -> Bool, _ claims: inout ClaimTable
    ) -> [RoleTest] {
        func test(_ kind: RoleTest.Kind, _ parts: String...) -> RoleTest {
            let name = [rule.provider.rawValue, rule.strategy.rawValue] + parts
            return RoleTest(kind, rule.provider.mode, rule.strategy, name: name.joined(separator: ":"))
        }
        switch rule.strategy {
        case .owner:
            let claim = rule.identityClaim ?? defaultClaim
            let field = rule.ownerField ?? AccessRule.defaultOwnerField
            let number = claims.number(ofOwner: claim)
            return [test(.owner(claim: number, field: field, isList: isList(field)), field, claim)]
        case .groups:
            let claim = rule.groupClaim ?? AccessRule.defaultGroupClaim
            let number = claims.number(ofGroups: claim)
            guard let groups = rule.groups else {
                let field = rule.groupsField ?? AccessRule.defaultGroupsField
                return [test(.groupField(claim: number, field: field, isList: isList(field)), field, claim)]
            }
            guard !groups.isEmpty else { return [test(.nobody)] }
            return groups.map { test(.group(ByteText($0), claim: number), $0, claim) }
        case .private: return [test(rule.provider.mode == .iam ? .principals(.authenticated) : .everybody)]
        // Those who are signed in have the guests' policy as well, and nothing else is asked of principals.
        case .public, .custom: return [test(.everybody)]
        }
    }

    /// A rule for everybody who signs in with the user pool switches the other rules of that mode off.
    private static func asked(_ tests: [RoleTest]) -> [RoleTest] {
        let isFree = tests.contains { $0.mode == .userPools && $0.isForEverybody }
        return isFree ? tests.filter { $0.mode != .userPools || $0.isForEverybody } : tests
    }

    // MARK: Fields that belong to no record

    /// Who is asked for a field of a custom type or a root type: the groups that rules name. Every other rule admits its mode.
    static func tests(ofFieldWithoutRecord rules: [AccessRule], _ claims: inout ClaimTable) -> [RoleTest] {
        AuthMode.allCases.flatMap { mode in
            let ofMode = rules.filter { $0.provider.mode == mode }
            let tests = ofMode.flatMap { Self.tests(of: $0, isList: { _ in false }, &claims) }
            let named = tests.filter(\.isOfNamedGroups)
            guard named.isEmpty else { return named }
            return tests.map { test in
                test.isStatic ? test : RoleTest(.everybody, mode, test.strategy, name: test.name)
            }
        }
    }
}

extension RoleTest {
    /// True if it admits its whole mode by a rule that says so.
    fileprivate var isForEverybody: Bool {
        if case .everybody = kind { true } else { false }
    }
}
