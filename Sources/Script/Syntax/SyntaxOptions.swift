/// How a file is read.
package struct SyntaxOptions: Sendable {
    package enum Goal: Sendable {
        case script, module
    }

    package var goal: Goal
    /// TypeScript's types are read and left out, `enum` and `namespace` become what its compiler makes of them.
    package var isTypeScript: Bool

    package init(goal: Goal = .module, isTypeScript: Bool = false) {
        self.goal = goal
        self.isTypeScript = isTypeScript
    }
}
