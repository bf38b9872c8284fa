/// A document that is executed holds operations and fragments only. Specification: section 5.1.1.
enum ExecutableDefinitions {
    static func check(_ document: Document, _ context: inout ValidationContext) {
        for definition in document.definitions where !definition.isExecutable {
            let name =
                switch definition {
                case .type(let type), .typeExtension(let type): type.name.text
                case .directive(let directive): directive.name.text
                default: "schema"
                }
            context.report(
                .nonExecutableDefinition, "The \(name) definition is not executable.", at: definition.position)
        }
    }
}
