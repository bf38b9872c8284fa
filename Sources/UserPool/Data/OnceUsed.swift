import Store

/// What may be used once: sessions that have led on, blocks of proofs.
enum OnceUsed {
    fileprivate static let insertion = RoomStatement(
        "INSERT INTO _homeport_used (id, expires) VALUES (?, ?) ON CONFLICT (id) DO NOTHING")
    fileprivate static let sweep = RoomStatement("DELETE FROM _homeport_used WHERE expires < ?")
    static let selection = RoomStatement("SELECT 1 FROM _homeport_used WHERE id = ?")
}

extension PoolWriting {
    /// Uses something up. False where that was done before. It is remembered until it is no good anyway.
    func use(_ id: String, until expires: Int64) throws(PoolError) -> Bool {
        try change(OnceUsed.sweep, [.integer(now)])
        return try change(OnceUsed.insertion, [.text(id), .integer(expires)]) > 0
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
}
