import Script

/// A rule of AppSync's lint: it is shown each part of a module in the order of its text, and keeps what it finds.
protocol LintRule {
    var findings: [LintFinding] { get }
    mutating func visit(_ statement: Statement, in scope: LintScope)
    mutating func visit(_ expression: Expression, in scope: LintScope)
    mutating func visit(_ function: FunctionNode, isDeclaration: Bool, in scope: LintScope)
    mutating func leave(_ function: FunctionNode)
    mutating func leave(_ expression: Expression)
    /// A part of a declaration, or a parameter.
    mutating func visit(_ declared: ElementPattern, in scope: LintScope)
    /// Something is assigned to it, by itself or as a part of what is taken apart.
    mutating func visitWrite(to target: Expression, isPart: Bool, in scope: LintScope)
}

extension LintRule {
    mutating func visit(_ statement: Statement, in scope: LintScope) {}
    mutating func visit(_ expression: Expression, in scope: LintScope) {}
    mutating func visit(_ function: FunctionNode, isDeclaration: Bool, in scope: LintScope) {}
    mutating func leave(_ function: FunctionNode) {}
    mutating func leave(_ expression: Expression) {}
    mutating func visit(_ declared: ElementPattern, in scope: LintScope) {}
    mutating func visitWrite(to target: Expression, isPart: Bool, in scope: LintScope) {}
}

/// What a rule has found.
struct LintFinding {
    enum Weight {
        /// The code is refused.
        case error
        /// The preset `recommended` would refuse it, or it fails when it runs.
        case warning
    }

    var weight: Weight
    /// Nil: no rule of the lint, but the code cannot run.
    var rule: String?
    var message: String
    var place: Place
}
