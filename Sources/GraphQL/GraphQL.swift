import JSON

// The GraphQL room: the language, the type system, and all that can be said about a request before it runs. It knows
// nothing of Amplify, of HTTP or of data.
//
// A request goes through these phases, each in a folder or file of its name:
//
//     text ─▶ Source ─▶ parse ─▶ Document ─▶ validate ─▶ ExecutableDocument        once for a document
//             Language/          Language/   Validation/  Execution/
//
//     operationName ─▶ operation ─▶ coerce variables ─▶ collect fields ─▶ coerce arguments      once for a request
//                      Execution/   CoerceVariableValues  CollectFields    CoerceArgumentValues
//
// and a schema through these:
//
//     SDL ─▶ Document ─▶ SchemaDocument ─▶ SchemaValidation ─▶ Schema ─▶ Introspection
//            Language/   extensions merged  TypeSystem/         TypeSystem/   Introspection/
//
// `Scalars/` has the scalars of GraphQL and of AppSync: which values they take.
//
// Collecting fields and coercing literal arguments need no request: `CollectFields` keeps the conditions of `@skip` and
// `@include` beside the fields, `ArgumentTemplate` leaves holes for variables. An engine does both when it plans.
//
// What goes wrong is a `SyntaxError`, a `SchemaError`, a `ValidationError`, a `RequestError` or, in the form in which a
// response lists it, a `GraphQLError` (Results/). All limits stand in `Limits.swift`.

/// The phases that a document goes through before it can be executed, in their order.
package enum Phases {
    /// The outcome: a document to execute, or what a client is told in its place.
    package enum Outcome: Sendable {
        case ready(ExecutableDocument)
        /// The text is no document. `error` is for the server's log; AppSync tells clients only that it is none.
        case unparsable(RequestError, error: SyntaxError)
        case invalid([GraphQLError])
        /// The same, because checking it takes more than the limits allow.
        case tooComplex([GraphQLError])
    }

    /// Parses a text and validates it: everything that is done once for a document.
    ///
    /// `rewrite` may turn what was parsed into another form before it is validated.
    package static func prepare(
        _ text: [UInt8], schema: Schema, limits: DocumentLimits = .request,
        validationLimits: ValidationLimits = .standard, reading rewrite: (Document) -> Document = { $0 }
    ) -> Outcome {
        let source = Source(text)
        let document: Document
        do {
            document = rewrite(try parse(source, limits: limits))
        } catch {
            return .unparsable(.unparsable, error: error)
        }
        let errors = validate(document, schema: schema, limits: validationLimits)
        guard errors.isEmpty else {
            let told = Validation.graphQLErrors(errors, in: source)
            return errors.contains { $0.type == .tooComplex } ? .tooComplex(told) : .invalid(told)
        }
        return .ready(ExecutableDocument(document, source: source, schema: schema))
    }

    /// A text becomes a tree.
    package static func parse(
        _ source: Source, limits: DocumentLimits = .request
    ) throws(SyntaxError) -> Document {
        try Document(parsing: source, limits: limits)
    }

    /// A tree is checked against a schema.
    package static func validate(
        _ document: Document, schema: Schema, limits: ValidationLimits = .standard
    ) -> [ValidationError] {
        Validation.errors(in: document, schema: schema, limits: limits)
    }

    /// The operation that a request names is found.
    package static func operation(
        named name: String?, in document: ExecutableDocument
    ) throws(RequestError) -> OperationDefinition {
        try document.operation(named: name)
    }

    /// The values of a request become values of the operation's variables.
    package static func coerceVariables(
        _ values: JSONObject, of operation: OperationDefinition, in document: ExecutableDocument
    ) throws(GraphQLError) -> VariableValues {
        try CoerceVariableValues.values(of: operation, from: values, in: document)
    }

    /// The same for an operation whose variables were looked at before.
    package static func coerceVariables(
        _ values: JSONObject, of variables: VariableTable
    ) throws(GraphQLError) -> VariableValues {
        try variables.values(from: values)
    }
}
