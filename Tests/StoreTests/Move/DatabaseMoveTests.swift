import JSON
import Postgres
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import Store

/// A database with every kind of value, key and table, and what a test asks of it after a move.
struct MovedBooks {
    static let schema = """
        type Book @model @searchable {
          id: ID! title: String @index(name: "byTitle", sortKeyFields: ["pages", "shelf"]) pages: Int shelf: String price: Float
          lent: Boolean tags: [String] data: AWSJSON
        }
        type Note @model { place: String! @primaryKey(sortKeyFields: ["number"]) number: Int! text: String user: String }
        """

    /// A table of a room with numbers, a trigger that counts, and keys of bytes.
    static let rooms = RoomTables(
        of: "moved test", turn: .queues,
        versions: [
            [
                RoomStatement(
                    "CREATE TABLE _homeport_test_counts (number INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT"),
                RoomStatement(
                    "CREATE TABLE _homeport_test_rows (number INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT, thePart REAL) STRICT"
                ),
                RoomStatement(
                    """
                    CREATE TRIGGER _homeport_test_in AFTER INSERT ON _homeport_test_rows BEGIN
                        UPDATE _homeport_test_counts SET count = count + 1;
                    END
                    """,
                    server: """
                        CREATE FUNCTION _homeport_test_in() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
                            UPDATE _homeport_test_counts SET count = count + 1;
                            RETURN NULL;
                        END $body$
                        """),
            ],
            [
                RoomStatement(
                    "CREATE INDEX _homeport_test_users ON _homeport_test_rows (user)",
                    server: """
                        CREATE TRIGGER _homeport_test_in AFTER INSERT ON _homeport_test_rows
                            FOR EACH ROW EXECUTE FUNCTION _homeport_test_in()
                        """),
                RoomStatement(
                    """
                    CREATE TABLE _homeport_test_pairs (part BLOB NOT NULL, sort TEXT NOT NULL, value TEXT, PRIMARY KEY (part, sort))
                        STRICT, WITHOUT ROWID
                    """),
            ],
        ])
    static let insertion = RoomStatement("INSERT INTO _homeport_test_rows (user, thePart) VALUES (?, ?)")
    static let removal = RoomStatement("DELETE FROM _homeport_test_rows WHERE number = ?")
    static let counting = RoomStatement("INSERT INTO _homeport_test_counts (number, count) VALUES (1, 0)")
    static let pair = RoomStatement("INSERT INTO _homeport_test_pairs (part, sort, value) VALUES (?, ?, ?)")

    static let titles = [
        "quick fox", "", "don't panic", "früh ☕️ 👩‍👩‍👧", "a,b;c\"d\\e", String(repeating: "long ", count: 5_000),
    ]

    static func open(_ location: Store.Location, now: Int64 = 1_000) throws -> Store {
        var sync = SyncSettings()
        sync.now = { now }
        return try Store(
            location, for: try blueprint(schema, synced: true), sync: sync, nowMilliseconds: now
        ) { _ in }
    }

    static func apply(_ change: RecordChange, _ version: Int64? = nil, in store: Store) async throws {
        let log = try #require(ChangeLog(of: change.table))
        let versioned = version.map { VersionedChange(change, in: log, of: $0) } ?? VersionedChange(change, in: log)
        _ = try await store.writer.write(turn: .all, key: nil) { [clock = store.changeClock] session in
            try session.apply(versioned, at: clock) { _ throws(StoreError) in }
        }
    }

