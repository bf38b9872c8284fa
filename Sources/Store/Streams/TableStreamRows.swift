/// The changes that functions are still to be told of, in the database: those that a crash leaves are told after it.
///
/// Each table has numbers of its own, so that one whose function does not answer holds up no other. A reader is a function that
/// is told of a table; what all readers have behind them goes.
enum TableStreamRows {
    static let tables = RoomTables(
        of: "streams", turn: .streams,
        versions: [
            [
                RoomStatement(
                    """
                    CREATE TABLE _homeport_streams (model TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT, WITHOUT ROWID
                    """),
                RoomStatement(
                    """
                    CREATE TABLE _homeport_stream_changes (
                        model TEXT NOT NULL, number INTEGER NOT NULL, time INTEGER NOT NULL, old TEXT, new TEXT,
                        PRIMARY KEY (model, number)
                    ) STRICT, WITHOUT ROWID
                    """),
                RoomStatement(
                    """
                    CREATE TABLE _homeport_stream_readers (
                        model TEXT NOT NULL, function TEXT NOT NULL, position INTEGER NOT NULL,
                        tries INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (model, function)
                    ) STRICT, WITHOUT ROWID
                    """),
            ]
        ])

    // MARK: Who is told

    static let stream = RoomStatement(
        "INSERT INTO _homeport_streams (model, last) VALUES (?, 0) ON CONFLICT (model) DO NOTHING")
    /// A new reader is told of what comes from now on.
    static let reader = RoomStatement(
        """
        INSERT INTO _homeport_stream_readers (model, function, position)
        SELECT model, ?2, last FROM _homeport_streams WHERE model = ?1 ON CONFLICT (model, function) DO NOTHING
        """)
    /// One that begins with what is still kept for others.
    static let readerOfAll = RoomStatement(
        """
        INSERT INTO _homeport_stream_readers (model, function, position)
        SELECT model, ?2, coalesce(
            (SELECT min(number) - 1 FROM _homeport_stream_changes AS changes WHERE changes.model = ?1), last)
        FROM _homeport_streams WHERE model = ?1 ON CONFLICT (model, function) DO NOTHING
        """)
    static let readers = RoomStatement("SELECT model, function FROM _homeport_stream_readers")
    static let readerRemoval = RoomStatement(
        "DELETE FROM _homeport_stream_readers WHERE model = ? AND function = ?")
    static let restRemoval = RoomStatement(
        """
        DELETE FROM _homeport_stream_changes WHERE number <= coalesce(
            (SELECT min(position) FROM _homeport_stream_readers AS readers
             WHERE readers.model = _homeport_stream_changes.model), number)
        """)

    // MARK: What they are told

    static let position = RoomStatement(
        "SELECT position, tries, due FROM _homeport_stream_readers WHERE model = ? AND function = ?")
    static let changes = RoomStatement(
        """
        SELECT number, time, old, new FROM _homeport_stream_changes WHERE model = ? AND number > ? ORDER BY number LIMIT ?
        """)
    static let advance = RoomStatement(
        """
        UPDATE _homeport_stream_readers SET position = CASE WHEN position > ?3 THEN position ELSE ?3 END,
            tries = 0, due = 0
        WHERE model = ?1 AND function = ?2
        """)
    static let delay = RoomStatement(
        "UPDATE _homeport_stream_readers SET tries = ?3, due = ?4 WHERE model = ?1 AND function = ?2")
    static let removal = RoomStatement(
        """
        DELETE FROM _homeport_stream_changes WHERE model = ?1 AND number <=
            (SELECT min(position) FROM _homeport_stream_readers WHERE model = ?1)
        """)

    // MARK: How they are taken down

    static let triggers = SQLText(
        "SELECT name FROM sqlite_temp_schema WHERE type = 'trigger' AND name GLOB '_homeport_stream *'")

    /// The triggers of a table. They are the connection's own and not in the file: who writes without a server that tells
    /// functions, such as an import, leaves no changes behind.
    static func creations(of table: TableLayout) -> [SQLText] {
        let old = TableImage.expression(of: table, row: "OLD")
        let new = TableImage.expression(of: table, row: "NEW")
        let columns = table.columns.map { SQLName.quoted($0.name) } + [SQLName.quoted(SQLName.nulls)]
        let isChanged = columns.map { "OLD.\($0) IS NOT NEW.\($0)" }.reduce(into: [String]()) { groups, condition in
            // A thousand levels of an expression are all that SQLite allows.
            if let last = groups.last, last.count < 2_000 {
                groups[groups.count - 1] = "\(last) OR \(condition)"
            } else {
                groups.append(condition)
            }
        }.map { "(\($0))" }.joined(separator: " OR ")
        return [
            creation("INSERT", of: table, old: "NULL", new: new),
            creation("UPDATE", of: table, when: "WHEN \(isChanged) ", old: old, new: new),
            creation("DELETE", of: table, old: old, new: "NULL"),
        ]
    }

    /// What SQLite is to say where there is no room.
    static let isFull = "no room for another change"

    private static func creation(
        _ event: String, of table: TableLayout, when condition: String = "", old: String, new: String
    ) -> SQLText {
        let model = SQLName.literal(table.model)
        return SQLText(
            """
            CREATE TEMP TRIGGER \(SQLName.quoted("_homeport_stream \(event) \(table.name)"))
            AFTER \(event) ON \(table.quotedName) \(condition)BEGIN
                SELECT RAISE(ABORT, '\(isFull)') FROM _homeport_streams WHERE model = \(model) AND last - coalesce(
                    (SELECT min(number) FROM _homeport_stream_changes WHERE model = \(model)), last + 1) + 1
                    >= \(StoreLimits.streamChangesMax);
                UPDATE _homeport_streams SET last = last + 1 WHERE model = \(model);
                INSERT INTO _homeport_stream_changes (model, number, time, old, new)
                SELECT model, last, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER), \(old), \(new)
                FROM _homeport_streams WHERE model = \(model);
            END
            """)
    }
}
