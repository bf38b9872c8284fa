import JSON
import Threads

/// The tables of another room, version by version.
///
/// Each version is a list of statements that leads on from the one before. A file gets those that it lacks in the
/// transaction of the first change that needs them, so a database has either none or all of a version; whoever never
/// uses the room has no tables of it.
package struct RoomTables: Sendable {
    package let room: ByteText
    /// A change of them needs this turn.
    let turn: RoomTurn
    private let made: MadeVersions

    /// - Parameters:
    ///   - room: names the room in the file, for ever.
    ///   - turn: the turn in which the tables are changed.
    ///   - versions: its statements, which are made for the first who uses the room.
    package init(
        of room: StaticString, turn: RoomTurn, versions: @autoclosure @escaping @Sendable () -> [[RoomStatement]]
    ) {
        self.room = ByteText("\(room)")
        self.turn = turn
        made = MadeVersions(versions)
        setting = "\(Self.settingPrefix)\(room)"
    }

    /// The name of the setting that has the version of these tables.
    let setting: String

    static let settingPrefix = "tables."

    var versions: [[RoomStatement]] { made.versions }
}

/// The statements of a room, from the first time on that somebody uses it.
private final class MadeVersions: Sendable {
    private final class Versions: Sendable {
        let all: [[RoomStatement]]

        init(_ all: [[RoomStatement]]) { self.all = all }
    }

    private let made = MadeOnce<Versions>()
    private let make: @Sendable () -> [[RoomStatement]]

    init(_ make: @escaping @Sendable () -> [[RoomStatement]]) { self.make = make }

    var versions: [[RoomStatement]] { made.object(orMake: { Versions(make()) }).all }
}

/// Reads the tables of another room.
package protocol RoomReading: AnyObject {
    /// Runs a statement and hands each row to the closure, until that says false.
    func rows<Failure: RowFailure>(
        _ statement: RoomStatement, _ values: [StoredValue], row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure)

    /// Hands each record of a walk to the closure, until that says false. Its columns: the number of the row, the explicit
    /// nulls, a text with each field between commas, then those of the table.
    func records<Failure: RowFailure>(
        of walk: RecordWalk, row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure)

    /// Hands the record with the values of a key, the first in the order of creation, to the closure, with the same columns.
    func record<Failure: RowFailure>(
        _ lookup: RecordLookup, _ values: [StoredValue], row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure)
}

extension RoomReading {
    /// Returns whether the tables are as this version of the room wants them. Throws where they were made by a later one.
    package func has(_ tables: RoomTables) throws(StoreError) -> Bool {
        try version(of: tables) == tables.versions.count
    }

    fileprivate func version(of tables: RoomTables) throws(StoreError) -> Int {
        var version = 0
        try rows(RoomTables.versionSelection, [.text(tables.setting)]) { row throws(StoreError) in
            version = Int(clamping: row.integer(0))
            return false
        }
        guard (0...tables.versions.count).contains(version) else {
            throw StoreError(
                .unknownFormat,
                "the database was written by a later version of Homeport: its tables of \(tables.room) have the version "
                    + "\(version), and this one knows \(tables.versions.count)")
        }
        return version
    }
}

extension RoomTables {
    fileprivate static let versionSelection = RoomStatement("SELECT value FROM _homeport_settings WHERE name = ?")
    fileprivate static let lastNumber = SQLText("SELECT lastval()")
    fileprivate static let versionAssignment = RoomStatement(
        """
        INSERT INTO _homeport_settings (name, value) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """)
}

extension Reader: RoomReading {
    package func rows<Failure: RowFailure>(
        _ statement: RoomStatement, _ values: [StoredValue], row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure) {
        try connection.query(statement.sql, values, row: row)
    }

    package func records<Failure: RowFailure>(
        of walk: RecordWalk, row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure) {
        try connection.query(walks.text(of: walk), walk.values, row: row)
    }

