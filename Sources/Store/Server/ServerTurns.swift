import Crypto
import JSON

/// The turns of the rooms on a server, as a writer holds them during a transaction.
///
///     BEGIN, a row of each room FOR UPDATE ── changes ── the rows with what was used, COMMIT
///
/// The holder of a room's row is its one writer, whichever process it is, until the commit. No change goes out before the rows are locked, so what
/// has become of a COMMIT whose answer is lost can be asked: the row has the mark of the last commit, and whoever asks waits for the
/// process that still holds it. Numbers of rows come from the row's counter: in the order of the commits, and never twice.
final class ServerTurns {
    private struct Turn {
        let room: String
        var counter: Int64
        var stamp: Int64
        let usedBefore: Int64
        let sequence: Int64
        let joinings: Int64
    }

    static let name = "_homeport_turns"
    static let creation =
        "CREATE TABLE IF NOT EXISTS \(name) (room TEXT PRIMARY KEY NOT NULL, sequence INTEGER NOT NULL, "
        + "counter INTEGER NOT NULL, stamp INTEGER NOT NULL, node INTEGER NOT NULL, mark INTEGER NOT NULL)"
    static let insertion = SQLText(
        "INSERT INTO \(name) (room, sequence, counter, stamp, node, mark) VALUES (?, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING"
    )
    private static let selection = SQLText(
        "SELECT counter, stamp, mark, sequence, node FROM \(name) WHERE room = ? FOR UPDATE")
    /// The same with the database's time, for stamps that all nodes have in common.
    private static let timedSelection = SQLText(
        "SELECT counter, greatest(stamp, \(NodeRows.now)), mark, sequence, node FROM \(name) WHERE room = ? FOR UPDATE")
    private static let update = SQLText("UPDATE \(name) SET counter = ?, stamp = ?, mark = ? WHERE room = ?")

    /// Ends the sessions that hold a turn and have waited for their own client for too long: its process was stopped, or is cut off. Where an
    /// answer is on its way to such a client, no timeout of the server's ends it. What they have not committed is undone.
    private static let ending = SQLText(
        """
        SELECT CAST(count(pg_catalog.pg_terminate_backend(pid)) AS INTEGER)
        FROM pg_catalog.pg_stat_activity JOIN pg_catalog.pg_locks USING (pid)
        WHERE relation = pg_catalog.to_regclass('\(name)') AND mode = 'RowShareLock' AND granted AND datname = current_database()
            AND pid <> pg_catalog.pg_backend_pid() AND wait_event_type = 'Client'
            AND state_change < pg_catalog.clock_timestamp() - CAST('\(StoreLimits.silentHolderMilliseconds) ms' AS interval)
        """)

    static let setting = SQLText("UPDATE \(name) SET counter = ?, stamp = ? WHERE room = ?")
    private static let all = SQLText("SELECT room, counter, stamp FROM \(name)")

    /// The last numbers and stamps of all rooms; none in a file.
    static func used(
        in connection: borrowing Connection
    ) throws(StoreError) -> [ByteText: (counter: Int64, stamp: Int64)] {
        guard connection.dialect == .postgres else { return [:] }
        var used: [ByteText: (counter: Int64, stamp: Int64)] = [:]
        try connection.query(all) { row throws(StoreError) in
            used[ByteText(row.text(0))] = (row.integer(1), row.integer(2))
            return true
        }
        return used
    }

    /// In their order.
    private var held: [Turn] = []
    /// The latest stamp of a change, of the rooms that are held.
    private(set) var stamp: Int64 = 0

    /// Takes the turns of rooms in their order, at the beginning of a transaction.
    ///
    /// - Parameter isTimed: whether changes are stamped by the database's clock.
    func take(_ turn: RoomTurn, isTimed: Bool = false, on connection: borrowing Connection) throws(StoreError) {
        held = []
        stamp = 0
        let names = turn.names
        let selection = isTimed ? Self.timedSelection : Self.selection
        // All in one trip, in their order.
        for room in names.dropLast() { connection.expect(selection, [.text(room)]) }
        var found: [Turn] = []
        for room in names.reversed() {
            try connection.query(selection, [.text(room)]) { row throws(StoreError) in
                let counter = row.integer(0)
                found.append(
                    Turn(
                        room: room, counter: counter, stamp: row.integer(1), usedBefore: counter,
                        sequence: row.integer(3), joinings: row.integer(4)))
                return false
            }
            guard let last = found.last, last.room.utf8.elementsEqual(room.utf8) else {
                throw StoreError(
                    .corrupt, "database \(connection.path): the turn of \(room) is missing. Restore a backup")
            }
            stamp = max(stamp, last.stamp)
        }
        held = found.reversed()
    }

