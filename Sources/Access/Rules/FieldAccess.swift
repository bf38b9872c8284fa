import Blueprint
import JSON

/// Who may read a field that has a check of its own: because rules stand on it, or because somebody who reads its
/// records may not read it.
package struct FieldAccess: Sendable {
    private let question: RuleQuestion
    private let statics: [[RoleTest]]
    private let dynamics: [[RoleTest]]
    /// The results of mutations in which it is null for those who may read it, without an error: what a mutation returns is
    /// what subscribers get, and some of them may not read it.
    package let nullIn: MutationResults

    /// True if rules stand on the field itself.
    let hasOwnRules: Bool

    init(
        _ question: String, _ tests: [RoleTest], among all: [RoleTest], nullIn: MutationResults = [],
        hasOwnRules: Bool = true
    ) {
        self.question = RuleQuestion(question, asking: tests, among: all)
        self.hasOwnRules = hasOwnRules
        self.nullIn = nullIn
        statics = tests.filter(\.isStatic).byMode
        dynamics = tests.filter { !$0.isStatic }.byMode
    }

    /// The fields of the parent record that rules compare.
    package var recordFields: [String] {
        dynamics.joined().compactMap(\.field).eachOnce()
    }

    /// Of which records the caller may read the field: asked once for a request, then `Decision.admits` for each
    /// record. Never `.narrow`.
    package func decision(for caller: Caller) -> Decision {
        if caller.passesUnasked(question) { return .allow }
        let mode = caller.identity.mode.number
        if statics[mode].contains(where: { $0.isHeld(by: caller) }) { return .allow }
        let conditions = dynamics[mode].compactMap { $0.completeCondition(for: caller) }
        return conditions.isEmpty ? .deny : .filter(AccessPredicate(anyOf: conditions))
    }
}
