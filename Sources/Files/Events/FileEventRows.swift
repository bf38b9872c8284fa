import JSON
import Store

/// The events that functions are still to be told of, in the database: those that a crash leaves are told after it.
///
/// There is one for each function. Of each key one waits for its time; the others of that key wait for it, so that functions hear of
/// them in order, whichever they are for.
enum FileEventRows {
    static let creation = [
        RoomStatement(
            """
            CREATE TABLE _homeport_file_events (
                number INTEGER PRIMARY KEY AUTOINCREMENT, bucket TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL,
                size INTEGER, tag TEXT, time INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL
            ) STRICT
            """),
        RoomStatement("CREATE INDEX _homeport_file_events_key ON _homeport_file_events (bucket, key, number)"),
        RoomStatement("CREATE INDEX _homeport_file_events_due ON _homeport_file_events (due, number)"),
    ]

    /// What came when more than one function could hear of an event.
    static let functions = [
        RoomStatement("ALTER TABLE _homeport_file_events ADD COLUMN function TEXT NOT NULL DEFAULT ''")
    ]

    /// The time of those that wait for others.
    static let never = Int64.max

    static let insertion = RoomStatement(
        """
        INSERT INTO _homeport_file_events (bucket, key, name, size, tag, time, due, function)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6,
            CASE WHEN EXISTS (SELECT 1 FROM _homeport_file_events WHERE bucket = ?1 AND key = ?2)
                THEN CAST(?7 AS INTEGER) ELSE CAST(?6 AS INTEGER) END,
            ?8)
        """)
    /// How many there can be at most: numbers are given in order.
    static let span = RoomStatement(
        """
        SELECT coalesce((SELECT max(number) FROM _homeport_file_events)
            - (SELECT min(number) FROM _homeport_file_events) + 1, 0)
        """)
    static let due = RoomStatement(
        """
        SELECT number, bucket, key, name, size, tag, time, tries, function FROM _homeport_file_events
        WHERE due <= ? ORDER BY due, number LIMIT ?
        """)
    static let nextDue = RoomStatement(
        "SELECT min(due) FROM _homeport_file_events WHERE due > ? AND due < ?")
    static let delay = RoomStatement("UPDATE _homeport_file_events SET due = ?, tries = tries + 1 WHERE number = ?")
    static let deletion = RoomStatement("DELETE FROM _homeport_file_events WHERE number = ?")
    static let release = RoomStatement(
        """
        UPDATE _homeport_file_events SET due = time WHERE number =
            (SELECT min(number) FROM _homeport_file_events WHERE bucket = ? AND key = ?)
        """)
}

extension FileEvent {
    /// The event of a row.
    init(_ row: borrowing Row) {
        self.init(
            number: row.integer(0), bucket: row.text(1), key: row.text(2), name: row.text(3),
            size: row.isNull(4) ? nil : row.integer(4), tag: row.isNull(5) ? nil : row.text(5), time: row.integer(6),
            tries: row.integer(7), function: row.text(8))
    }
}

extension FileWriting {
    /// Notes an event for each function that is told of such, in the transaction of what has happened.
    func note(
        _ name: FileEvent.Name, _ bucket: String, _ key: String, size: Int64? = nil, tag: String? = nil
    ) throws(FileError) {
        let told = functions.names(of: name.rawValue, bucket, key)
        guard !told.isEmpty else { return }
        var span: Int64 = 0
        do throws(StoreError) {
            try session.bring(FileTables.eventFunctions)
            try session.rows(FileEventRows.span, []) { row throws(StoreError) in
                span = row.integer(0)
                return false
            }
        } catch {
            throw FileError(error)
        }
        guard span <= FileLimits.eventsMax - Int64(told.count) else {
            throw .slowDown.because("\(span) events wait for functions that do not answer")
        }
        for function in told {
            try change(
                FileEventRows.insertion,
                [
                    .text(bucket), .text(key), .text(name.rawValue), size.map { .integer($0) } ?? .null,
                    tag.map { .text($0) } ?? .null, .integer(now), .integer(FileEventRows.never), .text(function),
                ])
        }
        // The keeper calls them, whichever node has changed the object.
        session.wake(.files)
    }
}
