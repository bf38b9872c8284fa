import Blueprint
import Dispatch
import JSON
import Synchronization
import TestSupport
import Testing

@testable import Store

@Suite("The writer")
struct WriterTests {
    static let schema = "type Post @model { id: ID! title: String! }"

    struct Refusal: Error {}

    /// Holds the writer until it is let go, so that what is submitted meanwhile shares a commit.
    private final class Gate: Sendable {
        private let entered = DispatchSemaphore(value: 0)
        private let released = DispatchSemaphore(value: 0)

        func hold(_ store: Store) {
            store.writer.submit(
                turn: .all, key: nil,
                { [entered, released] _ in
                    entered.signal()
                    released.wait()
                }
            ) { _ in }
            entered.wait()
        }

        func open() { released.signal() }
    }

    /// Submits changes while the writer is held, and answers with their outcomes in the order of the answers.
    private func outcomes(
        _ store: Store, areRepeatable: Bool = false, _ changes: [@Sendable (WriteSession) throws -> Void]
    ) throws -> [(number: Int, error: (any Error)?)] {
        let gate = Gate()
        gate.hold(store)
        let done = DispatchSemaphore(value: 0)
        let answers = Mutex<[(Int, (any Error)?)]>([])
        for (number, change) in changes.enumerated() {
            store.writer.submit(turn: .all, key: nil, isRepeatable: areRepeatable, change) { result in
                answers.withLock { answers in
                    if case .failure(let error) = result {
                        answers.append((number, error))
                    } else {
                        answers.append((number, nil))
                    }
                }
                done.signal()
            }
        }
        gate.open()
        for _ in changes { done.wait() }
        return answers.withLock { $0.map { ($0.0, $0.1) } }
    }

    private func creation(_ id: String, title: String = "t", in store: Store) throws
        -> @Sendable (WriteSession) throws -> Void
    {
        let change = RecordChange.create(
            in: try store.table("Post"), [.init("id", .text(id)), .init("title", .text(title))], returning: [])
        return { session throws(StoreError) in _ = try session.apply(change) { _ throws(StoreError) in } }
    }

    @Test("undoes what fails, keeps the rest of the group, and answers in order", arguments: [false, true])
    func savepoints(areRepeatable: Bool) throws {
        let store = try Store.opened(Self.schema)
        let first = try creation("1", in: store)
        let second = try creation("2", in: store)
        let third = try creation("3", in: store)
        let outcomes = try outcomes(
            store, areRepeatable: areRepeatable,
            [
                first,
                { session in
                    try second(session)
                    throw Refusal()
                },
                third,
            ])
        #expect(outcomes.map(\.number) == [0, 1, 2])
        #expect(outcomes.map { $0.error == nil } == [true, false, true])
        #expect(outcomes[1].error is Refusal)
        #expect(try store.ids("Post", where: .always) == ["1", "3"])
        try store.close()
    }

    @Test("runs a group of repeatable mutations once when one of them fails without a change, twice otherwise")
    func repetition() throws {
        let store = try Store.opened(Self.schema)
        let runs = Mutex(0)
        let counted: @Sendable (WriteSession) throws -> Void = { _ in runs.withLock { $0 += 1 } }
        _ = try outcomes(store, areRepeatable: true, [counted, { _ in throw Refusal() }])
        #expect(runs.withLock { $0 } == 1)
        let creation = try creation("1", in: store)
        let failing: @Sendable (WriteSession) throws -> Void = { session in
            try creation(session)
            throw Refusal()
        }
        let outcomes = try outcomes(store, areRepeatable: true, [counted, failing, counted])
        #expect(outcomes.map { $0.error == nil } == [true, false, true])
        #expect(runs.withLock { $0 } == 4)
        #expect(try store.ids("Post", where: .always) == [])
        try store.close()
    }

