import Access
import GraphQL
import Store

/// What is selected of a record: the columns to read, and what becomes of them in the response's order.
final class SelectionPlan: Sendable {
    let type: RecordType
    let fields: [FieldPlan]
    /// The fields whose columns are read, in the order of the row.
    let columns: [String]
    /// The same as `fields`, for rows.
    let rowPlan: RowPlan
    /// True if the row gives all of it: nothing else is read, and nothing is waited for.
    let isOfItsRow: Bool

    init(_ type: RecordType, fields: [FieldPlan], columns: [String]) {
        self.type = type
        self.fields = fields
        self.columns = columns
        rowPlan = RowPlan(fields)
        isOfItsRow = fields.allSatisfy { field in
            switch field.source {
            case .constant, .leaf, .null: true
            case .value, .toOne, .toMany, .outside: false
            }
        }
    }
}

/// A field of a selection.
final class FieldPlan: PlacedField, Sendable {
    let place: FieldPlace
    let source: Source
    /// True if it is null for those who may read it: it stands in the result of a mutation.
    let isNull: Bool

    /// Where a field's value comes from.
    enum Source: Sendable {
        /// The same bytes for every record, such as `__typename`.
        case constant([UInt8])
        case leaf(column: Int, LeafKind)
        /// A custom type, kept as JSON.
        case value(column: Int, ValuePlan)
        case toOne(ToOnePlan)
        case toMany(ToManyPlan)
        case outside(OutsidePlan)
        /// Nothing gives it a value.
        case null
    }

    init(_ group: CollectFields.Group, type: TypeUse, check: Int?, source: Source, isNull: Bool = false) {
        place = FieldPlace(group, type: type, check: check)
        self.source = source
        self.isNull = isNull
    }
}

/// What a relation asks of a caller.
struct RelationCheck: Sendable {
    let access: RelationAccess
    /// The number under which a decision is kept for a run, where it is the same for every record.
    let number: Int
    let model: String
    let field: String
    /// The columns of the parent's fields that the decision wants to know.
    let sources: [(field: String, column: Int)]
}

/// A relation to one record.
final class ToOnePlan: Sendable {
    let selection: SelectionPlan
    let check: RelationCheck
    /// The columns of the parent that hold the key.
    let sources: [Int]
    let lookup: Lookup

    enum Lookup: Sendable {
        case key(KeyLookup)
        /// The first record of an index.
        case index(KeyLayout)
        /// Nothing: what the parent holds is a part of a key, by which AppSync finds no record.
        case nothing
    }

    init(_ selection: SelectionPlan, _ check: RelationCheck, sources: [Int], lookup: Lookup) {
        self.selection = selection
        self.check = check
        self.sources = sources
        self.lookup = lookup
    }
}

/// A relation to many records.
final class ToManyPlan: Sendable {
    let list: ListPlan
    let check: RelationCheck
    /// The columns of the parent that hold the key.
    let sources: [Int]

    init(_ list: ListPlan, _ check: RelationCheck, sources: [Int]) {
        self.list = list
        self.check = check
        self.sources = sources
    }
}

/// A field that gives pages of records: of a table, of an index or of a relation.
final class ListPlan: Sendable {
    /// Its number in the operation.
    let number: Int
    let type: RecordType
    let arguments: ArgumentTemplate
    /// The key that it reads by; nil where it can only read the whole table.
    let key: KeyArguments?
    let connection: ConnectionPlan
    let limitDefault: Int
    /// Who may read it; nil for a relation, which has a check of its own.
    let access: ReadAccess?
    /// What its tokens are good for, beside the arguments.
    let scope: String
    /// The key that a filter may give, of the messages of a conversation: the last of them are wanted then, in their order.
    let filterKey: KeyLayout?

    init(
        number: Int, _ type: RecordType, arguments: ArgumentTemplate, key: KeyArguments?, connection: ConnectionPlan,
        limitDefault: Int = 100, _ access: ReadAccess?, scope: String, filterKey: KeyLayout? = nil
    ) {
        self.filterKey = filterKey
        self.number = number
        self.type = type
        self.arguments = arguments
        self.key = key
        self.connection = connection
        self.limitDefault = limitDefault
        self.access = access
        self.scope = scope
    }
}

/// What is selected of a connection.
struct ConnectionPlan: Sendable {
    let typeName: String
    let fields: [Field]
    /// The fields of records whose columns are read, for all selections of the items.
    let columns: [String]

    struct Field: Sendable {
        let plan: FieldPlan
        let part: Part
    }

    enum Part: Sendable {
        case items(SelectionPlan)
        case nextToken
        case startedAt
        case total
        /// Sums of a search.
        case aggregates(ValuePlan)
        case other
    }
}
