import Access
import Blueprint
import GraphQL
import JSON

/// What a caller may do with the records of a model by one operation: asked of the checks that decide requests.
struct MatrixCell: Sendable {
    enum Verdict: String, Sendable {
        case all, own, some, none
    }

    enum Operation: String, Sendable, CaseIterable {
        case get, list, sync, search, create, update, delete, listen

        var isRead: Bool { [.get, .list, .sync, .search].contains(self) }
    }

    let verdict: Verdict
    /// Those that differ from the verdict.
    let fields: [(name: String, block: [DecisionTrace.Step])]
    let steps: [DecisionTrace.Step]

    func json(_ report: DenialReport) -> JSONValue {
        let explanation = report.steps(steps)
        return [
            "verdict": .string(verdict.rawValue), "rules": Self.rules(explanation),
            "fields": .array(
                fields.map { field in
                    let steps = report.steps(field.block)
                    return [
                        "name": .string(field.name), "verdict": "none", "rules": Self.rules(steps),
                        "explanation": .array(steps),
                    ]
                }),
            "explanation": .array(explanation),
        ]
    }

    /// The rules that admit, each once.
    private static func rules(_ steps: [JSONValue]) -> JSONValue {
        .texts(steps.filter { $0["verdict"]?.text != "no" }.compactMap { $0["id"]?.string }.eachOnce())
    }
}

/// Asks the checks of a model about a caller.
struct MatrixQuestion: Sendable {
    let policy: AccessPolicy
    let view: SchemaView
    let model: Model

    /// The operations that the API has for the model.
    var operations: [MatrixCell.Operation] {
        let names = model.operations
        return MatrixCell.Operation.allCases.filter { operation in
            switch operation {
            case .get: names.get != nil
            case .list: names.list != nil
            case .sync: names.sync != nil
            case .search: model.search != nil
            case .create: names.create != nil
            case .update: names.update != nil
            case .delete: names.delete != nil
            case .listen: !names.subscriptions.isEmpty
            }
        }
    }

    func cell(_ operation: MatrixCell.Operation, for caller: MatrixCaller) -> MatrixCell {
        if case .someone(withGroups: false) = caller.kind { return cell(operation, ofSomeone: caller) }
        let own = judged(operation, caller, isOwn: true)
        guard case .stranger = caller.kind else {
            guard own.isAllowed else { return MatrixCell(verdict: .none, fields: [], steps: own.steps) }
            let other = judged(operation, caller, isOwn: false)
            if other.isAllowed, other.denied.isEmpty {
                return MatrixCell(verdict: .all, fields: [], steps: other.steps)
            }
            var isOwner = false
            if case .owner = caller.kind { isOwner = true }
            return MatrixCell(verdict: isOwner ? .own : .some, fields: own.denied, steps: own.steps)
        }
        guard own.isAllowed else { return MatrixCell(verdict: .none, fields: [], steps: own.steps) }
        let verdict: MatrixCell.Verdict = own.becomesOwner ? .own : own.denied.isEmpty ? .all : .some
        return MatrixCell(verdict: verdict, fields: own.denied, steps: own.steps)
    }

    /// The cell of a caller who is there: what they may do with all records, else with their own, else with those of their groups.
    private func cell(_ operation: MatrixCell.Operation, ofSomeone caller: MatrixCaller) -> MatrixCell {
        let other = judged(operation, caller, isOwn: false)
        if other.isAllowed, other.denied.isEmpty {
            return MatrixCell(verdict: .all, fields: [], steps: other.steps)
        }
        let own = judged(operation, caller, isOwn: true)
        if own.isAllowed {
            // A rule that gives them a part of every record is none for their own ones only.
            let isSame = other.isAllowed && other.denied.map(\.name) as [String] == own.denied.map(\.name)
            return MatrixCell(verdict: isSame ? .some : .own, fields: own.denied, steps: own.steps)
        }
        let named = judged(operation, caller.named(withGroups: true), isOwn: true)
        if named.isAllowed { return MatrixCell(verdict: .some, fields: named.denied, steps: named.steps) }
        return MatrixCell(verdict: .none, fields: [], steps: other.steps)
    }

    private struct Judgement {
        var isAllowed = false
        /// Whoever makes a record becomes its owner, and may make no other.
        var becomesOwner = false
        var denied: [(name: String, block: [DecisionTrace.Step])] = []
        var steps: [DecisionTrace.Step] = []
    }

