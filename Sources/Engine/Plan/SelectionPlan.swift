import Access
import GraphQL
import JSON
import Store

/// What is selected of a record: the columns to read, and what becomes of them in the response's order.
final class SelectionPlan: Sendable {
    let type: RecordType
    let fields: [FieldPlan]
    /// The fields whose columns are read, in the order of the row.
    let columns: [String]

    init(_ type: RecordType, fields: [FieldPlan], columns: [String]) {
        self.type = type
        self.fields = fields
        self.columns = columns
    }
}

/// A field of a selection: its place in the response and where its value comes from.
struct FieldPlan: Sendable {
    let name: String
    let responseName: String
    /// The response name as JSON, between the comma before it and the colon behind it.
    let key: [UInt8]
    /// Empty when it is part of every request; otherwise of those that meet one of them.
    let inclusions: [Inclusion]
    let type: TypeUse
    let position: Position
    /// The number of its check; none for what everybody may read, such as `__typename`.
    let check: Int?
    let source: Source

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

        /// Whether it leads to other records: what mutations show of those the relation's own check says.
        var isRelation: Bool {
            switch self {
            case .toOne, .toMany: true
            default: false
            }
        }
    }

    init(_ group: CollectFields.Group, type: TypeUse, check: Int?, source: Source) {
        name = group.fields.first?.field.name.text ?? ""
        responseName = group.responseName
        key = Self.key(group.responseName)
        inclusions = Self.inclusions(of: group)
        self.type = type
        position = group.fields.first?.field.position ?? .none
        self.check = check
        self.source = source
    }

    static func key(_ responseName: String) -> [UInt8] {
        var key = [UInt8(ascii: ",")]
        JSONWriter.writeKey(responseName, to: &key)
        return key
    }

    static func inclusions(of group: CollectFields.Group) -> [Inclusion] {
        let inclusions = group.fields.map(\.inclusion)
        return inclusions.contains(.always) ? [] : inclusions
    }

    @inline(__always)
    func isMet(_ variables: VariableValues) -> Bool {
        inclusions.isEmpty || inclusions.contains { $0.isMet(variables) }
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

    init(
        number: Int, _ type: RecordType, arguments: ArgumentTemplate, key: KeyArguments?, connection: ConnectionPlan,
        limitDefault: Int = 100, _ access: ReadAccess?, scope: String
    ) {
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
