/// A variable is declared by the operation that uses it. Specification: section 5.8.3.
enum NoUndefinedVariables {
    static func check(_ variable: Name, _ context: inout ValidationContext) {
        guard context.variables[variable.text] == nil else { return }
        context.report(.undefinedVariable, "Undefined variable \(variable)", at: variable.position)
    }
}
