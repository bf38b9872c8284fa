/// Homeport's own table: what the file says about itself, by name.
enum SettingsTable {
    enum Name: String {
        /// The tables as they are, as JSON.
        case layout
        /// The key that authenticates cursors.
        case cursorKey
        /// Whether a process has it open, or had when it ended: 1 or 0.
        case isOpen
        /// How far an import is that has not come to its end, as JSON.
        case importProgress
        /// Until when the database was served, in milliseconds since 1970, where it was closed in order.
        case servedUntil
        /// The stretches of time in which it was not served, as JSON.
        case unservedTimes
        /// How far a move of a whole database to here is, as JSON.
        case move
    }

    static let name = "_homeport_settings"
    static let creation =
        "CREATE TABLE IF NOT EXISTS \(name) (name TEXT PRIMARY KEY NOT NULL, value ANY) STRICT, WITHOUT ROWID"

    private static let selection = SQLText("SELECT value FROM \(name) WHERE name = ?")
    private static let assignment = SQLText(
        "INSERT INTO \(name) (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")

    /// On a server a column has one type: numbers are `value`, which rooms read too, texts and bytes have columns of their own.
    private static let serverCreation =
        "CREATE TABLE IF NOT EXISTS \(name) (name TEXT PRIMARY KEY NOT NULL, value INTEGER, words TEXT, bytes BLOB)"
    private static let serverSelection = SQLText("SELECT value, words, bytes FROM \(name) WHERE name = ?")
    private static let serverAssignment = SQLText(
        "INSERT INTO \(name) (name, value, words, bytes) VALUES (?, CAST(? AS INTEGER), CAST(? AS TEXT), CAST(? AS BLOB)) "
            + "ON CONFLICT (name) DO UPDATE SET value = excluded.value, words = excluded.words, bytes = excluded.bytes")
    private static let serverNames = SQLText(
        "SELECT substr(name, CAST(? AS int)) FROM \(name) WHERE substr(name, 1, CAST(? AS int)) = ?")
    private static let serverTables = SQLText(
        "SELECT relname FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) "
            + "AND relkind IN ('r', 'v', 'm', 'f', 'p') ORDER BY relname <> ?, relname LIMIT 1")

    static func creation(in dialect: StoreDialect) -> String { dialect == .sqlite ? creation : serverCreation }

    private static let removal = SQLText("DELETE FROM \(name) WHERE name = ?")

    static func value(_ name: Name, in connection: borrowing Connection) throws(StoreError) -> StoredValue? {
        guard connection.dialect == .postgres else { return try connection.value(selection, [.text(name.rawValue)]) }
        var found: StoredValue?
        try connection.query(serverSelection, [.text(name.rawValue)]) { row throws(StoreError) in
            var value = StoredValue.null
            for column in 0..<3 where !row.isNull(column) { value = row.value(column) }
            found = value
            return false
        }
        return found
    }

    static func set(_ name: Name, to value: StoredValue, in connection: borrowing Connection) throws(StoreError) {
        try set(name.rawValue, to: value, in: connection)
    }

    static func set(_ name: String, to value: StoredValue, in connection: borrowing Connection) throws(StoreError) {
        guard connection.dialect == .postgres else { return try connection.run(assignment, [.text(name), value]) }
        var columns: [StoredValue] = [.null, .null, .null]
        switch value {
        case .null: break
        case .integer: columns[0] = value
        case .text, .utf8: columns[1] = value
        case .blob: columns[2] = value
        case .real: throw StoreError(.unexpected, "a setting of a database is a number with a point")
        }
        try connection.run(serverAssignment, [.text(name)] + columns)
    }

    static func remove(_ name: Name, in connection: borrowing Connection) throws(StoreError) {
        try connection.run(removal, [.text(name.rawValue)])
    }

    /// All settings.
    static func all(in connection: borrowing Connection) throws(StoreError) -> [(name: String, value: StoredValue)] {
        let columns = connection.dialect == .postgres ? "value, words, bytes" : "value"
        var settings: [(name: String, value: StoredValue)] = []
        try connection.query(SQLText("SELECT name, \(columns) FROM \(name) ORDER BY name")) { row throws(StoreError) in
            var value = StoredValue.null
            for column in 1...(connection.dialect == .postgres ? 3 : 1) where !row.isNull(column) {
                value = row.value(column)
            }
            settings.append((row.text(0), value))
            return true
        }
        return settings
    }

    /// Returns whether a setting says something of its own database alone, or is written by itself where that is moved.
    static func staysBehind(_ name: String) -> Bool {
        [Name.isOpen, .layout, .move].contains { $0.rawValue.utf8.elementsEqual(name.utf8) }
            || name.utf8.starts(with: KeptNote.prefix.utf8)
    }

    /// What the names of settings go on with that begin with this.
    static func names(behind prefix: String, in connection: borrowing Connection) throws(StoreError) -> [String] {
        var names: [String] = []
        let selection =
            connection.dialect == .postgres
            ? serverNames : SQLText("SELECT substr(name, ?) FROM \(name) WHERE substr(name, 1, ?) = ?")
        let count = Int64(prefix.utf8.count)
        try connection.query(selection, [.integer(count + 1), .integer(count), .text(prefix)]) {
            row throws(StoreError) in
            names.append(row.text(0))
            return true
        }
        return names
    }

    /// Returns whether the file has the table. One with other tables only is somebody else's.
    static func exists(in connection: borrowing Connection) throws(StoreError) -> Bool {
        if connection.dialect == .postgres { return try existsOnServer(in: connection) }
        let own = SQLText("SELECT count(*) FROM sqlite_schema WHERE name = ?")
        if try connection.value(own, [.text(name)]) == .integer(1) { return true }
        guard let found = try connection.value(SQLText("SELECT name FROM sqlite_schema LIMIT 1")) else { return false }
        var table = "?"
        if case .text(let name) = found { table = name }
        throw StoreError(
            .unknownFormat,
            "database \(connection.path): it has a table \(table), but none of Homeport's. Choose another --database")
    }

    private static func existsOnServer(in connection: borrowing Connection) throws(StoreError) -> Bool {
        guard case .text(let schema)? = try connection.value(SQLText("SELECT CAST(current_schema() AS TEXT)")) else {
            throw StoreError(
                .cannotOpen,
                "database \(connection.path): its search_path names no schema that exists. Create one, or set another search_path "
                    + "for the role")
        }
        guard case .text(let first)? = try connection.value(serverTables, [.text(name)]) else { return false }
        if first.utf8.elementsEqual(name.utf8) { return true }
        throw StoreError(
            .unknownFormat,
            "database \(connection.path): the schema \(schema) has a table \(first), but none of Homeport's. Choose an empty "
                + "schema")
    }
}
