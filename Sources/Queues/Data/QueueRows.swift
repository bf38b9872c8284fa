import Store

/// The statements over the tables of queues.
enum QueueRows {
    // MARK: Queues

    static let queue = RoomStatement(
        """
        SELECT number, name, settings, tags, created, changed, messages FROM _homeport_queues WHERE name = ?
        """)
    /// Events that wait for functions are no queues of anybody's: no name of one has a colon.
    static let queues = RoomStatement(
        """
        SELECT number, name, settings, tags, created, changed, messages FROM _homeport_queues
        WHERE name NOT LIKE '%:%' ORDER BY name
        """)
    static let filled = RoomStatement("SELECT name FROM _homeport_queues WHERE messages > 0")
    static let queueCount = RoomStatement("SELECT count(*) FROM _homeport_queues")
    static let totals = RoomStatement(
        "SELECT coalesce(sum(messages), 0), coalesce(sum(bytes), 0) FROM _homeport_queues")
    static let making = RoomStatement(
        "INSERT INTO _homeport_queues (name, settings, tags, created, changed) VALUES (?1, ?2, ?3, ?4, ?4)")
    static let change = RoomStatement("UPDATE _homeport_queues SET settings = ?, changed = ? WHERE number = ?")
    static let tagging = RoomStatement("UPDATE _homeport_queues SET tags = ? WHERE number = ?")
    static let removal = RoomStatement("DELETE FROM _homeport_queues WHERE number = ?")
    static let retention = RoomStatement(
        "UPDATE _homeport_queue_messages SET expires = sent + ? WHERE queue = ? AND source IS NULL")
    static let counts = RoomStatement(
        """
        SELECT count(*) FILTER (WHERE visible <= ?2), count(*) FILTER (WHERE visible > ?2 AND received > 0),
            count(*) FILTER (WHERE visible > ?2 AND received = 0)
        FROM _homeport_queue_messages WHERE queue = ?1 AND expires > ?2
        """)
    static let inFlight = RoomStatement(
        "SELECT count(*) FROM _homeport_queue_messages WHERE queue = ? AND visible > ? AND received > 0")

    // MARK: Moves

    static let move = RoomStatement(
        """
        INSERT INTO _homeport_queue_moves (id, source, content) VALUES (?1, ?2, ?3)
        ON CONFLICT (id) DO UPDATE SET content = ?3
        """)
    static let oldMoves = RoomStatement(
        "DELETE FROM _homeport_queue_moves WHERE number <= (SELECT max(number) FROM _homeport_queue_moves) - ?")
    static let moveOfID = RoomStatement("SELECT source, content FROM _homeport_queue_moves WHERE id = ?")
    static let moves = RoomStatement(
        "SELECT id, content FROM _homeport_queue_moves WHERE source = ? ORDER BY number DESC LIMIT ?")

    // MARK: Messages

