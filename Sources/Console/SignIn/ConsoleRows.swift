import JSON
import Store

/// The statements over the console's tables.
enum ConsoleRows {
    static let settingSelection = RoomStatement("SELECT value FROM _homeport_console_settings WHERE name = ?")
    static let settingAssignment = RoomStatement(
        """
        INSERT INTO _homeport_console_settings (name, value) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """)
    static let settingDeletion = RoomStatement("DELETE FROM _homeport_console_settings WHERE name = ?")
    static let usesSelection = RoomStatement("SELECT mark, used FROM _homeport_console_uses")
    static let useAssignment = RoomStatement(
        """
        INSERT INTO _homeport_console_uses (mark, used) SELECT mark, CAST(?2 AS INTEGER) FROM _homeport_console_sessions WHERE mark = ?1
        ON CONFLICT (mark) DO UPDATE SET used = excluded.used WHERE _homeport_console_uses.used < excluded.used
        """)
    static let staleUsesDeletion = RoomStatement(
        "DELETE FROM _homeport_console_uses WHERE mark NOT IN (SELECT mark FROM _homeport_console_sessions)")
    static let sessionsSelection = RoomStatement(
        "SELECT mark, began, ends, address FROM _homeport_console_sessions WHERE ends > ? ORDER BY began DESC LIMIT ?")
    static let sessionInsertion = RoomStatement(
        "INSERT INTO _homeport_console_sessions (mark, began, ends, address) VALUES (?, ?, ?, ?)")
    static let sessionDeletion = RoomStatement("DELETE FROM _homeport_console_sessions WHERE mark = ?")
    static let otherSessionsDeletion = RoomStatement("DELETE FROM _homeport_console_sessions WHERE mark <> ?")
    static let allSessionsDeletion = RoomStatement("DELETE FROM _homeport_console_sessions")
    static let staleSessionsDeletion = RoomStatement("DELETE FROM _homeport_console_sessions WHERE ends <= ?")
    static let surplusSessionsDeletion = RoomStatement(
        """
        DELETE FROM _homeport_console_sessions WHERE mark NOT IN
            (SELECT mark FROM _homeport_console_sessions ORDER BY began DESC LIMIT ?)
        """)
    static let auditInsertion = RoomStatement(
        """
        INSERT INTO _homeport_console_audit (at, who, address, action, target, detail) VALUES (?, ?, ?, ?, ?, ?)
        """)
    static let auditTrimming = RoomStatement("DELETE FROM _homeport_console_audit WHERE id <= ?")
    static let auditSelection = RoomStatement(
        """
        SELECT id, at, who, address, action, target, detail FROM _homeport_console_audit WHERE id < ?
        ORDER BY id DESC LIMIT ?
        """)

    static func setting(_ name: String, in reader: some RoomReading) throws(StoreError) -> String? {
        var value: String?
        try reader.rows(settingSelection, [.text(name)]) { row throws(StoreError) in
            value = row.text(0)
            return false
        }
        return value
    }

    static func sessions(in reader: Reader, now: Int64) throws(StoreError) -> [ByteText: OperatorSession] {
        var sessions: [ByteText: OperatorSession] = [:]
        try reader.rows(
            sessionsSelection, [.integer(now), .integer(Int64(ConsoleLimits.sessionsMax))]
        ) { row throws(StoreError) in
            let mark = ByteText(row.text(0))
            sessions[mark] = OperatorSession(
                mark: mark, began: row.integer(1), ends: row.integer(2), address: row.text(3), lastUsed: now)
            return true
        }
        return sessions
    }

    /// The same of several nodes: a session is as old as its last use at any of them that was written down.
    static func sharedSessions(in reader: Reader, now: Int64) throws(StoreError) -> [ByteText: OperatorSession] {
        var sessions = try sessions(in: reader, now: now)
        for (mark, session) in sessions { sessions[mark]?.lastUsed = session.began }
        guard try reader.has(ConsoleTables.uses) else { return sessions }
        try reader.rows(usesSelection, []) { row throws(StoreError) in
            sessions[ByteText(row.text(0))]?.wasUsed(at: row.integer(1))
            return true
        }
        return sessions
    }
}
