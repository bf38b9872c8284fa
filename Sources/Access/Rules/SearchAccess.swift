import Blueprint
import JSON

/// Who may search a model, and sum up which of its fields.
package struct SearchAccess: Sendable {
    /// Which records a search finds.
    package let records: ReadAccess
    /// By field: the roles that may search it. Fields that are not declared are everybody's.
    private let sums: [ByteText: SumAccess]
    private let rights: FieldRights

    init(records: ReadAccess, sums: [ByteText: SumAccess], _ rights: FieldRights) {
        self.records = records
        self.sums = sums
        self.rights = rights
    }

    package func decision(for caller: Caller) -> Decision { records.decision(for: caller) }

    /// Over which records the caller may aggregate a field: of those that the search finds, perhaps none. Never `.narrow`.
    package func aggregation(of field: String, for caller: Caller) -> Decision {
        guard rights[field].isAdmitted(caller) else { return .deny }
        return sums[field]?.decision(for: caller) ?? records.decision(for: caller)
    }

    /// Returns whether the aggregation leaves nothing of the whole search: only groups that records name reach the field, and the
    /// caller is in none. So it is in AppSync, by accident; apps are written for it, and nobody sees a value.
    package func isEmptied(byAggregationOf field: String, for caller: Caller) -> Bool {
        rights[field].isAdmitted(caller) && sums[field]?.isOfGroupsOnly(for: caller) ?? false
    }

    package static func message(denyingAggregationOf field: String) -> String {
        "Unauthorized to run aggregation on field: \(field)"
    }
}

/// The roles that may search a declared field of a model.
struct SumAccess: Sendable {
    private let question: RuleQuestion
    private let statics: [[RoleTest]]
    private let dynamics: [[RoleTest]]

    init(_ question: String, _ tests: [RoleTest], among all: [RoleTest]) {
        self.question = RuleQuestion(question, asking: tests, among: all)
        statics = tests.filter(\.isStatic).byMode
        dynamics = tests.filter { !$0.isStatic }.byMode
    }

    func decision(for caller: Caller) -> Decision {
        if caller.passesUnasked(question) { return .allow }
        let mode = caller.identity.mode.number
        if statics[mode].contains(where: { $0.isHeld(by: caller) }) { return .allow }
        // A stranger's sums are over no records: empty, and no error.
        return dynamics[mode].isEmpty ? .deny : .filter(AccessPredicate(anyOf: conditions(for: caller)))
    }

    func isOfGroupsOnly(for caller: Caller) -> Bool {
        guard case .filter(let predicate) = decision(for: caller) else { return false }
        return predicate.anyOf.isEmpty && !dynamics[caller.identity.mode.number].contains(where: \.isOwner)
    }

    private func conditions(for caller: Caller) -> [AccessPredicate.Condition] {
        dynamics[caller.identity.mode.number].compactMap { $0.condition(for: caller) }
    }
}
