import Store

/// What may be used once: sessions that have led on, blocks of proofs.
enum OnceUsed {
    fileprivate static let insertion = RoomStatement(
        "INSERT INTO _homeport_used (id, expires) VALUES (?, ?) ON CONFLICT (id) DO NOTHING")
    fileprivate static let sweep = RoomStatement("DELETE FROM _homeport_used WHERE expires < ?")
    static let selection = RoomStatement("SELECT 1 FROM _homeport_used WHERE id = ?")

    // The sessions of a user that were made until some moment are used up all at once: a row says so for as long as one of them may be.
    fileprivate static let ending = RoomStatement(
        """
        INSERT INTO _homeport_used (id, expires) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET expires = excluded.expires
        """)
    fileprivate static let endSelection = RoomStatement("SELECT expires FROM _homeport_used WHERE id = ?")
    /// No session's identifier has a blank.
    fileprivate static func ending(of user: Int64) -> String { "sessions of \(user)" }
}

extension PoolWriting {
    /// Uses something up. False where that was done before. It is remembered until it is no good anyway.
    func use(_ id: String, until expires: Int64) throws(PoolError) -> Bool {
        try change(OnceUsed.sweep, [.integer(now)])
        return try change(OnceUsed.insertion, [.text(id), .integer(expires)]) > 0
    }

    /// Ends all sessions of a user between two answers of a sign-in: none is good again when the user is enabled later.
    func endSessions(of user: Int64) throws(PoolError) {
        try change(
            OnceUsed.ending,
            [.text(OnceUsed.ending(of: user)), .integer(now + PoolLimits.sessionSecondsMax * 1_000)])
    }
}

extension RoomReading {
    func isUsed(_ id: String) throws(PoolError) -> Bool {
        var isUsed = false
        try rows(OnceUsed.selection, [.text(id)]) { _ throws(PoolError) in
            isUsed = true
            return false
        }
        return isUsed
    }

    /// Returns whether a session of a user was ended that was made at that time.
    func isEnded(sessionOf user: Int64, madeAt made: Int64) throws(PoolError) -> Bool {
        var isEnded = false
        try rows(OnceUsed.endSelection, [.text(OnceUsed.ending(of: user))]) { row throws(PoolError) in
            isEnded = made <= row.integer(0) - PoolLimits.sessionSecondsMax * 1_000
            return false
        }
        return isEnded
    }
}
