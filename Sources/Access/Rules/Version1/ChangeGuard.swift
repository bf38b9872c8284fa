import Blueprint
import JSON

/// What version 1 asks of whoever changes a record, or one of its fields.
///
/// Who owns the record, and which groups it names, is a condition of the change: where it fails the change fails as any
/// other whose condition is not met, and a record that is not there fails it too.
struct ChangeGuard: Sendable {
    private let question: RuleQuestion
    /// By mode.
    private let statics: [[RoleTest]]
    private let dynamics: [[RoleTest]]

    init(_ question: String, _ tests: [RoleTest], among all: [RoleTest]) {
        self.question = RuleQuestion(question, asking: tests, among: all)
        statics = tests.filter(\.isStatic).byMode
        dynamics = tests.filter { !$0.isStatic }.byMode
    }

    /// The fields of the stored record that it compares.
    var recordFields: [String] {
        dynamics.joined().compactMap(\.field).eachOnce()
    }

    /// Returns whether the record may be changed; `record` gives its stored values.
    func decision(for caller: Caller, record: (String) -> JSONValue?) -> WriteDecision {
        if caller.passesUnasked(question) { return .allow }
        let mode = caller.identity.mode.number
        if statics[mode].contains(where: { $0.isHeld(by: caller) }) { return .allow }
        // An owner is a condition even for a caller without the claim; groups are one only for whoever is in a group.
        var hasCondition = false
        for test in dynamics[mode] {
            let condition = test.completeCondition(for: caller)
            hasCondition = hasCondition || test.isOwner || condition != nil
            if let condition, condition.isMet(by: record(condition.field), caller.trace) { return .allow }
        }
        return hasCondition ? .failsCondition : .deny
    }
}

/// What version 1 asks of whoever updates a record: the model's rules, and those of each field that the input has.
struct UpdateGuards: Sendable {
    private let model: ChangeGuard
    /// By field: asked when the input has it.
    private let fields: [ByteText: ChangeGuard]
    /// By field: asked when the input sets it to null.
    private let removals: [ByteText: ChangeGuard]
    let recordFields: [String]

    init(_ model: ChangeGuard, fields: [ByteText: ChangeGuard], removals: [ByteText: ChangeGuard]) {
        self.model = model
        self.fields = fields
        self.removals = removals
        recordFields =
            (model.recordFields + fields.values.flatMap(\.recordFields) + removals.values.flatMap(\.recordFields))
            .eachOnce()
    }

    func decision(for caller: Caller, input: JSONObject, record: (String) -> JSONValue?) -> WriteDecision {
        var decision = model.decision(for: caller, record: record)
        guard decision != .deny, !caller.isAdministrator, !fields.isEmpty || !removals.isEmpty else { return decision }
        for member in input {
            for guarded in [fields[member.key], member.value.isNull ? removals[member.key] : nil] {
                switch guarded?.decision(for: caller, record: record) {
                // Who may not even try is told so, whatever the record is.
                case .deny?, .denyFields?: return .deny
                case .failsCondition?: decision = .failsCondition
                case .allow?, nil: break
                }
            }
        }
        return decision
    }
}
