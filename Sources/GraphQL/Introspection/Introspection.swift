import JSON

/// Answers `__schema` and `__type` from the type system. Specification: section 4.
///
/// The selection is worked out first (`IntrospectionPlan`), then written once for each type, straight into the bytes
/// of the response.
package enum Introspection {
    /// Why there is no answer.
    package enum Failure: Error, Equatable {
        case refused(GraphQLError)
        /// It is longer than the response has room for. Types lead to types, so a small document can ask for an answer
        /// without end.
        case tooLong
        /// Whoever asked has no more time for it.
        case interrupted
    }

    /// Returns whether a field of the query type is answered here.
    package static func answers(_ fieldName: String) -> Bool {
        fieldName == "__schema" || fieldName == "__type"
    }

    /// The value of a field `__schema` or `__type`, as JSON. `group` is what was collected for its response name. `isOver` is
    /// asked now and then whether there is no more time for it.
    package static func value(
        of group: CollectFields.Group, in document: ExecutableDocument, _ variables: VariableValues, bytesMax: Int,
        isOver: @escaping () -> Bool = { false }
    ) throws(Failure) -> [UInt8] {
        var writer = IntrospectionWriter(IntrospectionView(document.schema), bytesMax: bytesMax, isOver: isOver)
        try write(group, in: document, variables, &writer)
        return writer.bytes
    }

    private static func write(
        _ group: CollectFields.Group, in document: ExecutableDocument, _ variables: VariableValues,
        _ writer: inout IntrospectionWriter
    ) throws(Failure) {
        guard let field = group.fields.first?.field else { return writer.writeNull() }
        let schema = document.schema
        if field.name.text == "__schema" {
            let plan = try plan(group, on: "__Schema", in: document, variables)
            try writer.write(.schema, plan)
            return
        }
        let arguments = ArgumentTemplate(field.arguments, of: schema.typeField.arguments, in: schema)
        guard let name = arguments.values(variables)["name"]?.string, let type = writer.view.type(named: name) else {
            return writer.writeNull()
        }
        let plan = try plan(group, on: "__Type", in: document, variables)
        try writer.write(.type(TypeUse(named: type)), plan)
    }

    private static func plan(
        _ group: CollectFields.Group, on type: String, in document: ExecutableDocument, _ variables: VariableValues
    ) throws(Failure) -> IntrospectionPlan {
        do throws(GraphQLError) {
            return try IntrospectionPlan(group.selectionSets, on: type, in: document, variables)
        } catch {
            throw .refused(error)
        }
    }
}
