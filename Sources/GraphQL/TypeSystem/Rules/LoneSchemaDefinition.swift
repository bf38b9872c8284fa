/// A schema is defined at most once.
enum LoneSchemaDefinition: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        var isDefined = false
        for case .schema(let schema) in document.definitions {
            if isDefined { report.add("Must provide only one schema definition.", at: schema.position) }
            isDefined = true
        }
    }
}