    static let endless = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n)"

    @Test(
        "a mutation beyond its deadline fails alone, whether it reads or writes, and runs once",
        arguments: [
            ("SELECT \(endless)", true), ("SELECT \(endless)", false), ("UPDATE \"Post\" SET title = \(endless)", true),
        ])
    func deadline(sql: String, areRepeatable: Bool) throws {
        let store = try Store.opened(Self.schema)
        let slow = try creation("2", in: store)
        let runs = Mutex(0)
        let outcomes = try outcomes(
            store, areRepeatable: areRepeatable,
            [
                try creation("1", in: store),
                { session in
                    runs.withLock { $0 += 1 }
                    session.deadline = Timestamp.monotonicMilliseconds + 20
                    defer { session.deadline = .max }
                    try slow(session)
                    try session.run(SQLText(sql))
                },
                try creation("3", in: store),
            ])
        #expect(outcomes.map { $0.error == nil } == [true, false, true])
        #expect((outcomes[1].error as? StoreError)?.kind == .interrupted)
        #expect(runs.withLock { $0 } == 1)
        #expect(try store.ids("Post", where: .always) == ["1", "3"])
        try store.close()
    }

    @Test(
        "a change beyond its deadline takes those before it along when they cannot be made again, and nothing is left")
    func deadlineWithoutRepetition() throws {
        let store = try Store.opened(Self.schema)
        let outcomes = try outcomes(
            store,
            [
                try creation("1", in: store),
                { session in
                    session.deadline = Timestamp.monotonicMilliseconds + 20
                    defer { session.deadline = .max }
                    try session.run(SQLText("UPDATE \"Post\" SET title = \(Self.endless)"))
                },
                try creation("3", in: store),
            ])
        #expect(outcomes.map { ($0.error as? StoreError)?.kind } == [.interrupted, .interrupted, nil])
        #expect(try store.ids("Post", where: .always) == ["3"])
        try store.close()
    }

    @Test(
        "what is called after each group is called at the same depth of the stack, however many groups there have been")
    func groupEndStaysFlat() async throws {
        let store = try Store.opened(Self.schema)
        let places = Mutex<[Int]>([])
        store.writer.afterEachGroup {
            var here: UInt8 = 0
            withUnsafeMutablePointer(to: &here) { place in places.withLock { $0.append(Int(bitPattern: place)) } }
        }
        for number in 0..<500 {
            let change = try creation("\(number)", in: store)
            try await store.writer.write(turn: .all, key: nil) { session in try change(session) }
        }
        try store.close()
        let all = places.withLock { $0 }
        #expect(all.count >= 499)
        let (least, most) = (all.min() ?? 0, all.max() ?? 0)
        #expect(most - least < 4096, "from \(all.first ?? 0) to \(all.last ?? 0)")
    }

    @Test("takes no more than its limit, and says so")
    func overload() throws {
        let queue = MutationQueue(capacity: 2)
        let mutation = Mutation(change: { _ in }, turn: .all, key: nil, isRepeatable: false, answer: { _ in })
        #expect(queue.append(mutation) == nil)
        #expect(queue.append(mutation) == nil)
        #expect(queue.append(mutation)?.kind == .overloaded)
        #expect(queue.take(max: 1)?.count == 1)
        queue.close(StoreError(.stopped, "over"))
        // The first reason stays.
        queue.close(StoreError(.inputOutput, "later"))
        #expect(queue.append(mutation)?.kind == .stopped)
        #expect(queue.take(max: 5)?.count == 1)
        #expect(queue.take(max: 5) == nil)
    }

    @Test(
        "answers with an error when the disk is full, keeps what it acknowledged, and goes on when there is room",
        arguments: [false, true])
    func diskFull(areRepeatable: Bool) async throws {
        let store = try Store.opened(Self.schema)
        try await store.create("Post", ["id": "0", "title": "kept"])
        _ = try await store.writer.write(turn: .all, key: nil) { session in
            let pages = try session.connection.value(SQLText("PRAGMA page_count"))
            guard case .integer(let count)? = pages else { return }
            _ = try session.connection.value(SQLText("PRAGMA max_page_count = \(count)"))
        }
        let long = String(repeating: "x", count: 100_000)
        let changes = [
            try creation("1", in: store), try creation("2", title: long, in: store), try creation("3", in: store),
        ]
        let outcomes = try outcomes(store, areRepeatable: areRepeatable, changes)
        #expect(outcomes.count == 3)
        #expect((outcomes.first { $0.number == 1 }?.error as? StoreError)?.kind == .diskFull)
        let acknowledged = outcomes.filter { $0.error == nil }.map { "\($0.number + 1)" }
        #expect(Set(try store.ids("Post", where: .always)) == Set(["0"] + acknowledged))
        _ = try await store.writer.write(turn: .all, key: nil) { session in
            _ = try session.connection.value(SQLText("PRAGMA max_page_count = 100000"))
        }
        #expect(try await store.create("Post", ["id": "2", "title": .text(long)]))
        try store.close()
    }

    @Test("stops for good after a fatal error, tells it once, and acknowledges nothing of that group")
    func failStop() async throws {
        let failures = Mutex<[StoreError]>([])
        let store = try Store(.memory, for: try blueprint(Self.schema), nowMilliseconds: 0) { error in
            failures.withLock { $0.append(error) }
        }
        try await store.create("Post", ["id": "0", "title": "kept"])
        let damage = StoreError(.inputOutput, "the disk is gone")
        let outcomes = try outcomes(
            store,
            [
                try creation("1", in: store),
                { session in
                    // Even a mutation that keeps it to itself.
                    try? session.noting { () throws(StoreError) in throw damage }
                },
                try creation("2", in: store),
            ])
        #expect(outcomes.compactMap { ($0.error as? StoreError)?.kind } == [.inputOutput, .inputOutput, .inputOutput])
        await #expect { try await store.create("Post", ["id": "3", "title": "x"]) } throws: { error in
            (error as? StoreError)?.kind == .stopped
        }
        #expect(try store.ids("Post", where: .always) == ["0"])
        #expect(throws: StoreError.self) { try store.close() }
        #expect(failures.withLock { $0 } == [damage])
    }

    @Test("flushes before it acknowledges, and never again after a flush that failed")
    func failedFlush() async throws {
        #expect(FailingFileSystem.isRegistered)
        let folder = TestFolder()
        try Store.opened(Self.schema, at: .file(folder.database)).close()
        let layout = DatabaseLayout(of: try blueprint(Self.schema))
        let table = try #require(layout.table(storing: "Post"))
        let failures = Mutex<[StoreError]>([])
        let connection = try Connection.open(
            path: folder.database, mode: .writer, fileSystem: FailingFileSystem.name)
        let writer = try Writer(connection) { error in failures.withLock { $0.append(error) } }
        @Sendable func create(_ id: String) async throws {
            let change = RecordChange.create(in: table, [.init("id", .text(id))], returning: [])
            _ = try await writer.write(turn: .all, key: nil) { session throws(StoreError) in
                try session.apply(change) { _ throws(StoreError) in }
            }
        }

        let before = FailingFileSystem.flushCount.load(ordering: .relaxed)
        try await create("kept")
        let after = FailingFileSystem.flushCount.load(ordering: .relaxed)
        #expect(after > before)

        FailingFileSystem.isFailing.store(true, ordering: .relaxed)
        await #expect { try await create("lost") } throws: { ($0 as? StoreError)?.kind == .inputOutput }
        let failed = FailingFileSystem.flushCount.load(ordering: .relaxed)
        FailingFileSystem.isFailing.store(false, ordering: .relaxed)
        await #expect { try await create("late") } throws: { ($0 as? StoreError)?.kind == .stopped }
        #expect(throws: StoreError.self) { try writer.close() }
        #expect(FailingFileSystem.flushCount.load(ordering: .relaxed) == failed)
        #expect(failures.withLock { $0.map(\.kind) } == [.inputOutput])

        let store = try Store.opened(Self.schema, at: .file(folder.database))
        let ids = try store.ids("Post", where: .always)
        #expect(ids.contains("kept") && !ids.contains("late"))
        try store.close()
    }

    @Test("numbers records behind the largest number, and has none behind the largest there is")
    func numbers() async throws {
        let store = try Store.opened("type Item @model { id: ID! place: Int }")
        let table = try store.table("Item")
        for (place, next) in [(nil, 1), (5, 6), (3, 6), (-9, 6), (Int64.max - 1, .max), (.max, nil)]
            as [(Int64?, Int64?)]
        {
            if let place { try await store.create("Item", ["id": .text("\(place)"), "place": .integer(place)]) }
            let found = try await store.writer.write(turn: .all, key: nil) { session in
                try session.nextInteger(of: "place", in: table)
            }
            #expect(found == next)
        }
        try store.close()
    }

    @Test("takes back a group whose commit fails, acknowledges nothing of it, and goes on", arguments: [false, true])
    func failedCommit(areRepeatable: Bool) async throws {
        let folder = TestFolder()
        let connection = try Connection.open(path: folder.database, mode: .writer)
        // A promise that is looked at when the transaction ends.
        try connection.execute("PRAGMA foreign_keys = 1")
        try connection.execute("CREATE TABLE _homeport_settings (name TEXT PRIMARY KEY, value ANY)")
        try connection.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
        try connection.execute(
            "CREATE TABLE child (id INTEGER PRIMARY KEY, p INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)")
        let writer = try Writer(connection) { Issue.record("\($0)") }
        let reader = try Connection.open(path: folder.database, mode: .reader)
        func submit(_ texts: [String]) async -> [Bool] {
            let entered = DispatchSemaphore(value: 0)
            let released = DispatchSemaphore(value: 0)
            writer.submit(
                turn: .all, key: nil,
                { _ in
                    entered.signal()
                    released.wait()
                }
            ) { _ in }
            entered.wait()
            let successes = Mutex<[Bool]>([])
            let done = DispatchSemaphore(value: 0)
            for text in texts {
                writer.submit(
                    turn: .all, key: nil, isRepeatable: areRepeatable,
                    { session in try session.connection.execute(text) }
                ) {
                    result in
                    successes.withLock { $0.append((try? result.get()) != nil) }
                    done.signal()
                }
            }
            released.signal()
            for _ in texts { done.wait() }
            return successes.withLock { $0 }
        }
        for number in 1...3 {
            let broken = ["INSERT INTO parent VALUES (\(number + 100))", "INSERT INTO child VALUES (\(number), 1000)"]
            #expect(await submit(broken) == [false, false])
            #expect(await submit(["INSERT INTO parent VALUES (\(number))"]) == [true])
            #expect(try reader.value(SQLText("SELECT count(*) FROM parent")) == .integer(Int64(number)))
            #expect(try reader.value(SQLText("SELECT count(*) FROM child")) == .integer(0))
        }
        try writer.close()
    }

    @Test("says who holds the file when another process does")
    func locked() async throws {
        let folder = TestFolder()
        let store = try Store.opened(Self.schema, at: .file(folder.database))
        do {
            let other = try Connection.open(path: folder.database, mode: .writer)
            try other.execute("BEGIN IMMEDIATE")
            await #expect { try await store.create("Post", ["id": "1", "title": "x"]) } throws: { error in
                (error as? StoreError)?.kind == .locked
            }
            #expect(try store.ids("Post", where: .always).isEmpty)
            try other.execute("ROLLBACK")
        }
        #expect(try await store.create("Post", ["id": "1", "title": "x"]))
        try store.close()
    }

    @Test("says that the file is open from the first commit until the close")
    func mark() async throws {
        let folder = TestFolder()
        let store = try Store.opened(Self.schema, at: .file(folder.database))
        let reader = try Connection.open(path: folder.database, mode: .reader)
        #expect(try SettingsTable.value(.isOpen, in: reader) == nil)
        try await store.create("Post", ["id": "1", "title": "x"])
        #expect(try SettingsTable.value(.isOpen, in: reader) == .integer(1))
        try store.close()
        #expect(try SettingsTable.value(.isOpen, in: reader) == .integer(0))
    }

    @Test("copies the log into the file before it grows without bound")
    func checkpoint() async throws {
        let folder = TestFolder()
        let store = try Store.opened(Self.schema, at: .file(folder.database))
        let text = String(repeating: "x", count: 1 << 20)
        for number in 0..<24 { try await store.create("Post", ["id": .text("\(number)"), "title": .text(text)]) }
        let log = try TestFile.size(of: folder.database + "-wal")
        #expect(log < 12 << 20)
        try store.close()
        let file = try TestFile.size(of: folder.database)
        #expect(file > 24 << 20)
    }
}

