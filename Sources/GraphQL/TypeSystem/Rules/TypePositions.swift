/// Fields give output types, arguments take input types, and nothing that must be given is deprecated.
enum TypePositions: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for directive in document.directives {
            for argument in directive.arguments {
                checkInput(argument, "@\(directive.name)(\(argument.name):)", "argument", document, &report)
            }
        }
        // By number, so that nothing is copied: there are thousands of them.
        for type in document.types {
            let isAsked = document.checksGenerated || type.position.isKnown
            let fields = type.fields
            for number in fields.indices where isAsked || fields[number].name.position.isKnown {
                if document.purpose(ofTypeNamed: fields[number].type.name.text)?.isOutput != true {
                    let field = fields[number]
                    report.add(
                        "The type of \(type.name).\(field.name) must be Output Type but got: \(field.type).",
                        at: field.type.position)
                }
                let arguments = fields[number].arguments
                for place in arguments.indices where isDoubtful(arguments[place], document) {
                    checkInput(
                        arguments[place], "\(type.name).\(fields[number].name)(\(arguments[place].name):)",
                        "argument", document, &report)
                }
            }
            if case .inputObject(let input) = type {
                for number in input.fields.indices
                where (isAsked || input.fields[number].name.position.isKnown)
                    && isDoubtful(input.fields[number], document)
                {
                    checkInput(
                        input.fields[number], "\(type.name).\(input.fields[number].name)", "input field", document,
                        &report)
                }
            }
        }
    }

    /// Returns whether there can be anything to say of a value at all.
    private static func isDoubtful(_ value: InputValueDefinition, _ document: SchemaDocument) -> Bool {
        !value.directives.isEmpty || document.purpose(ofTypeNamed: value.type.name.text)?.isInput != true
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
