/// An input object that is written as a default has each field once. `DirectiveArguments` asks the same of arguments.
enum UniqueInputFieldNames: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        let definitions = document.definitions
        for place in definitions.indices {
            // Nearly all are types, of which no definition is copied.
            guard let type = definitions[place].type else {
                if case .directive(let directive) = definitions[place] { check(directive.arguments, &report) }
                continue
            }
            let fields = type.fields
            for number in fields.indices { check(fields[number].arguments, &report) }
            if case .inputObject(let input) = type { check(input.fields, &report) }
        }
    }

    private static func check(_ values: [InputValueDefinition], _ report: inout SchemaReport) {
        for number in values.indices {
            guard let value = values[number].defaultValue else { continue }
            check(value, place: value.position, &report)
        }
    }

    static func check(_ value: Value, place: Position, _ report: inout SchemaReport) {
        switch value {
        case .list(let list): for item in list.values { check(item, place: place, &report) }
        case .object(let object):
            var seen: [String: Position] = [:]
            for field in object.fields {
                if let first = seen[field.name.text] {
                    report.add(
                        "There can be only one input field named \"\(field.name)\".", at: [first, field.position],
                        place: place)
                } else {
                    seen[field.name.text] = field.position
                }
                check(field.value, place: place, &report)
            }
        default: break
        }
    }
}
