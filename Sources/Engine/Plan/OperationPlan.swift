import Access
import GraphQL
import JSON
import Synchronization

/// What an operation does, worked out once for its document: a list of root fields, each with its tree below it.
final class OperationPlan: Sendable {
    let document: ExecutableDocument
    let operation: OperationDefinition
    /// Its variables. Hot path: who takes them from here copies no operation.
    let variables: VariableTable
    let rootTypeName: String
    let fields: [RootFieldPlan]
    /// How many lists there are in it, at any depth.
    let listCount: Int
    /// The relations of records that are values, by number.
    let valueRelations: [ValueRelation]
    /// What its fields ask of a caller, by number.
    let checks: [FieldRight]
    /// The numbers of checks by `Type.field`.
    let checkNumbers: [ByteText: Int]
    /// How many relations have a check.
    let relationCount: Int
    /// What a principal of IAM needs policies for.
    let demand: IAMDemand
    /// True if something outside has to be waited for.
    let isWaiting: Bool

    init(
        _ document: ExecutableDocument, _ operation: OperationDefinition, rootTypeName: String,
        fields: [RootFieldPlan], listCount: Int, valueRelations: [ValueRelation], checks: [FieldRight],
        checkNumbers: [ByteText: Int], relationCount: Int, demand: IAMDemand, isWaiting: Bool
    ) {
        self.document = document
        self.operation = operation
        variables = VariableTable(of: operation, in: document)
        self.rootTypeName = rootTypeName
        self.fields = fields
        self.listCount = listCount
        self.valueRelations = valueRelations
        self.checks = checks
        self.checkNumbers = checkNumbers
        self.relationCount = relationCount
        self.demand = demand
        self.isWaiting = isWaiting
        isMutation = operation.operation == .mutation
        isSearch = fields.contains { if case .search = $0.action { true } else { false } }
        isSync = fields.contains { if case .sync = $0.action { true } else { false } }
        asksOfSchema = fields.contains { if case .introspection = $0.action { true } else { false } }
        readsOnce = fields.count == 1 && fields[0].action.readsOnce
    }

    /// True if all that it reads is one row: it is of one moment without a transaction.
    let readsOnce: Bool

    /// The length of the last response that was made beside the loops.
    let bytes = LastLength()

    /// A length that any thread may write: the next one is likely to be the same.
    final class LastLength: Sendable {
        private let count = Atomic<Int>(0)

        var last: Int {
            get { count.load(ordering: .relaxed) }
            set { count.store(newValue, ordering: .relaxed) }
        }
    }

    /// True if it asks for changes.
    let isSync: Bool
    /// True if it asks what the schema is like.
    let asksOfSchema: Bool
    /// True if it searches: an index of words is read in steps of any length.
    let isSearch: Bool
    let isMutation: Bool

    func locations(of position: Position) -> [SourceLocation]? {
        document.lines.location(of: position).map { [$0] }
    }
}

/// A field of a root type in an operation.
final class RootFieldPlan: PlacedField, Sendable {
    let place: FieldPlace
    let action: Action
    /// The names of what is selected, for events; none where it is no mutation.
    let eventShape: EventShape?
    /// Where its value is in a response.
    let path: ResponsePath

    /// What it does.
    enum Action: Sendable {
        case typename
        case introspection(CollectFields.Group)
        case get(GetPlan)
        case list(ListPlan)
        case search(PagedPlan)
        case sync(PagedPlan)
        case mutation(MutationPlan)
        case outside(OutsidePlan)
        /// Nothing gives it a value.
        case null

        /// True if it reads the row of one record, and nothing else.
        var readsOnce: Bool {
            guard case .get(let get) = self else { return false }
            return get.selection.isOfItsRow
        }
    }

    init(
        _ group: CollectFields.Group, type: TypeUse, check: Int?, action: Action, _ kind: OperationType,
        in document: ExecutableDocument
    ) {
        place = FieldPlace(group, type: type, check: check)
        self.action = action
        path = ResponsePath([.name(place.responseName)])
        eventShape =
            kind == .mutation ? EventShape(group.fields.map(\.field.selectionSet), in: document) : nil
    }
}
