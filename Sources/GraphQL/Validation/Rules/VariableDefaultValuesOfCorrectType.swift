/// The default value of a variable is one of its type. Specification: section 5.6.1.
///
/// AppSync keeps a rule that the specification has dropped: a variable that cannot be null has no default.
enum VariableDefaultValuesOfCorrectType {
    static func check(_ definition: VariableDefinition, _ context: inout ValidationContext) {
        guard let value = definition.defaultValue, let type = context.schema.typeUse(definition.type),
            context.schema[type.named].isInput
        else { return }
        if type.isNonNull {
            context.report(.defaultForNonNullArgument, "Missing value for non null type", at: definition.position)
        }
        if LiteralCheck.problem(of: value, type, context.schema) != nil {
            context.report(
                .badValueForDefaultArgument,
                "Bad default value \(LiteralText.text(of: value)) for type \(definition.type)", at: definition.position)
        }
    }
}
