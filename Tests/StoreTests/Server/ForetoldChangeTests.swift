import Dispatch
import JSON
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import Store

@Suite(
    "Changes that are made before their turn", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence),
    .serialized)
struct ForetoldChangeTests {
    private static let schema = "type Post @model { id: ID! title: String owner: String likes: Int }"

    private let server: ServerSchema
    private let store: Store
    private let table: TableLayout

    init() throws {
        server = try ServerSchema()
        store = try server.opened(Self.schema)
        table = try store.table("Post")
    }

    /// A change of one record, and what it has found each time that it ran at its turn.
    private final class Change: Sendable {
        let record: String?
        let isForetold: Bool
        let run: @Sendable (any RecordWriting) throws -> String
        let outcomes = Mutex<[String]>([])
        let error = Mutex<(any Error)?>(nil)

        init(
            of record: String?, isForetold: Bool = true, _ run: @escaping @Sendable (any RecordWriting) throws -> String
        ) {
            (self.record, self.isForetold, self.run) = (record, isForetold, run)
        }

        var last: String? { outcomes.withLock { $0.last } }
        var runs: Int { outcomes.withLock { $0.count } }
        var kind: StoreError.Kind? { (error.withLock { $0 } as? StoreError)?.kind }

        func key(_ table: TableLayout) -> ChangeKey? {
            record.map { record in
                var key = ChangeKey(of: table)
                key.add(record.utf8)
                return key
            }
        }
    }

    /// Has changes share a transaction, and gives its trips behind that of the turn.
    @discardableResult
    private func group(_ changes: [Change], of versions: Store? = nil) async throws -> Int64 {
        let store = versions ?? store
        let table = try store.table("Post")
        let (entered, released, answered) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let begin = Mutex<Int64>(0)
        store.writer.submit(
            turn: .models, key: nil,
            { session in
                begin.withLock { $0 = session.tripCount }
                entered.signal()
                released.wait()
            }, answer: { _ in })
        try await BlockingThread.run { entered.wait() }
        for change in changes { submit(change, to: store, of: table) { answered.signal() } }
        released.signal()
        let count = changes.count
        try await BlockingThread.run { for _ in 0..<count { answered.wait() } }
        // Before them the commit of the first one and their turn, behind them one more turn.
        let end = try await store.writer.write(turn: .models, key: nil) { session in session.tripCount } - 1
        return end - begin.withLock { $0 } - 2
    }

    private func submit(
        _ change: Change, to store: Store, of table: TableLayout, answered: @escaping @Sendable () -> Void
    ) {
        var foretelling: (@Sendable (WriteSession) -> Void)?
        if change.isForetold { foretelling = { session in _ = try? change.run(session) } }
        store.writer.submit(
            turn: .models, key: change.key(table), isRepeatable: true, foretelling: foretelling,
            { session in
                do {
                    let outcome = try change.run(session)
                    change.outcomes.withLock { $0.append(outcome) }
                } catch {
                    change.outcomes.withLock { $0.append("\(error)") }
                    throw error
                }
            },
            answer: { result in
                if case .failure(let error) = result { change.error.withLock { $0 = error } }
                answered()
            })
    }

    private func update(
        _ id: String, _ title: String, if condition: Predicate = .always, returning fields: [String] = ["id", "title"],
        in session: any RecordWriting
    ) throws -> String {
        var found = "none"
        let change = RecordChange.update(
            in: table, key: [.text(id)], [.init("title", .text(title))], if: condition, returning: fields)
        let isMade = try session.apply(change) { row throws(StoreError) in
            found = fields.indices.map { row.isNull($0) ? "-" : row.text($0) }.joined(separator: " ")
        }
        return isMade ? found : "not made"
    }

    private func title(_ id: String, in session: any RecordWriting) throws -> String? {
        var title: String?
        _ = try session.get(KeyLookup(table, fields: ["title"]), key: [.text(id)]) { row throws(StoreError) in
            title = row.text(0)
        }
        return title
    }

    private func make(_ count: Int) async throws {
        for id in 0..<count {
            try await store.make("Post", [.init("id", .text("\(id)")), .init("title", .text("t\(id)"))])
        }
    }

