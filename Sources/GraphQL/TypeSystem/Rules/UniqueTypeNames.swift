/// A name is the name of one type.
enum UniqueTypeNames: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        var seen: [String: Position] = [:]
        for case .type(let type) in document.definitions {
            if let first = seen[type.name.text] {
                report.add("There can be only one type named \"\(type.name)\".", at: first, type.name.position)
            } else {
                seen[type.name.text] = type.name.position
            }
        }
    }
}
