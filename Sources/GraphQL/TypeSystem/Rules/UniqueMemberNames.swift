/// Fields, arguments and enum values are there once in what they belong to, extensions included.
enum UniqueMemberNames: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for type in document.types {
            let owner = type.name.text
            switch type {
            case .enum(let type):
                check(type.values.map(\.name), &report) { "Enum value \"\(owner).\($0)\" can only be defined once." }
            case .inputObject(let type):
                check(type.fields.map(\.name), &report) { "Field \"\(owner).\($0)\" can only be defined once." }
            default:
                check(type.fields.map(\.name), &report) { "Field \"\(owner).\($0)\" can only be defined once." }
                for field in type.fields { checkArguments(field.arguments, of: "\(owner).\(field.name)", &report) }
            }
        }
        for directive in document.directives {
            checkArguments(directive.arguments, of: "@\(directive.name)", &report)
        }
    }

    private static func checkArguments(
        _ arguments: [InputValueDefinition], of owner: @autoclosure () -> String, _ report: inout SchemaReport
    ) {
        guard arguments.count > 1 else { return }
        check(arguments.map(\.name), &report) { "Argument \"\(owner())(\($0):)\" can only be defined once." }
    }

    private static func check(_ names: [Name], _ report: inout SchemaReport, _ message: (String) -> String) {
        // Nearly all lists are short, and comparing a few names is faster than hashing them.
        if names.count <= 16 {
            for (index, name) in names.enumerated() {
                guard let first = names[..<index].first(where: { $0.text == name.text }) else { continue }
                report.add(message(name.text), at: first.position, name.position)
            }
            return
        }
        var seen: [String: Position] = [:]
        for name in names {
            if let first = seen[name.text] {
                report.add(message(name.text), at: first, name.position)
            } else {
                seen[name.text] = name.position
            }
        }
    }
}
