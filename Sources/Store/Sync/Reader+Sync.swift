// Syncs of a database that several nodes change: their moments come from the turn of the models, as the stamps of changes do.

extension Reader {
    private static let beginWriting = SQLText("BEGIN READ WRITE")
    private static let commit = SQLText("COMMIT")
    private static let rollback = SQLText("ROLLBACK")

    /// The moment at which a sync begins that reads behind this call, within the same turn: every change that it does not see is stamped with this
    /// moment or a later one, on whichever node.
    ///
    /// It is the stamp of the latest commit that the turn sees: whoever holds the models' turn meanwhile stamps from there on. Where that is long
    /// ago and nobody holds the turn, it is brought to the present first, or clients that sync seldom would be sent all records again.
    package func beginSync() throws(StoreError) -> Int64 {
        let (stamp, age) = try latestStamp()
        guard age > StoreLimits.syncAgeMilliseconds else { return stamp }
        try endTurnLater()
        do throws(StoreError) {
            try connection.run(Self.beginWriting)
            try connection.run(NodeRows.stamping)
            try connection.runAhead(Self.commit)
        } catch {
            // The earlier one is as right.
            if !connection.isInAutocommit { try connection.run(Self.rollback) }
        }
        try beginTurn()
        return try latestStamp().stamp
    }

    private func latestStamp() throws(StoreError) -> (stamp: Int64, age: Int64) {
        var found: (stamp: Int64, age: Int64)?
        try connection.query(NodeRows.stamp, []) { row throws(StoreError) in
            found = (row.integer(0), row.integer(1))
            return false
        }
        guard let found else {
            throw StoreError(.corrupt, "database \(connection.path): the turn of models is missing. Restore a backup")
        }
        return found
    }
}
