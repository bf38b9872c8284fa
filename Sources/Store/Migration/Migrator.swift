import Blueprint
import Crypto
import JSON

/// Brings a file to the tables that a blueprint wants when it is opened.
enum Migrator {
    /// What opening found and did.
    struct Outcome {
        let layout: DatabaseLayout
        let cursorKey: [UInt8]
        /// The copy that was written before changes that were forced.
        let backup: String?
        /// True if the process that had it open before did not close it.
        let wasUnclean: Bool
        /// True if the opening has written nothing.
        var isUnchanged = false
    }

    /// What the file says about itself. Reading it needs no blueprint and changes nothing.
    struct Stored {
        /// The layout of the tables, as it is written.
        var layoutText: String?
        var cursorKey: [UInt8]?
        var wasUnclean = false
        /// The rooms that have tables in the file.
        var rooms: Set<ByteText> = []
        /// The notes of the file, of what lies beside it.
        var notes: KeptNotes?
        /// The engine whose words the tables are made in.
        let dialect: StoreDialect

        /// What a file says that is open, with the tables that it has.
        init(_ layout: DatabaseLayout, cursorKey: [UInt8]) {
            layoutText = layout.text
            self.cursorKey = cursorKey
            dialect = layout.tables.first?.dialect ?? .sqlite
        }

        /// Looks for damage too, if the file was not closed.
        init(in connection: borrowing Connection) throws(StoreError) {
            dialect = connection.dialect
            guard try SettingsTable.exists(in: connection) else { return }
            // A server looks after its data by itself.
            if dialect == .sqlite { wasUnclean = try SettingsTable.value(.isOpen, in: connection) == .integer(1) }
            if wasUnclean { try check(connection) }
            layoutText = try Migrator.layoutText(in: connection)
            // Asked only of a database without a layout, which no other one is.
            if layoutText == nil { try MoveMark.demandWhole(in: connection) }
            if case .blob(let key)? = try SettingsTable.value(.cursorKey, in: connection), !key.isEmpty {
                cursorKey = key
            }
            rooms = Set(texts: try SettingsTable.names(behind: RoomTables.settingPrefix, in: connection))
            notes = try connection.keptNotes()
        }
    }

    /// The tables that a blueprint wants, and those that are there.
    struct Plan {
        let wanted: DatabaseLayout
        /// Nil when they are those that are wanted, or when there are none.
        var stored: DatabaseLayout?
        var isStored = false

        init(for blueprint: Blueprint, over file: borrowing Stored) throws(StoreError) {
            let fresh = DatabaseLayout(of: blueprint, in: file.dialect)
            guard let text = file.layoutText else {
                wanted = fresh
                return
            }
            // A layout that reads like what is stored is the same, names included. Nearly every start ends here, and
            // writing a layout takes less than reading one.
            if fresh.text == text {
                wanted = fresh
                isStored = true
                return
            }
            let stored = try Migrator.layout(text, in: file.dialect)
            wanted = DatabaseLayout(of: blueprint, keeping: stored, in: file.dialect)
            isStored = stored == wanted
            self.stored = stored
        }
    }

    static func open(
        _ connection: borrowing Connection, _ file: Stored, _ plan: Plan, forcing forced: Set<ByteText>,
        nowMilliseconds: Int64
    ) throws(StoreError) -> Outcome {
        let wanted = plan.wanted
        if file.dialect == .postgres { try wanted.checkOnServer() }
        if file.dialect == .sqlite, wanted.tables.contains(where: { $0.searchIndex != nil }) {
            try SearchIndex.requireSupport(in: connection)
        }
        if plan.isStored, let key = file.cursorKey {
            // Nothing is written: a start with the schema of the last time flushes nothing.
            return Outcome(
                layout: wanted, cursorKey: key, backup: nil, wasUnclean: file.wasUnclean, isUnchanged: true)
        }
        let migration = try Migration(
            from: plan.isStored ? wanted : plan.stored, to: wanted, nowMilliseconds: nowMilliseconds, in: connection)
        let refused = migration.losses.filter { !forced.contains($0.name) }
        guard refused.isEmpty else {
            throw StoreError(refused: refused, forced: forced, of: migration.losses.map(\.name))
        }
        guard migration.losses.isEmpty || file.dialect == .sqlite else {
            throw StoreError(
                .unsupported,
                "a change of the schema that loses data cannot be forced in a database on a server yet: no copy would be made. "
                    + "Delete the data there yourself, or keep the schema")
        }
        let backup = try migration.losses.isEmpty ? nil : Backup.write(of: connection)

        let cursorKey = file.cursorKey ?? RandomBytes.make(count: HMACSHA256.count)
        try apply(migration, to: wanted, cursorKey: cursorKey, in: connection)
        return Outcome(layout: wanted, cursorKey: cursorKey, backup: backup, wasUnclean: file.wasUnclean)
    }

    /// Makes all changes in one transaction.
    private static func apply(
        _ migration: Migration, to wanted: DatabaseLayout, cursorKey: [UInt8], in connection: borrowing Connection
    ) throws(StoreError) {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try connection.execute(SettingsTable.creation(in: connection.dialect))
            if connection.dialect == .postgres {
                try connection.allowThinking()
                try connection.execute(ServerTurns.creation)
                for room in RoomTurn.all.names { try connection.run(ServerTurns.insertion, [.text(room)]) }
                try ServerTurns().take([.models, .schema], on: connection)
            }
            for statement in migration.statements { try connection.execute(statement) }
            for table in migration.filledWords { try connection.fillWords(of: table) }
            try SettingsTable.set(.layout, to: .text(wanted.text), in: connection)
            try SettingsTable.set(.cursorKey, to: .blob(cursorKey), in: connection)
            try connection.execute("COMMIT")
        } catch {
            if !connection.isInAutocommit { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    static func storedLayout(in connection: borrowing Connection) throws(StoreError) -> DatabaseLayout? {
        guard let text = try layoutText(in: connection) else { return nil }
        return try layout(text, in: connection.dialect)
    }

    private static func layoutText(in connection: borrowing Connection) throws(StoreError) -> String? {
        guard case .text(let text)? = try SettingsTable.value(.layout, in: connection) else { return nil }
        return text
    }

    static func layout(_ text: String, in dialect: StoreDialect) throws(StoreError) -> DatabaseLayout {
        let json: JSONValue
        do { json = try JSONReader.value(of: text) } catch { throw DatabaseLayout.unreadable("\(error)") }
        return try DatabaseLayout(json: json, in: dialect)
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
