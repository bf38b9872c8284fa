import Access
import GraphQL
import Store

/// A record by its key.
final class GetPlan: Sendable {
    let type: RecordType
    let arguments: ArgumentTemplate
    let selection: SelectionPlan
    let lookup: KeyLookup
    /// The fields of the key, and what their columns hold.
    let keyFields: [(name: String, kind: ColumnKind)]
    /// Who may compare those fields.
    let keyRights: [FieldRight]

    init(_ type: RecordType, arguments: ArgumentTemplate, selection: SelectionPlan) {
        self.type = type
        keyFields = (type.table.primaryKey.map { [$0.partition] + $0.sort } ?? []).map { name in
            (name, type.table.column(of: name)?.kind ?? .text)
        }
        keyRights = keyFields.map { type.access.right(to: $0.name) }
        self.arguments = arguments
        self.selection = selection
        lookup = KeyLookup(type.table, fields: selection.columns)
    }
}

/// A record that is created, updated or deleted, and what is selected of it.
final class MutationPlan: Sendable {
    let type: RecordType
    let kind: Kind
    let arguments: ArgumentTemplate
    let selection: SelectionPlan

    enum Kind: Sendable {
        case create, update, delete
    }

    init(_ type: RecordType, _ kind: Kind, arguments: ArgumentTemplate, selection: SelectionPlan) {
        self.type = type
        self.kind = kind
        self.arguments = arguments
        self.selection = selection
    }
}
