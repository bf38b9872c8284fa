import GraphQL

/// A schema does not define what Amplify defines for the arguments of its directives, nor its directives.
enum AmplifyNames: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        guard !document.replacedTypes.isEmpty || !document.replacedDirectives.isEmpty else { return }
        for definition in document.definitions {
            switch definition {
            case .type(let type) where document.replacedTypes.contains(type.name.text):
                report.add(
                    "There can be only one type named \"\(type.name)\".", at: [type.name.position], place: Position.none
                )
            case .directive(let directive) where document.replacedDirectives.contains(directive.name.text):
                // Those of the service stand before the schema, all others behind it.
                let isOfService = DirectiveSet.serviceNames.contains(directive.name.text)
                report.add(
                    "There can be only one directive named \"@\(directive.name)\".", at: [directive.name.position],
                    place: isOfService ? directive.position : Position.none)
            default: break
            }
        }
    }
}
