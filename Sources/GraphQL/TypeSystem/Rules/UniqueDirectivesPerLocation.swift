/// A directive is applied once to a definition, unless it is repeatable.
enum UniqueDirectivesPerLocation: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        document.forEachDirectives { directives, _ in
            guard directives.count > 1 else { return }
            var seen: [String: Position] = [:]
            for directive in directives {
                guard let definition = document.directive(named: directive.name.text), !definition.isRepeatable else {
                    continue
                }
                if let first = seen[directive.name.text] {
                    report.add(
                        "The directive \"@\(directive.name)\" can only be used once at this location.", at: first,
                        directive.position)
                } else {
                    seen[directive.name.text] = directive.position
                }
            }
        }
    }
}
