/// Checks a document against a schema: every rule of section 5 of the specification, each in a file of its own under
/// `Rules`, all in one walk.
///
/// Errors come in the order of the walk; at one node in the order in which the walk asks the rules, which is AppSync's.
/// AppSync has no rules about names that are there twice; the last one wins.
package enum Validation {
    package static func errors(
        in document: Document, schema: Schema, limits: ValidationLimits = .standard
    ) -> [ValidationError] {
        var walk = ValidationWalk(ValidationContext(document, schema: schema, limits: limits))
        walk.visit(document)
        return walk.context.errors
    }

    /// The errors as a response has them, with their lines and columns.
    package static func graphQLErrors(_ errors: [ValidationError], in source: Source) -> [GraphQLError] {
        let lines = LineMap(source)
        return errors.map { error in
            GraphQLError(error.message, locations: error.positions.compactMap(lines.location))
        }
    }
}
