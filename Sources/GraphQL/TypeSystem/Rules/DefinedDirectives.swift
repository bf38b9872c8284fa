/// Every directive that is applied is defined, and may stand where it stands.
package enum DefinedDirectives: SchemaRule {
    package static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        document.forEachDirectives { directives, location, _ in
            for directive in directives {
                guard let definition = document.directive(named: directive.name.text) else {
                    report.add(
                        "Unknown directive \"@\(directive.name)\".", at: [directive.position],
                        of: directive.name.text)
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
