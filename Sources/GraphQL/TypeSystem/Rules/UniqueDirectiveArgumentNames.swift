/// The arguments of a directive are there once. Amplify's own tools let it pass.
enum UniqueDirectiveArgumentNames: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for directive in document.directives where directive.arguments.count > 1 {
            directive.arguments.forEachRepetition { first, name in
                report.add(
                    "Argument \"@\(directive.name)(\(name):)\" can only be defined once.", at: [first, name.position],
                    place: directive.position)
            }
        }
    }
}