@Suite("A database that cannot be used")
struct DamageTests {
    @Test("is refused when it is no database")
    func notADatabase() throws {
        let folder = TestFolder()
        try TestFile.write(65, count: 10_000, to: folder.database)
        #expect { _ = try Store.opened(WriterTests.schema, at: .file(folder.database)) } throws: { error in
            guard let error = error as? StoreError else { return false }
            return error.kind == .corrupt && error.message.contains("Restore a backup")
        }
    }

    @Test("is checked, and refused when damaged, after it was not closed")
    func damaged() async throws {
        let folder = TestFolder()
        let store = try Store.opened(WriterTests.schema, at: .file(folder.database))
        for number in 0..<500 {
            try await store.create(
                "Post", ["id": .text("\(number)"), "title": .text(String(repeating: "t", count: 200))])
        }
        try store.close()
        do {
            let connection = try Connection.open(path: folder.database, mode: .writer)
            try SettingsTable.set(.isOpen, to: .integer(1), in: connection)
            try WriteSession(connection, layout: DatabaseLayout(tables: [])).checkpoint(3)
        }
        // The mark goes with the close, even when nothing was written.
        let unclean = try Store.opened(WriterTests.schema, at: .file(folder.database))
        #expect(unclean.wasUnclean)
        try unclean.close()
        let clean = try Store.opened(WriterTests.schema, at: .file(folder.database))
        #expect(!clean.wasUnclean)
        try clean.close()
        do {
            let connection = try Connection.open(path: folder.database, mode: .writer)
            try SettingsTable.set(.isOpen, to: .integer(1), in: connection)
            try WriteSession(connection, layout: DatabaseLayout(tables: [])).checkpoint(3)
        }
        try TestFile.damage(folder.database)
        #expect { _ = try Store.opened(WriterTests.schema, at: .file(folder.database)) } throws: { error in
            (error as? StoreError)?.kind == .corrupt
        }
    }

    @Test("is refused when its folder is not there")
    func noFolder() throws {
        let folder = TestFolder()
        #expect { _ = try Store.opened(WriterTests.schema, at: .file(folder.path + "/none/data.sqlite")) } throws: {
            error in
            (error as? StoreError)?.kind == .cannotOpen
        }
    }

    @Test("answers reads, and mutations with an error, when it cannot be written")
    func readOnly() async throws {
        let store = try Store.opened(WriterTests.schema)
        try await store.create("Post", ["id": "1", "title": "x"])
        _ = try await store.writer.write(turn: .all, key: nil) { session in
            try session.connection.execute("PRAGMA query_only = 1")
        }
        await #expect { try await store.create("Post", ["id": "2", "title": "x"]) } throws: { error in
            guard let error = error as? StoreError else { return false }
            return error.kind == .readOnly && error.message.contains("Allow this user to write")
        }
        #expect(try store.ids("Post", where: .always) == ["1"])
        #expect(throws: StoreError.self) { try store.close() }
    }

    @Test(
        "keeps what it has when permissions are taken away",
        .enabled(if: !TestFile.isSuperuser, "the superuser writes everywhere"))
    func forbidden() async throws {
        let folder = TestFolder()
        let first = try Store.opened(WriterTests.schema, at: .file(folder.database))
        try await first.create("Post", ["id": "1", "title": "x"])
        try first.close()
        try TestFile.forbidWriting(folder.database)
        do {
            let store = try Store.opened(WriterTests.schema, at: .file(folder.database))
            #expect(try store.ids("Post", where: .always) == ["1"])
            await #expect { try await store.create("Post", ["id": "2", "title": "x"]) } throws: { error in
                (error as? StoreError)?.kind == .readOnly
            }
        } catch let error as StoreError {
            #expect([.readOnly, .cannotOpen].contains(error.kind))
        }
    }

    static let kinds: [(Int, StoreError.Kind)] = [
        (8, .readOnly), (13, .diskFull), (10, .inputOutput), (10 | 4 << 8, .inputOutput), (11, .corrupt),
        (26, .corrupt), (5, .locked), (14, .cannotOpen), (9, .interrupted), (18, .tooLarge), (1, .unexpected),
        (19 | 5 << 8, .invalidValue), (20, .invalidValue), (19 | 6 << 8, .exists),
    ]

    @Test("is named by what it needs, for every class of error", arguments: kinds)
    func kind(_ code: Int, _ kind: StoreError.Kind) {
        let error = StoreError(code: Int32(code), detail: "x", path: "data.sqlite")
        #expect(error.kind == kind)
        #expect(error.isFatal == (kind == .inputOutput || kind == .corrupt))
        #expect(error.message.contains("data.sqlite"))
    }
}
