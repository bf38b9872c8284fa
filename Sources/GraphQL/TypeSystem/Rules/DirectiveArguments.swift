/// The arguments of an applied directive are those that it takes, each once, with values of their types.
enum DirectiveArguments: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        document.forEachDirectives { directives, _ in
            for directive in directives {
                guard let definition = document.directive(named: directive.name.text),
                    !definition.arguments.isEmpty || !directive.arguments.isEmpty
                else { continue }
                check(directive, definition, document, &report)
            }
        }
    }

    private static func check(
        _ directive: Directive, _ definition: DirectiveDefinition, _ document: SchemaDocument,
        _ report: inout SchemaReport
    ) {
        var seen: [String: Position] = [:]
        for argument in directive.arguments {
            let name = argument.name.text
            if let first = seen[name] {
                report.add("There can be only one argument named \"\(name)\".", at: first, argument.position)
            } else {
                seen[name] = argument.position
            }
            guard let expected = definition.arguments.first(where: { $0.name.text == name }) else {
                report.add(
                    "Unknown argument \"\(name)\" on directive \"@\(directive.name)\"."
                        + report.suggestion(for: name, of: definition.arguments.map(\.name.text)), at: argument.position
                )
                continue
            }
            SchemaLiteral.check(argument.value, expected.type, document, &report)
        }
        for argument in definition.arguments
        where argument.type.wrapping.isNonNull && argument.defaultValue == nil && seen[argument.name.text] == nil {
            report.add(
                "Directive \"@\(directive.name)\" argument \"\(argument.name)\" of type \"\(argument.type)\" is required, but it was not provided.",
                at: directive.position)
        }
    }
}
