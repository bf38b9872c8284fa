/// Names that start with two underscores belong to introspection.
enum ReservedNames: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for directive in document.directives {
            check(directive.name, &report)
            check(directive.arguments.map(\.name), &report)
        }
        for type in document.types {
            check(type.name, &report)
            for field in type.fields {
                check(field.name, &report)
                check(field.arguments.map(\.name), &report)
            }
            switch type {
            case .enum(let type): check(type.values.map(\.name), &report)
            case .inputObject(let type): check(type.fields.map(\.name), &report)
            default: break
            }
        }
    }

    private static func check(_ names: [Name], _ report: inout SchemaReport) {
        for name in names { check(name, &report) }
    }

    private static func check(_ name: Name, _ report: inout SchemaReport) {
        guard name.text.utf8.starts(with: "__".utf8) else { return }
        report.add(
            "Name \"\(name)\" must not begin with \"__\", which is reserved by GraphQL introspection.",
            at: name.position)
    }
}
