import JSON
import Store

/// Identities of another identity pool to which files belong here, and whose users are not known yet.
///
/// Such an identity belongs to nobody. No guest acts under it, and no login gets it by naming it: names of identities are no secrets.
/// A user gets it through `IdentityImport` alone: by a pair of the operator, or by the answer of the `userMigration` function.
enum WaitingIdentities {
    static let tables = RoomTables(
        of: "waiting identities", turn: .users,
        versions: [
            [
                RoomStatement(
                    """
                    CREATE TABLE _homeport_waiting_identities (id TEXT PRIMARY KEY NOT NULL, created INTEGER NOT NULL)
                    STRICT, WITHOUT ROWID
                    """)
            ]
        ])

    fileprivate static let selection = RoomStatement("SELECT 1 FROM _homeport_waiting_identities WHERE id = ?")
    fileprivate static let insertion = RoomStatement(
        "INSERT INTO _homeport_waiting_identities (id, created) VALUES (?, ?) ON CONFLICT (id) DO NOTHING")
    fileprivate static let removal = RoomStatement("DELETE FROM _homeport_waiting_identities WHERE id = ?")
}

extension RoomReading {
    /// Returns whether an identity waits for its user.
    func isWaiting(_ id: String) throws(PoolError) -> Bool {
        do throws(StoreError) {
            guard try has(WaitingIdentities.tables) else { return false }
            var isThere = false
            try rows(WaitingIdentities.selection, [.text(id)]) { _ throws(StoreError) in
                isThere = true
                return false
            }
            return isThere
        } catch { throw PoolError(error) }
    }
}

extension PoolWriting {
    /// Lets an identity wait for its user.
    func hold(_ id: String) throws(PoolError) {
        try bring(WaitingIdentities.tables)
        try change(WaitingIdentities.insertion, [.text(id), .integer(now)])
    }

    /// Ends the waiting of an identity that has its user.
    func release(_ id: String) throws(PoolError) {
        guard try session.isWaiting(id) else { return }
        try change(WaitingIdentities.removal, [.text(id)])
    }
}
