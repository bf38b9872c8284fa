/// A document that is valid for a schema, with what executing it needs again and again worked out once.
///
/// An object: every execution holds its document, and counts one reference instead of one for each member.
package final class ExecutableDocument: Sendable {
    package let schema: Schema
    package let source: Source
    package let operations: [OperationDefinition]
    /// The fragments by name.
    package let fragments: [String: FragmentDefinition]
    /// Finds lines and columns for errors.
    package let lines: LineMap

    /// Prepares a document that was parsed and found valid.
    package init(_ document: Document, source: Source, schema: Schema) {
        self.schema = schema
        self.source = source
        operations = document.operations
        fragments = Dictionary(document.fragments.map { ($0.name.text, $0) }, uniquingKeysWith: { _, last in last })
        lines = LineMap(source)
    }

    /// The operation to execute. Specification: section 6.1, GetOperation().
    package func operation(named name: String?) throws(RequestError) -> OperationDefinition {
        guard let name, !name.isEmpty else {
            guard operations.count <= 1 else { throw .missingOperationName }
            guard let operation = operations.first else { throw .unparsable }
            return operation
        }
        guard let operation = operations.last(where: { $0.name?.text == name }) else { throw .unknownOperation(name) }
        return operation
    }
}
