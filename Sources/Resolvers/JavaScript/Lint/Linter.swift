import Script

/// AppSync's lint: all rules in one walk over a module.
struct Linter {
    /// What was found, in the order of the text.
    let findings: [LintFinding]
    let callStarts: CallStarts

    init(_ program: ProgramNode, _ names: NameNumbers) {
        let types = StaticTypes(names)
        let walk = LintWalk(
            program,
            rules: [
                SyntaxRules(names), ContextRule(names), MissingFeaturesRule(names), DeniedMethodsRule(names, types),
                FunctionRules(names, types), RecursionRule(names, types), CallStartsRule(),
            ])
        var findings: [LintFinding] = []
        var starts = CallStarts()
        for var rule in walk.run(program) {
            if var recursion = rule as? RecursionRule {
                recursion.finish()
                rule = recursion
            }
            if let calls = rule as? CallStartsRule { starts = calls.starts }
            findings += rule.findings
        }
        callStarts = starts
        let order = findings.indices.sorted { one, other in
            let (left, right) = (findings[one].place, findings[other].place)
            return (left.line, left.column, Int32(truncatingIfNeeded: one))
                < (right.line, right.column, Int32(truncatingIfNeeded: other))
        }
        self.findings = order.map { findings[$0] }
    }
}

/// No rule: notes where calls begin, for the places that logs and errors name.
private struct CallStartsRule: LintRule {
    let findings: [LintFinding] = []
    private(set) var starts = CallStarts()

    mutating func visit(_ expression: Expression, in scope: LintScope) {
        if case .call = expression.form { starts.add(expression.start, of: expression.place) }
    }
}
