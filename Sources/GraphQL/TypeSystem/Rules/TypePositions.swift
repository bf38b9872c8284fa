/// Fields give output types, arguments take input types, and nothing that must be given is deprecated.
enum TypePositions: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for directive in document.directives {
            for argument in directive.arguments {
                checkInput(argument, "@\(directive.name)(\(argument.name):)", "argument", document, &report)
            }
        }
        for type in document.types {
            for field in type.fields {
                if document.purpose(ofTypeNamed: field.type.name.text)?.isOutput != true {
                    report.add(
                        "The type of \(type.name).\(field.name) must be Output Type but got: \(field.type).",
                        at: field.type.position)
                }
                for argument in field.arguments {
                    checkInput(
                        argument, "\(type.name).\(field.name)(\(argument.name):)", "argument", document, &report)
                }
            }
            if case .inputObject(let input) = type {
                for field in input.fields {
                    checkInput(field, "\(type.name).\(field.name)", "input field", document, &report)
                }
            }
        }
    }

    private static func checkInput(
        _ value: InputValueDefinition, _ place: @autoclosure () -> String, _ kind: String, _ document: SchemaDocument,
        _ report: inout SchemaReport
    ) {
        if document.purpose(ofTypeNamed: value.type.name.text)?.isInput != true {
            report.add("The type of \(place()) must be Input Type but got: \(value.type).", at: value.type.position)
        }
        if value.type.wrapping.isNonNull, value.defaultValue == nil, value.directives.contains(named: "deprecated") {
            report.add("Required \(kind) \(place()) cannot be deprecated.", at: value.position)
        }
    }
}
