/// There is a query type, and operations start at object types, each kind at its own.
enum RootOperationTypes: SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport) {
        if document.rootTypes[.query] == nil { report.add("Query root type must be provided.") }
        var seen: [String: (operation: OperationType, position: Position)] = [:]
        for operation in OperationType.allCases {
            guard let name = document.rootTypes[operation] else { continue }
            if case .object = document.type(named: name.text) {
                if let first = seen[name.text] {
                    report.add(
                        "All root types must be different, \"\(name)\" type is used as \(first.operation.rawValue) and \(operation.rawValue) type.",
                        at: first.position, name.position)
                }
                seen[name.text] = (operation, name.position)
            } else {
                let word = operation.rawValue.prefix(1).uppercased() + operation.rawValue.dropFirst()
                let condition = operation == .query ? "" : " if provided"
                report.add(
                    "\(word) root type must be Object type\(condition), it cannot be \(name).", at: name.position)
            }
        }
    }
}
