import Crypto

/// The rows by which the processes over one database on a server know of each other, and hand over events.
///
///     _homeport_nodes     a row a process: when it was seen last, by the database's clock
///     _homeport_events    what the subscribers of all nodes get, by the numbers of the models' turn
///     _homeport_marks     the mark of the last commit of each process
///     _homeport_duties    the node that has a duty, and until when, by the database's clock
///     _homeport_turns     of the models: the last number of an event, and how often a node has joined ("node")
///
/// A node joins within the models' turn. So a writer that holds the turn knows from its row whether a node has joined since it
/// looked last, and every commit behind a node's joining is one that the node hears of.
enum NodeRows {
    static let nodes = "_homeport_nodes"
    static let events = "_homeport_events"
    static let marks = "_homeport_marks"
    static let duties = "_homeport_duties"

    static let creations = [
        "CREATE TABLE IF NOT EXISTS \(nodes) (node INTEGER PRIMARY KEY NOT NULL, address TEXT NOT NULL, "
            + "version TEXT NOT NULL, seen INTEGER NOT NULL)",
        "CREATE TABLE IF NOT EXISTS \(events) (sequence INTEGER PRIMARY KEY NOT NULL, node INTEGER NOT NULL, "
            + "made INTEGER NOT NULL, events BLOB NOT NULL)",
        "CREATE TABLE IF NOT EXISTS \(marks) (node INTEGER PRIMARY KEY NOT NULL, mark INTEGER NOT NULL, "
            + "made INTEGER NOT NULL)",
        "CREATE TABLE IF NOT EXISTS \(duties) (name TEXT PRIMARY KEY NOT NULL, node INTEGER NOT NULL, "
            + "until INTEGER NOT NULL)",
    ]

    /// The database's time in milliseconds since 1970.
    static let now = "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS INTEGER)"

    // MARK: Nodes

    static let entry = SQLText(
        "INSERT INTO \(nodes) (node, address, version, seen) VALUES (?, ?, ?, \(now)) "
            + "ON CONFLICT (node) DO UPDATE SET seen = excluded.seen")
    static let joining = SQLText("UPDATE \(ServerTurns.name) SET node = node + 1 WHERE room = 'models'")
    static let sign = SQLText("UPDATE \(nodes) SET seen = \(now) WHERE node = ?")
    static let exit = SQLText("DELETE FROM \(nodes) WHERE node = ?")
    static let removal = SQLText("DELETE FROM \(nodes) WHERE seen < \(now) - ?")
    static let living = SQLText("SELECT node FROM \(nodes)")
    static let others = SQLText("SELECT count(*) FROM \(nodes) WHERE node <> ?")
    /// One state of both: a node that has joined is seen with its joining.
    static let state = SQLText(
        "SELECT node, sequence, (SELECT count(*) FROM \(nodes) WHERE node <> ?), \(now) FROM \(ServerTurns.name) "
            + "WHERE room = 'models'")

    // MARK: Stamps

    /// The latest stamp of a commit, and how long ago that is.
    static let stamp = SQLText("SELECT stamp, \(now) - stamp FROM \(ServerTurns.name) WHERE room = 'models'")
    /// Brings it to the database's time where nobody holds the turn. A failover that loses this commit loses nothing: stamps behind it are
    /// those of a later time, so the disk is not waited for.
    static let stamping = SQLText(
        "UPDATE \(ServerTurns.name) SET stamp = greatest(stamp, \(now)) WHERE room IN (SELECT room FROM \(ServerTurns.name) "
            + "WHERE room = 'models' AND stamp < \(now) FOR NO KEY UPDATE SKIP LOCKED) "
            + "RETURNING pg_catalog.set_config('synchronous_commit', 'off', true)")

    // MARK: Marks

    static let marking = SQLText(
        "INSERT INTO \(marks) (node, mark, made) VALUES (?, ?, \(now)) "
            + "ON CONFLICT (node) DO UPDATE SET mark = excluded.mark, made = excluded.made")
    static let marked = SQLText("SELECT count(*) FROM \(marks) WHERE node = ? AND mark = ?")
    static let markRemoval = SQLText(
        "DELETE FROM \(marks) WHERE made < \(now) - ? AND node NOT IN (SELECT node FROM \(nodes))")

    // MARK: Duties

    /// One statement decides: of two nodes that ask at once, the second waits for the row of the first.
    static let taking = SQLText(
        "INSERT INTO \(duties) (name, node, until) VALUES (?1, ?2, \(now) + ?3) "
            + "ON CONFLICT (name) DO UPDATE SET node = excluded.node, until = excluded.until "
            + "WHERE \(duties).node = excluded.node OR \(duties).until < \(now)")
    static let taken = SQLText("SELECT until - \(now) FROM \(duties) WHERE name = ?")
    static let release = SQLText("DELETE FROM \(duties) WHERE node = ?")
    static let holder = SQLText(
        "SELECT \(nodes).node, \(nodes).address FROM \(duties) JOIN \(nodes) ON \(nodes).node = \(duties).node "
            + "WHERE \(duties).name = ? AND \(duties).until >= \(now)")

