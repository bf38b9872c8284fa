import Store

/// What the pool counts on when the database goes back to a copy of what it was.
extension UserPool: CopiedRoom {
    /// Tables that were made since are made in the copy too, and the groups that the app declares are there.
    package func complete(_ copy: WriteSession, isEmptied: Bool, over live: WriteSession) throws(StoreError) {
        guard try live.has(PoolTables.all) else { return }
        let hasTables = try copy.has(PoolTables.all)
        try copy.bring(PoolTables.all)
        guard isEmptied || !hasTables else { return }
        do throws(PoolError) {
            try PoolWriting(session: copy, settings: settings, now: now).makeGroups()
        } catch {
            throw StoreError(.unexpected, "the groups of the user pool cannot be made: \(error.message)")
        }
    }

    /// Says that other data hold from now on, or another time: what was counted of tries in memory is forgotten, and whoever sends
    /// messages looks for them.
    package func beginAnew() {
        addressTries.forget()
        whenQueued()
    }
}
