import Blueprint
import Crypto
import JSON

/// Brings a file to the tables of a blueprint when it is opened.
enum Migrator {
    /// What opening found and did.
    struct Outcome {
        let layout: DatabaseLayout
        let cursorKey: [UInt8]
        /// The copy that was written before changes that were forced.
        let backup: String?
        /// Whether the process that had it open before did not close it.
        let wasUnclean: Bool
    }

    static func open(
        _ connection: borrowing Connection, for blueprint: Blueprint, forcing forced: Set<String>,
        nowMilliseconds: Int64
    ) throws(StoreError) -> Outcome {
        let isNew = try !SettingsTable.exists(in: connection)
        var wasUnclean = false
        var stored: DatabaseLayout?
        if !isNew {
            wasUnclean = try SettingsTable.value(.isOpen, in: connection) == .integer(1)
            if wasUnclean { try check(connection) }
            stored = try storedLayout(in: connection)
        }
        let wanted = DatabaseLayout(of: blueprint, keeping: stored)
        if wanted.tables.contains(where: { $0.searchIndex != nil }) {
            try SearchIndex.requireSupport(in: connection)
        }
        let migration = try Migration(
            from: stored, to: wanted, nowMilliseconds: nowMilliseconds, in: connection)
        let refused = migration.losses.filter { !forced.contains($0.name) }
        guard refused.isEmpty else { throw StoreError(refused: refused) }
        let backup = try migration.losses.isEmpty ? nil : Backup.write(of: connection)

        if !isNew, stored == wanted, case .blob(let key)? = try SettingsTable.value(.cursorKey, in: connection),
            !key.isEmpty
        {
            // Nothing is written: a start with the schema of the last time flushes nothing.
            return Outcome(layout: wanted, cursorKey: key, backup: nil, wasUnclean: wasUnclean)
        }
        let cursorKey = try apply(migration, to: wanted, isNew: isNew, in: connection)
        return Outcome(layout: wanted, cursorKey: cursorKey, backup: backup, wasUnclean: wasUnclean)
    }

    /// Makes all changes in one transaction, and answers with the key of cursors.
    private static func apply(
        _ migration: Migration, to wanted: DatabaseLayout, isNew: Bool, in connection: borrowing Connection
    ) throws(StoreError) -> [UInt8] {
        var cursorKey = RandomBytes.make(count: HMACSHA256.count)
        if !isNew, case .blob(let key)? = try SettingsTable.value(.cursorKey, in: connection), !key.isEmpty {
            cursorKey = key
        }
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try connection.execute(SettingsTable.creation)
            for statement in migration.statements { try connection.execute(statement) }
            try SettingsTable.set(.layout, to: .text(JSONWriter.text(of: wanted.json)), in: connection)
            try SettingsTable.set(.cursorKey, to: .blob(cursorKey), in: connection)
            try connection.execute("COMMIT")
        } catch {
            if !connection.isInAutocommit { try? connection.execute("ROLLBACK") }
            throw error
        }
        return cursorKey
    }

    static func storedLayout(in connection: borrowing Connection) throws(StoreError) -> DatabaseLayout? {
        guard case .text(let text)? = try SettingsTable.value(.layout, in: connection) else { return nil }
        let json: JSONValue
        do { json = try JSONReader.value(of: text) } catch { throw DatabaseLayout.unreadable("\(error)") }
        return try DatabaseLayout(json: json)
    }

    /// Looks for damage that a crash of the machine can have left.
    private static func check(_ connection: borrowing Connection) throws(StoreError) {
        guard case .text(let found)? = try connection.value(SQLText("PRAGMA quick_check(1)")), found != "ok" else {
            return
        }
        throw StoreError(
            .corrupt,
            "database \(connection.path): it was not closed, and is damaged: \(found). "
                + "Restore a backup, or recover what can be read with: sqlite3 FILE .recover")
    }
}
