/// A directive is applied once to a definition, unless it is repeatable.
enum UniqueDirectivesPerLocation: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        document.forEachDirectives { directives, location, place in
            guard directives.count > 1, location != .schema, hasRepetition(directives) else { return }
            var names = RepeatedNames()
            check(directives, &names, in: place, document, &report)
        }
        // The pieces of a schema, and of a type, are one thing to which a directive is applied.
        var ofSchema = RepeatedNames()
        for definition in document.definitions {
            switch definition {
            case .schema(let schema), .schemaExtension(let schema):
                check(schema.directives, &ofSchema, in: schema.position, document, &report)
            default: break
            }
        }
        for pieces in document.piecesOfTypes {
            var names = RepeatedNames()
            for type in pieces {
                // What is repeated within a piece has been found.
                var own = Set<String>()
                let directives = type.directives.filter { own.insert($0.name.text).inserted }
                check(directives, &names, in: type.position, document, &report)
            }
        }
    }

    private static func check(
        _ directives: [Directive], _ names: inout RepeatedNames, in place: Position, _ document: SchemaDocument,
        _ report: inout SchemaReport
    ) {
        for directive in directives {
            guard let first = names.first(directive.name),
                let definition = document.directive(named: directive.name.text), !definition.isRepeatable
            else { continue }
            report.add(
                "The directive \"@\(directive.name)\" can only be used once at this location.",
                at: [first.position, directive.position], place: place)
        }
    }

    /// Comparing the few that there usually are needs no memory.
    private static func hasRepetition(_ directives: [Directive]) -> Bool {
        guard directives.count <= RepeatedNames.fewMax else { return true }
        for number in directives.indices.dropFirst()
        where directives[..<number].contains(where: { $0.name.text == directives[number].name.text }) {
            return true
        }
        return false
    }
}

/// The names that came so far, and where each came first. A few are compared one by one, which is faster than hashing.
private struct RepeatedNames {
    private var few: [Name] = []
    private var many: [String: Name] = [:]

    static let fewMax = 16

    /// The same name where it came first; nil for a new one.
    mutating func first(_ name: Name) -> Name? {
        if let found = few.first(where: { $0.text == name.text }) ?? many[name.text] { return found }
        if few.count < Self.fewMax { few.append(name) } else { many[name.text] = name }
        return nil
    }
}