    // MARK: Events

    static let insertion = SQLText(
        "INSERT INTO \(events) (sequence, node, made, events) VALUES (?, ?, \(now), ?)")
    static let numbering = SQLText("UPDATE \(ServerTurns.name) SET sequence = ? WHERE room = 'models'")
    static let announcement = SQLText("SELECT pg_catalog.pg_notify(?, '')")
    static let waking = SQLText("SELECT pg_catalog.pg_notify(?, ?)")
    static let eventRemoval = SQLText("DELETE FROM \(events) WHERE made < \(now) - ?")
    private static let position = SQLText(
        """
        SELECT sequence, (SELECT substr(events, 1, \(EventRow.markBytes)) FROM \(events) WHERE \(events).sequence = \(ServerTurns.name).sequence),
            (SELECT substr(events, 1, \(EventRow.markBytes)) FROM \(events) WHERE \(events).sequence = ?1),
            (SELECT mark FROM \(marks) WHERE \(marks).node = ?2)
        FROM \(ServerTurns.name) WHERE room = 'models'
        """)
    /// The next rows, as many as a trip may bring, and one in any case.
    private static let following = SQLText(
        """
        SELECT sequence, events FROM (
            SELECT sequence, events, SUM(octet_length(events)) OVER (ORDER BY sequence) - octet_length(events) AS before
            FROM \(events) WHERE sequence > ? ORDER BY sequence LIMIT ?) AS page
        WHERE before < ? ORDER BY sequence
        """)
    /// The channel on which nodes announce their events: one a schema.
    static let channel = SQLText(
        "SELECT CAST(oid AS INTEGER) FROM pg_catalog.pg_namespace WHERE nspname = current_schema()")

    /// The events behind a number, the first of them.
    static func events(
        behind number: Int64, on connection: borrowing Connection
    ) throws(StoreError) -> [EventRow] {
        var rows: [EventRow] = []
        try connection.query(
            following,
            [
                .integer(number), .integer(Int64(StoreLimits.eventRowsPerTrip)),
                .integer(Int64(StoreLimits.eventBytesPerTrip)),
            ]
        ) { row throws(StoreError) in
            guard case .blob(let bytes) = row.value(1) else { return true }
            rows.append(try EventRow(row.integer(0), bytes))
            return true
        }
        return rows
    }

    /// The end of the events, and what is stored of those that a node knows.
    struct Position {
        /// The last event.
        let last: EventLine.Position
        /// The mark of the row that was asked for; nil where there is none.
        let mark: [UInt8]?
        /// The mark of the node's last commit.
        let commit: Int64?
    }

    static func position(
        and number: Int64, of node: Int64, on connection: borrowing Connection
    ) throws(StoreError) -> Position? {
        var position: Position?
        try connection.query(self.position, [.integer(number), .integer(node)]) { row throws(StoreError) in
            position = Position(
                last: EventLine.Position(number: row.integer(0), mark: row.isNull(1) ? nil : row.blob(1)),
                mark: row.isNull(2) ? nil : row.blob(2), commit: row.isNull(3) ? nil : row.integer(3))
            return false
        }
        return position
    }
}

/// Events that were committed together, under one number.
struct EventRow: Sendable {
    static let markBytes = 8

    let number: Int64
    /// Tells it from another one with the same number: a database that has lost commits gives their numbers once more.
    let mark: [UInt8]
    /// Each in the form that whoever has shared it gave it.
    let contents: [[UInt8]]

    /// A new one.
    init(_ number: Int64, of contents: ArraySlice<[UInt8]>) {
        (self.number, self.contents) = (number, Array(contents))
        mark = RandomBytes.make(count: Self.markBytes)
    }

    /// One that is stored.
    init(_ number: Int64, _ bytes: [UInt8]) throws(StoreError) {
        guard bytes.count >= Self.markBytes else { throw Self.foreign }
        self.number = number
        mark = Array(bytes.prefix(Self.markBytes))
        contents = try Self.contents(of: bytes.dropFirst(Self.markBytes))
    }

    private static let foreign = StoreError(
        .unknownFormat, "a row of \(NodeRows.events) is none of this version's. Run one version on all nodes")

    /// The bytes of the row: its mark, and each content behind its length.
    var bytes: [UInt8] {
        var bytes = mark
        bytes.reserveCapacity(contents.reduce(mark.count) { $0 + $1.count + 4 })
        for content in contents {
            let count = UInt32(truncatingIfNeeded: content.count)
            for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
            bytes += content
        }
        return bytes
    }

    private static func contents(of bytes: ArraySlice<UInt8>) throws(StoreError) -> [[UInt8]] {
        var contents: [[UInt8]] = []
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 4, rest.count - 4 >= count else { throw foreign }
            contents.append(Array(rest.dropFirst(4).prefix(count)))
            rest = rest.dropFirst(4 + count)
        }
        return contents
    }
}
