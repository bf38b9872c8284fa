import CSQLite
import JSON

/// Keeps the search indexes of a connection that writes: SQLite tells which rows a statement touched, and their words
/// are taken out and put in again before the statement counts as done.
final class SearchUpkeep {
    private let indexes: [ByteText: (deletion: SQLText, insertion: SQLText)]
    private var touched: [(table: String, row: Int64)] = []

    init(_ layout: DatabaseLayout) {
        var indexes: [ByteText: (deletion: SQLText, insertion: SQLText)] = [:]
        for table in layout.tables {
            if let index = table.searchIndex { indexes[table.name] = (index.deletion, index.insertion) }
        }
        self.indexes = indexes
    }

    /// Listens to the connection in place of who did before; it must not outlive this. Without indexes there is nothing to hear.
    func listen(to connection: borrowing Connection) {
        guard let handle = connection.handle else { return }
        guard !indexes.isEmpty else {
            sqlite3_update_hook(handle, nil, nil)
            return
        }
        sqlite3_update_hook(
            handle,
            { context, _, _, table, row in
                guard let context, let table else { return }
                Unmanaged<SearchUpkeep>.fromOpaque(context).takeUnretainedValue().note(String(cString: table), row)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func note(_ table: String, _ row: Int64) {
        if indexes[table] != nil { touched.append((table, row)) }
    }

    /// Brings the indexes to what the last statement left.
    func run(on connection: borrowing Connection) throws(StoreError) {
        guard !touched.isEmpty else { return }
        let rows = touched
        touched = []
        for (table, row) in rows {
            guard let index = indexes[table] else { continue }
            try connection.run(index.deletion, [.integer(row)])
            try connection.run(index.insertion, [.integer(row)])
        }
    }
}
