import Store

/// The tables of the room, beside the models' in the same file. Times are in milliseconds since 1970, but for those at which items
/// expire, which are in seconds.
///
/// An item is a row, found by the number of its table and the bytes of its key. An index has a row for each item that is in it,
/// with the number of the item's row: what an index shows is read from the item itself.
enum TableRows {
    static let all = RoomTables(
        of: "items", turn: .items,
        versions: [
            [
                // `version` is another one after each change of the shape.
                RoomStatement(
                    """
                    CREATE TABLE _homeport_item_tables (
                        number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
                        shape TEXT NOT NULL
                    ) STRICT
                    """),
                RoomStatement(
                    """
                    CREATE TABLE _homeport_items (
                        number INTEGER PRIMARY KEY AUTOINCREMENT, tbl INTEGER NOT NULL, spread INTEGER NOT NULL,
                        part BLOB NOT NULL, sort BLOB NOT NULL, size INTEGER NOT NULL, expires INTEGER, item BLOB NOT NULL
                    ) STRICT
                    """),
                RoomStatement(
                    "CREATE UNIQUE INDEX _homeport_items_key ON _homeport_items (tbl, spread, part, sort)"),
                RoomStatement(
                    "CREATE INDEX _homeport_items_expiry ON _homeport_items (expires) WHERE expires IS NOT NULL"),
                RoomStatement(
                    """
                    CREATE TABLE _homeport_item_entries (
                        tbl INTEGER NOT NULL, idx INTEGER NOT NULL, spread INTEGER NOT NULL, part BLOB NOT NULL,
                        sort BLOB NOT NULL, tie BLOB NOT NULL, item INTEGER NOT NULL,
                        PRIMARY KEY (tbl, idx, spread, part, sort, tie)
                    ) STRICT, WITHOUT ROWID
                    """),
                // A stream lives on for a while when its table has none any more.
                RoomStatement(
                    """
                    CREATE TABLE _homeport_item_streams (
                        number INTEGER PRIMARY KEY AUTOINCREMENT, tbl INTEGER NOT NULL, name TEXT NOT NULL,
                        label TEXT NOT NULL, view TEXT NOT NULL, key TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER
                    ) STRICT
                    """),
                RoomStatement(
                    """
                    CREATE TABLE _homeport_item_records (
                        number INTEGER PRIMARY KEY AUTOINCREMENT, stream INTEGER NOT NULL, time INTEGER NOT NULL,
                        expired INTEGER NOT NULL, key BLOB NOT NULL, old BLOB, new BLOB
                    ) STRICT
                    """),
                RoomStatement(
                    "CREATE INDEX _homeport_item_records_stream ON _homeport_item_records (stream, number)"),
                RoomStatement("CREATE INDEX _homeport_item_records_time ON _homeport_item_records (time)"),
                // Transactions that have been made, for whoever asks again because the answer was lost.
                RoomStatement(
                    """
                    CREATE TABLE _homeport_item_transactions (
                        token TEXT PRIMARY KEY NOT NULL, request BLOB NOT NULL, time INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID
                    """),
                RoomStatement("CREATE INDEX _homeport_item_transactions_time ON _homeport_item_transactions (time)"),
                // What is done in steps; `spread`, `part` and `sort` say how far it has come.
                RoomStatement(
                    """
                    CREATE TABLE _homeport_item_chores (
                        number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, tbl INTEGER NOT NULL,
                        idx INTEGER NOT NULL, spread INTEGER NOT NULL DEFAULT 0, part BLOB NOT NULL DEFAULT x'',
                        sort BLOB NOT NULL DEFAULT x''
                    ) STRICT
                    """),
            ]
        ])

    // MARK: Tables

    static let tables = RoomStatement("SELECT number, version, shape FROM _homeport_item_tables ORDER BY name")
    static let table = RoomStatement("SELECT number, version, shape FROM _homeport_item_tables WHERE name = ?")
    static let tableByNumber = RoomStatement(
        "SELECT number, version, shape FROM _homeport_item_tables WHERE number = ?")
    static let version = RoomStatement("SELECT number, version FROM _homeport_item_tables WHERE name = ?")
    static let tableCount = RoomStatement("SELECT count(*) FROM _homeport_item_tables")
    static let tableInsertion = RoomStatement(
        "INSERT INTO _homeport_item_tables (name, version, shape) VALUES (?, 1, ?)")
    static let tableUpdate = RoomStatement(
        "UPDATE _homeport_item_tables SET shape = ?, version = version + 1 WHERE number = ?")
    static let tableDeletion = RoomStatement("DELETE FROM _homeport_item_tables WHERE number = ?")

    // MARK: Items

