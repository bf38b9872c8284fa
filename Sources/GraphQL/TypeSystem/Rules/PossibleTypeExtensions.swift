/// What is extended exists and is of the kind that the extension says.
package enum PossibleTypeExtensions: SchemaRule {
    package static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        for case .typeExtension(let addition) in document.definitions {
            guard let type = document.type(named: addition.name.text) else {
                report.add(
                    "Cannot extend type \"\(addition.name)\" because it is not defined."
                        + report.suggestion(for: addition.name.text, of: document.typeNames),
                    at: [addition.name.position], place: addition.position)
                continue
            }
            if type.kindName != addition.kindName {
                report.add(
                    "Cannot extend non-\(addition.kindName) type \"\(addition.name)\".",
                    at: [type.position, addition.name.position], place: addition.position)
            }
        }
    }
}
