/// A directive is applied once to a definition, unless it is repeatable.
enum UniqueDirectivesPerLocation: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        document.forEachDirectives { directives, _ in
            guard directives.count > 1 else { return }
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
}

/// The names that came so far, and where each came first. A few are compared one by one, which is faster than hashing.
private struct RepeatedNames {
    private var few: [Name] = []
    private var many: [String: Name] = [:]

    private static let fewMax = 16

    /// The same name where it came first; nil for a new one.
    mutating func first(_ name: Name) -> Name? {
        if let found = few.first(where: { $0.text == name.text }) ?? many[name.text] { return found }
        if few.count < Self.fewMax { few.append(name) } else { many[name.text] = name }
        return nil
    }
}