    static func make(_ id: String, _ place: Int, in store: Store) async throws {
        let table = try store.table("Book")
        try await apply(
            .create(
                in: table,
                [
                    .init("id", .text(id)), .init("title", .text(titles[place % titles.count])),
                    .init("pages", place % 3 == 0 ? .null : .integer(1 << 53 + Int64(place))),
                    .init("shelf", .text("s\(place % 2)")), .init("price", .real([-0.0, 0.1, 1e300][place % 3])),
                    .init("lent", .boolean(place % 2 == 0)), .init("tags", #"["red wine","Blue"]"#),
                    .init("data", #"{"a":[1,null]}"#),
                ], returning: []), in: store)
    }

    static func fill(_ location: Store.Location, count: Int = 30) async throws {
        let store = try open(location)
        for place in 0..<count { try await make("b\(place)", place, in: store) }
        let books = try store.table("Book")
        try await apply(.update(in: books, key: ["b1"], [.init("title", "slow snail")], returning: []), 1, in: store)
        try await apply(.delete(from: books, key: ["b2"], returning: []), 1, in: store)
        for place in ["ä", "a", "Z", ""] {
            try await apply(
                .create(
                    in: try store.table("Note"),
                    [.init("place", .text(place)), .init("number", .integer(-1)), .init("user", "ann")], returning: []),
                in: store)
        }
        try await store.writer.write(turn: .all, key: nil) { session in
            try session.bring(rooms)
            try session.change(counting)
            for place in 0..<count { try session.change(insertion, [.text("u\(place)"), .real(Double(place) / 7)]) }
            // The last number is not given a second time.
            try session.change(removal, [.integer(Int64(count))])
            for byte: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                try session.change(pair, [.blob([byte, 0]), .text("z"), .null])
                try session.change(pair, [.blob([byte]), .text(""), .text("v")])
            }
        }
        try await store.keep { _ in ["sign-in.json": Array("{}".utf8), "issuer-1.pem": [0, 255]] }
        try store.close()
    }

    /// The checksum of each table, and the settings.
    static func sums(_ location: Store.Location) throws -> [String] {
        let source = try MoveSource(location, zeros: .keep, pageRows: 7)
        defer { source.close() }
        var lines: [String] = []
        for table in try MovedTable.all(in: source.connection) {
            var sum = RowSum()
            try source.rows(of: table) { values throws(StoreError) in sum.add(values) }
            lines.append("\(table.name) \(sum.rowCount) \(sum.text)")
        }
        for (name, value) in try SettingsTable.all(in: source.connection)
        where !["isOpen", "move", "servedUntil"].contains(name) {
            lines.append("\(name) \(value)")
        }
        return lines
    }

    static func move(
        _ from: Store.Location, _ to: Store.Location, batchRows: Int = 7, replacesZeros: Bool = false,
        rooms: [RoomTables] = [rooms], isWanted: @escaping () -> Bool = { true }
    ) throws -> DatabaseMove.Outcome {
        var wish = DatabaseMove.Wish(from: from, to: to, rooms: rooms)
        wish.batchRows = batchRows
        wish.replacesZeros = replacesZeros
        return try DatabaseMove(wish, isWanted: isWanted).run()
    }
}

@Suite(
    "A move of a database", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct DatabaseMoveTests {
    private let folder = TestFolder()
    private let server: ServerSchema
    private var file: Store.Location { .file(folder.database) }
    private var other: Store.Location { .file(folder.file("other.sqlite")) }

    init() throws { server = try ServerSchema() }

    private func refusal(_ body: () throws -> Void) -> StoreError? {
        do {
            try body()
            return nil
        } catch {
            return error as? StoreError
        }
    }

    @Test("there and back leaves every row and setting as it was")
    func thereAndBack() async throws {
        try await MovedBooks.fill(file)
        // A column that came later is the last one of its table here, and is not in a new one.
        let wider = MovedBooks.schema.replacing("price: Float", with: "added: Int price: Float")
        try Store(.file(folder.database), for: try blueprint(wider, synced: true), nowMilliseconds: 2_000) { _ in }
            .close()
        let before = try MovedBooks.sums(file)
        let there = try MovedBooks.move(file, .server(server.place))
        #expect(try MovedBooks.sums(.server(server.place)) == before)
        let back = try MovedBooks.move(.server(server.place), other)
        #expect(!TestFile.exists(folder.file("other.sqlite-wal")))
        #expect(try MovedBooks.sums(other) == before)
        #expect(there.checksum == back.checksum && there.rowCount == back.rowCount && there.rowCount > 70)
        // Between two of a kind too.
        let second = try ServerSchema()
        #expect(try MovedBooks.move(.server(server.place), .server(second.place)).checksum == there.checksum)
        #expect(try MovedBooks.move(other, .file(folder.file("third.sqlite"))).checksum == there.checksum)
    }

    @Test("gives a database that goes on: numbers, stamps, words, indexes and triggers", arguments: [true, false])
    func goesOn(isToServer: Bool) async throws {
        let (from, to): (Store.Location, Store.Location) =
            isToServer ? (file, .server(server.place)) : (.server(server.place), other)
        try await MovedBooks.fill(from)
        _ = try MovedBooks.move(from, to)
        let store = try MovedBooks.open(to, now: 500)
        let reader = try store.readerBeside()
        #expect(try store.ids("Book", where: .field("title", .search(.match("snail"))), of: reader) == ["b1"])
        try await MovedBooks.make("new", 0, in: store)
        #expect(try store.ids("Book", where: .field("title", .search(.match("fox"))), of: reader).last == "new")
        // A clock that was behind goes on behind the last stamp.
        let stamps = SQLText("SELECT count(*) FROM \"_homeport_changes_Book\" WHERE \"changed at\" < 1000")
        #expect(try reader.connection.value(stamps) == .integer(0))
        try await store.writer.write(turn: .all, key: nil) { session in
            try session.bring(MovedBooks.rooms)
            try session.change(MovedBooks.insertion, [.text("u"), .real(1)])
        }
        let last = SQLText("SELECT max(number) FROM _homeport_test_rows")
        #expect(try reader.connection.value(last) == .integer(31))
        #expect(try reader.connection.value(SQLText("SELECT count FROM _homeport_test_counts")) == .integer(31))
        // The key is one still.
        try await MovedBooks.make("b1", 3, in: store)
        #expect(try store.ids("Book", where: .field("id", .equal(.value("b1"))), of: reader).count == 1)
        try store.close()
    }

    @Test(
        "that is stopped anywhere goes on where it was, and nobody serves what it has left", arguments: [true, false])
    func stopped(isToServer: Bool) async throws {
        let (from, to): (Store.Location, Store.Location) =
            isToServer ? (file, .server(server.place)) : (.server(server.place), other)
        try await MovedBooks.fill(from)
        let before = try MovedBooks.sums(from)
        var rounds = 0
        while true {
            rounds += 1
            let calls = Mutex(0)
            let failure = refusal {
                _ = try MovedBooks.move(from, to) {
                    calls.withLock { count in
                        count += 1
                        return count < 3
                    }
                }
            }
            guard let failure else { break }
            #expect(failure.kind == .interrupted)
            let refused = refusal { _ = try MovedBooks.open(to) }
            #expect(refused?.message.contains("Run homeport move again") == true, "\(refused?.message ?? "opened")")
            #expect(refusal { _ = try RecordExport(to.reader()) }?.message.contains("Run homeport move again") == true)
            guard rounds < 200 else { break }
            // The check begins anew each time.
            if failure.kind == .interrupted, rounds > 40 {
                _ = try MovedBooks.move(from, to)
                break
            }
        }
        #expect(rounds > 10)
        #expect(try MovedBooks.sums(to) == before)
        #expect(try MovedBooks.move(from, to).wasWhole)
    }

    @Test("refuses a source that was changed meanwhile, another source, and a target with data")
    func refusals() async throws {
        try await MovedBooks.fill(file, count: 20)
        let calls = Mutex(0)
        let stopped = refusal {
            _ = try MovedBooks.move(file, .server(server.place)) {
                calls.withLock { count in
                    count += 1
                    return count < 4
                }
            }
        }
        #expect(stopped?.kind == .interrupted)
        try await MovedBooks.fill(other, count: 3)
        #expect(
            refusal { _ = try MovedBooks.move(other, .server(server.place)) }?.message.contains("another move") == true)
        let store = try MovedBooks.open(file)
        try await MovedBooks.make("later", 0, in: store)
        try store.close()
        #expect(
            refusal { _ = try MovedBooks.move(file, .server(server.place)) }?.message.contains("was changed") == true)
        #expect(refusal { _ = try MovedBooks.move(file, other) }?.message.contains("has data of Homeport") == true)
        #expect(
            refusal { _ = try MovedBooks.move(.file(folder.file("none")), other) }?.message.contains("none") == true)
    }

    @Test("takes along what is left of models that were synced once")
    func onceSynced() async throws {
        try await MovedBooks.fill(file, count: 5)
        try Store(.file(folder.database), for: try blueprint(MovedBooks.schema), nowMilliseconds: 2_000) { _ in }
            .close()
        let there = try MovedBooks.move(file, .server(server.place))
        #expect(try MovedBooks.move(.server(server.place), other).checksum == there.checksum)
    }

    @Test("refuses tables that it does not know, and rooms of later versions")
    func unknown() async throws {
        try await MovedBooks.fill(file, count: 2)
        let room = refusal { _ = try MovedBooks.move(file, .server(server.place), rooms: []) }
        #expect(room?.message.contains("tables of moved test") == true)
        let connection = try Connection.open(path: folder.database, mode: .writer)
        try connection.execute("CREATE TABLE stranger (a INTEGER PRIMARY KEY)")
        let table = refusal { _ = try MovedBooks.move(file, .server(server.place)) }
        #expect(table?.message.contains("a table stranger") == true)
        // Nothing is left behind in the target.
        #expect(try server.number("SELECT count(*) FROM pg_tables WHERE schemaname = '\(server.name)'") == 0)
    }

    @Test("refuses U+0000 by table and key, and replaces it where that is asked for")
    func zeros() async throws {
        let store = try MovedBooks.open(file)
        for id in ["a", "b\u{0}"] {
            try await MovedBooks.apply(
                .create(
                    in: try store.table("Book"), [.init("id", .text(id)), .init("shelf", "x\u{0}y\u{0}")], returning: []
                ),
                in: store)
        }
        try store.close()
        let refused = refusal { _ = try MovedBooks.move(file, .server(server.place)) }
        #expect(refused?.message.contains("shelf of Book, key 1, has U+0000") == true, "\(refused?.message ?? "")")
        let outcome = try MovedBooks.move(file, .server(server.place), replacesZeros: true)
        // Two records with a shelf, one of them with its id, in the table and in the log.
        #expect(outcome.replacedCount == 6)
        let moved = try MovedBooks.open(.server(server.place))
        #expect(try moved.ids("Book", where: .always, of: moved.readerBeside()) == ["a", "b\u{FFFD}"])
        try moved.close()
        // A file keeps it.
        #expect(try MovedBooks.move(file, other).replacedCount == 0)
        #expect(try MovedBooks.sums(other) == MovedBooks.sums(file))
    }

    @Test("ends where the target has lost a row, and says which table")
    func damage() async throws {
        try await MovedBooks.fill(file, count: 10)
        let calls = Mutex(false)
        let failure = refusal {
            _ = try DatabaseMove(
                DatabaseMove.Wish(from: file, to: .server(server.place), rooms: [MovedBooks.rooms]),
                report: { progress in
                    guard progress.part == .rows, progress.rowCount == progress.rowMax else { return }
                    calls.withLock { $0 = true }
                    try? server.run("DELETE FROM _homeport_test_pairs WHERE sort = ''")
                }
            ).run()
        }
        #expect(calls.withLock { $0 })
        #expect(failure?.message.contains("_homeport_test_pairs has 8 rows") == true, "\(failure?.message ?? "")")
    }
}

extension Store.Location {
    fileprivate func reader() throws -> Reader {
        switch self {
        case .server(let place): try .beside(place)
        case .file(let path): try .beside(path)
        case .memory, .layered, .replayed: throw StoreError(.invalidArgument, "no reader")
        }
    }
}
