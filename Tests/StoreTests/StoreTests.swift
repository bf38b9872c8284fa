// What the tests of this room share: blueprints, folders that go away, and short ways to write and read.

import Blueprint
import JSON
import TestSupport
import Testing

@testable import Store

/// The blueprint of a schema.
func blueprint(_ schema: String, synced: Bool = false) throws -> Blueprint {
    var settings = Settings()
    if synced { settings.conflictStrategy = .automerge }
    let reading = SDLReader.read(schema, settings: settings)
    return try #require(reading.blueprint, "\(reading.diagnostics)")
}

extension Store {
    /// A store whose failure is a defect of the test.
    static func opened(
        _ schema: String, at location: Location = .memory, synced: Bool = false, forcing: Set<ByteText> = []
    ) throws -> Store {
        try Store(location, for: try blueprint(schema, synced: synced), forcing: forcing, nowMilliseconds: 1_000) {
            Issue.record("the writer stopped: \($0)")
        }
    }

    func table(_ model: String) throws -> TableLayout {
        try #require(layout.table(storing: model))
    }

    /// Creates a record and says whether it was made.
    @discardableResult
    func create(
        _ model: String, _ values: KeyValuePairs<String, StoredValue>, if condition: Predicate = .always
    ) async throws -> Bool {
        let change = RecordChange.create(
            in: try table(model), values.map { .init($0.key, $0.value) }, if: condition, returning: [])
        return try await writer.write(turn: .all, key: nil) { session throws(StoreError) in
            try session.apply(change) { _ throws(StoreError) in }
        }
    }

    @discardableResult
    func update(
        _ model: String, key: [StoredValue], _ values: KeyValuePairs<String, StoredValue>,
        if condition: Predicate = .always
    ) async throws -> Bool {
        let change = RecordChange.update(
            in: try table(model), key: key, values.map { .init($0.key, $0.value) }, if: condition, returning: [])
        return try await writer.write(turn: .all, key: nil) { session throws(StoreError) in
            try session.apply(change) { _ throws(StoreError) in }
        }
    }

    /// The values of a page.
    func values(_ query: ListQuery, of reader: Reader? = nil) throws -> (
        rows: [[StoredValue]], next: ListQuery.Position?
    ) {
        var rows: [[StoredValue]] = []
        let page = try (reader ?? self.reader()).list(query) { row throws(StoreError) in
            var values: [StoredValue] = []
            for column in query.fields.indices { values.append(row.value(column)) }
            rows.append(values)
        }
        #expect(page.matchCount == rows.count)
        return (rows, page.next)
    }

    /// The ids of all records that match.
    func ids(_ model: String, where filter: Predicate) throws -> [String] {
        let query = ListQuery(
            try table(model), fields: ["id"], filter: filter, limit: 1_000, semantics: .filled)
        return try values(query).rows.map { row in
            if case .text(let id) = row[0] { id } else { "?" }
        }
    }
}

@Suite("A store")
struct StoreTests {
    static let schema = """
        type Post @model { id: ID! title: String! rating: Float likes: Int open: Boolean tags: [String] meta: AWSJSON }
        """

    @Test("keeps what was written, with every kind of value, when it is opened again")
    func keeps() async throws {
        let folder = TestFolder()
        let values: [StoredValue] = [
            .text("1"), .text("a \"b\" \u{0} 🌍"), .real(1.5), .integer(-3), .integer(1), .utf8(Array("[\"x\"]".utf8)),
            .utf8(Array("{\"a\":1}".utf8)),
        ]
        let fields = ["id", "title", "rating", "likes", "open", "tags", "meta"]
        let first = try Store.opened(Self.schema, at: .file(folder.database))
        let assignments = zip(fields, values).map { RecordChange.Assignment($0, $1) }
        let change = RecordChange.create(in: try first.table("Post"), assignments, returning: [])
        _ = try await first.writer.write(turn: .all, key: nil) { session throws(StoreError) in
            try session.apply(change) { _ throws(StoreError) in }
        }
        try first.close()

        let second = try Store.opened(Self.schema, at: .file(folder.database))
        #expect(!second.wasUnclean)
        let reader = try second.reader()
        var found: [StoredValue] = []
        let isFound = try reader.get(KeyLookup(second.table("Post"), fields: fields), key: [.text("1")]) {
            row throws(StoreError) in
            for column in fields.indices { found.append(row.value(column)) }
        }
        #expect(isFound)
        let expected = values.map { value in
            if case .utf8(let bytes) = value { StoredValue.text(String(decoding: bytes, as: UTF8.self)) } else { value }
        }
        #expect(found == expected)
        try second.close()
    }

