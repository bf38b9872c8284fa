extension ServerPlace {
    /// Changes what the database knows of the folder around it, within the turn of the settings: one process at a time does so, whichever
    /// it is.
    ///
    /// Fails as the body does, and where the database cannot be asked or has no tables of Homeport's yet.
    ///
    /// - Parameter body: gets what is known, and answers with that as it is to be, and with a value for the caller.
    package func changeNotes<Value, Failure: RowFailure>(
        _ body: (KeptNotes) throws(Failure) -> (KeptNotes, Value)
    ) throws(Failure) -> Value {
        let connection: Connection
        do throws(StoreError) { connection = try servedConnection() } catch { throw Failure(error) }
        return try connection.inTransaction { connection throws(Failure) in
            let known: KeptNotes
            do throws(StoreError) {
                try connection.allowThinking()
                try ServerTurns().take(.settings, on: connection)
                known = try connection.keptNotes()
            } catch {
                throw Failure(error)
            }
            let (notes, value) = try body(known)
            guard notes != known else { return value }
            do throws(StoreError) { try connection.setKeptNotes(notes) } catch { throw Failure(error) }
            return value
        }
    }

    private func servedConnection() throws(StoreError) -> Connection {
        let connection = try Connection(to: self, .writer)
        guard try SettingsTable.exists(in: connection) else {
            throw StoreError(
                .cannotOpen,
                "database \(self): nothing was served here yet, so it has no names and keys. Start a server first")
        }
        return connection
    }
}
