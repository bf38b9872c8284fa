import Blueprint
import JSON

/// Who may subscribe to changes of a model, and to which of them.
package struct ListenAccess: Sendable {
    /// What becomes of a subscription.
    package enum Outcome: Sendable, Hashable {
        case deny
        /// It starts.
        ///
        /// - `filter`: what an event must have, beside the client's own filter; nil for nothing.
        /// - `comparesArguments`: whether plain arguments, such as an owner, are compared with the event. Like in
        ///   AppSync, a filter, of the rules or of the client, takes their place.
        case start(filter: AccessPredicate?, comparesArguments: Bool)
    }

    private let question: RuleQuestion
    private let standing: ModelStanding
    /// Whether everybody that AppSync admits may listen (`level: public`).
    private let isPublic: Bool
    private let statics: [[RoleTest]]
    private let dynamics: [[RoleTest]]

    init(
        _ question: String, _ standing: ModelStanding, _ tests: [RoleTest], among all: [RoleTest], isPublic: Bool
    ) {
        self.question = RuleQuestion(question, asking: tests, among: all)
        self.standing = standing
        self.isPublic = isPublic
        statics = tests.filter(\.isStatic).byMode
        let recorded = tests.filter { !$0.isStatic }
        dynamics = (recorded.filter(\.isOwner) + recorded.filter { !$0.isOwner }).byMode
    }

    /// What becomes of a subscription with these arguments: `argument` gives the text of a plain one, nil when it is
    /// absent or null.
    package func outcome(
        for caller: Caller, hasClientFilter: Bool, argument: (String) -> String?
    ) -> Outcome {
        let unfiltered = Outcome.start(filter: nil, comparesArguments: !hasClientFilter)
        if caller.passesUnasked(question) { return unfiltered }
        guard standing == .protected else { return standing.admits(caller) ? unfiltered : .deny }
        if isPublic {
            caller.trace?.note("everybody", isMet: true, "the model's subscriptions are public")
            return unfiltered
        }
        let mode = caller.identity.mode.number
        if statics[mode].contains(where: { $0.isHeld(by: caller) }) { return unfiltered }

        var conditions: [AccessPredicate.Condition] = []
        var hasOwnerArgument = false
        for test in dynamics[mode] {
            guard let condition = test.deliveryCondition(for: caller) else { continue }
            conditions.append(condition)
            guard case .owner(let claim, let field, false) = test.kind, !hasOwnerArgument,
                let owner = argument(field).map({ ByteText($0) }), owner != ""
            else { continue }
            let isTheirs = caller.ownerValues(claim).contains(owner)
            caller.trace?.note(test.label, isMet: isTheirs, "the argument \(field) is \(owner)")
            // To name somebody else is an error, not a subscription to nothing.
            guard isTheirs else { return .deny }
            hasOwnerArgument = true
        }
        guard !conditions.isEmpty else { return .deny }
        if hasOwnerArgument, conditions.count == 1, !hasClientFilter { return unfiltered }
        return .start(filter: AccessPredicate(anyOf: conditions), comparesArguments: false)
    }
}

extension RoleTest {
    /// What an event must have for the caller to get it. Events show owners by the last part of their claim.
    fileprivate func deliveryCondition(for caller: Caller) -> AccessPredicate.Condition? {
        guard let condition = completeCondition(for: caller) else { return nil }
        guard case .owner(let claim, let field, let isList) = kind else { return condition }
        return caller.ownerValues(claim).last.map { .init(field: field, values: [$0], isList: isList) }
    }
}