    private func titles() throws -> [String] {
        var titles: [String] = []
        let query = ListQuery(table, fields: ["id", "title"], limit: 1_000, semantics: .filled)
        _ = try store.readerBeside().list(query) { row throws(StoreError) in
            titles.append("\(row.text(0)) \(row.text(1))")
        }
        return titles
    }

    @Test("a group of updates and deletes takes a trip for all of them, and one more where they ask first")
    func trips() async throws {
        try await make(130)
        for asks in [false, true] {
            let changes = (0..<64).map { number -> Change in
                let id = "\(number + (asks ? 64 : 0))"
                return Change(of: id) { session in
                    if asks { guard try title(id, in: session) == "t\(id)" else { return "another title" } }
                    guard number % 8 == 0 else { return try update(id, "new \(id)", in: session) }
                    var found = ""
                    let change = RecordChange.delete(from: table, key: [.text(id)], returning: ["title"])
                    let isMade = try session.apply(change) { row throws(StoreError) in found = row.text(0) }
                    return "deleted \(isMade) \(found)"
                }
            }
            // The last one is the commit's.
            #expect(try await group(changes) == (asks ? 3 : 2))
            for (number, change) in changes.enumerated() {
                let id = number + (asks ? 64 : 0)
                #expect(change.last == (number % 8 == 0 ? "deleted true t\(id)" : "\(id) new \(id)"))
                #expect(change.kind == nil && change.runs == 1)
            }
        }
        #expect(try titles().count == 130 - 16)
        #expect(try titles().filter { $0.contains("new") }.count == 112)
        try store.close()
    }

    @Test("more changes than are made at once, and those behind them of the same records, come in their order")
    func order() async throws {
        try await make(4)
        var changes = (0..<150).map { number -> Change in
            let id = "\(number % 3)"
            return Change(of: id) { session in
                let before = try title(id, in: session) ?? "none"
                return "\(before) > \(try update(id, "\(number)", in: session))"
            }
        }
        // One that is made in the group, and one that is not there.
        changes.append(
            Change(of: "new", isForetold: false) { session in
                let change = RecordChange.create(
                    in: table, [.init("id", "new"), .init("title", "first")], returning: ["id"])
                return "\(try session.apply(change) { _ throws(StoreError) in })"
            })
        changes.append(Change(of: "new") { session in try update("new", "second", in: session) })
        changes.append(Change(of: "none") { session in try update("none", "x", in: session) })
        changes.append(
            Change(of: "3") { session in
                try update("3", "y", if: .field("title", .compare(.equal, .text("other"))), in: session)
            })
        try await group(changes)
        for number in 0..<150 {
            let before = number < 3 ? "t\(number)" : "\(number - 3)"
            #expect(changes[number].last == "\(before) > \(number % 3) \(number)", "\(number)")
        }
        #expect(changes.suffix(4).map(\.last) == ["true", "new second", "not made", "not made"])
        #expect(try titles() == ["0 147", "1 148", "2 149", "3 t3", "new second"])
        try store.close()
    }

    @Test("a change that the server refuses fails alone")
    func refused() async throws {
        try await make(5)
        try server.run(
            """
            CREATE FUNCTION refuses() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.title = 'bad' THEN RAISE EXCEPTION 'no' USING ERRCODE = '23514'; END IF; RETURN NEW; END $$
            """)
        try server.run("CREATE TRIGGER refuses BEFORE UPDATE ON \"Post\" FOR EACH ROW EXECUTE FUNCTION refuses()")
        let changes = (0..<5).map { id in
            Change(of: "\(id)") { session in try update("\(id)", id == 2 ? "bad" : "good", in: session) }
        }
        try await group(changes)
        #expect(changes.map(\.kind) == [nil, nil, .invalidValue, nil, nil])
        #expect(try titles() == ["0 good", "1 good", "2 t2", "3 good", "4 good"])
        try store.close()
    }

