import CSQLite
import Network
import Postgres

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An open connection to the database, closed when it goes: to a file of SQLite's, or to a server of PostgreSQL's.
///
/// A connection is used by one thread at a time; SQLite's own locks on it are off. `Reader` and `WriteSession` ask it and never
/// look which of the two it is.
struct Connection: ~Copyable {
    enum Mode: Sendable {
        /// May write, and creates the file. There is one such connection.
        case writer
        /// May only read.
        case reader
    }

    private enum Source {
        case file(OpaquePointer)
        case server(ServerSession)
        /// A file whose reads run as a server's.
        case replayed(ReplayedFile)
    }

    private let source: Source
    /// The file, or where the server is.
    let path: String
    /// A class, so that a query can run inside of another one's rows.
    private let statements: Statements
    let deadline: Deadline

    private final class Statements {
        var cache: StatementCache
        let texts = BoundTexts()
        init(capacity: Int) { cache = StatementCache(capacity: capacity) }
    }

    private static let setUp: Void = {
        _ = homeport_sqlite_count_no_memory()
        _ = homeport_sqlite_keep_no_pages_ready()
    }()

    /// Opens the file. `fileSystem` is SQLite's name for the way in which it gets at files; nil for the usual one, or the one of a database
    /// that lies over another one.
    ///
    /// - Parameter isReplayed: has reads run as a server's do (`ReplayedFile`).
    static func open(
        path: String, mode: Mode, statementsMax: Int = StoreLimits.statementsMax, fileSystem: String? = nil,
        isReplayed: Bool = false
    ) throws(StoreError) -> Connection {
        // When something else in the process was faster nothing is lost but a little time and memory.
        Self.setUp
        if mode == .writer { makePrivate(path) }
        var handle: OpaquePointer?
        let fileSystem = fileSystem ?? LayeredFile.system(of: path)
        let access = mode == .writer ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE
        let code = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, fileSystem)
        guard code == SQLITE_OK, let handle else {
            let error = StoreError(code: code, connection: handle, path: path)
            sqlite3_close_v2(handle)
            throw error
        }
        let connection = Connection(
            isReplayed ? .replayed(ReplayedFile(handle)) : .file(handle), path: path, statementsMax: statementsMax)
        try SQLFunction.register(on: handle, path: path, connection.deadline)
        connection.deadline.watch(handle)
        try connection.configure(mode)
        return connection
    }

    /// Makes an empty file that nobody but its owner may read, where there is none: SQLite would let everybody. The log beside
    /// it gets the same permissions from SQLite. What goes wrong here goes wrong again when SQLite opens it, which says why.
    static func makePrivate(_ path: String) {
        #if canImport(Glibc)
            let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        #else
            let descriptor = Darwin.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        #endif
        if descriptor >= 0 { close(descriptor) }
    }

    private init(_ source: Source, path: String, statementsMax: Int) {
        self.source = source
        self.path = path
        statements = Statements(capacity: statementsMax)
        deadline = Deadline()
    }

    /// Takes over a connection to a server. It is closed with this one.
    ///
    /// - Parameter place: where another one is made when this one ends; nil: nowhere.
    init(_ server: PostgresConnection, again place: ServerPlace? = nil, _ mode: Mode = .writer) {
        let deadline = Deadline()
        source = .server(ServerSession(server, deadline, again: place, mode))
        path = place?.description ?? server.host.description
        statements = Statements(capacity: 1)
        self.deadline = deadline
    }

    /// Opens a connection to a server.
    init(to place: ServerPlace, _ mode: Mode) throws(StoreError) {
        self.init(try place.connect(mode), again: place, mode)
    }

    deinit {
        statements.cache.removeAll()
        switch source {
        case .file(let handle): sqlite3_close_v2(handle)
        case .server(let session): session.close()
        case .replayed(let file): sqlite3_close_v2(file.handle)
        }
    }

    /// SQLite's own name for the connection; nil for one to a server.
    var handle: OpaquePointer? {
        switch source {
        case .file(let handle): handle
        case .server: nil
        case .replayed(let file): file.handle
        }
    }

    /// The same, for work that only a file can do.
    func file() throws(StoreError) -> OpaquePointer {
        guard let handle else {
            throw StoreError(
                .invalidArgument, "database \(path): only a database in a file of this machine can do that")
        }
        return handle
    }

    /// Which SQLite this is.
    static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// Keeps few statements and pages until memory is given back: most of what is asked for at the start of a world is never asked for
    /// again.
    func spareMemory() throws(StoreError) {
        statements.cache.keepsAtOnce = false
        try keepPages(StoreLimits.sparedPages)
    }

    /// Forgets statements and pages of the file, which come back when they are asked for.
    func giveMemoryBack() throws(StoreError) {
        if handle != nil { try keepPages() }
        statements.cache.removeAll()
        if let handle {
            sqlite3_db_release_memory(handle)
            LayeredFile.giveMemoryBack(handle)
        }
    }

    /// How many prepared statements are at hand.
    var statementCount: Int { statements.cache.count }

    /// True if no transaction is open. SQLite ends one by itself after some errors.
    var isInAutocommit: Bool {
        switch source {
        case .file(let handle): sqlite3_get_autocommit(handle) != 0
        case .server(let session): session.isInAutocommit
        case .replayed(let file): sqlite3_get_autocommit(file.handle) != 0
        }
    }

    /// True where a transaction cannot go on, nor be committed: a server takes nothing behind an error, and a lost connection nothing at all.
    var isSpoilt: Bool {
        switch source {
        case .file, .replayed: false
        case .server(let session): session.isSpoilt
        }
    }

    /// True if a server may have no savepoint, or an earlier one than was asked for: the whole transaction has to be undone.
    var hasLostSavepoint: Bool {
        switch source {
        case .file, .replayed: false
        case .server(let session): session.hasLostSavepoint || session.isLost
        }
    }

    /// True if the connection to a server has ended within a transaction that nobody has rolled back yet.
    var isLost: Bool {
        switch source {
        case .file, .replayed: false
        case .server(let session): session.isLost
        }
    }

    /// How many connections to a server there were so far, one in place of the other; 1 for a file.
    var openings: Int64 {
        switch source {
        case .file, .replayed: 1
        case .server(let session): session.openings
        }
    }

    /// The engine whose words its statements are in.
    var dialect: StoreDialect {
        switch source {
        case .file, .replayed: .sqlite
        case .server: .postgres
        }
    }

    /// The row that was put in last. A server gives no numbers: 0.
    var lastRow: Int64 {
        switch source {
        case .file(let handle): sqlite3_last_insert_rowid(handle)
        case .server: 0
        case .replayed(let file): sqlite3_last_insert_rowid(file.handle)
        }
    }

    /// How many rows all statements have changed.
    var totalChangeCount: Int64 {
        switch source {
        case .file(let handle): sqlite3_total_changes64(handle)
        case .replayed(let file): sqlite3_total_changes64(file.handle)
        case .server(let session): session.totalChangeCount
        }
    }

    /// How many rows the last statement changed.
    var changeCount: Int {
        switch source {
        case .file(let handle): Int(sqlite3_changes64(handle))
        case .replayed(let file): Int(sqlite3_changes64(file.handle))
        case .server(let session): session.changeCount
        }
    }

    /// Runs one statement and hands each row to the closure.
    ///
    /// A closure may run other queries, the same one too.
    ///
    /// - Parameter assignments: whose values are bound behind the others. Hot path: no list is made of them.
    func query<Failure: RowFailure>(
        _ sql: SQLText, _ values: [StoredValue] = [], before assignments: [RecordChange.Assignment] = [],
        row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure) {
        let handle: OpaquePointer
        switch source {
        case .file(let file): handle = file
        case .server(let session):
            return try session.query(
                sql, assignments.isEmpty ? values : values + assignments.map(\.value), row: row)
        case .replayed(let file):
            guard file.answers(sql, values) else { return }
            handle = file.handle
        }
        let outer = deadline.beginStatement()
        let texts = statements.texts
        let textsBegin = texts.begin()
        // The statement has been put back by then, in any case.
        defer {
            texts.end(textsBegin)
            deadline.endStatement(outer)
        }
        let place = statements.cache.place(of: sql)
        let statement: Statement
        if let kept = place.statement.take() {
            statement = kept
        } else {
            do throws(StoreError) {
                statement = try Statement(sql.text, on: handle, path: path)
            } catch {
                throw Failure(error)
            }
        }
        do throws(StoreError) { try statement.bind(values, before: assignments, in: texts) } catch {
            place.put(statement)
            throw Failure(deadline.reason(error))
        }
        while true {
            do throws(StoreError) {
                guard try statement.step() else { break }
            } catch {
                place.put(statement)
                throw Failure(deadline.reason(error))
            }
            do throws(Failure) {
                guard try row(statement.row) else { break }
            } catch {
                place.put(statement)
                throw error
            }
        }
        place.put(statement)
    }

    /// Runs one statement whose rows nobody wants.
    func run(_ sql: SQLText, _ values: [StoredValue] = []) throws(StoreError) {
        try query(sql, values) { _ throws(StoreError) in true }
    }

    /// Runs a statement whose outcome nobody needs at once: a server gets it with the next one, in one trip.
    func runAhead(_ sql: SQLText, _ values: [StoredValue] = []) throws(StoreError) {
        guard case .server(let session) = source else { return try run(sql, values) }
        try session.runAhead(sql, values)
    }

    /// Runs a change of which nobody asks how many rows it changes: a server gets it with the next statement, in one trip.
    func changeAhead(_ sql: SQLText, _ values: [StoredValue]) throws(StoreError) {
        guard case .server(let session) = source else { return try run(sql, values) }
        try session.changeAhead(sql, values)
    }

    /// Has a server answer a question with the next trip that will be asked soon.
    func expect(_ sql: SQLText, _ values: [StoredValue], holds: ExpectedAnswer = .untilChange) {
        if case .server(let session) = source { session.expect(sql, values, holds: holds) }
    }

    /// Says which record changes are about from now on; nil: any.
    func setSubject(_ key: ChangeKey?) {
        if case .server(let session) = source { session.subject = key }
    }

    /// The record that changes are about; nil: any, and for a file.
    var subject: ChangeKey? { server?.subject }

    /// Sends a server the changes that wait for the next statement.
    func sendChangesAhead() throws(StoreError) {
        if case .server(let session) = source { try session.sendChangesAhead() }
    }

    /// Drops them.
    func forgetChangesAhead() {
        if case .server(let session) = source { session.forgetChangesAhead() }
    }

    /// True if a statement failed for a change that went ahead of it.
    var hasFailedAhead: Bool {
        switch source {
        case .file, .replayed: false
        case .server(let session): session.hasFailedAhead
        }
    }

    /// The trips to a server so far; 0 for a file.
    var tripCount: Int64 {
        switch source {
        case .file: 0
        case .server(let session): session.tripCount
        case .replayed(let file): file.tripCount
        }
    }

    /// True if bodies run until they lack no answer.
    var runsAgain: Bool {
        if case .file = source { false } else { true }
    }

    /// Runs a body until it lacks no answer of a server: what one run lacks is asked in one trip. Nil where it still lacks some after many.
    func gathering<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value? {
        guard runsAgain else { return try body() }
        defer { endGathering() }
        server?.beginGathering()
        replayed?.beginGathering(asksFirst: true)
        for _ in 0..<StoreLimits.gatheringRunsMax {
            beginGatheredRun()
            let result: Result<Value, StoreError>
            do throws(StoreError) { result = .success(try body()) } catch { result = .failure(error) }
            guard try askGathered() else { return try result.get() }
        }
        return nil
    }

    /// Has the questions of several bodies to a server noted from now on. They are asked together (`askGathered`).
    func beginSharedGathering() {
        server?.beginSharedGathering()
        replayed?.beginGathering(asksFirst: false)
    }

    func endGathering() {
        server?.endGathering()
        replayed?.endGathering()
    }

    /// False where the answers were too many to be kept.
    var isGathering: Bool { server?.isGathering ?? replayed?.isGathering ?? false }

    /// Begins the run of one of these bodies.
    func beginSharedRun() {
        server?.lacksAnswer = false
        replayed?.lacksAnswer = false
    }

    /// Begins a run of all of them.
    func beginGatheredRun() {
        server?.beginGatheredRun()
        replayed?.beginGatheredRun()
    }

    /// Has a question of one of them go out before it runs.
    func expectGathered(_ question: ServerQuestion) {
        server?.expectGathered(question)
        replayed?.expectGathered(question)
    }

    /// True if the run lacks an answer.
    var lacksAnswer: Bool { server?.lacksAnswer ?? replayed?.lacksAnswer ?? false }

    /// Asks a server for all that the runs have lacked.
    func askGathered() throws(StoreError) -> Bool { try server?.askGathered() ?? replayed?.askGathered() ?? false }

    /// Sends a server all that the runs have lacked, and waits for nothing.
    func sendGathered() throws(StoreError) { try server?.sendGathered() }

    /// Takes the answers to that. False until all of them are there.
    func takeGathered() throws(StoreError) -> Bool { try server?.takeGathered() ?? true }

    /// True if the connection to a server is closed.
    var hasEnded: Bool { server?.hasEnded ?? false }

    /// The bytes of the answers that the runs have.
    var gatheredBytes: Int { server?.gatheredBytes ?? 0 }

    /// Has nothing that runs on a connection to a server wait for it, and answers with a descriptor of the socket, to be watched; nil for a file.
    func socketOfLoop() -> FileDescriptor? {
        server?.waitsForNothing = true
        return server?.socket()
    }

    /// Sends a server what waits for the next statement, where none may come.
    func sendAhead() throws(StoreError) {
        if case .server(let session) = source { try session.sendAhead() }
    }

    /// The first value of the first row, or nil when there is no row.
    func value(_ sql: SQLText, _ values: [StoredValue] = []) throws(StoreError) -> StoredValue? {
        var found: StoredValue?
        try query(sql, values) { row throws(StoreError) in
            found = row.value(0)
            return false
        }
        return found
    }

    /// Gives the session on a server a setting, which a connection gets too that is made in its place.
    func set(_ setting: StaticString, to value: String) throws(StoreError) {
        guard case .server(let session) = source else { return }
        try session.set("\(setting)", to: value)
    }

    /// The session on a server; nil for a file.
    var server: ServerSession? {
        if case .server(let session) = source { session } else { nil }
    }

    private var replayed: ReplayedFile? {
        if case .replayed(let file) = source { file } else { nil }
    }

    /// Runs a statement of the start-up, which is not kept.
    func execute(_ sql: String) throws(StoreError) {
        if case .server(let session) = source { return try session.execute(SQLText(sql)) }
        let statement = try Statement(sql, on: file(), path: path)
        while try statement.step() {}
    }
}
