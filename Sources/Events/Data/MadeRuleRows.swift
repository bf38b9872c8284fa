import Store

/// The table of the buses and rules that calls have made, and the statements over it.
enum MadeRuleRows {
    static let tables = RoomTables(
        of: "events", turn: .settings,
        versions: [
            [
                // A bus is the row whose rule has no name. `content` is JSON.
                RoomStatement(
                    """
                    CREATE TABLE _homeport_event_rules (
                        bus TEXT NOT NULL, rule TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (bus, rule)
                    ) STRICT, WITHOUT ROWID
                    """)
            ],
            [
                // Tags and policies of rules and buses, also of the project's, by the ends of their ARNs. `content` is JSON.
                RoomStatement(
                    """
                    CREATE TABLE _homeport_event_notes (resource TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL)
                    STRICT, WITHOUT ROWID
                    """)
            ],
        ])

    static let all = RoomStatement("SELECT bus, rule, content FROM _homeport_event_rules ORDER BY bus, rule")
    static let one = RoomStatement("SELECT content FROM _homeport_event_rules WHERE bus = ? AND rule = ?")
    static let counts = RoomStatement(
        """
        SELECT count(*) FILTER (WHERE rule = ''), count(*) FILTER (WHERE rule <> ''),
            count(*) FILTER (WHERE rule = '' AND bus = ?), count(*) FILTER (WHERE rule <> '' AND bus = ?)
        FROM _homeport_event_rules
        """)
    static let removal = RoomStatement("DELETE FROM _homeport_event_rules WHERE bus = ? AND rule = ?")
    static let notes = RoomStatement("SELECT resource, content FROM _homeport_event_notes")
    static let note = RoomStatement("SELECT content FROM _homeport_event_notes WHERE resource = ?")
    static let noteRemoval = RoomStatement("DELETE FROM _homeport_event_notes WHERE resource = ?")
    static let noteSetting = RoomStatement(
        """
        INSERT INTO _homeport_event_notes (resource, content) VALUES (?, ?)
        ON CONFLICT (resource) DO UPDATE SET content = excluded.content
        """)
    static let setting = RoomStatement(
        """
        INSERT INTO _homeport_event_rules (bus, rule, content) VALUES (?, ?, ?)
        ON CONFLICT (bus, rule) DO UPDATE SET content = excluded.content
        """)
}

extension RoomTables {
    /// The tables of buses and rules.
    package static var ofEvents: [RoomTables] { [MadeRuleRows.tables] }
}
