import Access

/// What a caller must meet to be given a field of an object: AppSync's gate, and the rules on the field itself.
struct FieldCheck: Sendable {
    let typeName: String
    let fieldName: String
    let gate: FieldGate
    /// Nil: whoever gets to see the object may read it.
    let access: FieldAccess?

    /// What is decided for a whole request; some rules have to be asked of each record.
    enum Verdict: Sendable {
        case allow
        case deny
        case records(Decision)
    }

    func verdict(for caller: Caller) -> Verdict {
        guard gate.admits(caller) else { return .deny }
        guard let access else { return .allow }
        return switch access.decision(for: caller) {
        case .allow: .allow
        case .deny: .deny
        case let decision: .records(decision)
        }
    }
}

/// The checks of an operation's fields as one caller meets them.
struct Verdicts {
    /// Empty when everything is allowed, as nearly always.
    private var verdicts: [FieldCheck.Verdict] = []

    init(_ checks: [FieldCheck], for caller: Caller) {
        for (number, check) in checks.enumerated() {
            let verdict = check.verdict(for: caller)
            if verdicts.isEmpty {
                if case .allow = verdict { continue }
                verdicts = Array(repeating: .allow, count: number)
            }
            verdicts.append(verdict)
        }
    }

    var allowsEverything: Bool { verdicts.isEmpty }

    /// Says of the fields of values whether the caller may see them; nil when everything may be seen.
    func permission(for plan: OperationPlan) -> ValueWriter.Permission? {
        guard !verdicts.isEmpty else { return nil }
        return { field in
            // A rule that compares records cannot be asked of a value that is none.
            guard let number = plan.checkNumbers["\(field.typeName).\(field.name)"], case .allow = self[number] else {
                return false
            }
            return true
        }
    }

    subscript(number: Int) -> FieldCheck.Verdict {
        verdicts.isEmpty ? .allow : verdicts.indices.contains(number) ? verdicts[number] : .deny
    }
}
