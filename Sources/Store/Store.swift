import Blueprint
import Crypto
import JSON
import Network

/// The data of a project: the tables of a blueprint in one SQLite file. This is the room's front page.
///
///     Store ─┬─ layout     which table, columns and keys each model has (`Layout/`)
///            ├─ reader()   a connection for each loop: records by key, pages of lists (`Reading/`)
///            ├─ aside      a few threads with a connection each, for reads that a loop has no time for
///            ├─ writer     the one thread that writes, with one commit for many mutations (`Writing/`)
///            └─ cursors    positions in a list as `nextToken`, and back
///
/// Opening brings the file to the blueprint (`Migration/`), or refuses when that would lose data. `SQLite/` is the layer
/// below: connections, statements, values, errors; no type of SQLite leaves the room. DESIGN.md beside this file says
/// what must stay true.
///
/// - A `Predicate` is a filter, a condition or an access rule. It becomes SQL with a parameter for each value.
/// - A `ListQuery` is a page of a table, of an index or of a relation, in either meaning of `limit`.
/// - A `KeyLookup` is made once per plan and finds one record.
/// - A `RecordChange` creates, updates or deletes a record under a condition, and hands back what it was or is.
/// - A `VersionedChange` does the same to a record of a synced model, and appends it to a `ChangeLog` (`Sync/`).
/// - A `TextSearch` is a page of a search, in the order of several fields; a `SearchAggregate` a number over all of
///   what it finds. Both take a `Predicate`, in which a `SearchCondition` looks for words and patterns (`Search/`).
/// - A `TableStream` has the changes of a table taken down, in their own transactions, for functions that are told of them
///   (`Streams/`).
/// - `RoomTables` are those that another room owns, beside the models' (`Rooms/`).
/// - The console reads tables row by row, and by SQL of a person, which may only read (`Browsing/`).
/// - A `Connection` is one to the file, or to a server of PostgreSQL's, which gets the same statements in its own words
///   (`Server/`). What does not work there is refused (`StoreError.Kind.unsupported`).
/// - `Nodes` is this process as one of several over a server's database: their events come in the order of the commits (`Nodes/`).
/// - A `DatabaseMove` brings all of it to another place, from a file to a server or back (`Move/`).
/// - Copies of it all, to which a test goes back, are made and read between two groups of the writer's (`Copies/`).
/// - A database in memory may lie over another one, and has the pages that were changed since (`Layers/`).
/// - A `RecordExport` writes all records as lines of JSON, a `RecordImport` reads them, a `Seed` fills a new database;
///   a `RecordIntake` takes rows in, with a note of how far it is (`Transfer/`).
package final class Store: Sendable {
    /// The file or the server with the data.
    let place: DatabasePlace
    package let layout: DatabaseLayout
    package let cursors: CursorSeal
    private let secretKey: [UInt8]
    package let writer: Writer
    package let readersAside: ReadersAside
    /// The connection that the file was opened with, until a loop takes it to read with.
    private let openedReader: OpenedReader
    /// The notes of the file when it was opened; nil where the opening changed the file.
    let openedNotes: KeptNotes?
    /// The time of changes of synced models.
    package let changeClock: ChangeClock
    /// The order of what is told of mutations.
    package let eventSequence: EventSequence
    /// The copy that was written before a migration that loses data.
    package let backupPath: String?
    /// True if the file had not been closed; it was checked then.
    package let wasUnclean: Bool
    private let rooms: KnownRooms
    private let folder: ScratchFolder?

    /// The same database after its tables were changed.
    init(_ store: Store, _ layout: DatabaseLayout, backupPath: String?) {
        place = store.place
        isLocal = store.isLocal
        folder = store.folder
        self.layout = layout
        cursors = store.cursors
        secretKey = store.secretKey
        readersAside = store.readersAside
        openedReader = store.openedReader
        openedNotes = store.openedNotes
        self.backupPath = backupPath
        wasUnclean = false
        rooms = store.rooms
        changeClock = store.changeClock
        writer = store.writer
        eventSequence = store.eventSequence
    }

    /// Opens the database, or makes it.
    ///
    /// `onFailure` is called once, on the writer's thread, when nothing can be written any more: the process should
    /// say so and end.
    ///
    /// - Parameter mayChangeTables: false where another process serves the data: the tables have to be those of the blueprint then.
    package convenience init(
        _ location: Location, for blueprint: Blueprint, forcing forced: Set<ByteText> = [],
        sync: SyncSettings = SyncSettings(), nowMilliseconds: Int64, mayChangeTables: Bool = true,
        onFailure: @escaping @Sendable (StoreError) -> Void
    ) throws(StoreError) {
        let file = try StoreFile.open(location)
        let plan = try Migrator.Plan(for: blueprint, over: file.stored)
        guard mayChangeTables || plan.isStored else {
            throw StoreError(
                .locked,
                "database \(file.place.text): its server has another schema than this one. Start the server anew, then repeat the "
                    + "command")
        }
        try self.init(
            file, plan, forcing: forced, sync: sync, nowMilliseconds: nowMilliseconds, onFailure: onFailure)
    }

    /// Brings an open file to the tables that are wanted.
    ///
    /// - Parameter isShared: whether other nodes serve the data by now.
    init(
        _ file: consuming StoreFile, _ plan: Migrator.Plan, forcing forced: Set<ByteText>, sync: SyncSettings,
        nowMilliseconds: Int64, isShared: Bool = false, onFailure: @escaping @Sendable (StoreError) -> Void
    ) throws(StoreError) {
        let opened = try Migrator.open(
            file.connection, file.stored, plan, forcing: forced, nowMilliseconds: nowMilliseconds)
        place = file.place
        isLocal = file.place.isLocal
        folder = file.folder
        layout = opened.layout
        cursors = CursorSeal(key: opened.cursorKey)
        secretKey = opened.cursorKey
        readersAside =
            file.place.isLocal
            ? ReadersAside(of: file.place)
            : ReadersAside(of: file.place, waitingMax: StoreLimits.waitingServerReadsMax)
        backupPath = opened.backup
        wasUnclean = opened.wasUnclean
        let rooms = KnownRooms(file.stored.rooms)
        self.rooms = rooms
        eventSequence = EventSequence()
        let latest = try ChangeLog.latestStamp(of: layout, in: file.connection)
        let isNew = file.stored.layoutText == nil
        let served =
            isNew || !layout.tables.contains(where: \.isSynced)
            ? ServedTimes()
            : try ServedTimes(
                of: file.connection, latest: latest, isUnclean: opened.wasUnclean, isServed: isShared, sync)
        // A file says so with its first commit. A server's first node may be killed, and the next one has to know.
        if !file.place.isLocal, !isShared, !served.gaps.isEmpty { try served.keep(in: file.connection) }
        let clock = ChangeClock(sync, after: latest, served: served)
        changeClock = clock
        // Most starts write nothing: the connection is a loop's then, and the writer opens one with the first mutation.
        if opened.isUnchanged, !opened.wasUnclean, case .file(let path) = file.place {
            openedNotes = file.stored.notes
            openedReader = OpenedReader(try Reader(file.connection))
            writer = try Writer(path: path, layout: layout, rooms: rooms, served: served, onFailure: onFailure)
        } else {
            writer = try Writer(
                file.connection, layout: layout, rooms: rooms, isMarkedOpen: opened.wasUnclean, served: served,
                clock: clock, onFailure: onFailure)
            openedNotes = nil
            openedReader = OpenedReader(nil)
        }
        writer.afterEachGroup { clock.endGroup() }
        writer.beforeClosing { session throws(StoreError) in
            if let last = clock.lastGiven { try session.noteServed(until: last) }
        }
    }

    /// A secret of 32 bytes that goes with the data and is no other purpose's.
    package func secret(for purpose: StaticString) -> [UInt8] {
        HMACSHA256.code(of: Array("secret for \(purpose)".utf8), key: secretKey)
    }

    /// Whether the file has tables of a room, as far as this process knows: it had them when it was opened, or got them since. Where it has
    /// none, nothing of that room is left to be done.
    package func knows(_ tables: RoomTables) -> Bool { rooms.contains(tables.room) }

    /// The nodes that this process is one of; nil where it is the only one.
    package var nodes: Nodes? { writer.nodes.withLock { $0 } }

    /// Expects other nodes to bring tables of rooms from here on.
    package func expectOthers() { rooms.expectOthers() }

    /// Where the data is.
    package enum Location: Sendable, Equatable {
        case file(String)
        /// Gone when the store is closed.
        case memory
        /// The same, for a database that is going to lie over another one (`Layers/`): it costs what is changed in it.
        case layered
        case server(ServerPlace)
        /// In memory, and read as a server is: for tests (`ReplayedFile`).
        case replayed
    }

    /// True if the data is in a file: a loop may read it, since no read waits for anybody. What a server has is read beside the loops.
    package let isLocal: Bool

    /// The file, or where the server is.
    package var path: String { place.text }

    /// A new connection to read with, for the thread that calls.
    ///
    /// Throws for a server: whoever asks has a loop to itself, which must not wait for one.
    package func reader() throws(StoreError) -> Reader {
        guard isLocal else {
            throw StoreError(.unsupported, "this cannot be read from a database on a server yet")
        }
        return try Reader(of: place)
    }

    /// A new connection to read with, for a thread that is no loop's: it may wait for a server.
    package func readerBeside() throws(StoreError) -> Reader { try Reader(of: place) }

    /// A connection for a loop, which reads with it for as long as it runs: the first one gets the one that opened the file.
    package func loopReader() throws(StoreError) -> Reader {
        if let opened = openedReader.take() { return opened }
        return try reader()
    }

    /// The reads of rows that a loop makes by itself; nil for a file, whose loops read at once, and for loops beyond those that get a connection.
    package func reads(on loop: EventLoop) -> LoopReads? {
        guard case .server = place, loop.index < StoreLimits.loopConnectionsMax else { return nil }
        return LoopReads(on: loop, of: place, beside: readersAside)
    }

    /// Reads with the connection of the loop that calls where the data is in a file, and beside the loop where a server has it: the one form
    /// for reads that take no longer than a loop has time for.
    ///
    /// - Parameter reader: the connection of the loop. It is not asked for where a server has the data.
    package func read<Value: Sendable, Failure: RowFailure>(
        with reader: () throws(StoreError) -> Reader,
        _ body: @escaping @Sendable (Reader) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard isLocal else { return try await readOnServer(body) }
        return try body(try failing(as: Failure.self, reader))
    }

    private func readOnServer<Value: Sendable, Failure: RowFailure>(
        _ body: @escaping @Sendable (Reader) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let end = Timestamp.monotonicMilliseconds + StoreLimits.tripMilliseconds
        let outcome: Result<Value, Failure>
        do throws(StoreError) {
            outcome = try await readersAside.read(until: end) { reader throws(StoreError) in
                Result { () throws(Failure) in try body(reader) }
            }
        } catch {
            throw Failure(error)
        }
        return try outcome.get()
    }

    /// Reads tables of a room beside whatever loop this is, or gives the other value where the file has none of them: a room that has no
    /// tables gets no thread and no connection.
    package func readAside<Value: Sendable>(
        _ tables: RoomTables, until deadline: Int64, ifNone none: Value,
        _ body: @escaping @Sendable (Reader) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        guard knows(tables) else { return none }
        return try await readersAside.read(until: deadline) { reader throws(StoreError) in
            try reader.has(tables) ? try body(reader) : none
        }
    }

    /// The same, for a number of milliseconds, with errors of one type.
    package func readAside<Value: Sendable, Failure: Error>(
        _ tables: RoomTables, milliseconds: Int64, ifNone none: Value, failing: (any Error) -> Failure,
        _ body: @escaping @Sendable (Reader) throws(StoreError) -> Value
    ) async throws(Failure) -> Value {
        do {
            return try await readAside(
                tables, until: Timestamp.monotonicMilliseconds + milliseconds, ifNone: none, body)
        } catch {
            throw failing(error)
        }
    }

    /// The same data with the tables that another blueprint wants. They are changed as at an opening, between two groups of the
    /// writer's, or that is refused. What is still done over the tables as they were fails where they are not the same.
    package func changed(
        to blueprint: Blueprint, forcing forced: Set<ByteText> = [], nowMilliseconds: Int64
    ) async throws(StoreError) -> Store {
        let file = Migrator.Stored(layout, cursorKey: secretKey)
        let plan = try Migrator.Plan(for: blueprint, over: file)
        guard !plan.isStored else { return Store(self, plan.wanted, backupPath: nil) }
        guard isLocal else {
            throw StoreError(
                .unsupported, "the tables of a database on a server are changed at a start only. Start the server anew")
        }
        let opened = try await writer.alone(turn: [.models, .streams, .schema]) { [layout] session throws(StoreError) in
            try session.changeTables(of: layout) { () throws(StoreError) in
                try session.noting { () throws(StoreError) in
                    let opened = try Migrator.open(
                        session.connection, file, plan, forcing: forced, nowMilliseconds: nowMilliseconds)
                    session.adopt(opened.layout)
                    return (opened, opened.layout)
                }
            }
        }
        return Store(self, opened.layout, backupPath: opened.backup)
    }

    /// Gives the system back the memory that changes do not need while there are none.
    ///
    /// - Parameter behind: called on the writer's thread.
    package func giveMemoryBack(behind: @escaping @Sendable () -> Void = {}) async throws(StoreError) {
        try await writer.alone(turn: .all) { session throws(StoreError) in
            try session.connection.giveMemoryBack()
            behind()
        }
    }

    /// Finishes what waits and closes the file. Readers must be gone before, or the log stays beside the file.
    package func close() throws(StoreError) {
        readersAside.close()
        _ = openedReader.take()
        defer { folder?.remove() }
        try writer.close()
    }
}
