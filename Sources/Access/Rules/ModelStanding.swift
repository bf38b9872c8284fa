import Blueprint

/// What holds for a model as a whole, before its rules are asked.
enum ModelStanding: Sendable, Equatable {
    /// It has rules.
    case protected
    /// It has none, and nobody may use it.
    case closed
    /// It has none, and the schema opens those to API keys.
    case sandbox

    init(_ model: Model, in blueprint: Blueprint) {
        if model.matrix != nil {
            self = .protected
        } else {
            self = blueprint.isSandbox ? .sandbox : .closed
        }
    }

    private var explanation: String {
        switch self {
        case .protected, .closed: "a model without rules is closed to everybody"
        case .sandbox: "input AMPLIFY opens models without rules to API keys"
        }
    }

    /// Returns whether a caller may use a model without rules.
    func admits(_ caller: Caller) -> Bool {
        let isAdmitted =
            switch self {
            case .protected, .closed: false
            case .sandbox: caller.identity.mode == .apiKey
            }
        caller.trace?.note("no @auth", isMet: isAdmitted, explanation)
        return isAdmitted
    }
}
