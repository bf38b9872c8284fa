extension Reader {
    /// Reads a database beside the process that has it open, without a schema: for rooms whose tables lie beside the models'.
    /// SQLite's log lets others read while one writes; each query sees what was on the disk at its moment.
    package static func beside(_ path: String) throws(StoreError) -> Reader { try Reader(path: path) }

    /// The same for a database on a server.
    package static func beside(_ server: ServerPlace) throws(StoreError) -> Reader { try Reader(of: .server(server)) }

    /// Returns whether the database has been served before. Throws for one that is not Homeport's, and for one to which
    /// a move is under way.
    package func hasData() throws(StoreError) -> Bool {
        guard try SettingsTable.exists(in: connection) else { return false }
        try MoveMark.demandWhole(in: connection)
        return true
    }
}
