/// Fields, arguments and enum values are there once in what they belong to, extensions included.
enum UniqueMemberNames: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for type in document.types {
            let owner = type.name.text
            switch type {
            case .enum(let type):
                check(type.values.count, { type.values[$0].name }, &report) {
                    "Enum value \"\(owner).\($0)\" can only be defined once."
                }
            case .inputObject(let type):
                check(type.fields.count, { type.fields[$0].name }, &report) {
                    "Field \"\(owner).\($0)\" can only be defined once."
                }
            default:
                let fields = type.fields
                check(fields.count, { fields[$0].name }, &report) {
                    "Field \"\(owner).\($0)\" can only be defined once."
                }
                for number in fields.indices {
                    checkArguments(fields[number].arguments, of: "\(owner).\(fields[number].name)", &report)
                }
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
        check(arguments.count, { arguments[$0].name }, &report) {
            "Argument \"\(owner())(\($0):)\" can only be defined once."
        }
    }

    /// Nearly all lists are short, and comparing a few names is faster than hashing them.
    private static let comparedMax = 8

    private static func check(
        _ count: Int, _ name: (Int) -> Name, _ report: inout SchemaReport, _ message: (String) -> String
    ) {
        if count <= comparedMax {
            for number in 0..<count {
                let own = name(number)
                guard let first = (0..<number).first(where: { name($0).text == own.text }) else { continue }
                report.add(message(own.text), at: name(first).position, own.position)
            }
            return
        }
        var seen = NameTable(capacity: count)
        // Where each of the names that were seen stands.
        var places: [Int] = []
        places.reserveCapacity(count)
        for number in 0..<count {
            let own = name(number)
            let (isNew, known) = seen.insert(own.text)
            if isNew {
                places.append(number)
            } else {
                report.add(message(own.text), at: name(places[known]).position, own.position)
            }
        }
    }
}
