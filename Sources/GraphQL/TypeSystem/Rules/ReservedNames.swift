/// Names that start with two underscores belong to introspection.
enum ReservedNames: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for directive in document.directives {
            check(directive.name, &report)
            check(directive.arguments, &report)
        }
        for type in document.types {
            check(type.name, &report)
            let fields = type.fields
            for number in fields.indices {
                check(fields[number].name, &report)
                check(fields[number].arguments, &report)
            }
            switch type {
            case .enum(let type): for value in type.values { check(value.name, &report) }
            case .inputObject(let type): check(type.fields, &report)
            default: break
            }
        }
    }

    private static func check(_ values: [InputValueDefinition], _ report: inout SchemaReport) {
        for number in values.indices { check(values[number].name, &report) }
    }

    private static func check(_ name: Name, _ report: inout SchemaReport) {
        // Looking at one byte is what this costs for nearly all names.
        guard name.text.utf8.first == UInt8(ascii: "_"), name.text.utf8.starts(with: "__".utf8) else { return }
        report.add(
            "Name \"\(name)\" must not begin with \"__\", which is reserved by GraphQL introspection.",
            at: name.position)
    }
}
