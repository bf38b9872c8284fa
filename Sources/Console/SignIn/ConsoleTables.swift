import Store

/// The tables of the console: who may come in, and what was done. A database that nobody has looked at has none of them.
enum ConsoleTables {
    static let all = RoomTables(
        of: "console", turn: .console,
        versions: [
            [
                RoomStatement(
                    """
                    CREATE TABLE _homeport_console_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT
                    """),
                RoomStatement(
                    """
                    CREATE TABLE _homeport_console_sessions (
                        mark TEXT PRIMARY KEY, began INTEGER NOT NULL, ends INTEGER NOT NULL, address TEXT NOT NULL
                    ) STRICT
                    """),
                RoomStatement(
                    """
                    CREATE TABLE _homeport_console_audit (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, who TEXT NOT NULL, address TEXT NOT NULL,
                        action TEXT NOT NULL, target TEXT NOT NULL, detail TEXT NOT NULL
                    ) STRICT
                    """),
            ]
        ])
    /// When sessions were used, where a session is that of several nodes.
    static let uses = RoomTables(
        of: "console uses", turn: .console,
        versions: [
            [
                RoomStatement(
                    """
                    CREATE TABLE _homeport_console_uses (mark TEXT PRIMARY KEY, used INTEGER NOT NULL) STRICT
                    """)
            ]
        ])
}

extension RoomTables {
    /// The tables of the console.
    package static var ofConsole: [RoomTables] { [ConsoleTables.all, ConsoleTables.uses] }
}
