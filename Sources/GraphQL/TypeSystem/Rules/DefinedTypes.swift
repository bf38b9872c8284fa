/// Every type that is used is defined.
enum DefinedTypes: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for definition in document.definitions {
            switch definition {
            case .schema(let schema), .schemaExtension(let schema):
                for root in schema.operationTypes { check(root.type, document, &report) }
            case .type(let type), .typeExtension(let type):
                guard document.checksGenerated || type.position.isKnown else { continue }
                check(type, document, &report)
            case .directive(let directive):
                for argument in directive.arguments { check(argument.type.name, document, &report) }
            case .operation, .fragment: break
            }
        }
    }

    private static func check(_ type: TypeDefinition, _ document: SchemaDocument, _ report: inout SchemaReport) {
        for interface in type.interfaces { check(interface, document, &report) }
        let fields = type.fields
        for number in fields.indices {
            check(fields[number].arguments, document, &report)
            check(fields[number].type.name, document, &report)
        }
        switch type {
        case .union(let type): for member in type.members { check(member, document, &report) }
        case .inputObject(let type): check(type.fields, document, &report)
        default: break
        }
    }

    /// By number, so that nothing is copied: there are thousands of them.
    private static func check(
        _ values: [InputValueDefinition], _ document: SchemaDocument, _ report: inout SchemaReport
    ) {
        for number in values.indices { check(values[number].type.name, document, &report) }
    }

    private static func check(_ name: Name, _ document: SchemaDocument, _ report: inout SchemaReport) {
        guard document.purpose(ofTypeNamed: name.text) == nil else { return }
        report.add(
            "Unknown type \"\(name)\"." + report.suggestion(for: name.text, of: document.typeNames), at: name.position)
    }
}