    static let item = RoomStatement(
        "SELECT number, item FROM _homeport_items WHERE tbl = ? AND spread = ? AND part = ? AND sort = ?")
    static let insertion = RoomStatement(
        """
        INSERT INTO _homeport_items (tbl, spread, part, sort, size, expires, item) VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
    static let update = RoomStatement("UPDATE _homeport_items SET size = ?, expires = ?, item = ? WHERE number = ?")
    static let expiryUpdate = RoomStatement("UPDATE _homeport_items SET expires = ? WHERE number = ?")
    static let deletion = RoomStatement("DELETE FROM _homeport_items WHERE number = ?")
    static let count = RoomStatement("SELECT count(*), coalesce(sum(size), 0) FROM _homeport_items WHERE tbl = ?")
    static let expired = RoomStatement(
        """
        SELECT tbl, item FROM _homeport_items WHERE expires IS NOT NULL AND expires > ? AND expires <= ?
        ORDER BY expires LIMIT ?
        """)

    // MARK: Pages

    static let partForward = RoomStatement(
        """
        SELECT item FROM _homeport_items WHERE tbl = ? AND spread = ? AND part = ? AND sort >= ? AND sort < ?
        ORDER BY sort
        """, isOpen: true)
    static let partBackward = RoomStatement(
        """
        SELECT item FROM _homeport_items WHERE tbl = ? AND spread = ? AND part = ? AND sort >= ? AND sort < ?
        ORDER BY sort DESC
        """, isOpen: true)
    static let scan = RoomStatement(
        """
        SELECT item, spread, number, part, sort FROM _homeport_items
        WHERE tbl = ? AND (spread, part, sort) >= (?, ?, ?) ORDER BY spread, part, sort
        """, isOpen: true)
    static let indexForward = RoomStatement(
        """
        SELECT items.item FROM _homeport_item_entries AS entries CROSS JOIN _homeport_items AS items
        WHERE items.number = entries.item AND entries.tbl = ? AND entries.idx = ? AND entries.spread = ? AND entries.part = ?
            AND (entries.sort, entries.tie) >= (?, ?) AND entries.sort < ?
        ORDER BY entries.sort, entries.tie
        """, isOpen: true)
    static let indexBackward = RoomStatement(
        """
        SELECT items.item FROM _homeport_item_entries AS entries CROSS JOIN _homeport_items AS items
        WHERE items.number = entries.item AND entries.tbl = ? AND entries.idx = ? AND entries.spread = ? AND entries.part = ?
            AND (entries.sort, entries.tie) < (?, ?) AND entries.sort >= ?
        ORDER BY entries.sort DESC, entries.tie DESC
        """, isOpen: true)
    static let indexScan = RoomStatement(
        """
        SELECT items.item, entries.spread FROM _homeport_item_entries AS entries CROSS JOIN _homeport_items AS items
        WHERE items.number = entries.item AND entries.tbl = ? AND entries.idx = ? AND (entries.spread, entries.part, entries.sort, entries.tie) >= (?, ?, ?, ?)
        ORDER BY entries.spread, entries.part, entries.sort, entries.tie
        """, isOpen: true)

    // MARK: Entries of indexes

    static let entryInsertion = RoomStatement(
        """
        INSERT INTO _homeport_item_entries (tbl, idx, spread, part, sort, tie, item)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tbl, idx, spread, part, sort, tie) DO NOTHING
        """,
        server: """
            INSERT INTO _homeport_item_entries (tbl, idx, spread, part, sort, tie, item)
            VALUES (?, ?, ?, ?, ?, ?, coalesce(?, lastval())) ON CONFLICT (tbl, idx, spread, part, sort, tie) DO NOTHING
            """)
    static let entryDeletion = RoomStatement(
        """
        DELETE FROM _homeport_item_entries
        WHERE tbl = ? AND idx = ? AND spread = ? AND part = ? AND sort = ? AND tie = ?
        """)
    static let entryCount = RoomStatement(
        "SELECT count(*) FROM _homeport_item_entries WHERE tbl = ? AND idx = ?")

    // MARK: Chores

    static let chores = RoomStatement(
        "SELECT number, kind, tbl, idx, spread, part, sort FROM _homeport_item_chores ORDER BY number LIMIT 1")
    static let choreInsertion = RoomStatement("INSERT INTO _homeport_item_chores (kind, tbl, idx) VALUES (?, ?, ?)")
    static let choreUpdate = RoomStatement(
        "UPDATE _homeport_item_chores SET spread = ?, part = ?, sort = ? WHERE number = ?")
    static let choreDeletion = RoomStatement("DELETE FROM _homeport_item_chores WHERE number = ?")
    static let choreRemoval = RoomStatement("DELETE FROM _homeport_item_chores WHERE kind = ? AND tbl = ? AND idx = ?")
    static let itemsOfTable = RoomStatement(
        """
        DELETE FROM _homeport_items WHERE number IN (SELECT number FROM _homeport_items WHERE tbl = ? LIMIT ?)
        """)
    static let entriesOfTable = RoomStatement(
        """
        DELETE FROM _homeport_item_entries WHERE (tbl, idx, spread, part, sort, tie) IN (
            SELECT tbl, idx, spread, part, sort, tie FROM _homeport_item_entries WHERE tbl = ? LIMIT ?)
        """)
    static let entriesOfIndex = RoomStatement(
        """
        DELETE FROM _homeport_item_entries WHERE (tbl, idx, spread, part, sort, tie) IN (
            SELECT tbl, idx, spread, part, sort, tie FROM _homeport_item_entries WHERE tbl = ? AND idx = ? LIMIT ?)
        """)

    // MARK: Transactions

    static let transaction = RoomStatement(
        "SELECT request FROM _homeport_item_transactions WHERE token = ? AND time > ?")
    static let transactionInsertion = RoomStatement(
        """
        INSERT INTO _homeport_item_transactions (token, request, time) VALUES (?, ?, ?)
        ON CONFLICT (token) DO UPDATE SET request = excluded.request, time = excluded.time
        """)
    static let transactionRemoval = RoomStatement("DELETE FROM _homeport_item_transactions WHERE time <= ?")
}

extension RoomTables {
    /// The tables of items and of the functions that follow them.
    package static var ofItems: [RoomTables] { [TableRows.all, StreamReaderRows.tables] }
}
