/// Arguments that must be given are there. Specification: section 5.4.2.1.
enum ProvidedNonNullArguments {
    static func check(_ field: Field, _ definition: SchemaField?, _ context: inout ValidationContext) {
        guard let definition else { return }
        for argument in missing(field.arguments, definition.arguments) {
            context.report(.missingFieldArgument, "Missing field argument \(argument)", at: field.position)
        }
    }

    static func check(_ directive: Directive, _ definition: SchemaDirective?, _ context: inout ValidationContext) {
        guard let definition else { return }
        for argument in missing(directive.arguments, definition.arguments) {
            context.report(.missingDirectiveArgument, "Missing directive argument \(argument)", at: directive.position)
        }
    }

    private static func missing(_ arguments: [Argument], _ expected: InputTable) -> [String] {
        expected.values.filter { value in
            value.isRequired && !arguments.contains { $0.name.text == value.name }
        }.map(\.name)
    }
}
