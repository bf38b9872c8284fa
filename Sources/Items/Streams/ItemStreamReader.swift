import JSON
import Store

/// Who is told of the changes of tables, and how far each has come, in the database: what a crash leaves is told after it.
///
/// A reader is somebody who is told of a table, by the table's name: it goes on where it is when the table is made anew, or has another
/// stream. The numbers of changes never come twice, whatever table they are of.
enum StreamReaderRows {
    static let tables = RoomTables(
        of: "item readers", turn: .items,
        versions: [
            [
                RoomStatement(
                    """
                    CREATE TABLE _homeport_item_readers (
                        name TEXT NOT NULL, reader TEXT NOT NULL, position INTEGER NOT NULL,
                        tries INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (name, reader)
                    ) STRICT, WITHOUT ROWID
                    """)
            ]
        ])

    static let insertion = RoomStatement(
        """
        INSERT INTO _homeport_item_readers (name, reader, position) VALUES (?, ?, ?)
        ON CONFLICT (name, reader) DO NOTHING
        """)
    static let removal = RoomStatement("DELETE FROM _homeport_item_readers WHERE name = ? AND reader = ?")
    static let all = RoomStatement("SELECT name, reader FROM _homeport_item_readers")
    static let position = RoomStatement(
        "SELECT position, tries, due FROM _homeport_item_readers WHERE name = ? AND reader = ?")
    static let advance = RoomStatement(
        """
        UPDATE _homeport_item_readers SET position = CASE WHEN position > ?3 THEN position ELSE ?3 END,
            tries = 0, due = 0
        WHERE name = ?1 AND reader = ?2
        """)
    static let delay = RoomStatement(
        "UPDATE _homeport_item_readers SET tries = ?3, due = ?4 WHERE name = ?1 AND reader = ?2")

    static func stored(in session: WriteSession) throws(StoreError) -> [(table: String, name: String)] {
        var readers: [(table: String, name: String)] = []
        try session.rows(all, []) { row throws(StoreError) in
            readers.append((row.text(0), row.text(1)))
            return true
        }
        return readers
    }
}

/// Somebody who is to be told of the changes of a table.
package struct ItemStreamReader: Sendable {
    package let table: String
    package let name: String
    /// Whether it begins with what is still kept, when it is new.
    package let beginsWithOldest: Bool

    package init(_ name: String, of table: String, beginsWithOldest: Bool) {
        (self.name, self.table, self.beginsWithOldest) = (name, table, beginsWithOldest)
    }
}

extension ItemService {
    /// Has these told of changes, and no others. Who is new is told of what comes from now on, or of what is still kept.
    package func keep(_ readers: [ItemStreamReader]) async throws {
        try await write { session, _ throws(ItemFailure) in
            let isKnown = try storing { () throws(StoreError) in try session.has(StreamReaderRows.tables) }
            guard isKnown || !readers.isEmpty else { return }
            try storing { () throws(StoreError) in
                try session.bring(TableRows.all)
                try session.bring(StreamReaderRows.tables)
            }
            let wanted = Set(readers.map { [ByteText($0.table), ByteText($0.name)] })
            let stored = try storing { () throws(StoreError) in try StreamReaderRows.stored(in: session) }
            for reader in stored where !wanted.contains([ByteText(reader.table), ByteText(reader.name)]) {
                try session.changing(StreamReaderRows.removal, [.text(reader.table), .text(reader.name)])
            }
            let last = try StreamRows.lastOfAll(in: session)
            for reader in readers {
                try session.changing(
                    StreamReaderRows.insertion,
                    [.text(reader.table), .text(reader.name), .integer(reader.beginsWithOldest ? 0 : last)])
            }
        }
    }
}

extension ItemService: CopiedRoom {
    /// Who is told stays who they are, where the database goes back to a copy.
    package func complete(_ copy: WriteSession, isEmptied: Bool, over live: WriteSession) throws(StoreError) {
        guard try live.has(StreamReaderRows.tables) else { return }
        try copy.bring(StreamReaderRows.tables)
        let readers = try StreamReaderRows.stored(in: live)
        var last: Int64 = 0
        try live.rows(StreamRows.lastOfAll, []) { row throws(StoreError) in
            last = row.integer(0)
            return false
        }
        for (table, name) in readers {
            try copy.change(StreamReaderRows.insertion, [.text(table), .text(name), .integer(last)])
        }
    }
}

/// The changes of a table of items as one of those who are told of them sees them.
package struct ItemStreamQueue: Sendable {
    private let service: ItemService
    private let table: String
    private let reader: String

    package init(_ service: ItemService, of table: String, for reader: String) {
        (self.service, self.table, self.reader) = (service, table, reader)
    }

    package struct Change: Sendable {
        package let number: Int64
        /// Milliseconds since 1970.
        package let time: Int64
        /// `INSERT`, `MODIFY` or `REMOVE`.
        package let name: String
        package let sequenceNumber: String
        /// What a function is told of it.
        package let record: JSONValue
    }

    /// What comes next.
    package struct Part: Sendable {
        package var changes: [Change] = []
        /// How often the first of them was told of alone, in vain, and when it is to be told of again.
        package var tries: Int64 = 0
        package var due: Int64 = 0
        /// How often the data had been put back by then: what is settled of it later may be of other changes.
        var restoreCount = 0
    }

    /// The next changes: as many as that, and no more than so many bytes of them unless it is one.
    package func next(max: Int, bytesMax: Int) async throws -> Part {
        let restoreCount = service.store.writer.restoreCount
        let since = service.now - TableLimits.streamMilliseconds
        return try await service.readAside { [service, table, self] reader, _ throws(ItemFailure) in
            var part = Part(restoreCount: restoreCount)
            guard try storing({ () throws(StoreError) in try reader.has(StreamReaderRows.tables) }) else { return part }
            var position: Int64?
            try reader.rows(StreamReaderRows.position, [.text(table), .text(self.reader)]) { row throws(ItemFailure) in
                position = row.integer(0)
                (part.tries, part.due) = (row.integer(1), row.integer(2))
                return false
            }
            guard let position else { return part }
            var bytes = 0
            // Those of one that has ended come before those of the next.
            for stream in try StreamRows.streams(of: table, after: 0, max: .max, in: reader) {
                let records = try StreamRows.records(
                    of: stream.number, from: position + 1, since: since, max: Int64(max - part.changes.count),
                    in: reader)
                for record in records {
                    bytes += record.change.size
                    guard part.changes.isEmpty || bytes <= bytesMax else { return part }
                    part.changes.append(
                        Change(
                            number: record.number, time: record.change.time, name: record.change.name,
                            sequenceNumber: record.sequenceNumber,
                            record: record.told(of: stream, service.settings)))
                }
                guard part.changes.count < max, records.isEmpty else { return part }
            }
            return part
        }
    }

    /// All of a part up to that number is done with.
    package func advance(to number: Int64, in part: Part) async throws {
        try await change(StreamReaderRows.advance, [.integer(number)], in: part)
    }

    package func delay(_ part: Part, until time: Int64, tries: Int64) async throws {
        try await change(StreamReaderRows.delay, [.integer(tries), .integer(time)], in: part)
    }

    private func change(_ statement: RoomStatement, _ values: [StoredValue], in part: Part) async throws {
        try await service.write { [service, table, reader] session, _ throws(ItemFailure) in
            guard service.store.writer.restoreCount == part.restoreCount else { return }
            try session.changing(statement, [.text(table), .text(reader)] + values)
        }
    }
}
