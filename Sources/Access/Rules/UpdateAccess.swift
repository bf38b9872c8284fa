import Blueprint
import JSON

/// Who may change a record of a model, and which fields of it.
///
/// The record as it is stored is judged, never the input: an owner may give a record away.
package struct UpdateAccess: Sendable {
    private enum Rules: Sendable {
        case granting(UpdateGrants)
        case guarding(UpdateGuards)
    }

    private let rules: Rules
    /// The fields of the stored record that rules compare.
    package let recordFields: [String]

    init(_ guards: UpdateGuards) {
        rules = .guarding(guards)
        recordFields = guards.recordFields
    }

    init(_ question: String, _ standing: ModelStanding, _ writers: [WritingRole], among all: [RoleTest]) {
        let grants = UpdateGrants(question, standing, writers, among: all)
        rules = .granting(grants)
        recordFields = grants.recordFields
    }

    /// Returns whether the input may be written over a record. `record` gives the stored values, and nil for all of them when
    /// there is no such record: whoever is allowed even then gets to hear that it is missing.
    package func decision(
        for caller: Caller, input: JSONObject, record: (String) -> JSONValue?
    ) -> WriteDecision {
        switch rules {
        case .granting(let grants): grants.decision(for: caller, input: input, record: record)
        case .guarding(let guards): guards.decision(for: caller, input: input, record: record)
        }
    }
}

/// Who may change a record by the rules of version 2: each allows some fields, and somebody is allowed them together.
struct UpdateGrants: Sendable {
    private let question: RuleQuestion
    private let standing: ModelStanding
    /// By mode.
    private let statics: [[WritingRole]]
    private let dynamics: [[WritingRole]]

    init(_ question: String, _ standing: ModelStanding, _ writers: [WritingRole], among all: [RoleTest]) {
        self.question = RuleQuestion(question, asking: writers.map(\.test), among: all)
        self.standing = standing
        let byMode = writers.byMode
        statics = byMode.map(\.staticsPrivateFirst)
        dynamics = byMode.map { $0.filter(\.test.isOwner) + $0.filter { !$0.test.isStatic && !$0.test.isOwner } }
    }

    var recordFields: [String] {
        dynamics.joined().compactMap(\.test.field).eachOnce()
    }

    func decision(
        for caller: Caller, input: JSONObject, record: (String) -> JSONValue?
    ) -> WriteDecision {
        if caller.passesUnasked(question) { return .allow }
        guard standing == .protected else { return standing.admits(caller) ? .allow : .deny }
        let mode = caller.identity.mode.number
        var grant = WriteGrant()
        grant.addStatics(statics[mode], for: caller)
        for writer in dynamics[mode] where !grant.isComplete {
            guard let condition = writer.test.completeCondition(for: caller) else { continue }
            if condition.isMet(by: record(condition.field), caller.trace) { grant.add(writer) }
        }
        if grant.isComplete { return .allow }
        guard !grant.isEmpty else { return .deny }
        let nulled = input.members.filter { $0.value.isNull && !grant.nullable.contains($0.key) }.map(\.key)
        let foreign = input.keys.filter { !grant.fields.contains($0) && !nulled.contains($0) }
        return nulled.isEmpty && foreign.isEmpty ? .allow : .denyFields(nulled + foreign)
    }
}

/// Who may delete a record of a model: whoever may delete every field of it.
package struct DeleteAccess: Sendable {
    private enum Rules: Sendable {
        case granting(DeletionGrants)
        case guarding(ChangeGuard)
    }

    private let rules: Rules
    /// The fields of the stored record that rules compare.
    package let recordFields: [String]

    init(_ guarded: ChangeGuard) {
        rules = .guarding(guarded)
        recordFields = guarded.recordFields
    }

    init(_ question: String, _ standing: ModelStanding, _ tests: [RoleTest], among all: [RoleTest]) {
        let grants = DeletionGrants(question, standing, tests, among: all)
        rules = .granting(grants)
        recordFields = grants.recordFields
    }

    /// Returns whether a record may be deleted; `record` as for an update. It never denies single fields.
    package func decision(for caller: Caller, record: (String) -> JSONValue?) -> WriteDecision {
        switch rules {
        case .granting(let grants): grants.decision(for: caller, record: record)
        case .guarding(let guarded): guarded.decision(for: caller, record: record)
        }
    }
}

/// Who may delete a record by the rules of version 2.
struct DeletionGrants: Sendable {
    private let question: RuleQuestion
    private let standing: ModelStanding
    private let statics: [[RoleTest]]
    private let dynamics: [[RoleTest]]

    init(_ question: String, _ standing: ModelStanding, _ tests: [RoleTest], among all: [RoleTest]) {
        self.question = RuleQuestion(question, asking: tests, among: all)
        self.standing = standing
        statics = tests.filter(\.isStatic).byMode
        dynamics = tests.filter { !$0.isStatic }.byMode
    }

    var recordFields: [String] {
        dynamics.joined().compactMap(\.field).eachOnce()
    }

    func decision(for caller: Caller, record: (String) -> JSONValue?) -> WriteDecision {
        if caller.passesUnasked(question) { return .allow }
        guard standing == .protected else { return standing.admits(caller) ? .allow : .deny }
        let mode = caller.identity.mode.number
        if statics[mode].contains(where: { $0.isHeld(by: caller) }) { return .allow }
        let isAllowed = dynamics[mode].contains { test in
            test.completeCondition(for: caller).map { condition in
                condition.isMet(by: record(condition.field), caller.trace)
            } ?? false
        }
        return isAllowed ? .allow : .deny
    }
}
