import JSON

/// The words of a model's texts, for `match` and its like: a table of FTS5 beside the model's own.
///
/// The writer keeps it, in the transactions of the records. Its columns hold words as `SearchWords` finds them, with a
/// space between two, so that SQLite has nothing left to decide.
struct SearchIndex: Sendable, Equatable {
    let table: String
    let row: String
    /// The fields with their columns in the index and the expression that gives their words.
    let columns: [(field: String, name: String, words: String)]

    static let prefix = "_homeport_search_"

    var name: String { Self.prefix + table }

    /// Signs of ASCII that can be in a word; all that is not ASCII is one anyway.
    private static let tokenizer = "ascii tokenchars ''_.,:;''''''"

    func column(of field: String) -> String? { columns.first { $0.field == field }?.name }

    private var names: String { columns.map { SQLName.quoted($0.name) }.joined(separator: ", ") }
    private var words: String { columns.map(\.words).joined(separator: ", ") }

    var creation: String {
        "CREATE VIRTUAL TABLE \(SQLName.quoted(name)) USING fts5(\(names), tokenize = '\(Self.tokenizer)')"
    }

    /// The statements that make it, in the words of the table's engine.
    func creations(of table: TableLayout) -> [String] {
        table.dialect == .sqlite ? [creation] : serverCreations(of: table)
    }

    var removal: String { "DROP TABLE \(SQLName.quoted(name))" }

    /// Takes over all records that are there.
    var filling: String { "INSERT INTO \(SQLName.quoted(name)) (rowid, \(names)) \(selection)" }

    /// Takes the words of a row out.
    var deletion: SQLText { SQLText("DELETE FROM \(SQLName.quoted(name)) WHERE rowid = ?") }

    /// Puts those of a row in, if it is there.
    var insertion: SQLText { SQLText("\(filling) WHERE \(SQLName.quoted(row)) = ?") }

    private var selection: String { "SELECT \(SQLName.quoted(row)), \(words) FROM \(SQLName.quoted(table))" }

    static func == (left: SearchIndex, right: SearchIndex) -> Bool {
        left.creation == right.creation && left.filling == right.filling
    }

    /// Returns whether this SQLite can do it.
    static func requireSupport(in connection: borrowing Connection) throws(StoreError) {
        let module = SQLText("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")
        guard try connection.value(module) == nil else { return }
        throw StoreError(
            .unexpected,
            "a model has @searchable, for which SQLite must have FTS5, and this system's SQLite "
                + "\(Connection.libraryVersion) was built without. Install one that has it, or take @searchable away")
    }
}

extension TableLayout {
    /// The index of the fields that can be searched by words; nil when there are none.
    var searchIndex: SearchIndex? {
        guard !searchFields.isEmpty else { return nil }
        // FTS5's own names for columns.
        var taken: Set<ByteText> = ["rank", "rowid", ByteText((SearchIndex.prefix + name).lowercased())]
        let columns = searchFields.compactMap { field -> (field: String, name: String, words: String)? in
            guard let column = column(of: field) else { return nil }
            let function = column.kind == .list ? SQLFunction.listWords : SQLFunction.words
            return (
                field, SQLName.free(column.name, taken: &taken), "\(function.name)(\(SQLName.quoted(column.name)))"
            )
        }
        return SearchIndex(table: name, row: SQLName.row, columns: columns)
    }
}
