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
    /// True if everybody that AppSync admits may listen (`level: public`).
    private let isPublic: Bool
    private let statics: [[RoleTest]]
    private let dynamics: [[RoleTest]]
    /// True if owners have to name themselves, and no event is compared with rules: so it is in version 1.
    private let asksOwners: Bool

    init(
        _ question: String, _ standing: ModelStanding, _ tests: [RoleTest], among all: [RoleTest], isPublic: Bool,
        asksOwners: Bool = false
    ) {
        self.question = RuleQuestion(question, asking: tests, among: all)
        self.standing = standing
        self.isPublic = isPublic
        self.asksOwners = asksOwners
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
        if asksOwners { return isOwner(caller, argument) ? unfiltered : .deny }

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

    /// Returns whether the caller names themselves by an argument. Groups that records name guard nothing here: where there is no
    /// other rule, everybody hears everything.
    private func isOwner(_ caller: Caller, _ argument: (String) -> String?) -> Bool {
        let mode = caller.identity.mode.number
        let owners = dynamics[mode].filter(\.isOwner)
        guard !owners.isEmpty else {
            let isOpen = !dynamics[mode].isEmpty && !statics[mode].contains(where: \.isOfNamedGroups)
            for test in dynamics[mode] where isOpen {
                caller.trace?.note(test.label, isMet: true, "groups that records name do not guard subscriptions")
            }
            return isOpen
        }
        return owners.contains { test in
            guard case .owner(let claim, let field, _) = test.kind else { return false }
            let owner = argument(field).map { ByteText($0) }
            let isTheirs = owner.map(caller.ownerValues(claim).contains) ?? false
            caller.trace?.note(
                test.label, isMet: isTheirs,
                owner.map { "the argument \(field) is \($0)" } ?? "there is no argument \(field)")
            return isTheirs
        }
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
