/// A name is the name of one directive.
enum UniqueDirectiveNames: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        var seen: [String: Position] = [:]
        for directive in document.directives {
            if let first = seen[directive.name.text] {
                report.add(
                    "There can be only one directive named \"@\(directive.name)\".",
                    at: [first, directive.name.position], place: directive.position)
            } else {
                seen[directive.name.text] = directive.name.position
            }
        }
    }
}
