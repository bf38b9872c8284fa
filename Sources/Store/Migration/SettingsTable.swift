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
    }

    static let name = "_homeport_settings"
    static let creation =
        "CREATE TABLE IF NOT EXISTS \(name) (name TEXT PRIMARY KEY NOT NULL, value ANY) STRICT, WITHOUT ROWID"

    private static let selection = SQLText("SELECT value FROM \(name) WHERE name = ?")
    private static let assignment = SQLText(
        "INSERT INTO \(name) (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")

    private static let removal = SQLText("DELETE FROM \(name) WHERE name = ?")

    static func value(_ name: Name, in connection: borrowing Connection) throws(StoreError) -> StoredValue? {
        try connection.value(selection, [.text(name.rawValue)])
    }

    static func set(_ name: Name, to value: StoredValue, in connection: borrowing Connection) throws(StoreError) {
        try connection.run(assignment, [.text(name.rawValue), value])
    }

    static func remove(_ name: Name, in connection: borrowing Connection) throws(StoreError) {
        try connection.run(removal, [.text(name.rawValue)])
    }

    /// What the names of settings go on with that begin with this.
    static func names(behind prefix: String, in connection: borrowing Connection) throws(StoreError) -> [String] {
        var names: [String] = []
        let selection = SQLText("SELECT substr(name, ?) FROM \(name) WHERE substr(name, 1, ?) = ?")
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
        let own = SQLText("SELECT count(*) FROM sqlite_schema WHERE name = ?")
        if try connection.value(own, [.text(name)]) == .integer(1) { return true }
        guard let found = try connection.value(SQLText("SELECT name FROM sqlite_schema LIMIT 1")) else { return false }
        var table = "?"
        if case .text(let name) = found { table = name }
        throw StoreError(
            .unknownFormat,
            "database \(connection.path): it has a table \(table), but none of Homeport's. Choose another --database")
    }
}
