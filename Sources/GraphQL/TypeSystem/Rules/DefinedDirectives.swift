/// Every directive that is applied is defined, and may stand where it stands.
enum DefinedDirectives: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        document.forEachDirectives { directives, location in
            for directive in directives {
                guard let definition = document.directive(named: directive.name.text) else {
                    report.add("Unknown directive \"@\(directive.name)\".", at: directive.position)
                    continue
                }
                if !definition.locations.contains(location) {
                    report.add(
                        "Directive \"@\(directive.name)\" may not be used on \(location.rawValue).",
                        at: directive.position)
                }
            }
        }
    }
}
