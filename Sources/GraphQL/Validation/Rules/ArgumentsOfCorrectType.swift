/// The value of an argument is one of its type. Specification: section 5.6.1.
enum ArgumentsOfCorrectType {
    static func check(_ argument: Argument, _ definition: InputValue?, _ context: inout ValidationContext) {
        guard let definition, let problem = LiteralCheck.problem(of: argument.value, definition.type, context.schema)
        else { return }
        let path = argument.name.text + problem.path.reversed().joined()
        context.report(
            .wrongType,
            "argument '\(path)' with value '\(LiteralText.text(of: problem.value ?? argument.value))' \(problem.reason)",
            at: argument.position)
    }
}