    package func record<Failure: RowFailure>(
        _ lookup: RecordLookup, _ values: [StoredValue], row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) {
        try connection.record(lookup, values, row: row)
    }
}

extension Connection {
    fileprivate func record<Failure: RowFailure>(
        _ lookup: RecordLookup, _ values: [StoredValue], row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) {
        guard values.count == lookup.valueCount else { return }
        try query(lookup.sql, values) { found throws(Failure) in
            try row(found)
            return false
        }
    }
}

extension WriteSession: RoomReading {
    package func rows<Failure: RowFailure>(
        _ statement: RoomStatement, _ values: [StoredValue], row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure) {
        try noting { () throws(Failure) in try connection.query(statement.sql, values, row: row) }
    }

    package func records<Failure: RowFailure>(
        of walk: RecordWalk, row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure) {
        try noting { () throws(Failure) in try connection.query(SQLText(walk.text, isOpen: true), walk.values, row: row)
        }
    }

    package func record<Failure: RowFailure>(
        _ lookup: RecordLookup, _ values: [StoredValue], row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) {
        try noting { () throws(Failure) in try connection.record(lookup, values, row: row) }
    }

    /// Runs a statement that changes rows, and says how many.
    @discardableResult
    package func change(_ statement: RoomStatement, _ values: [StoredValue] = []) throws(StoreError) -> Int {
        try run(statement.sql, values)
        return connection.changeCount
    }

    /// Runs a statement that changes rows, where nobody asks how many, nor does anything of its own about an error. A server gets it with the next
    /// statement, in one trip.
    package func changeAhead(_ statement: RoomStatement, _ values: [StoredValue] = []) throws(StoreError) {
        guard goesAhead else { return try run(statement.sql, values) }
        try noting { () throws(StoreError) in try connection.changeAhead(statement.sql, values) }
    }

    /// Says which rows are asked for soon: a server answers that together with the next question. A file has nothing of it.
    ///
    /// - Parameter isOfKey: where a change says beforehand what it will ask, whether a change of its key may change the answer; no change of another
    ///   key does, only one without a key.
    package func expect(
        _ statement: RoomStatement, isOfKey: Bool = true, _ values: @autoclosure () -> [StoredValue]
    ) {
        guard turns != nil else { return }
        let holds: ExpectedAnswer = isExpecting ? (isOfKey ? .untilKeyChanges : .untilChangeWithoutKey) : .untilChange
        connection.expect(statement.sql, values(), holds: holds)
    }

    /// The number of the row put in last, for a statement whose text for a server has `lastval()` in the place of a null.
    package var lastRowValue: StoredValue { turns == nil ? .integer(connection.lastRow) : .null }

    /// The trips to a server on behalf of all changes so far; 0 for a file.
    package var tripCount: Int64 { connection.tripCount }

    /// The number that the row put in last has got from its table. A server is asked for it.
    package var lastRowNumber: Int64 {
        get throws(StoreError) {
            guard turns != nil else { return connection.lastRow }
            return try noting { () throws(StoreError) in
                guard case .integer(let number)? = try connection.value(RoomTables.lastNumber) else {
                    throw StoreError(.unexpected, "the row that was put in last has no number")
                }
                return number
            }
        }
    }

    /// Makes the tables, or brings them to this version.
    package func bring(_ tables: RoomTables) throws(StoreError) {
        guard turn.isSuperset(of: tables.turn) else {
            throw StoreError(.unexpected, "a change of another room asks for the tables of \(tables.room)")
        }
        if turns != nil, brought.contains(tables.room) { return }
        let present = try version(of: tables)
        // Also where they are there: another process may have made them since this one opened the file.
        rooms.add(tables.room)
        guard present < tables.versions.count else {
            if turns != nil { brought.insert(tables.room) }
            return
        }
        for version in tables.versions[present...] {
            for statement in version { try change(statement) }
        }
        try change(
            RoomTables.versionAssignment, [.text(tables.setting), .integer(Int64(clamping: tables.versions.count))])
    }
}