    @Test("of a change that does something else at its turn, or fails behind its change, nothing stays")
    func others() async throws {
        try await make(6)
        let seen = Mutex(0)
        let changes = [
            Change(of: "0") { session in try update("0", "good", in: session) },
            Change(of: "1") { session in
                // It changes its mind once.
                let number = seen.withLock { seen in
                    seen += 1
                    return seen
                }
                return number == 1 ? try update("1", "foretold", in: session) : "nothing"
            },
            Change(of: "2") { session in try update("2", "good", in: session) },
        ]
        try await group(changes)
        #expect(changes.map(\.last) == ["0 good", "nothing", "2 good"])
        #expect(changes.map(\.kind) == [nil, nil, nil])
        #expect(try titles().prefix(3) == ["0 good", "1 t1", "2 good"])
        struct Own: Error {}
        let failing = [
            Change(of: "3") { session in try update("3", "good", in: session) },
            Change(of: "4") { session in
                _ = try update("4", "bad", in: session)
                throw Own()
            },
            Change(of: "5") { session in try update("5", "good", in: session) },
        ]
        try await group(failing)
        #expect(failing[1].error.withLock { $0 } is Own)
        #expect(try titles().suffix(3) == ["3 good", "4 t4", "5 good"])
        try store.close()
    }

    @Test("none is where a change of the group may be of any record")
    func keyless() async throws {
        try await make(3)
        let foretold = Mutex(0)
        let changes = [
            Change(of: "0") { session in
                foretold.withLock { $0 += 1 }
                return try update("0", "a", in: session)
            },
            Change(of: nil, isForetold: false) { session in try update("1", "b", in: session) },
            Change(of: "1") { session in "\(try title("1", in: session) ?? "") \(try update("1", "c", in: session))" },
        ]
        try await group(changes)
        #expect(foretold.withLock { $0 } == 1)
        #expect(changes.map(\.last) == ["0 a", "1 b", "b 1 c"])
        try store.close()
    }

    @Test("a connection that ends before the changes, or behind them, has them made once")
    func lost() async throws {
        try await make(4)
        try server.run("CREATE SEQUENCE times")
        try server.run(
            """
            CREATE FUNCTION ends() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.id = '2' AND nextval('\(server.name).times') = 1 THEN
            PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); END IF; RETURN NEW; END $$
            """)
        try server.run("CREATE TRIGGER ends BEFORE UPDATE ON \"Post\" FOR EACH ROW EXECUTE FUNCTION ends()")
        let changes = (0..<4).map { id in
            Change(of: "\(id)") { session in
                let before = try title("\(id)", in: session) ?? "none"
                return try update("\(id)", "\(before)+", in: session)
            }
        }
        try await group(changes)
        #expect(changes.map(\.kind) == [nil, nil, nil, nil])
        #expect(try titles() == ["0 t0+", "1 t1+", "2 t2+", "3 t3+"])
        try store.close()
    }

    // MARK: Versions

