import JSON
import Network
import Postgres
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import Store

@Suite(
    "A store on a server", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct ServerStoreTests {
    private let server: ServerSchema

    init() throws { server = try ServerSchema() }

    @Test("keeps what was written, with every kind of value, when it is opened again")
    func keeps() async throws {
        let values: [StoredValue] = [
            .text("1"), .text("a \"b\" e\u{301} 🌍"), .real(1.5), .integer(-3), .integer(1),
            .utf8(Array("[\"x\"]".utf8)),
            .utf8(Array("{\"a\":1}".utf8)),
        ]
        let fields = ["id", "title", "rating", "likes", "open", "tags", "meta"]
        let first = try server.opened(StoreTests.schema)
        #expect(!first.isLocal && !first.wasUnclean && !first.path.contains("pencil"))
        try await first.make("Post", zip(fields, values).map { .init($0, $1) })
        let key = first.secret(for: "test")
        try first.close()

        let second = try server.opened(StoreTests.schema)
        #expect(second.secret(for: "test") == key && !second.wasUnclean)
        var found: [StoredValue] = []
        let lookup = KeyLookup(try second.table("Post"), fields: fields)
        let isFound = try second.readerBeside().get(lookup, key: [.text("1")]) { row throws(StoreError) in
            for column in fields.indices { found.append(row.value(column)) }
        }
        let expected = values.map { value in
            if case .utf8(let bytes) = value { StoredValue.text(String(decoding: bytes, as: UTF8.self)) } else { value }
        }
        #expect(isFound && found == expected)
        #expect(try !second.readerBeside().get(lookup, key: [.text("2")]) { _ throws(StoreError) in })
        try second.close()
    }

    @Test("creates once, and changes and deletes what is there and meets the condition")
    func changes() async throws {
        let store = try server.opened(PredicateTests.schema)
        #expect(try await store.create("Item", ["id": "1", "s": "a", "n": .null]))
        #expect(try await !store.create("Item", ["id": "1", "s": "b"]))
        #expect(try await store.create("Item", ["id": "2"], if: .field("s", .exists(false))))
        #expect(try await !store.create("Item", ["id": "3"], if: .field("s", .exists(true))))
        #expect(try await !store.update("Item", key: ["4"], ["s": "c"]))
        #expect(try await !store.update("Item", key: ["1"], ["s": "c"], if: .field("s", .equal(.value("b")))))
        #expect(
            try await store.update(
                "Item", key: ["1"], ["s": "c", "n": .integer(7)], if: .field("s", .equal(.value("a")))))
        #expect(try store.rows("Item", ["id", "s", "n"]) == [["1", "c", .integer(7)], ["2", .null, .null]])
        let deletion = RecordChange.delete(from: try store.table("Item"), key: ["1"], returning: ["s", "n"])
        let seen = Mutex<[StoredValue]>([])
        let isMade = try await store.writer.write(turn: .models, key: nil) { session throws(StoreError) in
            try session.apply(deletion) { row throws(StoreError) in
                let values = [row.value(0), row.value(1)]
                seen.withLock { $0 = values }
            }
        }
        #expect(isMade && seen.withLock { $0 } == ["c", .integer(7)])
        #expect(try store.rows("Item", ["id"]) == [["2"]])
        // The next one comes behind all that ever were.
        let next = try await store.writer.write(turn: .models, key: nil) { session throws(StoreError) in
            try session.nextInteger(of: "n", in: store.table("Item", or: StoreError(.unexpected, "no table")))
        }
        #expect(next == 1)
        try store.close()
    }

    @Test("tells absent fields, nulls and values apart, also when it is negated")
    func nullSemantics() async throws {
        let store = try server.opened(PredicateTests.schema)
        try await store.create("Item", ["id": "absent"])
        let values = PredicateTests.values.map { RecordChange.Assignment($0.key, $0.key == "s" ? "hé-llo" : $0.value) }
        try await store.make("Item", values)
        let nulls = ["s", "n", "f", "b", "l", "j", "e", "es", "o"].map { RecordChange.Assignment($0, .null) }
        try await store.make("Item", [.init("id", "null")] + nulls)
        let reader = try store.readerBeside()
        for test in PredicateTests.cases {
            let expected = [("absent", test.absent), ("value", test.value), ("null", test.null)]
            let predicate = Predicate.field(test.field, test.condition.withoutZero)
            let matches = expected.filter(\.1).map(\.0)
            #expect(try store.ids("Item", where: predicate, of: reader) == matches, "\(test)")
            let others = expected.filter { !$0.1 }.map(\.0)
            #expect(try store.ids("Item", where: .not(predicate), of: reader) == others, "not \(test)")
            #expect(
                try store.ids("Item", where: .not(.not(.all([predicate]))), of: reader) == matches, "not not \(test)")
        }
        try store.close()
    }

    @Test("finds what a file finds, for random records, filters and pages")
    func random() async throws {
        var random = SeededRandom(test: "ServerStoreTests")
        let (file, store) = (try Store.opened(PredicateTests.schema), try server.opened(PredicateTests.schema))
        for number in 0..<60 {
            let record = PlainRecord.random(id: "\(number)", using: &random)
            try await file.make("Item", record.assignments)
            try await store.make("Item", record.assignments)
        }
        let readers = (try file.readerBeside(), try store.readerBeside())
        for round in 0..<Fuzz.rounds(ordinarily: 300) {
            let predicate = PlainRecord.randomPredicate(depth: 3, using: &random)
            let limit = Int.random(in: 1...30, using: &random)
            let semantics: ListQuery.Semantics = Bool.random(using: &random) ? .filled : .appsync
            let isDescending = Bool.random(using: &random)
            var pages: [[[StoredValue]]] = [[], []]
            for (place, (store, reader)) in [(file, readers.0), (store, readers.1)].enumerated() {
                var position: ListQuery.Position?
                repeat {
                    let query = ListQuery(
                        try store.table("Item"), fields: ["id", "s", "n", "f", "b", "l"], isDescending: isDescending,
                        filter: predicate, limit: limit, semantics: semantics, after: position)
                    let (rows, next) = try store.values(query, of: reader)
                    pages[place] += [[.integer(Int64(rows.count))]] + rows
                    position = next
                } while position != nil
            }
            #expect(pages[0] == pages[1], "round \(round): \(predicate)")
            if pages[0] != pages[1] { break }
        }
        try file.close()
        try store.close()
    }

    @Test("has the order of a file, in keys of one field and of several")
    func keys() async throws {
        let schema = """
            type Task @model {
                id: ID!
                owner: String! @index(name: "byOwner", sortKeyFields: ["state", "due"]) @index(name: "byTitle", sortKeyFields: ["title"])
                state: String!
                due: Int!
                title: String
            }
            """
        var random = SeededRandom(test: "ServerStoreTests.keys")
        let (file, store) = (try Store.opened(schema), try server.opened(schema))
        let words = ["a", "A", "b", "é", "z z", "Z"]
        for number in 0..<80 {
            let record: [RecordChange.Assignment] = [
                .init("id", .text("\(number)")), .init("owner", .text(words[number % 2])),
                .init("state", .text(words.randomElement(using: &random) ?? "a")),
                .init("due", .integer(Int64.random(in: -3...12, using: &random))),
                .init("title", number % 5 == 0 ? .null : .text(words.randomElement(using: &random) ?? "a")),
            ]
            try await file.make("Task", record)
            try await store.make("Task", record)
        }
        let conditions: [(String, KeyQuery.SortCondition?)] = [
            ("byOwner", nil), ("byTitle", nil), ("byTitle", .compare(.greater, "A")), ("byTitle", .beginsWith("z")),
            ("byTitle", .between("a", "z")), ("byOwner", .beginsWith("a#")), ("byOwner", .compare(.equal, "a#3")),
        ]
        for (name, condition) in conditions {
            for isDescending in [false, true] {
                var pages: [[[StoredValue]]] = []
                for store in [file, store] {
                    let table = try store.table("Task")
                    let key = try #require(table.index(named: name))
                    let reader = try store.readerBeside()
                    var rows: [[StoredValue]] = []
                    var position: ListQuery.Position?
                    repeat {
                        let query = ListQuery(
                            table, fields: ["id", "state", "due", "title"],
                            key: KeyQuery(key, partition: "a", sort: condition),
                            isDescending: isDescending, limit: 7, semantics: .appsync, after: position)
                        let page = try store.values(query, of: reader)
                        rows += page.rows
                        position = page.next
                    } while position != nil
                    pages.append(rows)
                }
                #expect(pages[0] == pages[1], "\(name) \(String(describing: condition))")
                if condition == nil { #expect(pages[0].count > 20) }
            }
        }
        try file.close()
        try store.close()
    }

    @Test("keeps names of indexes apart that a server would cut")
    func longNames() throws {
        let long = "ThingWithAVeryLongNameForATableThatIsStillShortEnough"
        let store = try server.opened(
            """
            type \(long) @model {
                id: ID!
                one: String @index(name: "byTheFirstOfTheFields", sortKeyFields: ["two"])
                two: String @index(name: "byTheSecondOfTheFields", sortKeyFields: ["one"])
            }
            """)
        #expect(
            try server.number(
                "SELECT count(*) FROM pg_indexes WHERE schemaname = current_schema() AND tablename = '\(long)'") == 4)
        try store.close()
    }

    // MARK: Tables

    @Test("changes its tables with the schema, and says what would lose data")
    func migration() async throws {
        let first = try server.opened("type Post @model { id: ID! title: String old: String count: Int }")
        try await first.create("Post", ["id": "1", "title": "a", "old": .null, "count": .integer(3)])
        try first.close()
        // Nothing is written where nothing changes.
        let again = try server.opened("type Post @model { id: ID! title: String old: String count: Int }")
        try again.close()
        let wider = """
            type Post @model { id: ID! title: String @index(name: "byTitle") old: String count: Float new: [Int] }
            type Other @model { id: ID! }
            """
        let second = try server.opened(wider)
        try await second.create("Other", ["id": "1"])
        #expect(try second.rows("Post", ["title", "count", "new"]) == [["a", .real(3), .null]])
        try second.close()
        let loss = try server.refusal(
            of: "type Post @model { id: ID! old: String count: Float new: [Int] } type Other @model { id: ID! }")
        #expect(loss?.kind == .migrationRefused && loss?.refusedChanges == ["Post.title"])
        // A field without values goes.
        let third = try server.opened(
            """
            type Post @model { id: ID! title: String @index(name: "byTitle") count: Float }
            type Other @model { id: ID! }
            """)
        #expect(try third.rows("Post", ["title"]) == [["a"]])
        try third.close()
        let kind = try server.refusal(
            of: """
                type Post @model { id: ID! title: [String] count: Float }
                type Other @model { id: ID! }
                """)
        #expect(kind?.kind == .unsupported)
    }

    @Test("refuses what it cannot have yet, before anything is made")
    func unsupported() throws {
        let name = String(repeating: "n", count: 64)
        for (schema, word) in [
            ("type Post @model { id: ID! \(name): String }", "63 bytes"),
            (
                "type Post @model { id: ID! a: String @index(name: \"byA\", sortKeyFields: [\"b\", \"c\"]) b: Float c: String }",
                "float"
            ),
        ] {
            let error = try server.refusal(of: schema)
            #expect(
                error?.kind == .unsupported && error?.message.contains(word) == true, "\(String(describing: error))")
        }
        #expect(
            try server.number("SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace(current_schema())")
                == 0)
        try server.run("CREATE TABLE somebody (a int)")
        let foreign = try server.refusal(of: "type Post @model { id: ID! }")
        #expect(foreign?.kind == .unknownFormat && foreign?.message.contains("somebody") == true)
    }

    @Test("says what is wrong with an address or a server, and never the password")
    func addresses() throws {
        let wrong = #expect(throws: StoreError.self) { try ServerPlace("postgres://app:geheim@h/x?sslmode=maybe") }
        #expect(wrong?.kind == .invalidArgument && wrong?.message.contains("geheim") == false)
        var settings = server.server.socketSettings(database: "latin")
        settings.options = nil
        let latin = #expect(throws: StoreError.self) {
            try Store(
                .server(ServerPlace(settings)), for: blueprint("type Post @model { id: ID! }"), nowMilliseconds: 1
            ) { _ in }
        }
        #expect(latin?.kind == .cannotOpen)
        settings = server.server.socketSettings()
        settings.options = "-c search_path=nothing_of_this_name"
        let schema = #expect(throws: StoreError.self) {
            try Store(
                .server(ServerPlace(settings)), for: blueprint("type Post @model { id: ID! }"), nowMilliseconds: 1
            ) { _ in }
        }
        #expect(schema?.kind == .cannotOpen && schema?.message.contains("search_path") == true)
    }

    @Test("refuses U+0000 in texts, in JSON and in filters, and goes on")
    func zero() async throws {
        let store = try server.opened(PredicateTests.schema)
        for (field, value) in [
            ("s", "a\u{0}"), ("j", "\"\\u0000\""), ("l", "[\"a\\u0000\"]"), ("o", "{\"x\":\"\\\\\\u0000\"}"),
        ] {
            let error = await #expect(throws: StoreError.self, "\(field)") {
                try await store.create("Item", ["id": "1", "\(field)": .text(value)])
            }
            #expect(error?.kind == .invalidValue && error?.message.contains("U+0000") == true)
        }
        #expect(throws: StoreError.self) {
            try store.ids("Item", where: .field("s", .equal(.value("\u{0}"))), of: store.readerBeside())
        }
        // A backslash that stands for itself.
        try await store.create("Item", ["id": "1", "j": "\"\\\\u0000\""])
        #expect(try store.rows("Item", ["j"]) == [["\"\\\\u0000\""]])
        try store.close()
    }

    @Test("gives loops no connection, and keeps what is known of the folder around it")
    func loops() async throws {
        let store = try server.opened("type Post @model { id: ID! }")
        for open in [{ try store.reader() }, { try store.loopReader() }] as [() throws -> Reader] {
            let error = #expect(throws: StoreError.self) { try open() }
            #expect(error?.kind == .unsupported)
        }
        try await store.keep { _ in ["a": [1, 0]] }
        let notes = try await store.readersAside.read(until: .max) { reader throws(StoreError) in try reader.keptNotes()
        }
        #expect(notes == ["a": [1, 0]])
        try store.close()
    }

    @Test("has the notes of two processes that change them at once")
    func notesOfTwo() async throws {
        let store = try server.opened("type Post @model { id: ID! }")
        try await store.keep { _ in ["a": [1]] }
        let place = server.place
        let isChanged = Mutex(false)
        try await store.keep { known in
            // Between the look and the turn.
            let isFirst = isChanged.withLock { isChanged in
                defer { isChanged = true }
                return !isChanged
            }
            if isFirst {
                try? place.changeNotes { known throws(StoreError) in (known.merging(["b": [2]]) { $1 }, ()) }
            }
            return known.merging(["a": [3]]) { $1 }
        }
        let notes = try store.readerBeside().keptNotes()
        #expect(notes == ["a": [3], "b": [2]])
        try store.close()
    }

    @Test("has the tables of other rooms, whose rows have numbers in the order of the commits")
    func rooms() async throws {
        let first = try server.opened("type Post @model { id: ID! }")
        let second = try server.opened("type Post @model { id: ID! }")
        let tables = RoomTables(
            of: "notes", turn: .settings,
            versions: [
                [
                    RoomStatement(
                        "CREATE TABLE _homeport_notes (number INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL) STRICT"
                    )
                ]
            ])
        let insertion = RoomStatement("INSERT INTO _homeport_notes (text) VALUES (?)")
        #expect(try await first.readAside(tables, until: .max, ifNone: true) { _ throws(StoreError) in false })
        let numbers = try await withThrowingTaskGroup(of: Int64.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await [first, second][number % 2].writer.write(turn: .settings, key: nil) { session in
                        try session.bring(tables)
                        try session.change(insertion, [.text("note \(number)")])
                        return try session.lastRowNumber
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(numbers.sorted() == Array(1...20))
        // What throws away its row gives its number to nobody.
        await #expect(throws: StoreError.self) {
            try await first.writer.write(turn: .settings, key: nil) { session in
                try session.change(insertion, [.text("undone")])
                throw StoreError(.invalidArgument, "undone")
            }
        }
        let read = try await second.read(with: { () throws(StoreError) in try second.reader() }) {
            reader throws(StoreError) -> [Int64] in
            var numbers: [Int64] = []
            try reader.rows(RoomStatement("SELECT number FROM _homeport_notes ORDER BY number LIMIT 100"), []) {
                row throws(StoreError) in
                numbers.append(row.integer(0))
                return true
            }
            return numbers
        }
        #expect(read == Array(1...20))
        for store in [first, second] { try store.close() }
    }

    // MARK: Turns

    @Test("numbers records in the order of their commits, whichever process makes them")
    func numbers() async throws {
        let schema = "type Post @model { id: ID! }"
        let stores = [try server.opened(schema), try server.opened(schema)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, store) in stores.enumerated() {
                for number in 0..<100 {
                    group.addTask { try await store.create("Post", ["id": .text("\(place) \(number)")]) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try server.number("SELECT count(DISTINCT _homeport_row) FROM \"Post\"") == 200)
        #expect(try server.number("SELECT max(_homeport_row) FROM \"Post\"") == 200)
        #expect(try server.number("SELECT counter FROM _homeport_turns WHERE room = 'models'") == 200)
        for store in stores { try store.close() }
    }

    @Test("makes a change once whose connection ends before the commit, and again at the commit")
    func lostConnections() async throws {
        let store = try server.opened("type Post @model { id: ID! }")
        let table = try store.table("Post")
        let runs = Runs()
        func create(_ id: String, _ first: @escaping @Sendable (WriteSession) throws -> Void) async throws {
            runs.count.withLock { $0 = 0 }
            let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
                store.writer.submit(
                    turn: .models, key: nil, isRepeatable: true,
                    { session in
                        let run = runs.count.withLock {
                            $0 += 1
                            return $0
                        }
                        let change = RecordChange.create(in: table, [.init("id", .text(id))], returning: [])
                        #expect(try session.apply(change) { _ throws(StoreError) in })
                        if run == 1 { try first(session) }
                    }, answer: { continuation.resume(returning: $0) })
            }
            try result.get()
        }
        let end = SQLText("SELECT pg_terminate_backend(pg_backend_pid())")
        try await create("within") { session in try session.connection.run(end) }
        #expect(runs.count.withLock { $0 } == 2)
        // At the commit: a trigger that runs there ends the connection the first time.
        try server.run("CREATE SEQUENCE times")
        try server.run(
            """
            CREATE FUNCTION ends() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF nextval('\(server.name).times') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); END IF;
            RETURN NULL; END $$
            """)
        try server.run(
            "CREATE CONSTRAINT TRIGGER ends AFTER INSERT ON \"Post\" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ends()"
        )
        try await create("at the commit") { _ in }
        #expect(runs.count.withLock { $0 } == 2)
        #expect(try store.rows("Post", ["id"]) == [["within"], ["at the commit"]])
        try store.close()
    }

    @Test("knows by its mark whether a commit whose answer is lost has come about")
    func marks() throws {
        let store = try server.opened("type Post @model { id: ID! }")
        defer { try? store.close() }
        let held = try Connection(to: server.place, .writer)
        let other = try Connection(to: server.place, .writer)
        for isCommitted in [true, false] {
            let turns = ServerTurns()
            try held.execute("BEGIN")
            try turns.take([.models, .settings], on: held)
            let number = try turns.next(of: .models)
            let mark = try turns.giveBack(at: 5, on: held)
            try held.execute(isCommitted ? "COMMIT" : "ROLLBACK")
            try other.execute("BEGIN")
            #expect(try turns.isCommitted(mark, on: other) == isCommitted)
            try other.execute("ROLLBACK")
            #expect(number == (isCommitted ? 1 : 2))
        }
        #expect(try server.number("SELECT stamp FROM _homeport_turns WHERE room = 'models'") == 5)
        #expect(throws: StoreError.self) { try ServerTurns().next(of: .models) }
    }

    @Test("undoes a change that a server refuses, and makes the others of its group")
    func refusals() async throws {
        let store = try server.opened("type Post @model { id: ID! count: Int }")
        let table = try store.table("Post")
        let failed = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<20 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        store.writer.submit(
                            turn: .models, key: nil, isRepeatable: true,
                            { session in
                                let change = RecordChange.create(
                                    in: table, [.init("id", .text("\(number)"))], returning: [])
                                _ = try session.apply(change) { _ throws(StoreError) in }
                                if number % 5 == 0 { try session.run(SQLText("SELECT 1 / 0")) }
                            },
                            answer: { result in
                                if case .failure = result {
                                    continuation.resume(returning: number)
                                } else {
                                    continuation.resume(returning: nil)
                                }
                            })
                    }
                }
            }
            return await group.reduce(into: Set<Int>()) { numbers, number in if let number { numbers.insert(number) } }
        }
        #expect(failed == [0, 5, 10, 15])
        #expect(try store.rows("Post", ["id"]).count == 16)
        try store.close()
    }

    // MARK: Sync

    @Test("keeps versions, tombstones and a log of changes of a synced model")
    func synced() async throws {
        let schema = "type Post @model { id: ID! title: String }"
        let store = try server.opened(schema, synced: true)
        let table = try store.table("Post")
        let log = try #require(ChangeLog(of: table))
        let clock = store.changeClock
        func apply(_ change: RecordChange, _ version: Int64) async throws -> VersionedChange.Outcome {
            let versioned = VersionedChange(change, in: log, of: version)
            return try await store.writer.write(turn: .models, key: nil) { session throws(StoreError) in
                try session.apply(versioned, at: clock) { _ throws(StoreError) in }
            }
        }
        let begin = clock.beginSync()
        #expect(
            try await apply(.create(in: table, [.init("id", "1"), .init("title", "a")], returning: ["id"]), 0) == .made)
        #expect(try await apply(.create(in: table, [.init("id", "1")], returning: []), 0) == .refused)
        #expect(try await apply(.update(in: table, key: ["1"], [.init("title", "b")], returning: []), 1) == .made)
        #expect(
            try await apply(.update(in: table, key: ["1"], [.init("title", "c")], returning: []), 1)
                == .stale(version: 2, isDeleted: false))
        #expect(try await apply(.delete(from: table, key: ["1"], returning: []), 2) == .made)
        #expect(try await apply(.delete(from: table, key: ["2"], returning: []), 0) == .missing)
        #expect(try store.rows("Post", ["title", "_version", "_deleted"]) == [["b", .integer(3), .integer(1)]])
        let query = ListQuery(log.images, fields: ["title", "_version"], limit: 10, semantics: .filled)
        let images = try store.values(query, of: store.readerBeside())
        #expect(images.rows == [["a", .integer(1)], ["b", .integer(2)], ["b", .integer(3)]])
        let position = try store.readerBeside().position(in: log, since: begin)
        #expect(position != nil)
        let stamp = try server.number("SELECT stamp FROM _homeport_turns WHERE room = 'models'")
        #expect(stamp >= begin)
        try store.close()
        // A clock that went back goes on behind the last stamp.
        let again = try server.opened(schema, synced: true)
        #expect(again.changeClock.beginSync() >= stamp)
        try again.close()
    }
}

