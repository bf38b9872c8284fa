/// Fields and enum values are there once in what they belong to, extensions included.
package enum UniqueMemberNames: SchemaRule {
    package static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        let definitions = document.definitions
        for place in definitions.indices {
            guard let type = definitions[place].type, document.isWhole(type.name.text) else { continue }
            switch type {
            case .enum(let enumeration): check(enumeration.values, of: type, &report)
            case .inputObject(let input): check(input.fields, of: type, &report)
            default: check(type.fields, of: type, &report)
            }
        }
        for pieces in document.piecesOfTypes { check(pieces, &report) }
    }

    private static func check(
        _ members: [some NamedMember], of type: TypeDefinition, _ report: inout SchemaReport
    ) {
        members.forEachRepetition { first, name in add(name, after: first, to: type, &report) }
    }

    /// What one piece of a type has must be in none before it.
    private static func check(_ pieces: [TypeDefinition], _ report: inout SchemaReport) {
        var seen: [String: Position] = [:]
        for type in pieces {
            let names: [Name] =
                switch type {
                case .enum(let type): type.values.map(\.name)
                case .inputObject(let type): type.fields.map(\.name)
                default: type.fields.map(\.name)
                }
            for name in names {
                if let first = seen[name.text] {
                    add(name, after: first, to: type, &report)
                } else {
                    seen[name.text] = name.position
                }
            }
        }
    }

    private static func add(
        _ name: Name, after first: Position, to type: TypeDefinition, _ report: inout SchemaReport
    ) {
        let kind = if case .enum = type { "Enum value" } else { "Field" }
        report.add(
            "\(kind) \"\(type.name).\(name)\" can only be defined once.", at: [first, name.position],
            place: type.position)
    }
}

/// What a type, a field or a directive is made of.
protocol NamedMember {
    var name: Name { get }
}

extension FieldDefinition: NamedMember {}
extension InputValueDefinition: NamedMember {}
extension EnumValueDefinition: NamedMember {}

extension Array where Element: NamedMember {
    /// Calls back with each name that was there before, and with where that was.
    func forEachRepetition(_ body: (_ first: Position, Name) -> Void) {
        // Nearly all lists are short, and comparing a few names is faster than hashing them.
        if count <= 8 {
            for number in indices.dropFirst() {
                for first in 0..<number where self[first].name.text == self[number].name.text {
                    body(self[first].name.position, self[number].name)
                    break
                }
            }
            return
        }
        var seen = NameTable(capacity: count)
        // Where each of the names that were seen stands.
        var places: [Int] = []
        places.reserveCapacity(count)
        for number in indices {
            let (isNew, known) = seen.insert(self[number].name.text)
            if isNew {
                places.append(number)
            } else {
                body(self[places[known]].name.position, self[number].name)
            }
        }
    }
}
