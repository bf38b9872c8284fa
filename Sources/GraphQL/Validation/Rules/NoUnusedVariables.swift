/// A variable that an operation declares is used in it or in one of its fragments. Specification: section 5.8.4.
enum NoUnusedVariables {
    static func checkEnd(of operation: OperationDefinition, _ context: inout ValidationContext) {
        for definition in operation.variableDefinitions
        where !context.usedVariables.contains(definition.variable.text) {
            context.report(.unusedVariable, "Unused variable \(definition.variable)", at: definition.position)
        }
    }
}