    /// A store of records that have versions, beside the one without.
    private func versions() throws -> (store: Store, log: ChangeLog) {
        try store.close()
        let store = try ServerSchema().opened(
            "type Post @model @searchable { id: ID! title: String owner: String likes: Int }", synced: true)
        return (store, try #require(try ChangeLog(of: store.table("Post"))))
    }

    /// A change of a record with a version, and what it has found.
    private func versioned(
        _ change: RecordChange, _ version: Int64, in log: ChangeLog, at clock: ChangeClock,
        isForetold: Bool = true
    ) -> Change {
        let record = change.key.first ?? change.assignments.first?.value
        guard case .text(let id)? = record else { return Change(of: nil) { _ in "no id" } }
        return Change(of: id, isForetold: isForetold && change.action != .create) { session in
            var found = ""
            let outcome = try session.apply(VersionedChange(change, in: log, of: version), at: clock) {
                row throws(StoreError) in
                found = " \(row.isNull(0) ? "-" : row.text(0)) \(row.integer(1)) \(row.boolean(2))"
            }
            return "\(outcome)\(found)"
        }
    }

    private static let shown = ["title", "_version", "_deleted"]

    @Test(
        "records with versions: creations take one trip, changes one more for what is stored, and the log has all of them in order"
    )
    func versionedTrips() async throws {
        let (store, log) = try versions()
        let (table, clock) = (log.table, store.changeClock)
        let creations = (0..<30).map { id in
            versioned(
                .create(
                    in: table, [.init("id", .text("\(id)")), .init("title", .text("t\(id)"))], returning: Self.shown),
                0, in: log, at: clock)
        }
        #expect(try await group(creations, of: store) == 1)
        for (id, change) in creations.enumerated() {
            #expect(change.last == "made t\(id) 1 false" && change.kind == nil && change.runs == 1)
        }
        let changes = (0..<30).map { id in
            let key: [StoredValue] = [.text("\(id)")]
            guard id % 8 == 0 else {
                return versioned(
                    .update(in: table, key: key, [.init("title", .text("n\(id)"))], returning: Self.shown), 1,
                    in: log, at: clock)
            }
            return versioned(.delete(from: table, key: key, returning: Self.shown), 1, in: log, at: clock)
        }
        // What is stored, the changes, and the commit with the log.
        let trips = try await group(changes, of: store)
        #expect(trips == 3)
        for (id, change) in changes.enumerated() {
            #expect(change.last == (id % 8 == 0 ? "made t\(id) 2 true" : "made n\(id) 2 false"))
            #expect(change.kind == nil && change.runs == 1)
        }
        let query = ListQuery(log.images, fields: ["id", "title", "_version"], limit: 1_000, semantics: .filled)
        let images = try store.values(query, of: store.readerBeside()).rows
        #expect(images.prefix(30) == (0..<30).map { [.text("\($0)"), .text("t\($0)"), .integer(1)] }[...])
        #expect(
            images.dropFirst(30)
                == (0..<30).map { [.text("\($0)"), .text($0 % 8 == 0 ? "t\($0)" : "n\($0)"), .integer(2)] }[...])
        let stamps = try store.rows("Post", ["_lastChangedAt"])
        #expect(Set(stamps.suffix(30).map { "\($0)" }).count == 1)
        try store.close()
    }

    @Test(
        "records with versions: what is stale, missing, there already or changed twice in a group has its own outcome")
    func versionedOutcomes() async throws {
        let (store, log) = try versions()
        let (table, clock) = (log.table, store.changeClock)
        func creation(_ id: String) -> Change {
            versioned(
                .create(in: table, [.init("id", .text(id)), .init("title", "t")], returning: Self.shown), 0, in: log,
                at: clock)
        }
        func update(_ id: String, _ title: String, of version: Int64, if condition: Predicate = .always) -> Change {
            versioned(
                .update(
                    in: table, key: [.text(id)], [.init("title", .text(title))], if: condition, returning: Self.shown),
                version, in: log, at: clock)
        }
        try await group(["1", "2", "3"].map(creation), of: store)
        let changes = [
            update("1", "a", of: 1), update("1", "b", of: 2), update("1", "c", of: 2), update("none", "x", of: 1),
            creation("2"), update("2", "y", of: 7), creation("4"), update("4", "z", of: 1),
            update("3", "w", of: 1, if: .field("title", .compare(.equal, .text("other")))),
        ]
        try await group(changes, of: store)
        #expect(
            changes.map(\.last) == [
                "made a 2 false", "made b 3 false", "stale(version: 3, isDeleted: false)", "missing", "refused",
                "stale(version: 1, isDeleted: false)", "made t 1 false", "made z 2 false", "refused",
            ])
        #expect(changes.allSatisfy { $0.kind == nil })
        #expect(
            try store.rows("Post", ["id", "title", "_version"]) == [
                ["1", "b", .integer(3)], ["2", "t", .integer(1)], ["3", "t", .integer(1)], ["4", "z", .integer(2)],
            ])
        let query = ListQuery(log.images, fields: ["id", "title"], limit: 1_000, semantics: .filled)
        #expect(
            try store.values(query, of: store.readerBeside()).rows == [
                ["1", "t"], ["2", "t"], ["3", "t"], ["1", "a"], ["1", "b"], ["4", "t"], ["4", "z"],
            ])
        try store.close()
    }
}
