import GraphQL
import JSON

/// The table of a model. An object, since every plan, change and lookup holds one.
///
///     "Post"  _homeport_row   the order of creation, and what the indexes refer to
///             id, title, …    a typed column for each field
///             _homeport_nulls the fields that hold an explicit null, which filters tell from an absent one
///             status#date     what several sort fields of a key are together, computed, only in indexes
package final class TableLayout: Sendable, Equatable {
    /// A field's column.
    package struct Column: Sendable, Equatable {
        package let field: String
        /// The field's name, but for names that differ in nothing but case.
        package let name: String
        package let kind: ColumnKind
    }

    package let model: String
    package let name: String
    package let columns: [Column]
    /// The primary key first.
    package let keys: [KeyLayout]
    /// True if it keeps versions and tombstones.
    package let isSynced: Bool
    /// The fields whose words an index has, for a model with `@searchable`.
    package let searchFields: [String]
    /// The engine whose words its statements are in.
    let dialect: StoreDialect

    private let numbers: NameTable

    init(
        model: String, name: String, columns: [Column], keys: [KeyLayout], isSynced: Bool, searchFields: [String] = [],
        dialect: StoreDialect = .sqlite
    ) {
        self.model = model
        self.name = name
        self.columns = columns
        self.keys = keys
        self.isSynced = isSynced
        self.searchFields = searchFields
        self.dialect = dialect
        numbers = NameTable(columns.map(\.field))
    }

    /// The column of a field. A field without one is absent in every record.
    package func column(of field: String) -> Column? { numbers[field].map { columns[$0] } }

    /// The kind of the column of a field, which is looked for at a place first. The place moves behind what was found.
    ///
    /// Hot path: whoever asks for the columns in their order compares each name once.
    package func kind(of field: String, near place: inout Int) -> ColumnKind? {
        var number = place
        if number >= columns.count || ByteText(columns[number].field) != ByteText(field) {
            guard let found = numbers[field] else { return nil }
            number = found
        }
        place = number + 1
        return columns[number].kind
    }

    package static func == (left: TableLayout, right: TableLayout) -> Bool {
        left === right
            || (left.model == right.model && left.name == right.name && left.columns == right.columns
                && left.keys == right.keys && left.isSynced == right.isSynced
                && left.searchFields == right.searchFields)
    }

    /// The primary key.
    package var primaryKey: KeyLayout? { keys.first }

    /// The index of that name.
    package func index(named name: String) -> KeyLayout? { keys.dropFirst().first { $0.name == name } }
}

/// A key of a table: the partition, and what orders the records in one partition.
package struct KeyLayout: Sendable, Equatable {
    /// The name of the index; empty for the primary key, which no index can be called.
    package let name: String
    package let partition: String
    package let sort: [String]

    /// What orders it: the sort field, or the fields joined by `#` as one text. Nil for none.
    package var sortAttribute: SortAttribute? {
        switch sort.count {
        case 0: nil
        case 1: .field(sort[0])
        default: .composite(sort)
        }
    }

    package enum SortAttribute: Sendable, Equatable {
        case field(String)
        case composite([String])

        /// What AppSync calls the attribute.
        package var name: String {
            switch self {
            case .field(let field): field
            case .composite(let fields): fields.joined(separator: "#")
            }
        }
    }
}
