import JSON

/// Answers `__schema` and `__type` from the type system. Specification: section 4.
///
/// The selection is worked out first (`IntrospectionPlan`), then written once for each type, straight into the bytes
/// of the response.
package enum Introspection {
    /// The most bytes of an answer. Types lead to types, so a small document can ask for an answer without end.
    package static let responseBytesMax = 32 << 20

    /// Whether a field of the query type is answered here.
    package static func answers(_ fieldName: String) -> Bool {
        fieldName == "__schema" || fieldName == "__type"
    }

    /// The value of a field `__schema` or `__type`, as JSON. `group` is what was collected for its response name.
    package static func value(
        of group: CollectFields.Group, in document: ExecutableDocument, _ variables: VariableValues
    ) throws(GraphQLError) -> [UInt8] {
        var buffer: [UInt8] = []
        try write(group, in: document, variables, to: &buffer)
        return buffer
    }

    /// Writes the value of a field `__schema` or `__type`.
    package static func write(
        _ group: CollectFields.Group, in document: ExecutableDocument, _ variables: VariableValues,
        to buffer: inout [UInt8]
    ) throws(GraphQLError) {
        guard let field = group.fields.first?.field else { return JSONWriter.writeNull(to: &buffer) }
        let schema = document.schema
        let view = IntrospectionView(schema)
        var writer = IntrospectionWriter(view, start: buffer.count)
        if field.name.text == "__schema" {
            let plan = try IntrospectionPlan(group.selectionSets, on: "__Schema", in: document, variables)
            try writer.write(.schema, plan, to: &buffer)
            return
        }
        let arguments = ArgumentTemplate(field.arguments, of: schema.typeField.arguments, in: schema)
        guard let name = arguments.values(variables)["name"]?.string, let type = view.type(named: name) else {
            return JSONWriter.writeNull(to: &buffer)
        }
        let plan = try IntrospectionPlan(group.selectionSets, on: "__Type", in: document, variables)
        try writer.write(.type(TypeUse(named: type)), plan, to: &buffer)
    }
}