    /// The number of the last event that nodes have shared, and how often a node has joined; nil where the models' turn is not held.
    var models: (sequence: Int64, joinings: Int64)? {
        guard let turn = held.first, turn.room.utf8.elementsEqual(Self.models.utf8) else { return nil }
        return (turn.sequence, turn.joinings)
    }

    /// The first in the order of the rooms.
    private static let models = RoomTurn.allNames[0]

    /// The next number of a row in a room whose turn is held.
    func next(of room: RoomTurn) throws(StoreError) -> Int64 {
        guard let name = room.names.first,
            let place = held.firstIndex(where: { $0.room.utf8.elementsEqual(name.utf8) }),
            held[place].counter < .max
        else { throw StoreError(.unexpected, "a row was to be numbered without the turn of its room") }
        held[place].counter += 1
        return held[place].counter
    }

    /// Adds to a total that all nodes of a room have in common, and gives it. Only of a room that numbers no rows so.
    func total(of room: RoomTurn, adding count: Int64) throws(StoreError) -> Int64 {
        guard room != .models, let name = room.names.first,
            let place = held.firstIndex(where: { $0.room.utf8.elementsEqual(name.utf8) }),
            held[place].counter <= .max - count
        else { throw StoreError(.unexpected, "something was to be counted without the turn of its room") }
        held[place].counter += count
        return held[place].counter
    }

    /// Ends whoever holds a turn and is not heard of. Asked outside of a transaction, by a process that has waited for the turn in vain.
    static func endSilentHolders(on connection: borrowing Connection) throws(StoreError) {
        _ = try connection.value(ending)
    }

    /// Writes what was used, as the last of a transaction: it goes out with the commit. Gives the mark by which that is known.
    func giveBack(at stamp: Int64, on connection: borrowing Connection) throws(StoreError) -> Int64 {
        let mark = RandomBytes.make(count: 8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        for turn in held {
            try connection.runAhead(
                Self.update,
                [.integer(turn.counter), .integer(max(turn.stamp, stamp)), .integer(mark), .text(turn.room)])
        }
        return mark
    }

    /// Returns whether a commit with this mark has come about. Waits for whoever may still make it.
    func isCommitted(_ mark: Int64, on connection: borrowing Connection) throws(StoreError) -> Bool {
        guard let turn = held.first else { return false }
        return try connection.value(Self.found, [.text(turn.room), .integer(mark)]) == .integer(1)
    }

    /// The last group of a room is the only one that a lost answer can be about: nobody else has had the turn since.
    private static let found = SQLText(
        "SELECT CASE WHEN mark = ?2 THEN 1 ELSE 0 END FROM \(name) WHERE room = ?1 FOR UPDATE")
}

extension RoomTurn {
    /// The rooms by the names that a server's database has for them, in their order.
    var names: [String] {
        Self.all.rawValue == rawValue
            ? Self.allNames
            : Self.allNames.indices.compactMap { place in
                rawValue & (1 << UInt16(place)) == 0 ? nil : Self.allNames[place]
            }
    }

    static let allNames = [
        "models", "items", "queues", "workflows", "users", "files", "outbox", "streams", "console", "settings",
        "schema",
    ]
}

extension Connection {
    private static let thinking = SQLText(
        "SELECT pg_catalog.set_config('idle_in_transaction_session_timeout', '\(StoreLimits.idleThinkingMilliseconds)', true)"
    )

    /// Lets this process think for long between two statements of the transaction that has begun on a server.
    func allowThinking() throws(StoreError) { try run(Self.thinking) }
}
