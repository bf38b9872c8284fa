/// A directive is not applied to its own arguments. Specification: section 3.13.
enum DirectiveCycles: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for directive in document.directives {
            for argument in directive.arguments {
                guard let own = argument.directives.first(named: directive.name.text) else { continue }
                report.add(
                    "Directive \"@\(directive.name)\" cannot be applied to its own argument \"\(argument.name)\".",
                    at: own.position)
            }
        }
    }
}
