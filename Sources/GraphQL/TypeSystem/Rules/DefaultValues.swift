/// A default value is one of its type.
enum DefaultValues: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for directive in document.directives { check(directive.arguments, document, &report) }
        for type in document.types {
            for field in type.fields { check(field.arguments, document, &report) }
            if case .inputObject(let input) = type { check(input.fields, document, &report) }
        }
    }

    private static func check(
        _ values: [InputValueDefinition], _ document: SchemaDocument, _ report: inout SchemaReport
    ) {
        for value in values {
            guard let defaultValue = value.defaultValue else { continue }
            SchemaLiteral.check(defaultValue, value.type, document, &report)
        }
    }
}
