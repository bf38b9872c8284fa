import JSON

/// What a database knows of the folder around it: small files by their names, so that a copy of it is a whole backend.
package typealias KeptNotes = [ByteText: [UInt8]]

enum KeptNote {
    /// What the settings begin with that are notes.
    static let prefix = "kept."
    static let all = SQLText("SELECT substr(name, ?1), value FROM \(SettingsTable.name) WHERE substr(name, 1, ?2) = ?3")
    static let removal = SQLText("DELETE FROM \(SettingsTable.name) WHERE substr(name, 1, ?1) = ?2")
    static let table = SQLText("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    static let serverAll = SQLText(
        "SELECT substr(name, CAST(?1 AS int)), bytes FROM \(SettingsTable.name) "
            + "WHERE substr(name, 1, CAST(?2 AS int)) = ?3")
    static let serverRemoval = SQLText(
        "DELETE FROM \(SettingsTable.name) WHERE substr(name, 1, CAST(?1 AS int)) = ?2")
}

extension Connection {
    /// The notes of the file; none in one that is not Homeport's.
    func keptNotes() throws(StoreError) -> KeptNotes {
        let isOfServer = dialect == .postgres
        let isThere =
            try isOfServer
            ? SettingsTable.exists(in: self) : value(KeptNote.table, [.text(SettingsTable.name)]) != nil
        guard isThere else { return [:] }
        var notes: KeptNotes = [:]
        let count = Int64(KeptNote.prefix.utf8.count)
        try query(
            isOfServer ? KeptNote.serverAll : KeptNote.all,
            [.integer(count + 1), .integer(count), .text(KeptNote.prefix)]
        ) {
            row throws(StoreError) in
            if case .blob(let bytes) = row.value(1) { notes[ByteText(row.text(0))] = bytes }
            return true
        }
        return notes
    }

    /// Puts notes in the place of those that are there, within a transaction.
    func setKeptNotes(_ notes: KeptNotes) throws(StoreError) {
        let count = Int64(KeptNote.prefix.utf8.count)
        try run(
            dialect == .postgres ? KeptNote.serverRemoval : KeptNote.removal, [.integer(count), .text(KeptNote.prefix)])
        for (name, bytes) in notes {
            try SettingsTable.set(KeptNote.prefix + name.string, to: .blob(bytes), in: self)
        }
    }
}

extension Reader {
    /// What the database knows of the folder around it.
    package func keptNotes() throws(StoreError) -> KeptNotes { try connection.keptNotes() }
}

extension Store {
    /// Whether it is known from the opening that `keep` would write nothing. Asks no thread and no connection.
    ///
    /// - Parameter notes: the same as for `keep`, called here.
    package func hasKept(_ notes: (KeptNotes) -> KeptNotes) -> Bool {
        guard let known = openedNotes, !writer.hasBegun else { return false }
        return notes(known) == known
    }

    /// Has the database know this of the folder around it. Nothing is written where it does already.
    ///
    /// - Parameter notes: makes it of what the database knows already, on the writer's thread.
    package func keep(_ notes: @escaping @Sendable (KeptNotes) -> KeptNotes) async throws(StoreError) {
        try await writer.alone(turn: .settings) { session throws(StoreError) in
            let known = try session.connection.keptNotes()
            guard known != notes(known) else { return }
            try session.noting { () throws(StoreError) in
                try session.connection.inTransaction { connection throws(StoreError) in
                    try session.turns?.take(.settings, on: connection)
                    // Another process may have changed them until the turn was this one's.
                    try connection.setKeptNotes(notes(try connection.keptNotes()))
                }
            }
        }
    }
}

extension Connection {
    /// Makes changes in a transaction of their own, or none of them.
    borrowing func inTransaction<Value, Failure: RowFailure>(
        _ body: (borrowing Connection) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        do throws(StoreError) { try execute("BEGIN IMMEDIATE") } catch { throw Failure(error) }
        do throws(Failure) {
            let value = try body(self)
            do throws(StoreError) { try execute("COMMIT") } catch { throw Failure(error) }
            return value
        } catch {
            if !isInAutocommit { try? execute("ROLLBACK") }
            throw error
        }
    }
}
