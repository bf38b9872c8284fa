import Dispatch
import JSON
import Network
import Postgres
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import Store

/// How often a server is asked, and what comes of changes that go ahead of the answer.
@Suite(
    "Trips to a server", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct ServerTripTests {
    private static let schema = """
        type Post @model {
            id: ID! title: String rating: Float likes: Int open: Boolean tags: [String] meta: AWSJSON other: String
        }
        """
    private static let notes = RoomTables(
        of: "notes", turn: .settings,
        versions: [
            [
                RoomStatement(
                    "CREATE TABLE _homeport_notes (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT"
                )
            ]
        ])
    private static let insertion = RoomStatement("INSERT INTO _homeport_notes (name) VALUES (?)")
    private static let names = RoomStatement("SELECT name FROM _homeport_notes ORDER BY number")
    private static let count = RoomStatement("SELECT count(*) FROM _homeport_notes WHERE name <> ?")

    private let server: ServerSchema

    init() throws { server = try ServerSchema() }

    /// A change, and what became of it.
    private final class Change: Sendable {
        let turn: RoomTurn
        let isRepeatable: Bool
        /// The record that it is about.
        let key: ChangeKey?
        let expecting: (@Sendable (WriteSession) -> Void)?
        let run: @Sendable (WriteSession) throws -> Void
        let runs = Mutex(0)
        let error = Mutex<(any Error)?>(nil)

        init(
            _ turn: RoomTurn = .models, isRepeatable: Bool = true, of record: String? = nil,
            expecting: (@Sendable (WriteSession) -> Void)? = nil,
            _ run: @escaping @Sendable (WriteSession) throws -> Void
        ) {
            (self.turn, self.isRepeatable, self.run) = (turn, isRepeatable, run)
            self.expecting = expecting
            var key = ChangeKey()
            key.add((record ?? "").utf8)
            self.key = record == nil ? nil : key
        }

        var kind: StoreError.Kind? { (error.withLock { $0 } as? StoreError)?.kind }
    }

    /// Counts the answers to a group.
    private final class Answers: Sendable {
        private let left: Mutex<(count: Int, end: (@Sendable () -> Void)?)>

        init(_ count: Int) { left = Mutex((count, nil)) }

        func whenAll(_ end: @escaping @Sendable () -> Void) { left.withLock { $0.end = end } }

        func note() {
            let end = left.withLock { left in
                left.count -= 1
                return left.count == 0 ? left.end : nil
            }
            end?()
        }
    }

    /// Has changes share a transaction, and gives the trips from the beginning of the first, which is behind that of the turn, to the commit.
    @discardableResult
    private func group(_ store: Store, _ changes: [Change]) async throws -> Int64 {
        let (entered, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let begin = Mutex<Int64>(0)
        let answers = Answers(changes.count)
        await withCheckedContinuation { continuation in
            answers.whenAll { continuation.resume() }
            // What is submitted while the writer is held shares a transaction.
            store.writer.submit(
                turn: .models, key: nil,
                { _ in
                    entered.signal()
                    released.wait()
                }, answer: { _ in })
            entered.wait()
            for (number, change) in changes.enumerated() {
                store.writer.submit(
                    turn: change.turn, key: change.key, isRepeatable: change.isRepeatable,
                    expecting: change.expecting,
                    { session in
                        if number == 0 { begin.withLock { $0 = session.tripCount } }
                        change.runs.withLock { $0 += 1 }
                        try change.run(session)
                    },
                    answer: { result in
                        if case .failure(let error) = result { change.error.withLock { $0 = error } }
                        answers.note()
                    })
            }
            released.signal()
        }
        // One more trip takes the turn.
        let end = try await store.writer.write(turn: .models, key: nil) { session in session.tripCount } - 1
        return end - begin.withLock { $0 }
    }

    private func creation(
        of id: String, in table: TableLayout,
        _ behind: @escaping @Sendable (WriteSession, Bool) throws -> Void = { _, _ in }
    ) -> Change {
        Change(of: id) { session in
            let change = RecordChange.create(in: table, [.init("id", .text(id))], returning: ["id", "title"])
            let isMade = try session.apply(change) { row throws(StoreError) in
                #expect(row.text(0) == id && row.isNull(1))
            }
            try behind(session, isMade)
        }
    }

    @Test("a group of creations takes one trip behind that of its turn")
    func creations() async throws {
        let store = try server.opened(Self.schema)
        let table = try store.table("Post")
        let changes = (0..<64).map { creation(of: "\($0)", in: table) { _, isMade in #expect(isMade) } }
        #expect(try await group(store, changes) == 1)
        #expect(changes.allSatisfy { $0.runs.withLock { $0 } == 1 && $0.kind == nil })
        #expect(try server.number("SELECT count(*) FROM \"Post\"") == 64)
        // What reads behind them sees them, in the order of the group.
        let ids = Mutex(0)
        let reading = Change { session in
            let lookup = KeyLookup(table, fields: ["id"])
            for id in ["100", "101"] where try session.get(lookup, key: [.text(id)], row: { _ throws(StoreError) in }) {
                ids.withLock { $0 += 1 }
            }
        }
        #expect(
            try await group(store, [creation(of: "100", in: table), reading, creation(of: "101", in: table)]) == 3)
        #expect(ids.withLock { $0 } == 1)
        try store.close()
    }

    @Test("a record that is there already is not made, and the others of its group are")
    func conflicts() async throws {
        let store = try server.opened(Self.schema)
        let table = try store.table("Post")
        try await store.make("Post", [.init("id", "3")])
        let made = Mutex<[String: Bool]>([:])
        let changes = ["1", "2", "3", "4", "2"].map { id in
            creation(of: id, in: table) { _, isMade in made.withLock { $0[id] = isMade } }
        }
        try await group(store, changes)
        #expect(changes.allSatisfy { $0.kind == nil })
        #expect(made.withLock { $0 } == ["1": true, "2": false, "3": false, "4": true])
        #expect(try store.ids("Post", where: .always, of: store.readerBeside()).sorted() == ["1", "2", "3", "4"])
        try store.close()
    }

    @Test("one record that is there already costs a group some trips, and not one for each of the others")
    func conflictTrips() async throws {
        let store = try server.opened(Self.schema)
        let table = try store.table("Post")
        try await store.make("Post", [.init("id", "there")])
        let made = Mutex<[String]>([])
        for (round, ids) in [["a", "b", "c", "d"], ["e", "there", "f", "g"]].enumerated() {
            let changes = (ids + (0..<60).map { "\(round) \($0)" }).map { id in
                creation(of: id, in: table) { _, isMade in
                    if isMade { made.withLock { $0.append(id) } }
                }
            }
            let trips = try await group(store, changes)
            #expect(changes.allSatisfy { $0.kind == nil })
            #expect(trips <= (round == 0 ? 2 : 6), "round \(round): \(trips)")
            #expect(changes.allSatisfy { change in change.runs.withLock { $0 } == round + 1 })
        }
        #expect(try store.ids("Post", where: .always, of: store.readerBeside()).count == 128)
        try store.close()
    }

    @Test("a creation that the server refuses fails alone, whoever asks behind it")
    func refusedCreations() async throws {
        let store = try server.opened(Self.schema)
        let table = try store.table("Post")
        try server.run(
            """
            CREATE FUNCTION refuses() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.id = 'bad' THEN RAISE EXCEPTION 'no' USING ERRCODE = '23514'; END IF; RETURN NEW; END $$
            """)
        try server.run("CREATE TRIGGER refuses BEFORE INSERT ON \"Post\" FOR EACH ROW EXECUTE FUNCTION refuses()")
        for readsBehind in [false, true] {
            let changes = ["1", "bad", "2"].map { id in
                creation(of: id + (readsBehind && id != "bad" ? "b" : ""), in: table) { session, _ in
                    guard readsBehind else { return }
                    _ = try session.get(KeyLookup(table, fields: []), key: ["none"]) { _ throws(StoreError) in }
                }
            }
            try await group(store, changes)
            #expect(changes.map(\.kind) == [nil, .invalidValue, nil])
        }
        #expect(try store.ids("Post", where: .always, of: store.readerBeside()).sorted() == ["1", "1b", "2", "2b"])
        try store.close()
    }

    @Test("a creation hands the record over as the database has it, before the database has it")
    func foreseen() async throws {
        let store = try server.opened(Self.schema)
        let table = try store.table("Post")
        let fields = ["title", "id", "other", "rating", "likes", "open", "tags", "meta", "absent"]
        let records: [[RecordChange.Assignment]] = [
            [
                .init("id", "1"), .init("title", "e\u{301} 🌍 \"\\"), .init("rating", .real(-0.0)),
                .init("likes", .integer(.min)),
                .init("open", .integer(1)), .init("tags", .utf8(Array("[\"x\",null]".utf8))),
                .init("meta", .text("{\"a\":1}")),
            ],
            [
                .init("id", "2"), .init("title", ""), .init("rating", .null), .init("likes", .null),
                .init("open", .integer(0)),
            ],
            // A whole number in a column of others: the database says what it is there.
            [.init("id", "3"), .init("rating", .integer(7))],
        ]
        for record in records {
            let handed = Mutex<[StoredValue]>([])
            let change = Change { session in
                let creation = RecordChange.create(in: table, record, returning: fields)
                _ = try session.apply(creation) { row throws(StoreError) in
                    let values = fields.indices.map { row.value($0) }
                    handed.withLock { $0 = values }
                }
            }
            try await group(store, [change])
            let id = try #require(record.first?.value)
            var kept: [StoredValue] = []
            _ = try store.readerBeside().get(KeyLookup(table, fields: fields), key: [id]) { row throws(StoreError) in
                kept = fields.indices.map { row.value($0) }
            }
            #expect(change.kind == nil && kept.count == fields.count)
            let values = handed.withLock { $0 }
            #expect(values == kept && "\(values)" == "\(kept)")
        }
        try store.close()
    }

    @Test("a change that nobody waits for goes with the next question, and its error to whoever made it")
    func changesAhead() async throws {
        for isRepeatable in [true, false] {
            let store = try server.opened("type Post @model { id: ID! }")
            try await store.writer.write(turn: .settings, key: nil) { session in
                try session.bring(Self.notes)
                try session.change(Self.insertion, [.text("taken \(isRepeatable)")])
            }
            let counts = Mutex<[Int64]>([])
            func change(_ names: [String]) -> Change {
                Change(.settings, isRepeatable: isRepeatable) { session in
                    for name in names { try session.changeAhead(Self.insertion, [.text("\(name) \(isRepeatable)")]) }
                    try session.rows(Self.count, [.text("none")]) { row throws(StoreError) in
                        let count = row.integer(0)
                        counts.withLock { $0.append(count) }
                        return false
                    }
                    for name in names { try session.changeAhead(Self.insertion, [.text("\(name) 2 \(isRepeatable)")]) }
                }
            }
            let before = try server.number("SELECT count(*) FROM _homeport_notes")
            let good = [change(["a", "b"]), change(["c"])]
            let trips = try await group(store, good)
            // Repeatable ones share the last trip with the commit; others end with a trip of their own.
            #expect(trips == (isRepeatable ? 3 : 5))
            #expect(counts.withLock { $0 } == [before + 2, before + 5])
            let mixed = [change(["d"]), change(["e", "taken"]), change(["f"])]
            try await group(store, mixed)
            #expect(mixed.map(\.kind) == [nil, .exists, nil])
            // The first question of the last one takes nothing of the error.
            let heard = Mutex<[StoreError.Kind]>([])
            let taken = Change(.settings, isRepeatable: isRepeatable) { session in
                try session.changeAhead(Self.insertion, [.text("taken \(isRepeatable)")])
            }
            let listening = Change(.settings, isRepeatable: isRepeatable) { session in
                do throws(StoreError) {
                    try session.rows(Self.names, []) { _ throws(StoreError) in false }
                    try session.changeAhead(Self.insertion, [.text("g \(isRepeatable)")])
                    try session.changeAhead(Self.insertion, [.text("i \(isRepeatable)")])
                } catch {
                    heard.withLock { $0.append(error.kind) }
                    throw error
                }
            }
            let last = [taken, listening]
            try await group(store, last)
            #expect(last.map(\.kind) == [.exists, nil])
            // Nobody reports it to the operator as an error of the database.
            #expect(heard.withLock { $0 } == (isRepeatable ? [.overloaded] : []))
            // An error of its own drops what has not gone out.
            let own = Change(.settings, isRepeatable: isRepeatable) { session in
                try session.changeAhead(Self.insertion, [.text("dropped \(isRepeatable)")])
                throw StoreError(.unexpected, "its own")
            }
            let others = [own, change(["h"])]
            try await group(store, others)
            #expect(others.map(\.kind) == [.unexpected, nil])
            #expect(
                try server.number("SELECT count(*) FROM _homeport_notes WHERE name LIKE '%\(isRepeatable)'") == 1 + 6
                    + 4 + 2 + 2)
            #expect(try server.number("SELECT count(*) FROM _homeport_notes WHERE name LIKE 'dropped%'") == 0)
            try store.close()
        }
    }

    @Test("a text with U+0000 that goes ahead is refused, and many changes go out in between")
    func oddChangesAhead() async throws {
        let store = try server.opened("type Post @model { id: ID! }")
        try await store.writer.write(turn: .settings, key: nil) { session in try session.bring(Self.notes) }
        func change(_ name: String) -> Change {
            Change(.settings) { session in try session.changeAhead(Self.insertion, [.text(name)]) }
        }
        let changes = ["a", "b\0", "c"].map(change)
        try await group(store, changes)
        #expect(changes.map(\.kind) == [nil, .invalidValue, nil])
        let many = Change(.settings) { session in
            for number in 0..<2 * StoreLimits.statementsAheadMax + 1 {
                try session.changeAhead(Self.insertion, [.text("many \(number)")])
            }
        }
        #expect(try await group(store, [many]) == 3)
        #expect(many.kind == nil)
        #expect(
            try server.number("SELECT count(*) FROM _homeport_notes")
                == Int64(2 * StoreLimits.statementsAheadMax + 1 + 2))
        try store.close()
    }

    @Test("the same question goes out once, until something is changed, and one that was expected with the one before")
    func questions() async throws {
        let store = try server.opened("type Post @model { id: ID! }")
        try await store.writer.write(turn: .settings, key: nil) { session in try session.bring(Self.notes) }
        try await store.writer.write(turn: .settings, key: nil) { session in
            var (asked, last) = (session.tripCount, Int64(0))
            func trips() -> Int64 {
                defer { asked = session.tripCount }
                return session.tripCount - asked
            }
            func count(_ name: String) throws -> Int64 {
                try session.rows(Self.count, [.text(name)]) { row throws(StoreError) in
                    last = row.integer(0)
                    return false
                }
                return last
            }
            for _ in 0..<3 { #expect(try count("a") == 0) }
            #expect(trips() == 1)
            // Texts that look alike are two.
            #expect(try count("e\u{301}") == 0 && count("\u{e9}") == 0)
            #expect(trips() == 2)
            try session.change(Self.insertion, [.text("a")])
            #expect(try count("a") == 0 && count("b") == 1)
            #expect(trips() == 3)
            try session.changeAhead(Self.insertion, [.text("b")])
            #expect(trips() == 0)
            #expect(try count("b") == 1)
            #expect(trips() == 1)
            session.expect(Self.count, [.text("c")])
            session.expect(Self.count, [.text("d")])
            session.expect(Self.count, [.text("c")])
            #expect(try count("e") == 2 && count("c") == 2 && count("d") == 2)
            #expect(trips() == 1)
            // What was expected before a change is asked behind it.
            session.expect(Self.count, [.text("f")])
            try session.changeAhead(Self.insertion, [.text("c")])
            #expect(try count("g") == 3 && count("f") == 3)
            #expect(trips() == 2)
            // What waits is asked when it is asked for.
            session.expect(Self.count, [.text("h")])
            #expect(try count("h") == 3)
            #expect(trips() == 1)
            // Tables that were found are not looked for again.
            for _ in 0..<3 { try session.bring(Self.notes) }
            #expect(trips() == 1)
        }
        try store.close()
    }

    @Test("changes that say what they will ask share one trip, and see what those before them have changed")
    func expectations() async throws {
        let store = try server.opened("type Post @model { id: ID! }")
        try await store.writer.write(turn: .settings, key: nil) { session in try session.bring(Self.notes) }
        let named = RoomStatement("SELECT count(*) FROM _homeport_notes WHERE name = ?")
        let tables = RoomStatement("SELECT count(*) FROM _homeport_notes WHERE name LIKE ?")
        let seen = Mutex<[[Int64]]>([])
        @Sendable func count(
            _ statement: RoomStatement, _ text: String, in session: WriteSession
        ) throws(StoreError) -> Int64 {
            var count: Int64 = 0
            try session.rows(statement, [.text(text)]) { row throws(StoreError) in
                count = row.integer(0)
                return false
            }
            return count
        }
        /// Looks for its record and for something that is of no record, and makes its record where there is none.
        func change(_ name: String, isKeyed: Bool = true) -> Change {
            Change(
                .settings, of: isKeyed ? name : nil,
                expecting: { session in
                    session.expect(tables, isOfKey: false, [.text("table%")])
                    session.expect(named, [.text(name)])
                }
            ) { session in
                let counts = [
                    try count(tables, "table%", in: session), try count(named, name, in: session),
                    try count(named, name, in: session),
                ]
                seen.withLock { $0.append(counts) }
                if counts[1] == 0 { try session.changeAhead(Self.insertion, [.text(name)]) }
            }
        }
        func found(_ changes: [Change]) async throws -> (trips: Int64, seen: [[Int64]]) {
            seen.withLock { $0 = [] }
            let trips = try await group(store, changes)
            #expect(changes.allSatisfy { $0.kind == nil && $0.runs.withLock { $0 } == 1 })
            return (trips, seen.withLock { $0 })
        }
        // One trip for all that they ask, and one for the changes and the commit.
        let first = try await found((0..<40).map { change("\($0)") })
        #expect(first.trips == 2 && first.seen == Array(repeating: [0, 0, 0], count: 40))
        // The second of a record is asked for by itself, behind the change of the first.
        let twice = try await found(["a", "b", "a", "c"].map { change($0) })
        #expect(twice.trips == 3 && twice.seen == [[0, 0, 0], [0, 0, 0], [0, 1, 1], [0, 0, 0]])
        // A change without a key may change anything.
        let mixed = try await found([change("d"), change("table", isKeyed: false), change("d"), change("e")])
        #expect(mixed.seen == [[0, 0, 0], [0, 0, 0], [1, 1, 1], [1, 0, 0]])
        // So many say so at a time.
        let many = try await found((0..<StoreLimits.expectingChangesMax + 2).map { change("many \($0)") })
        #expect(many.trips == 3 && many.seen.allSatisfy { $0 == [1, 0, 0] })
        // An expectation that fails is nobody's error.
        let wrong = Change(
            .settings, of: "wrong",
            expecting: { session in session.expect(RoomStatement("SELECT 1 / length(?)"), [.text("")]) }
        ) { _ in }
        let changes = [wrong, change("f")]
        try await group(store, changes)
        #expect(changes.allSatisfy { $0.kind == nil })
        #expect(try server.number("SELECT count(*) FROM _homeport_notes WHERE name = 'f'") == 1)
        try store.close()
    }

    @Test("a body that reads in groups asks for all that it lacks in one trip, and ends as one that asks for each")
    func gathering() async throws {
        let store = try server.opened(Self.schema)
        let table = try store.table("Post")
        for id in 0..<StoreLimits.gatheredQuestionsMax + 10 {
            store.writer.submit(
                turn: .models, key: nil, isRepeatable: true,
                { session in
                    let change = RecordChange.create(
                        in: table, [.init("id", .text("\(id)")), .init("title", .text("\(id % 7)"))], returning: [])
                    _ = try session.apply(change) { _ throws(StoreError) in }
                }, answer: { _ in })
        }
        _ = try await store.writer.write(turn: .models, key: nil) { session in session.tripCount }
        let reader = try store.readerBeside()
        let lookup = KeyLookup(table, fields: ["title"])
        func body(_ limit: Int, _ reader: Reader) throws(StoreError) -> [String] {
            var (ids, titles): ([String], [String]) = ([], [])
            let query = ListQuery(table, fields: ["id"], limit: limit, semantics: .filled)
            _ = try reader.list(query) { row throws(StoreError) in ids.append(row.text(0)) }
            for id in ids + ["none"] {
                let isFound = try reader.get(lookup, key: [.text(id)]) { row throws(StoreError) in
                    titles.append(row.text(0))
                }
                if !isFound { titles.append("-") }
            }
            // A level deeper.
            for title in Set(titles).sorted() where title != "-" {
                _ = try reader.get(lookup, key: [.text("1\(title)")]) { row throws(StoreError) in
                    titles.append(row.text(0))
                }
            }
            return titles
        }
        // Of a hundred, the list has those of the deeper level too.
        for (limit, trips) in [(1, 3), (100, 2), (StoreLimits.gatheredQuestionsMax + 5, 3)] {
            try reader.beginTurn()
            let expected = try body(limit, reader)
            try reader.endTurn()
            try reader.beginTurn()
            let before = reader.connection.tripCount
            var runs = 0
            let found = try reader.gathering { reader throws(StoreError) in
                runs += 1
                return try body(limit, reader)
            }
            #expect(reader.connection.tripCount - before == trips, "\(limit)")
            #expect(found == expected && runs == trips)
            try reader.endTurn()
        }
        // One question is asked at once.
        var runs = 0
        let title = try reader.gathering { reader throws(StoreError) in
            runs += 1
            var title = ""
            _ = try reader.get(lookup, key: ["8"]) { row throws(StoreError) in title = row.text(0) }
            return title
        }
        #expect(title == "1" && runs == 1)
        try store.close()
    }

    @Test("a body whose questions fail, or never end, goes on with one question a trip")
    func failedGathering() async throws {
        let store = try server.opened(Self.schema)
        let reader = try store.readerBeside()
        func value(_ text: String, _ number: Int64, _ reader: Reader) throws(StoreError) -> Int64 {
            var value: Int64 = 0
            try reader.connection.query(SQLText(text), [.integer(number)]) { row throws(StoreError) in
                value = row.integer(0)
                return false
            }
            return value
        }
        for _ in 0..<2 {
            try reader.beginTurn()
            var runs = 0
            let failed = try reader.gathering { reader throws(StoreError) in
                runs += 1
                let first = try value("SELECT ?", 1, reader)
                let second = try value("SELECT ? + 1", 1, reader)
                do throws(StoreError) {
                    _ = try value("SELECT 1 / ?", 0, reader)
                    return [first, second]
                } catch {
                    return [first, second, -1]
                }
            }
            #expect(failed == [1, 2, -1] && runs == 2)
            try reader.connection.execute("ROLLBACK")
        }
        try reader.beginTurn()
        let before = reader.connection.tripCount
        var runs = 0
        let endless = try reader.gathering { reader throws(StoreError) in
            runs += 1
            _ = try value("SELECT ?", 0, reader)
            return try value("SELECT ? + 1", Int64(runs), reader)
        }
        #expect(runs == StoreLimits.gatheringRunsMax + 1 && endless == Int64(runs) + 1)
        #expect(reader.connection.tripCount - before == Int64(StoreLimits.gatheringRunsMax) + 3)
        try reader.endTurn()
        // What is over its time says so.
        try reader.beginTurn()
        reader.deadline = Timestamp.monotonicMilliseconds - 1
        let late = #expect(throws: StoreError.self) {
            try reader.gathering { reader throws(StoreError) in try value("SELECT ?", 1, reader) }
        }
        #expect(late?.kind == .interrupted)
        reader.deadline = .max
        try store.close()
    }

    @Test("asks an index wherever there is one, also with a plan from when the table was small")
    func plans() async throws {
        let store = try server.opened(Self.schema)
        let setting = SQLText("SELECT current_setting('enable_seqscan')")
        #expect(try store.readerBeside().connection.value(setting) == "off")
        let ofWriter = try await store.writer.write(turn: .models, key: nil) { session in
            try session.connection.value(setting)
        }
        #expect(ofWriter == "off")
        try store.close()
    }
}
