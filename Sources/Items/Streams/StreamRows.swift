import Store

/// A change of an item, as a stream takes it down.
struct StreamChange: Sendable {
    let key: Item
    let old: Item?
    let new: Item?
    /// Milliseconds since 1970.
    let time: Int64
    /// Whether the item went because its time was over.
    let isExpiry: Bool
}

/// A change with its number, which is higher than those of all before it.
struct StreamRecord: Sendable {
    let number: Int64
    let change: StreamChange
}

/// A stream as it lies in the database.
struct StoredStream: Sendable {
    let number: Int64
    let table: String
    let label: String
    let view: StreamView
    let key: KeySchema
    let began: Int64
    let ended: Int64?
}

/// The changes that streams tell of, in the database.
enum StreamRows {
    private static let insertion = RoomStatement(
        "INSERT INTO _homeport_item_records (stream, time, expired, key, old, new) VALUES (?, ?, ?, ?, ?, ?)")
    private static let streamInsertion = RoomStatement(
        "INSERT INTO _homeport_item_streams (tbl, name, label, view, key, began) VALUES (?, ?, ?, ?, ?, ?)")
    private static let streamEnd = RoomStatement("UPDATE _homeport_item_streams SET ended = ? WHERE number = ?")
    private static let stream = RoomStatement(
        """
        SELECT number, name, label, view, key, began, ended FROM _homeport_item_streams
        WHERE name = ? AND label = ? ORDER BY number DESC LIMIT 1
        """)
    private static let streams = RoomStatement(
        """
        SELECT number, name, label, view, key, began, ended FROM _homeport_item_streams
        WHERE (CAST(?1 AS TEXT) IS NULL OR name = ?1) AND number > ?2 ORDER BY number
        """, isOpen: true)
    private static let records = RoomStatement(
        """
        SELECT number, time, expired, key, old, new FROM _homeport_item_records
        WHERE stream = ? AND number >= ? AND time > ? ORDER BY number LIMIT ?
        """)
    private static let last = RoomStatement(
        "SELECT coalesce(max(number), 0) FROM _homeport_item_records WHERE stream = ?")
    private static let first = RoomStatement(
        "SELECT coalesce(min(number), 0) FROM _homeport_item_records WHERE stream = ?")
    static let lastOfAll = RoomStatement(
        "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = '_homeport_item_records'), 0)",
        server: "SELECT coalesce(max(number), 0) FROM _homeport_item_records")
    static let removal = RoomStatement(
        """
        DELETE FROM _homeport_item_records WHERE number IN (
            SELECT number FROM _homeport_item_records WHERE time <= ? ORDER BY time LIMIT ?)
        """)
    static let streamRemoval = RoomStatement(
        "DELETE FROM _homeport_item_streams WHERE ended IS NOT NULL AND ended <= ?")

    // MARK: Changing

    static func append(_ change: StreamChange, to stream: StreamShape, in session: WriteSession) throws(ItemFailure) {
        // What a stream does not show is not kept; that there was an item is told by an empty one.
        func image(_ item: Item?, _ isShown: Bool) -> StoredValue {
            item.map { .blob(isShown ? ItemBytes.of($0) : []) } ?? .null
        }
        try session.changingAhead(
            insertion,
            [
                .integer(stream.number), .integer(change.time), .boolean(change.isExpiry),
                .blob(ItemBytes.of(change.key)), image(change.old, stream.view.hasOld),
                image(change.new, stream.view.hasNew),
            ])
    }

    /// Begins a stream of a table.
    static func begin(
        _ view: StreamView, _ label: String, of table: Int64, _ shape: TableShape, now: Int64, in session: WriteSession
    ) throws(ItemFailure) -> StreamShape {
        try session.changing(
            streamInsertion,
            [
                .integer(table), .text(shape.name), .text(label), .text(view.rawValue),
                .text(JSONText.of(shape.key.stored)), .integer(now),
            ])
        return StreamShape(number: try session.lastNumber(), view: view, label: label)
    }

    static func end(_ stream: StreamShape, now: Int64, in session: WriteSession) throws(ItemFailure) {
        try session.changing(streamEnd, [.integer(now), .integer(stream.number)])
    }

    // MARK: Reading

    static func stream(of table: String, _ label: String, in rows: some RoomReading) throws(ItemFailure)
        -> StoredStream?
    {
        var found: StoredStream?
        try rows.rows(stream, [.text(table), .text(label)]) { row throws(ItemFailure) in
            found = read(row)
            return false
        }
        return found
    }

    static func streams(
        of table: String?, after number: Int64, max: Int, in rows: some RoomReading
    ) throws(ItemFailure) -> [StoredStream] {
        var found: [StoredStream] = []
        try rows.rows(streams, [table.map { .text($0) } ?? .null, .integer(number)]) { row throws(ItemFailure) in
            if let stream = read(row) { found.append(stream) }
            return found.count < max
        }
        return found
    }

    private static func read(_ row: borrowing Row) -> StoredStream? {
        guard let view = StreamView(rawValue: row.text(3)), let key = KeySchema(stored: JSONText.value(row.text(4)))
        else { return nil }
        return StoredStream(
            number: row.integer(0), table: row.text(1), label: row.text(2), view: view, key: key,
            began: row.integer(5), ended: row.isNull(6) ? nil : row.integer(6))
    }

    /// The records from a number on, without those that are too old.
    static func records(
        of stream: Int64, from number: Int64, since time: Int64, max: Int64, in rows: some RoomReading
    ) throws(ItemFailure) -> [StreamRecord] {
        var found: [StreamRecord] = []
        var bytes = 0
        try rows.rows(records, [.integer(stream), .integer(number), .integer(time), .integer(max)]) {
            row throws(ItemFailure) in
            let old: [UInt8]? = row.isNull(4) ? nil : row.blob(4)
            let new: [UInt8]? = row.isNull(5) ? nil : row.blob(5)
            bytes += (old?.count ?? 0) + (new?.count ?? 0)
            let change = StreamChange(
                key: try PlainTable.item(row, 3), old: try image(old), new: try image(new),
                time: row.integer(1),
                isExpiry: row.integer(2) != 0)
            found.append(StreamRecord(number: row.integer(0), change: change))
            return bytes < TableLimits.recordsBytesMax
        }
        return found
    }

    private static func image(_ bytes: [UInt8]?) throws(ItemFailure) -> Item? {
        guard let bytes else { return nil }
        return bytes.isEmpty ? Item() : try PlainTable.item(bytes)
    }

    static func first(of stream: Int64, in rows: some RoomReading) throws(ItemFailure) -> Int64 {
        try number(first, [.integer(stream)], in: rows)
    }

    static func last(of stream: Int64, in rows: some RoomReading) throws(ItemFailure) -> Int64 {
        try number(last, [.integer(stream)], in: rows)
    }

    /// The highest number that a record of any stream has had.
    static func lastOfAll(in rows: some RoomReading) throws(ItemFailure) -> Int64 {
        try number(lastOfAll, [], in: rows)
    }

    private static func number(
        _ statement: RoomStatement, _ values: [StoredValue], in rows: some RoomReading
    ) throws(ItemFailure) -> Int64 {
        var number: Int64 = 0
        try rows.rows(statement, values) { row throws(ItemFailure) in
            number = row.integer(0)
            return false
        }
        return number
    }
}
