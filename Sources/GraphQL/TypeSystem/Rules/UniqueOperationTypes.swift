/// Each kind of operation starts at one type.
enum UniqueOperationTypes: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        var seen: [OperationType: Position] = [:]
        for definition in document.definitions {
            let schema: SchemaDefinition
            switch definition {
            case .schema(let definition), .schemaExtension(let definition): schema = definition
            default: continue
            }
            for root in schema.operationTypes {
                if let first = seen[root.operation] {
                    report.add(
                        "There can be only one \(root.operation.rawValue) type in schema.", at: [first, root.position],
                        place: schema.position)
                } else {
                    seen[root.operation] = root.position
                }
            }
        }
    }
}
