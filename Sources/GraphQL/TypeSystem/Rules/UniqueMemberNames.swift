/// Fields, arguments and enum values are there once in what they belong to, extensions included.
enum UniqueMemberNames: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for type in document.types {
            let owner = type.name.text
            switch type {
            case .enum(let type):
                check(type.values, &report) {
                    "Enum value \"\(owner).\($0)\" can only be defined once."
                }
            case .inputObject(let type):
                check(type.fields, &report) {
                    "Field \"\(owner).\($0)\" can only be defined once."
                }
            default:
                let fields = type.fields
                check(fields, &report) {
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
        check(arguments, &report) {
            "Argument \"\(owner())(\($0):)\" can only be defined once."
        }
    }

    /// Nearly all lists are short, and comparing a few names is faster than hashing them.
    private static let comparedMax = 8

    private static func check(
        _ members: [some NamedMember], _ report: inout SchemaReport, _ message: (String) -> String
    ) {
        if members.count <= comparedMax {
            for number in members.indices.dropFirst() {
                for first in 0..<number where members[first].name.text == members[number].name.text {
                    let own = members[number].name
                    report.add(message(own.text), at: members[first].name.position, own.position)
                    break
                }
            }
            return
        }
        var seen = NameTable(capacity: members.count)
        // Where each of the names that were seen stands.
        var places: [Int] = []
        places.reserveCapacity(members.count)
        for number in members.indices {
            let (isNew, known) = seen.insert(members[number].name.text)
            if isNew {
                places.append(number)
            } else {
                let own = members[number].name
                report.add(message(own.text), at: members[places[known]].name.position, own.position)
            }
        }
    }
}

/// What a type or a field is made of.
private protocol NamedMember {
    var name: Name { get }
}

extension FieldDefinition: NamedMember {}
extension InputValueDefinition: NamedMember {}
extension EnumValueDefinition: NamedMember {}
