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
    }

    init(_ group: CollectFields.Group, type: TypeUse, source: Source) {
        name = group.fields.first?.field.name.text ?? ""
        responseName = group.responseName
        key = Self.key(group.responseName)
        inclusions = Self.inclusions(of: group)
        self.type = type
        position = group.fields.first?.field.position ?? .none
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

/// A relation to one record.
final class ToOnePlan: Sendable {
    let selection: SelectionPlan
    /// The columns of the parent that hold the key.
    let sources: [Int]
    let lookup: Lookup

    enum Lookup: Sendable {
        case key(KeyLookup)
        /// The first record of an index.
        case index(KeyLayout)
    }

    init(_ selection: SelectionPlan, sources: [Int], lookup: Lookup) {
        self.selection = selection
        self.sources = sources
        self.lookup = lookup
    }
}

/// A relation to many records.
final class ToManyPlan: Sendable {
    let list: ListPlan
    /// The columns of the parent that hold the key.
    let sources: [Int]

    init(_ list: ListPlan, sources: [Int]) {
        self.list = list
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
    /// Checks of filters that AppSync makes for lists and indexes, but not for relations.
    let isRelation: Bool
    /// What its tokens are good for, beside the arguments.
    let scope: String

    init(
        number: Int, _ type: RecordType, arguments: ArgumentTemplate, key: KeyArguments?, connection: ConnectionPlan,
        limitDefault: Int = 100, isRelation: Bool = false, scope: String
    ) {
        self.number = number
        self.type = type
        self.arguments = arguments
        self.key = key
        self.connection = connection
        self.limitDefault = limitDefault
        self.isRelation = isRelation
        self.scope = scope
    }
}

/// What is selected of a connection.
struct ConnectionPlan: Sendable {
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
        case aggregates
        case other
    }
}
