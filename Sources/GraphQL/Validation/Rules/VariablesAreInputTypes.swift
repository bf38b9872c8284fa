/// A variable is of an input type. Specification: section 5.8.2.
enum VariablesAreInputTypes {
    static func check(_ definition: VariableDefinition, _ context: inout ValidationContext) {
        guard let type = context.schema.type(named: definition.type.name.text), !type.isInput else { return }
        context.report(.nonInputTypeOnVariable, "Wrong type for a variable", at: definition.position)
    }
}
