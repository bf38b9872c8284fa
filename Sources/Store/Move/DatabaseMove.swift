import Crypto
import JSON

/// A move of a whole database to another place: from a file to a server, back, or between two of a kind. All tables come row by row, with
/// what the settings say: the layout, secrets, names and keys.
///
///     tables made ─▶ rows, table by table ─▶ indexes, words ─▶ both sides compared ─▶ numbers, settings, whole
///          └────────── after a kill the same move goes on behind the last batch ──────────┘
///
/// The target has a `MoveMark` from the beginning, and a layout from the end on: nobody serves what is not whole. The caller keeps servers
/// away from both sides (`ServerHold`); the source is read as of one moment in any case.
package final class DatabaseMove {
    package struct Wish: Sendable {
        let source: Store.Location
        let target: Store.Location
        /// The tables of all rooms. One that has tables in the source and is not among them stops the move.
        let rooms: [RoomTables]
        /// True if U+0000 in a text becomes U+FFFD where the target is a server. Otherwise it stops the move.
        package var replacesZeros = false
        /// Makes the notes of the target of those of the source.
        package var notes: @Sendable (KeptNotes) -> KeptNotes = { $0 }

        /// The rows that are committed together. Tests lower it.
        var batchRows = StoreLimits.moveBatchRows

        package init(from source: Store.Location, to target: Store.Location, rooms: [RoomTables]) {
            (self.source, self.target) = (source, target)
            // In the order in which tables lead on to each other.
            self.rooms = [TableStreamRows.tables] + rooms
        }
    }

    /// The progress of a move.
    package struct Progress: Sendable {
        package enum Part: Sendable {
            case rows, indexes, check
        }

        package let part: Part
        /// The table that is filled, indexed or compared.
        package let table: String
        package let rowCount: Int64
        package let rowMax: Int64
    }

    package struct Outcome: Sendable {
        package let tableCount: Int
        package let rowCount: Int64
        /// The values in which U+0000 was replaced.
        package let replacedCount: Int64
        /// The checksum that both sides have.
        package let checksum: String
        /// True if the move was complete before.
        package var wasWhole = false
    }

    private let wish: Wish
    private let report: (Progress) -> Void
    private let isWanted: () -> Bool
    private let source: MoveSource
    private let target: MoveTarget

    /// The things that are moved, as the source says them.
    private struct Content {
        let layoutText: String
        let layout: DatabaseLayout
        let cursorKey: [UInt8]
        let settings: [(name: String, value: StoredValue)]
        let notes: KeptNotes
        let tables: [MovedTable]

        func value(of setting: String) -> StoredValue? {
            settings.first { $0.name.utf8.elementsEqual(setting.utf8) }?.value
        }
    }

    /// A table as each of the sides calls its columns.
    private struct TablePair {
        let source: MovedTable
        let target: MovedTable
    }

    /// - Parameters:
    ///   - report: is called after each batch.
    ///   - isWanted: is asked after each batch; the move stops in order where it says no, and goes on when it is run again.
    package init(
        _ wish: Wish, report: @escaping (Progress) -> Void = { _ in }, isWanted: @escaping () -> Bool = { true }
    ) throws(StoreError) {
        (self.wish, self.report, self.isWanted) = (wish, report, isWanted)
        var zeros = MoveSource.Zeros.keep
        if case .server = wish.target { zeros = wish.replacesZeros ? .replace : .refuse }
        source = try MoveSource(wish.source, zeros: zeros, pageRows: wish.batchRows)
        target = try MoveTarget(wish.target, batchRows: wish.batchRows)
    }

    package func run() throws(StoreError) -> Outcome {
        defer { source.close() }
        let content = try read()
        var rowMax: Int64 = 0
        for table in content.tables { rowMax += try source.count(of: table) }
        var mark = MoveMark(of: MoveMark.name(ofKey: content.cursorKey), at: try source.state(), shown: source.path)
        if let known = try begun(like: mark) { mark = known } else { try makeTables(of: content, mark) }
        if mark.part == .whole {
            return Outcome(
                tableCount: content.tables.count, rowCount: mark.rowCount, replacedCount: mark.replacedCount,
                checksum: "", wasWhole: true)
        }
        let pairs = try pairs(of: content.tables, with: try MovedTable.all(in: target.connection))
        if mark.part == .rows { try moveRows(of: pairs, &mark, rowMax) }
        if mark.part == .indexes { try makeIndexes(of: content, &mark, rowMax) }
        let checksum = try compare(pairs, rowMax)
        try complete(content, &mark)
        return Outcome(
            tableCount: content.tables.count, rowCount: mark.rowCount, replacedCount: mark.replacedCount,
            checksum: checksum)
    }

    private func demandWanted() throws(StoreError) {
        guard isWanted() else {
            throw StoreError(.interrupted, "the move was stopped. Run the same command again: it goes on where it was")
        }
    }

    // MARK: The beginning

    private func read() throws(StoreError) -> Content {
        let stored = try Migrator.Stored(in: source.connection)
        guard let text = stored.layoutText, let key = stored.cursorKey else {
            throw StoreError(
                .cannotOpen, "database \(source.path): nothing was served here yet, so there is nothing to move")
        }
        let layout = try Migrator.layout(text, in: target.connection.dialect)
        if target.connection.dialect == .postgres { try layout.checkOnServer() }
        return Content(
            layoutText: text, layout: layout, cursorKey: key, settings: try SettingsTable.all(in: source.connection),
            notes: stored.notes ?? [:], tables: try MovedTable.all(in: source.connection))
    }

    /// The mark of a move that goes on here; nil: the target is empty. Refuses one that has other data.
    private func begun(like mark: MoveMark) throws(StoreError) -> MoveMark? {
        let path = target.connection.path
        guard try SettingsTable.exists(in: target.connection) else { return nil }
        guard let known = try MoveMark.found(in: target.connection) else {
            throw StoreError(
                .exists, "database \(path): it has data of Homeport already. Name an empty schema, or a new file")
        }
        guard known.source == mark.source else {
            throw StoreError(
                .exists,
                known.part == .whole
                    ? "database \(path): \(known.shown) was moved here, and this is another database. Name an empty schema, or a new "
                        + "file"
                    : "database \(path): another move, of \(known.shown), has not ended here. Complete that one, or drop this database"
            )
        }
        guard known.part == .whole || known.state == mark.state else {
            throw StoreError(
                .exists,
                "database \(path): \(mark.shown) was changed since its move to here began. Drop this database, and move again"
            )
        }
        return known
    }

    private func makeTables(of content: Content, _ mark: MoveMark) throws(StoreError) {
        var statements: [SQLText] = []
        for (name, value) in content.settings where name.utf8.starts(with: RoomTables.settingPrefix.utf8) {
            guard case .integer(let number) = value, let version = Int(exactly: number),
                let room = wish.rooms.first(where: { $0.setting.utf8.elementsEqual(name.utf8) }),
                (0...room.versions.count).contains(version)
            else {
                throw StoreError(
                    .unknownFormat,
                    "database \(source.path): it has tables of \(name.dropFirst(RoomTables.settingPrefix.count)) that this version "
                        + "of Homeport does not move. Use the version that has served it")
            }
        }
        for room in wish.rooms {
            guard case .integer(let version)? = content.value(of: room.setting) else { continue }
            for list in room.versions.prefix(Int(clamping: version)) { statements += list.map { $0.sql } }
        }
        try target.change(mark) { connection throws(StoreError) in
            try connection.execute(SettingsTable.creation(in: connection.dialect))
            if connection.dialect == .postgres {
                try connection.execute(ServerTurns.creation)
                for room in RoomTurn.all.names { try connection.run(ServerTurns.insertion, [.text(room)]) }
            }
            // It stays where no model is synced any more.
            if content.tables.contains(where: { ByteText($0.name) == ByteText(ChangeLog.coverage) }) {
                try connection.execute(ChangeLog.coverageCreation)
            }
            for table in content.layout.tables {
                try connection.execute(table.creation)
                guard let log = ChangeLog(of: table) else { continue }
                for statement in log.creation(nowMilliseconds: 0) { try connection.execute(statement) }
            }
            for statement in statements { try connection.run(statement) }
            let made = try MovedTable.all(in: connection)
            _ = try pairs(of: content.tables, with: made)
            for table in made {
                // What a trigger would write comes with the rows, as does what a table begins with. In a file triggers rest for this connection.
                if connection.dialect == .postgres {
                    try connection.execute("ALTER TABLE \(table.quotedName) DISABLE TRIGGER USER")
                }
                try connection.execute("DELETE FROM \(table.quotedName)")
            }
        }
    }

    /// The tables of the source, each with its own in the target. Refuses those that are not the same: nothing is left behind unsaid.
    private func pairs(of tables: [MovedTable], with made: [MovedTable]) throws(StoreError) -> [TablePair] {
        let names = Set(texts: tables.map(\.name))
        if let missing = made.first(where: { !names.contains(ByteText($0.name)) }) {
            throw StoreError(
                .corrupt, "database \(source.path): its table \(missing.name) is missing. Restore a backup, then move")
        }
        var pairs: [TablePair] = []
        for table in tables {
            guard let twin = made.first(where: { ByteText($0.name) == ByteText(table.name) }) else {
                throw StoreError(
                    .unknownFormat,
                    "database \(source.path): it has a table \(table.name), which is none that this version of Homeport moves. Use "
                        + "the version that has served it, or drop the table")
            }
            guard let twin = twin.ordered(as: table), twin.key == table.key,
                zip(twin.columns, table.columns).allSatisfy({ $0.kind == $1.kind })
            else {
                throw StoreError(
                    .unknownFormat,
                    "database \(source.path): its table \(table.name) has other columns than this version of Homeport gives it. Use "
                        + "the version that has served it")
            }
            pairs.append(TablePair(source: table, target: twin))
        }
        return pairs
    }

    // MARK: Rows

    private func moveRows(of pairs: [TablePair], _ mark: inout MoveMark, _ rowMax: Int64) throws(StoreError) {
        for pair in pairs where ByteText(pair.source.name) >= ByteText(mark.table) {
            let table = pair.source
            let key = ByteText(table.name) == ByteText(mark.table) ? mark.key : []
            mark.table = table.name
            mark.key = key
            let replacedBefore = mark.replacedCount - source.replacedCount
            target.begin(pair.target)
            var last: [StoredValue] = []
            try source.rows(of: table, behind: key) { values throws(StoreError) in
                mark.rowCount += 1
                last = table.key(of: values)
                guard try target.add(values) else { return }
                mark.key = last
                mark.replacedCount = replacedBefore + source.replacedCount
                try target.commit(mark)
                report(Progress(part: .rows, table: table.name, rowCount: mark.rowCount, rowMax: rowMax))
                try demandWanted()
            }
            if !last.isEmpty { mark.key = last }
            mark.replacedCount = replacedBefore + source.replacedCount
            try target.commit(mark)
            report(Progress(part: .rows, table: table.name, rowCount: mark.rowCount, rowMax: rowMax))
            try demandWanted()
        }
        mark.part = .indexes
        try target.commit(mark)
    }

    // MARK: What is made of the rows

    private func makeIndexes(of content: Content, _ mark: inout MoveMark, _ rowMax: Int64) throws(StoreError) {
        mark.part = .check
        try target.change(mark) { connection throws(StoreError) in
            for table in content.layout.tables {
                report(Progress(part: .indexes, table: table.name, rowCount: mark.rowCount, rowMax: rowMax))
                try demandWanted()
                for index in table.indexes { try connection.execute(index.sql) }
                guard let index = table.searchIndex else { continue }
                for statement in index.creations(of: table) { try connection.execute(statement) }
                if connection.dialect == .sqlite {
                    try connection.execute(index.filling)
                } else {
                    try connection.fillWords(of: table)
                }
            }
        }
    }

    // MARK: The end

    /// Compares the rows of both sides, and gives their checksum.
    private func compare(_ pairs: [TablePair], _ rowMax: Int64) throws(StoreError) -> String {
        let moved = try MoveSource(wish.target, zeros: .keep, pageRows: wish.batchRows)
        defer { moved.close() }
        var sum = RowSum()
        var rowCount: Int64 = 0
        for pair in pairs {
            let table = pair.source
            var (theirs, ours) = (RowSum(), RowSum())
            try source.rows(of: table) { values throws(StoreError) in
                theirs.add(values)
                try note(&rowCount, of: table, rowMax)
            }
            try moved.rows(of: pair.target) { values throws(StoreError) in ours.add(values) }
            guard theirs == ours else {
                throw StoreError(
                    .corrupt,
                    "the table \(table.name) has \(theirs.rowCount) rows with the checksum \(theirs.text) in \(source.path), and "
                        + "\(ours.rowCount) with \(ours.text) in \(moved.path). Drop the latter, and move again")
            }
            sum.add(theirs, named: table.name)
        }
        return sum.text
    }

    private func note(_ rowCount: inout Int64, of table: MovedTable, _ rowMax: Int64) throws(StoreError) {
        rowCount += 1
        guard rowCount % Int64(wish.batchRows) == 0 else { return }
        report(Progress(part: .check, table: table.name, rowCount: rowCount, rowMax: rowMax))
        try demandWanted()
    }

    /// Writes what the settings say, sets all numbers behind those that were given, and says that the target is whole.
    private func complete(_ content: Content, _ mark: inout MoveMark) throws(StoreError) {
        mark.part = .whole
        var numbers: [(table: MovedTable, last: Int64)] = []
        for table in content.tables {
            if let last = try table.lastNumber(in: source.connection) { numbers.append((table, last)) }
        }
        let turns = try ServerTurns.used(in: source.connection)
        try target.change(mark) { connection throws(StoreError) in
            for (name, value) in content.settings where !SettingsTable.staysBehind(name) {
                try SettingsTable.set(name, to: value, in: connection)
            }
            try connection.setKeptNotes(wish.notes(content.notes))
            let made = try MovedTable.all(in: connection)
            for (table, last) in numbers {
                let twin = made.first { ByteText($0.name) == ByteText(table.name) }
                try twin?.setLastNumber(last, in: connection)
            }
            try SettingsTable.set(.layout, to: .text(content.layoutText), in: connection)
            guard connection.dialect == .postgres else { return }
            for table in made { try connection.execute("ALTER TABLE \(table.quotedName) ENABLE TRIGGER USER") }
            var counter: Int64 = 0
            for table in content.layout.tables {
                for name in [table.quotedName, ChangeLog(of: table)?.images.quotedName].compactMap({ $0 }) {
                    let last = SQLText("SELECT max(\(SQLName.quoted(SQLName.row))) FROM \(name)")
                    if case .integer(let number)? = try connection.value(last) { counter = max(counter, number) }
                }
            }
            let stamp = try ChangeLog.latestStamp(of: content.layout, in: connection)
            for room in RoomTurn.all.names {
                let used = turns[ByteText(room)] ?? (0, 0)
                let isOfModels = ByteText(room) == ByteText(RoomTurn.allNames[0])
                try connection.run(
                    ServerTurns.setting,
                    [
                        .integer(max(used.counter, isOfModels ? counter : 0)),
                        .integer(max(used.stamp, isOfModels ? stamp : 0)), .text(room),
                    ])
            }
        }
        try target.close()
    }
}
