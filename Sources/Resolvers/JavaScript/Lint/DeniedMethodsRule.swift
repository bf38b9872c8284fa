import JSON
import Script

/// `no-disallowed-methods`: methods of the library that the runtime does not have, where it is plain what they are called on.
struct DeniedMethodsRule: LintRule {
    private(set) var findings: [LintFinding] = []
    private let names: NameNumbers
    private let types: StaticTypes

    init(_ names: NameNumbers, _ types: StaticTypes) {
        self.names = names
        self.types = types
    }

    mutating func visit(_ expression: Expression, in scope: LintScope) {
        guard case .call(let callee, _, _) = expression.form,
            case .member(let object, let member, _) = callee.plain.form
        else { return }
        let name = names.text(of: member)
        guard let owner = types.type(of: object, in: scope).interface,
            StaticTypes.denied[owner]?.contains(name) == true
        else { return }
        findings.append(
            LintFinding(
                weight: .warning, rule: "no-disallowed-methods", message: "Method \(owner).\(name) is not implemented",
                place: expression.start))
    }
}
