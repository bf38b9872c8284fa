/// The arguments of an applied directive have values of their types.
enum DirectiveValues: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        document.forEachDirectives { directives, _, _ in
            for directive in directives where !directive.arguments.isEmpty {
                guard let definition = document.directive(named: directive.name.text) else { continue }
                for argument in directive.arguments {
                    guard let expected = definition.arguments.first(where: { $0.name.text == argument.name.text })
                    else { continue }
                    SchemaLiteral.check(argument.value, expected.type, document, &report)
                }
            }
        }
    }
}
