import Blueprint
import JSON

/// What version 1 asks of whoever creates a record: the model's rules, and those of each field that the input has.
struct CreationGuards: Sendable {
    private let model: CreationGuard
    private let fields: [ByteText: CreationGuard]

    init(_ model: CreationGuard, fields: [ByteText: CreationGuard]) {
        self.model = model
        self.fields = fields
    }

    func outcome(for caller: Caller, input: JSONObject) -> CreateAccess.Outcome {
        var filled = JSONObject()
        guard model.admits(caller, input, filling: &filled) else { return .deny }
        if !fields.isEmpty, !caller.isAdministrator {
            for name in input.keys {
                guard fields[name]?.admits(caller, input, filling: &filled) ?? true else { return .deny }
            }
        }
        return .allow(filling: filled)
    }
}

/// What version 1 asks of whoever creates a record, or sends one of its fields.
struct CreationGuard: Sendable {
    private let question: RuleQuestion
    /// By mode: those who become no owners, since nothing else is asked of them.
    private let free: [[RoleTest]]
    private let groups: [[RoleTest]]
    private let owners: [[RoleTest]]
    private let groupFields: [[RoleTest]]

    init(_ question: String, _ tests: [RoleTest], among all: [RoleTest]) {
        self.question = RuleQuestion(question, asking: tests, among: all)
        free = tests.filter { $0.isStatic && !$0.isOfNamedGroups }.byMode
        groups = tests.filter(\.isOfNamedGroups).byMode
        owners = tests.filter(\.isOwner).byMode
        groupFields = tests.filter { !$0.isStatic && !$0.isOwner }.byMode
    }

    /// Returns whether the caller may create a record from that input. Whoever is asked for an owner that the input does not name
    /// becomes the owner, in a group or not.
    func admits(_ caller: Caller, _ input: JSONObject, filling filled: inout JSONObject) -> Bool {
        if caller.passesUnasked(question) { return true }
        let mode = caller.identity.mode.number
        if free[mode].contains(where: { $0.isHeld(by: caller) }) { return true }
        var isAdmitted = groups[mode].contains { $0.isHeld(by: caller) }
        for test in groupFields[mode] where !isAdmitted {
            guard let condition = test.completeCondition(for: caller) else { continue }
            isAdmitted = condition.isMet(by: input[condition.field], caller.trace)
        }
        for test in owners[mode] where isOwner(caller, test, input, &filled) { isAdmitted = true }
        return isAdmitted
    }

    private func isOwner(
        _ caller: Caller, _ test: RoleTest, _ input: JSONObject, _ filled: inout JSONObject
    ) -> Bool {
        guard case .owner(let claim, let field, let isList) = test.kind,
            let condition = test.completeCondition(for: caller), let owner = caller.ownerValues(claim).full
        else { return false }
        // What an earlier rule filled in is there for this one too. A null that is sent names nobody.
        if let value = input[field] ?? filled[field] { return condition.isMet(by: value, caller.trace) }
        filled[field] = isList ? .array([.string(owner.string)]) : .string(owner.string)
        return true
    }
}
