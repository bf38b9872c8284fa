import GraphQL

/// What an operation does, worked out once for its document: a list of root fields, each with its tree below it.
final class OperationPlan: Sendable {
    let document: ExecutableDocument
    let operation: OperationDefinition
    let rootTypeName: String
    let fields: [RootFieldPlan]
    /// How many lists there are in it, at any depth.
    let listCount: Int
    /// The relations of records that are values, by number.
    let valueRelations: [ValueRelation]
    /// Whether something outside has to be waited for.
    let isWaiting: Bool

    init(
        _ document: ExecutableDocument, _ operation: OperationDefinition, rootTypeName: String,
        fields: [RootFieldPlan], listCount: Int, valueRelations: [ValueRelation], isWaiting: Bool
    ) {
        self.document = document
        self.operation = operation
        self.rootTypeName = rootTypeName
        self.fields = fields
        self.listCount = listCount
        self.valueRelations = valueRelations
        self.isWaiting = isWaiting
    }

    func locations(of position: Position) -> [SourceLocation]? {
        document.lines.location(of: position).map { [$0] }
    }
}

/// A field of a root type in an operation.
final class RootFieldPlan: Sendable {
    let name: String
    let responseName: String
    let key: [UInt8]
    let inclusions: [Inclusion]
    let type: TypeUse
    let position: Position
    let action: Action

    /// What it does.
    enum Action: Sendable {
        case typename
        case introspection(CollectFields.Group)
        case get(GetPlan)
        case list(ListPlan)
        case mutation(MutationPlan)
        case outside(OutsidePlan)
        /// Nothing gives it a value.
        case null
    }

    init(_ group: CollectFields.Group, type: TypeUse, action: Action) {
        name = group.fields.first?.field.name.text ?? ""
        responseName = group.responseName
        key = FieldPlan.key(group.responseName)
        inclusions = FieldPlan.inclusions(of: group)
        self.type = type
        position = group.fields.first?.field.position ?? .none
        self.action = action
    }

    func isMet(_ variables: VariableValues) -> Bool {
        inclusions.isEmpty || inclusions.contains { $0.isMet(variables) }
    }
}
