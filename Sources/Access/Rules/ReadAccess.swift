import Blueprint
import JSON

/// Who may read records of a model by one of its queries.
///
/// An owner or group field that is part of the key is compared with the arguments instead of the records, as in
/// AppSync: who asks for a foreign key is denied, not answered with nothing.
package struct ReadAccess: Sendable {
    /// What is read by, and what of the key rules compare.
    enum Lookup: Sendable {
        /// A record or a list of the table; without its partition field a list reads all of it.
        case table
        case index
        /// No key: a search, or the changes of a table.
        case all
    }

    /// Fields of the key, as far as rules are about them. A sort key of several fields is one that no rule names.
    struct Key: Sendable {
        let lookup: Lookup
        let partition: String?
        let sort: String?

        static let none = Key(lookup: .all, partition: nil, sort: nil)

        init(_ lookup: Lookup, _ partition: KeyPart, _ sort: [KeyPart]) {
            self.lookup = lookup
            self.partition = partition.field
            self.sort = sort.count == 1 ? sort.first?.field : nil
        }

        private init(lookup: Lookup, partition: String?, sort: String?) {
            self.lookup = lookup
            self.partition = partition
            self.sort = sort
        }
    }

    private let question: RuleQuestion
    let standing: ModelStanding
    /// By mode.
    private let statics: [[RoleTest]]
    private let dynamics: [[RoleTest]]
    private let key: Key
    /// True if nothing is found, rather than denied, by whom the rules for their mode admit to no record.
    private let hidesFromStrangers: Bool
    /// The fields of the key that rules compare: what `decision` wants to know the arguments of.
    package let keyFields: [String]

    init(
        _ question: String, _ standing: ModelStanding, _ tests: [RoleTest], among all: [RoleTest], key: Key = .none,
        hidesFromStrangers: Bool = false
    ) {
        self.question = RuleQuestion(question, asking: tests, among: all)
        self.standing = standing
        self.key = key
        self.hidesFromStrangers = hidesFromStrangers
        statics = tests.filter(\.isStatic).byMode
        dynamics = tests.filter { !$0.isStatic }.byMode
        let compared = tests.compactMap(\.field)
        keyFields = [key.partition, key.sort].compactMap { $0 }.filter { compared.contains($0) }
    }

    /// The fields of the record that rules compare.
    package var recordFields: [String] {
        dynamics.joined().compactMap(\.field).eachOnce()
    }

    /// What the caller may read. `argument` gives what the request says of a field of the key.
    package func decision(
        for caller: Caller, argument: (String) -> KeyArgument = { _ in .absent }
    ) -> Decision {
        if caller.passesUnasked(question) { return .allow }
        guard standing == .protected else { return standing.admits(caller) ? .allow : .deny }
        let mode = caller.identity.mode.number
        if statics[mode].contains(where: { $0.isHeld(by: caller) }) { return .allow }

        var conditions: [AccessPredicate.Condition] = []
        var unasked: [AccessPredicate.Condition] = []
        for test in dynamics[mode] {
            guard let field = test.field, keyFields.contains(field) else {
                if let condition = test.condition(for: caller) { conditions.append(condition) }
                continue
            }
            guard let condition = test.completeCondition(for: caller) else { continue }
            switch argument(field) {
            case .equals(let value):
                let isMet = condition.values.contains(value)
                caller.trace?.note(test.label, isMet: isMet, "the argument \(field) is \(value)")
                if isMet { return .allow }
            case .absent: unasked.append(condition)
            case .other: caller.trace?.note(test.label, isMet: false, "the argument \(field) names no single value")
            }
        }
        let decision = decision(conditions, unasked: unasked, isScan: isScan(argument))
        return decision == .deny && hidesFromStrangers && isAsked(mode) ? .filter(.ofNothing) : decision
    }

    /// Returns whether some rule is for callers of the mode.
    private func isAsked(_ mode: Int) -> Bool { !statics[mode].isEmpty || !dynamics[mode].isEmpty }

    /// Returns whether the whole table is read.
    private func isScan(_ argument: (String) -> KeyArgument) -> Bool {
        guard key.lookup == .table, let partition = key.partition else { return key.lookup == .all }
        return argument(partition) == .absent
    }

    /// What is left to decide when nothing admits the caller outright: filters, or the caller's own part of the key.
    private func decision(
        _ conditions: [AccessPredicate.Condition], unasked: [AccessPredicate.Condition], isScan: Bool
    ) -> Decision {
        if isScan {
            let all = conditions + unasked
            return all.isEmpty ? .deny : .filter(AccessPredicate(anyOf: all))
        }
        if !conditions.isEmpty { return .filter(AccessPredicate(anyOf: conditions)) }
        let narrowed = unasked.compactMap { condition in
            condition.values.last.map { Decision.KeyCondition(field: condition.field, value: $0) }
        }
        return narrowed.isEmpty ? .deny : .narrow(narrowed)
    }
}
