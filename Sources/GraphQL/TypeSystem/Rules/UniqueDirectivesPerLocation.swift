/// A directive is applied once to a definition, unless it is repeatable.
enum UniqueDirectivesPerLocation: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        document.forEachDirectives { directives, _ in
            guard directives.count > 1, hasRepetition(directives) else { return }
            var names = RepeatedNames()
            for directive in directives {
                guard let first = names.first(directive.name),
                    let definition = document.directive(named: directive.name.text), !definition.isRepeatable
                else { continue }
                report.add(
                    "The directive \"@\(directive.name)\" can only be used once at this location.", at: first.position,
                    directive.position)
            }
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
