import GraphQL
import JSON

/// What computes a field.
enum ComputedSource: Sendable {
    /// A function, an HTTP call, or what stands for a service that is not here.
    case calls(FieldProgram)
    /// What the engine does itself: the number that it has given to the work.
    case engine(Int)
}

/// A field of an object that is computed: what it needs to know of its place in the document.
package struct ComputedField: Sendable {
    let typeName: String
    let fieldName: String
    let source: ComputedSource
    let arguments: ArgumentTemplate
    let locations: [SourceLocation]?
    /// How the value is written that comes of it.
    let plan: ValuePlan
    /// What Amplify makes for it, where it is an operation of a model that the app changes.
    let operation: ChangedPlan?

    init(
        typeName: String, fieldName: String, source: ComputedSource, arguments: ArgumentTemplate,
        locations: [SourceLocation]?, plan: ValuePlan, operation: ChangedPlan? = nil
    ) {
        self.typeName = typeName
        self.fieldName = fieldName
        self.source = source
        self.arguments = arguments
        self.locations = locations
        self.plan = plan
        self.operation = operation
    }
}

/// What came of a computed field.
enum FieldOutcome: Sendable {
    /// A value, still to be written as its plan says, and the errors that came beside it.
    case value(JSONValue, errors: [GraphQLError] = [])
    /// JSON that needs no more work. Nil: null, where none may be; what made it null is among the errors.
    case written([UInt8]?, errors: [GraphQLError] = [])

    static func failure(_ error: GraphQLError) -> FieldOutcome { .value(.null, errors: [error]) }
}
