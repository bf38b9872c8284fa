import Blueprint
import JSON

/// Who may create records of a model, with which fields, and whom that makes the owner.
package struct CreateAccess: Sendable {
    /// What becomes of a creation.
    package enum Outcome: Sendable, Equatable {
        /// It may go on, with these values beside those of the input: the owners.
        case allow(filling: JSONObject)
        case deny
        /// These fields may not be sent by the caller; in the order of the input.
        case denyFields([String])
    }

    private enum Rules: Sendable {
        case granting(CreationGrants)
        case guarding(CreationGuards)
    }

    private let rules: Rules

    init(_ guards: CreationGuards) { rules = .guarding(guards) }

    init(
        _ question: String, _ standing: ModelStanding, _ writers: [WritingRole], among all: [RoleTest],
        fillsOwnersOfStaticRoles: Bool
    ) {
        rules = .granting(
            CreationGrants(
                question, standing, writers, among: all, fillsOwnersOfStaticRoles: fillsOwnersOfStaticRoles))
    }

    /// What becomes of an input as the caller sent it, before defaults, ids and times are added.
    package func outcome(for caller: Caller, input: JSONObject) -> Outcome {
        switch rules {
        case .granting(let grants): grants.outcome(for: caller, input: input)
        case .guarding(let guards): guards.outcome(for: caller, input: input)
        }
    }
}

/// Who may create records by the rules of version 2: each allows some fields, and somebody is allowed them together.
struct CreationGrants: Sendable {
    private let question: RuleQuestion
    private let standing: ModelStanding
    /// By mode: private roles, then groups, in the order of the rules.
    private let statics: [[WritingRole]]
    private let owners: [[WritingRole]]
    private let groupFields: [[WritingRole]]
    private let fillsOwnersOfStaticRoles: Bool

    init(
        _ question: String, _ standing: ModelStanding, _ writers: [WritingRole], among all: [RoleTest],
        fillsOwnersOfStaticRoles: Bool
    ) {
        self.question = RuleQuestion(question, asking: writers.map(\.test), among: all)
        self.standing = standing
        let byMode = writers.byMode
        statics = byMode.map(\.staticsPrivateFirst)
        owners = byMode.map { $0.filter(\.test.isOwner) }
        groupFields = byMode.map { $0.filter { !$0.test.isStatic && !$0.test.isOwner } }
        self.fillsOwnersOfStaticRoles = fillsOwnersOfStaticRoles
    }

    func outcome(for caller: Caller, input: JSONObject) -> CreateAccess.Outcome {
        if caller.passesUnasked(question) { return .allow(filling: JSONObject()) }
        guard standing == .protected else { return standing.admits(caller) ? .allow(filling: JSONObject()) : .deny }
        let mode = caller.identity.mode.number
        var grant = WriteGrant()
        grant.addStatics(statics[mode], for: caller)
        var filled = JSONObject()
        for writer in owners[mode] { judge(writer, input, caller, &grant, &filled) }
        for writer in groupFields[mode] where !grant.isComplete {
            guard let condition = writer.test.completeCondition(for: caller) else { continue }
            if condition.isMet(by: input[condition.field], caller.trace) { grant.add(writer) }
        }
        if grant.isComplete { return .allow(filling: filled) }
        guard !grant.isEmpty else { return .deny }
        let denied = input.keys.filter { !grant.fields.contains($0) }
        return denied.isEmpty ? .allow(filling: filled) : .denyFields(denied)
    }

    /// An owner role: it admits whoever names themselves, or names nobody and so becomes the owner. Who was admitted
    /// already becomes the owner as well, unless the input says something of it.
    private func judge(
        _ writer: WritingRole, _ input: JSONObject, _ caller: Caller, _ grant: inout WriteGrant,
        _ filled: inout JSONObject
    ) {
        guard case .owner(let claim, let field, let isList) = writer.test.kind,
            let condition = writer.test.completeCondition(for: caller),
            let owner = caller.ownerValues(claim).full
        else { return }
        // What an earlier rule filled in is there for this one too, as in AppSync's templates.
        if let value = input[field] ?? filled[field] {
            if !grant.isComplete, condition.isMet(by: value, caller.trace) { grant.add(writer) }
            return
        }
        if grant.isComplete, !fillsOwnersOfStaticRoles { return }
        filled[field] = isList ? .array([.string(owner.string)]) : .string(owner.string)
        if !grant.isComplete { grant.add(writer) }
    }
}

extension WriteGrant {
    /// The private role, then the groups until one of them may write everything.
    mutating func addStatics(_ writers: [WritingRole], for caller: Caller) {
        for writer in writers where !isComplete && writer.test.isHeld(by: caller) { add(writer) }
    }
}

extension [WritingRole] {
    var byMode: [[WritingRole]] {
        var table = [[WritingRole]](repeating: [], count: AuthMode.count)
        for writer in self { table[writer.test.mode.number].append(writer) }
        return table
    }

    /// Those that need no record; private ones come before groups.
    var staticsPrivateFirst: [WritingRole] {
        let statics = filter(\.test.isStatic)
        return statics.filter { $0.test.strategy == .private } + statics.filter { $0.test.strategy != .private }
    }
}