    private func judged(_ operation: MatrixCell.Operation, _ asker: MatrixCaller, isOwn: Bool) -> Judgement {
        let trace = DecisionTrace(subject: asker.label)
        let caller = policy.caller(asker.identity, trace: trace)
        var judgement = Judgement()
        guard let access = policy.model(model.name), admits(operation, caller) else {
            return Judgement(steps: trace.questions.first ?? [])
        }
        let record = asker.record(model, isOwn: isOwn)
        switch operation {
        case .get, .list, .sync, .search:
            let decision: Decision
            let argument: (String) -> KeyArgument = { field in
                // Whoever asks by a key that is theirs names it.
                operation == .get || isOwn ? record(field)?.text.map { .equals($0) } ?? .absent : .absent
            }
            switch operation {
            case .get: decision = access.get.decision(for: caller, argument: argument)
            case .list: decision = access.list.decision(for: caller)
            case .sync: decision = access.sync.decision(for: caller)
            default: decision = access.search.decision(for: caller)
            }
            judgement.isAllowed = admitted(decision, record, trace)
            if judgement.isAllowed { judgement.denied = hiddenFields(caller, access, record, trace) }
        case .create:
            create(caller, access, record, asker, isOwn: isOwn, &judgement, trace)
        case .update:
            let input = JSONObject(
                view.schema.inputFields(of: "Update\(model.name)Input").map { ($0, JSONValue.string("value")) })
            switch access.update.decision(for: caller, input: input, record: record) {
            case .allow: judgement.isAllowed = true
            case .denyFields(let fields):
                judgement.isAllowed = fields.count < input.count
                let writable = input.keys.filter { !fields.contains($0) && !model.key.fields.contains($0) }
                if writable.isEmpty { judgement.isAllowed = false }
                judgement.denied = fields.map { ($0, []) }
            case .deny, .failsCondition: break
            }
        case .delete:
            if case .allow = access.delete.decision(for: caller, record: record) { judgement.isAllowed = true }
        case .listen:
            let outcome = access.listen.outcome(for: caller, hasClientFilter: false) { record($0)?.string }
            guard case .start(let filter, _) = outcome else { break }
            judgement.isAllowed = filter?.isMet(by: record) ?? true
        }
        return Judgement(
            isAllowed: judgement.isAllowed, becomesOwner: judgement.becomesOwner, denied: judgement.denied,
            steps: trace.questions.first ?? [])
    }

    /// Whether AppSync itself lets such callers ask at all.
    private func admits(_ operation: MatrixCell.Operation, _ caller: Caller) -> Bool {
        let names = model.operations
        let roots = view.blueprint.roots
        let place: (type: String, field: String?) =
            switch operation {
            case .get: (roots.query, names.get)
            case .list: (roots.query, names.list)
            case .sync: (roots.query, names.sync)
            case .search: (roots.query, model.search?.name)
            case .create: (roots.mutation, names.create)
            case .update: (roots.mutation, names.update)
            case .delete: (roots.mutation, names.delete)
            case .listen: (roots.subscription, names.subscriptions.first?.name)
            }
        guard let field = place.field else { return false }
        return policy.gate(type: place.type, field: field).admits(caller)
    }

    private func admitted(
        _ decision: Decision, _ record: (String) -> JSONValue?, _ trace: DecisionTrace
    ) -> Bool {
        guard case .filter = decision else { return decision.admits(record) }
        // Said of the record that was made up: the question stays the same.
        return decision.admits(record, telling: trace)
    }

    private func hiddenFields(
        _ caller: Caller, _ access: ModelAccess, _ record: (String) -> JSONValue?, _ trace: DecisionTrace
    ) -> [(name: String, block: [DecisionTrace.Step])] {
        view.schema.outputFields(of: model.name).compactMap { name, _ in
            let own = DecisionTrace()
            let asker = policy.caller(caller.identity, trace: own)
            if let field = access.field(name), !field.decision(for: asker).admits(record) {
                return (name, own.questions.first ?? [])
            }
            guard !policy.gate(type: model.name, field: name).admits(asker) else { return nil }
            return (name, own.questions.last ?? [])
        }
    }

    private func create(
        _ caller: Caller, _ access: ModelAccess, _ record: (String) -> JSONValue?, _ asker: MatrixCaller,
        isOwn: Bool, _ judgement: inout Judgement, _ trace: DecisionTrace
    ) {
        let compared = Set(
            (model.matrix?.roles.filter { !$0.isStatic }.compactMap(\.entity) ?? []).map { ByteText($0) })
        var input = JSONObject()
        for field in view.schema.inputFields(of: "Create\(model.name)Input") where !compared.contains(ByteText(field)) {
            input.set(field, to: .string("value"))
        }
        // Who names nobody becomes the owner; who names somebody has to be allowed that.
        if case .stranger = asker.kind {
        } else {
            for field in compared.map(\.string) { if let value = record(field) { input.set(field, to: value) } }
        }
        switch access.create.outcome(for: caller, input: input) {
        case .allow(let filling):
            judgement.isAllowed = true
            guard case .stranger = asker.kind, !filling.isEmpty else { return }
            // The same for somebody else: where that is denied, only records of one's own can be made.
            var foreign = input
            for member in filling { foreign.set(member.key, to: "somebody else") }
            let silent = policy.caller(caller.identity)
            if case .allow = access.create.outcome(for: silent, input: foreign) { return }
            judgement.becomesOwner = true
        case .denyFields(let fields):
            judgement.isAllowed = fields.count < input.count
            judgement.denied = fields.map { ($0, []) }
        case .deny: return
        }
    }
}