/// How often a change has run.
private final class Runs: Sendable {
    let count = Mutex(0)
}

extension Store {
    fileprivate func table(_ model: String, or error: StoreError) throws(StoreError) -> TableLayout {
        guard let table = layout.table(storing: model) else { throw error }
        return table
    }

    func rows(_ model: String, _ fields: [String]) throws -> [[StoredValue]] {
        let query = ListQuery(try table(model), fields: fields, limit: 1_000, semantics: .filled)
        return try values(query, of: readerBeside()).rows
    }

    func ids(_ model: String, where filter: Predicate, of reader: Reader) throws -> [String] {
        let query = ListQuery(try table(model), fields: ["id"], filter: filter, limit: 1_000, semantics: .filled)
        return try values(query, of: reader).rows.map { row in
            if case .text(let id) = row[0] { id } else { "?" }
        }
    }
}

extension Predicate.Condition {
    /// The same with a text that a server can have in place of one with U+0000.
    fileprivate var withoutZero: Self {
        func plain(_ value: StoredValue) -> StoredValue {
            guard case .text(let text) = value else { return value }
            return .text(String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\u{0}" ? "-" : $0 })))
        }
        return switch self {
        case .equal(.value(let value)): .equal(.value(plain(value)))
        case .notEqual(.value(let value)): .notEqual(.value(plain(value)))
        case .compare(let comparison, let value): .compare(comparison, plain(value))
        case .isOneOf(let values): .isOneOf(values.map(plain))
        default: self
        }
    }
}
