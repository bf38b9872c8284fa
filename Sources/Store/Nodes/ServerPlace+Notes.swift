extension ServerPlace {
    /// Changes what the database knows of the folder around it, within the turn of the settings: one process at a time does so, whichever
    /// it is.
    ///
    /// Throws what the body throws, and a `StoreError` where the database cannot be asked or has no tables of Homeport's yet.
    ///
    /// - Parameter body: gets what is known, and answers with that as it is to be, and with a value for the caller.
    package func changeNotes<Value>(_ body: (KeptNotes) throws -> (KeptNotes, Value)) throws -> Value {
        let connection = try Connection(to: self, .writer)
        guard try SettingsTable.exists(in: connection) else {
            throw StoreError(
                .cannotOpen,
                "database \(self): nothing was served here yet, so it has no names and keys. Start a server first")
        }
        try connection.execute("BEGIN IMMEDIATE")
        do {
            try ServerTurns().take(.settings, on: connection)
            let known = try connection.keptNotes()
            let (notes, value) = try body(known)
            if notes != known { try connection.setKeptNotes(notes) }
            try connection.execute("COMMIT")
            return value
        } catch {
            if !connection.isInAutocommit { try? connection.execute("ROLLBACK") }
            throw error
        }
    }
}
