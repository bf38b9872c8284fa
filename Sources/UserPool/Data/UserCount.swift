import Store

extension UserPool {
    /// Returns whether a database may have users: at next to no cost.
    package static func hasUsers(in store: Store) -> Bool { store.knows(PoolTables.all) }
}

private let userTable = RoomStatement(
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_homeport_users'",
    server: "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = '_homeport_users'")
private let userTotal = RoomStatement("SELECT count(*) FROM _homeport_users")

extension RoomReading {
    /// How many users a database has, of whatever version its tables are.
    package func userCount() throws(StoreError) -> Int {
        var isThere = false
        try rows(userTable, []) { _ throws(StoreError) in
            isThere = true
            return false
        }
        guard isThere else { return 0 }
        var count = 0
        try rows(userTotal, []) { row throws(StoreError) in
            count = Int(clamping: row.integer(0))
            return false
        }
        return count
    }
}