    @Test("can be opened while the schema is read, and what is not wanted in the end is closed")
    func opening() async throws {
        let folder = TestFolder()
        let location = Store.Location.file(folder.database)
        let blueprint = try blueprint(Self.schema)
        // There is no file yet, and a schema that is refused leaves none behind.
        StoreOpening(location).cancel()
        #expect(!TestFile.exists(folder.database))
        for number in 1...3 {
            let opening = StoreOpening(location)
            let store = try opening.store(for: blueprint, nowMilliseconds: 0) { Issue.record("stopped: \($0)") }
            #expect(!store.wasUnclean)
            try await store.create("Post", ["id": .text("\(number)"), "title": "t"])
            try store.close()
        }
        StoreOpening(location).cancel()
        let opening = StoreOpening(.memory)
        let memory = try opening.store(for: blueprint, nowMilliseconds: 0) { _ in }
        try memory.close()
        try TestFile.write(0x41, count: 8192, to: folder.database)
        #expect(throws: StoreError.self) {
            try StoreOpening(location).store(for: blueprint, nowMilliseconds: 0) { _ in }
        }
    }

    @Test("works out its tables meanwhile, and is the same as without")
    func expecting() async throws {
        let folder = TestFolder()
        let location = Store.Location.file(folder.database)
        let schema = "type Post @model { id: ID! title: String }"
        let changed = "type Post @model { id: ID! title: String text: String }"
        // The file is made, is found as it is, is changed, and is found as it is again.
        for (number, schema) in [schema, schema, changed, changed].enumerated() {
            let blueprint = try blueprint(schema)
            let opening = StoreOpening(location)
            opening.expect(blueprint)
            let store = try opening.store(for: blueprint, nowMilliseconds: 0) { Issue.record("stopped: \($0)") }
            #expect(!store.wasUnclean)
            try await store.create("Post", ["id": .text("\(number)"), "title": "t"])
            let table = try store.table("Post")
            #expect((table.column(of: "text") != nil) == (number > 1))
            let query = ListQuery(table, fields: ["id"], limit: 10)
            #expect(try store.values(query, of: store.reader()).rows.count == number + 1)
            try store.close()
            #expect(folder.names == ["data.sqlite"])
        }
        // Nobody wants it in the end, or nobody reads it.
        let refused = StoreOpening(location)
        refused.expect(try blueprint(changed))
        refused.cancel()
        let unread = StoreOpening(location)
        unread.expect(try blueprint(changed))
        try unread.store(for: blueprint(changed), nowMilliseconds: 0) { _ in }.close()
        #expect(folder.names == ["data.sqlite"])
        try TestFile.write(0x41, count: 8192, to: folder.database)
        let damaged = StoreOpening(location)
        damaged.expect(try blueprint(changed))
        #expect(throws: StoreError.self) { try damaged.store(for: blueprint(changed), nowMilliseconds: 0) { _ in } }
    }

    @Test("makes a record once, changes it only where it is, and takes it away once")
    func changes() async throws {
        let store = try Store.opened(Self.schema)
        #expect(try await store.create("Post", ["id": "1", "title": "a"]))
        #expect(try await !store.create("Post", ["id": "1", "title": "b"]))
        #expect(try await store.update("Post", key: ["1"], ["title": "c"]))
        #expect(try await !store.update("Post", key: ["2"], ["title": "c"]))
        let condition = Predicate.field("title", .equal(.value("x")))
        #expect(try await !store.update("Post", key: ["1"], ["title": "d"], if: condition))
        #expect(try store.ids("Post", where: .field("title", .equal(.value("c")))) == ["1"])
        let deletion = RecordChange.delete(from: try store.table("Post"), key: ["1"], returning: ["title"])
        let titles = try await store.writer.write(turn: .all, key: nil) { session in
            var titles: [String] = []
            for _ in 0..<2 { _ = try session.apply(deletion) { row throws(StoreError) in titles.append(row.text(0)) } }
            return titles
        }
        #expect(titles == ["c"])
        try store.close()
    }

    @Test("judges the condition of a create by a record that is not there")
    func conditionOfCreate() async throws {
        let store = try Store.opened(Self.schema)
        #expect(try await !store.create("Post", ["id": "1", "title": "a"], if: .field("title", .exists(true))))
        #expect(try await store.create("Post", ["id": "1", "title": "a"], if: .field("title", .exists(false))))
        try store.close()
    }

    @Test("leaves nothing behind when it is in memory")
    func memory() async throws {
        var store: Store? = try Store.opened(Self.schema)
        let path = try #require(store?.path)
        try await store?.create("Post", ["id": "1", "title": "a"])
        #expect(TestFile.exists(path))
        try store?.close()
        store = nil
        #expect(!TestFile.exists(path))
    }

    @Test("shows a reader one state for a whole turn")
    func turns() async throws {
        let store = try Store.opened(Self.schema)
        let table = try store.table("Post")
        let query = ListQuery(table, fields: ["id"], limit: 10)
        // A reader belongs to one thread; this test uses it from one task only, one step at a time.
        let counts = try await { () async throws -> [Int] in
            let reader = try store.reader()
            try reader.beginTurn()
            var counts = [try store.values(query, of: reader).rows.count]
            try await store.create("Post", ["id": "1", "title": "a"])
            counts.append(try store.values(query, of: reader).rows.count)
            try reader.endTurn()
            counts.append(try store.values(query, of: reader).rows.count)
            return counts
        }()
        #expect(counts == [0, 0, 1])
        try store.close()
    }

    @Test("ends a query when its time is over, and not the next one")
    func interruption() async throws {
        let store = try Store.opened(Self.schema)
        let rows = 5_000
        let table = try store.table("Post")
        try await store.writer.write(turn: .all, key: nil) { session in
            for number in 0..<rows {
                let change = RecordChange.create(
                    in: table, [.init("id", .text("\(number)")), .init("title", "a")], returning: [])
                _ = try session.apply(change) { _ throws(StoreError) in }
            }
        }
        let reader = try store.reader()
        let query = ListQuery(
            table, fields: ["id"], filter: .field("title", .contains("b")), limit: 10, semantics: .filled)
        reader.deadline = 0
        #expect { try store.values(query, of: reader) } throws: { ($0 as? StoreError)?.kind == .interrupted }
        reader.deadline = .max
        #expect(try store.values(query, of: reader).rows.isEmpty)
        try store.close()
    }

    @Test("refuses a value beyond its limit, keeps the connection, and holds pages to theirs")
    func limits() async throws {
        let store = try Store.opened(Self.schema)
        let long = String(repeating: "x", count: StoreLimits.valueBytesMax + 1)
        await #expect { try await store.create("Post", ["id": "1", "title": .text(long)]) } throws: { error in
            (error as? StoreError)?.kind == .tooLarge
        }
        #expect(try await store.create("Post", ["id": "1", "title": "a"]))
        let table = try store.table("Post")
        #expect(ListQuery(table, fields: [], limit: .max).limit == StoreLimits.pageRowsMax)
        #expect(ListQuery(table, fields: [], limit: -1).limit == 1)
        try store.close()
    }

    @Test("keeps a bounded number of prepared statements")
    func statements() throws {
        let folder = TestFolder()
        let connection = try Connection.open(path: folder.database, mode: .writer, statementsMax: 8)
        for number in 0..<100 { try connection.run(SQLText("SELECT \(number)")) }
        #expect(connection.statementCount <= 8)
        #expect(connection.statementCount > 0)
    }

    @Test("goes on after it has given memory back")
    func givenBack() async throws {
        let folder = TestFolder()
        let connection = try Connection.open(path: folder.database, mode: .writer, statementsMax: 8)
        try connection.run(SQLText("SELECT 1"))
        try connection.giveMemoryBack()
        #expect(connection.statementCount == 0)
        // Where memory is spared, a statement is kept from its second use on.
        try connection.spareMemory()
        let before = connection.statementCount
        try connection.run(SQLText("SELECT 2"))
        #expect(connection.statementCount == before)
        try connection.run(SQLText("SELECT 2"))
        #expect(connection.statementCount == before + 1)
        try connection.giveMemoryBack()
        let store = try Store.opened(Self.schema)
        #expect(try await store.create("Post", ["id": "1", "title": "a"]))
        try await store.giveMemoryBack()
        #expect(try await store.create("Post", ["id": "2", "title": "a"]))
        try store.close()
    }
}

extension StoredValue: ExpressibleByStringLiteral {
    /// A text, as tests write most values.
    public init(stringLiteral value: String) { self = .text(value) }
}
