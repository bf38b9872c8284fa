import GraphQL
import JSON

/// What computes a field.
enum ComputedSource: Sendable {
    /// A function, an HTTP call, or what stands for a service that is not here; and what its steps stand around, if they do.
    case calls(FieldProgram, around: ChangedField? = nil)
    /// What the engine does itself: the number that it has given to the work.
    case engine(Int)
}

/// What the app's own steps stand around.
enum ChangedField: Sendable {
    case operation(ChangedPlan)
    /// A relation, by its number in the operation: as its client asks for it, and with all that its records hold where steps behind
    /// it want to know that.
    case relation(asked: Int, whole: Int?)
}

/// A field of an object that is computed: what it needs to know of its place in the document.
package final class ComputedField: Sendable {
    let typeName: String
    let fieldName: String
    let source: ComputedSource
    let arguments: ArgumentTemplate
    let locations: [SourceLocation]?
    /// How the value is written that comes of it.
    let plan: ValuePlan
    /// What is selected, as the document has it; empty where nobody wants to know.
    let selectionText: String

    init(
        typeName: String, fieldName: String, source: ComputedSource, arguments: ArgumentTemplate,
        locations: [SourceLocation]?, plan: ValuePlan, _ group: CollectFields.Group
    ) {
        if case .calls(let program, _) = source, program.readsSelection {
            selectionText = group.fields.map(\.field.selectionSet).printed
        } else {
            selectionText = ""
        }
        self.typeName = typeName
        self.fieldName = fieldName
        self.source = source
        self.arguments = arguments
        self.locations = locations
        self.plan = plan
    }
}

extension ComputedField {
    /// How many of some fields run at the same time: as many as may, or as many as wait for one another.
    static func concurrentMax(_ fields: some Sequence<ComputedField?>, ordinarily usual: Int) -> Int {
        var least = Int.max
        for field in fields {
            guard let field, case .calls(let program, _) = field.source, let batchMax = program.batchMax else {
                return usual
            }
            least = min(least, batchMax)
        }
        return least == .max ? usual : max(usual, least)
    }
}

/// What came of a computed field.
enum FieldOutcome: Sendable {
    /// A value, still to be written as its plan says, and the errors that came beside it.
    case value(JSONValue, errors: [GraphQLError] = [])
    /// JSON that needs no more work. Nil: null, where none may be; what made it null is among the errors.
    case written([UInt8]?, errors: [GraphQLError] = [])

    static func failure(_ error: GraphQLError) -> FieldOutcome { .value(.null, errors: [error]) }

    var errors: [GraphQLError] {
        switch self {
        case .value(_, let errors), .written(_, let errors): errors
        }
    }

    /// The same with errors that came before.
    func beside(_ before: [GraphQLError]) -> FieldOutcome {
        switch self {
        case .value(let value, let errors): .value(value, errors: before + errors)
        case .written(let bytes, let errors): .written(bytes, errors: before + errors)
        }
    }
}
