import Access

/// What is decided about a field for a whole request; some rules have to be asked of each record.
enum Verdict: Sendable {
    case allow
    case deny
    case records(Decision)
}

extension FieldRight {
    func verdict(for caller: Caller) -> Verdict {
        switch decision(for: caller) {
        case .allow: .allow
        case .deny: .deny
        case let decision: .records(decision)
        }
    }
}

/// The checks of an operation's fields as one caller meets them.
struct Verdicts {
    /// Empty when everything is allowed, as nearly always.
    private var verdicts: [Verdict] = []

    init(_ checks: [FieldRight], for caller: Caller) {
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

    subscript(number: Int) -> Verdict {
        verdicts.isEmpty ? .allow : verdicts.indices.contains(number) ? verdicts[number] : .deny
    }
}
