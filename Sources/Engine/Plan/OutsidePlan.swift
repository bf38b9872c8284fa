import GraphQL

/// A field of a record, or of a root type, that something outside computes.
final class OutsidePlan: Sendable {
    let field: ComputedField
    /// The columns of the record that the call gets as its source.
    let sources: [Int]

    init(_ field: ComputedField, sources: [Int]) {
        self.field = field
        self.sources = sources
    }
}

/// A relation of a record that no database has given: a function's result, say. Its key is in the record's JSON.
struct ValueRelation: Sendable {
    let parent: RecordType
    /// The members that hold the key.
    let sourceFields: [String]
    let source: FieldPlan.Source
    let type: TypeUse
    let position: Position
}
