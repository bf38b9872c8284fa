/// The arguments of an applied directive are those that it takes, each once, and all that it needs.
enum DirectiveArguments: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        document.forEachDirectives { directives, _, _ in
            for directive in directives {
                guard let definition = document.directive(named: directive.name.text),
                    !definition.arguments.isEmpty || !directive.arguments.isEmpty
                else { continue }
                check(directive, definition, &report)
            }
        }
    }

    private static func check(
        _ directive: Directive, _ definition: DirectiveDefinition, _ report: inout SchemaReport
    ) {
        for argument in directive.arguments
        where !definition.arguments.contains(where: { $0.name.text == argument.name.text }) {
            let suggestion = report.suggestion(for: argument.name.text, of: definition.arguments.map(\.name.text))
            report.add(
                "Unknown argument \"\(argument.name)\" on directive \"@\(directive.name)\".\(suggestion)",
                at: [argument.position], place: directive.position)
        }
        var seen: [String: Position] = [:]
        for argument in directive.arguments {
            if let first = seen[argument.name.text] {
                report.add(
                    "There can be only one argument named \"\(argument.name)\".", at: [first, argument.position],
                    place: directive.position)
            } else {
                seen[argument.name.text] = argument.position
            }
            UniqueInputFieldNames.check(argument.value, place: directive.position, &report)
        }
        for argument in definition.arguments
        where argument.type.wrapping.isNonNull && argument.defaultValue == nil && seen[argument.name.text] == nil {
            report.add(
                "Directive \"@\(directive.name)\" argument \"\(argument.name)\" of type \"\(argument.type)\" is required, but it was not provided.",
                at: directive.position)
        }
    }
}