    static let sending = RoomStatement(
        """
        INSERT INTO _homeport_queue_messages
            (queue, id, body, attributes, trace, sender, sent, visible, expires, grouping, deduplication, bytes, label)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    static let visible = RoomStatement(
        """
        SELECT number, id, body, attributes, trace, sender, sent, received, receipt, first, grouping, deduplication,
            source, bytes, earlier, label
        FROM _homeport_queue_messages WHERE queue = ? AND visible <= ?2 AND expires > ?2
        ORDER BY visible, received, number LIMIT ?
        """)
    static let groups = RoomStatement(
        "SELECT grouping FROM _homeport_queue_groups WHERE queue = ? AND due <= ? ORDER BY due, grouping LIMIT ?")
    /// With when each may be received: the first that may not ends what may.
    static let ofGroup = RoomStatement(
        """
        SELECT number, id, body, attributes, trace, sender, sent, received, receipt, first, grouping, deduplication,
            source, bytes, earlier, label, visible
        FROM _homeport_queue_messages WHERE queue = ?1 AND grouping = ?2 AND expires > ?3
        ORDER BY number LIMIT ?4
        """)
    static let receiving = RoomStatement(
        """
        UPDATE _homeport_queue_messages SET visible = ?2, received = received + 1, receipt = receipt + 1,
            first = coalesce(first, ?3), held = ?4
        WHERE number = ?1
        """)
    static let moving = RoomStatement(
        """
        UPDATE _homeport_queue_messages SET queue = ?2, source = ?3, visible = ?4, expires = ?5,
            earlier = earlier + received, received = 0, receipt = receipt + 1, held = 0, first = NULL, grouping = ?6
        WHERE number = ?1
        """)
    static let movable = RoomStatement(
        """
        SELECT number, source, grouping FROM _homeport_queue_messages
        WHERE queue = ?1 AND visible <= ?2 AND expires > ?2 AND number > ?3 AND number <= ?4 ORDER BY number LIMIT ?5
        """)
    static let movingOn = RoomStatement(
        """
        UPDATE _homeport_queue_messages SET queue = ?2, id = ?3, source = NULL, sent = ?4, visible = ?4, expires = ?5,
            earlier = 0, received = 0, receipt = receipt + 1, held = 0, first = NULL, grouping = ?6
        WHERE number = ?1
        """)
    static let nextVisible = RoomStatement(
        "SELECT min(visible) FROM _homeport_queue_messages WHERE queue = ? AND visible > ?")
    static let nextDue = RoomStatement("SELECT min(due) FROM _homeport_queue_groups WHERE queue = ? AND due > ?")
    static let received = RoomStatement(
        "SELECT grouping, visible FROM _homeport_queue_messages WHERE number = ? AND queue = ? AND receipt = ?")
    static let message = RoomStatement("SELECT 1 FROM _homeport_queue_messages WHERE number = ? AND queue = ?")
    static let deletion = RoomStatement("DELETE FROM _homeport_queue_messages WHERE number = ?")
    static let deletionFromQueue = RoomStatement("DELETE FROM _homeport_queue_messages WHERE number = ? AND queue = ?")
    static let hiding = RoomStatement("UPDATE _homeport_queue_messages SET visible = ?, held = 0 WHERE number = ?")
    /// It was not received after all.
    static let givingBack = RoomStatement(
        """
        UPDATE _homeport_queue_messages SET visible = ?, held = 0,
            received = CASE WHEN received > 1 THEN received - 1 ELSE 0 END, receipt = receipt + 1
        WHERE number = ?
        """)
    private static let held = RoomStatement(
        "SELECT number, queue, grouping FROM _homeport_queue_messages WHERE held = 1 LIMIT ?")
    private static let heldByNode = RoomStatement(
        "SELECT number, queue, grouping FROM _homeport_queue_messages WHERE held = ? AND held > 1 LIMIT ?")

    /// The messages that a process holds. Each statement has the condition of its index.
    static func held(by holder: Int64) -> RoomStatement {
        holder == QueueTransaction.onlyProcess ? held : heldByNode
    }

    static func values(heldBy holder: Int64, max: Int64) -> [StoredValue] {
        holder == QueueTransaction.onlyProcess ? [.integer(max)] : [.integer(holder), .integer(max)]
    }

    /// The nodes that hold some, and the process that was none.
    static let holders = RoomStatement(
        """
        SELECT DISTINCT held FROM _homeport_queue_messages WHERE held > 1
        UNION SELECT DISTINCT held FROM _homeport_queue_messages WHERE held = 1
        """)
    /// The queues of which a message may be received.
    static let receivable = RoomStatement(
        """
        SELECT name FROM _homeport_queues AS q WHERE messages > 0 AND EXISTS (
            SELECT 1 FROM _homeport_queue_messages AS m WHERE m.queue = q.number AND m.visible <= ?1 AND m.expires > ?1)
        """)
    static let due = RoomStatement(
        """
        INSERT INTO _homeport_queue_groups (queue, grouping, due)
        SELECT queue, grouping, visible FROM _homeport_queue_messages
        WHERE queue = ?1 AND grouping = ?2 ORDER BY number LIMIT 1
        ON CONFLICT (queue, grouping) DO UPDATE SET due = excluded.due
        """)
    static let groupEnd = RoomStatement(
        """
        DELETE FROM _homeport_queue_groups WHERE queue = ?1 AND grouping = ?2
            AND NOT EXISTS (SELECT 1 FROM _homeport_queue_messages WHERE queue = ?1 AND grouping = ?2)
        """)

    static let duplicate = RoomStatement(
        """
        SELECT id, number FROM _homeport_queue_deduplications
        WHERE queue = ? AND scope = ? AND name = ? AND until > ?
        """)
    static let deduplication = RoomStatement(
        """
        INSERT INTO _homeport_queue_deduplications (queue, scope, name, id, number, until) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (queue, scope, name)
        DO UPDATE SET id = excluded.id, number = excluded.number, until = excluded.until
        """)

    // MARK: Ticks

    static let tick = RoomStatement(
        """
        INSERT INTO _homeport_ticks (name, moment) VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET moment = ?2 WHERE _homeport_ticks.moment < ?2
        """)
    static let firstTick = RoomStatement(
        "INSERT INTO _homeport_ticks (name, moment) VALUES (?, ?) ON CONFLICT (name) DO NOTHING")
    static let ticks = RoomStatement("SELECT name, moment FROM _homeport_ticks")

    // MARK: What goes

    static let last = RoomStatement(
        "SELECT coalesce(max(number), 0) FROM _homeport_queue_messages WHERE queue = ?")
    static let purge = RoomStatement(
        """
        DELETE FROM _homeport_queue_messages WHERE number IN (
            SELECT number FROM _homeport_queue_messages WHERE queue = ? AND number <= ? LIMIT ?)
        """)
    static let emptyGroups = RoomStatement(
        """
        DELETE FROM _homeport_queue_groups WHERE queue = ?1 AND NOT EXISTS (
            SELECT 1 FROM _homeport_queue_messages AS m
            WHERE m.queue = ?1 AND m.grouping = _homeport_queue_groups.grouping)
        """)
    static let oldDeduplications = RoomStatement("DELETE FROM _homeport_queue_deduplications WHERE until <= ?")
    static let forgetting = RoomStatement("DELETE FROM _homeport_queue_deduplications WHERE queue = ?")
    static let oldGroups = RoomStatement(
        """
        SELECT DISTINCT queue, grouping FROM (
            SELECT queue, grouping FROM _homeport_queue_messages WHERE expires <= ? ORDER BY expires LIMIT ?) AS old
        WHERE grouping IS NOT NULL
        """)
    static let old = RoomStatement(
        """
        DELETE FROM _homeport_queue_messages WHERE number IN (
            SELECT number FROM _homeport_queue_messages WHERE expires <= ? ORDER BY expires LIMIT ?)
        """)
    /// Those of queues that were removed by a process that did not come to the end of it.
    static let orphans = RoomStatement(
        """
        SELECT queue FROM _homeport_queue_messages AS m
        WHERE NOT EXISTS (SELECT 1 FROM _homeport_queues WHERE number = m.queue) LIMIT 1
        """)
}
