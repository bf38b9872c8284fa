import JSON
import Postgres
import PostgresSupport
import TestSupport
import Testing

@testable import Store

/// A search on a server finds what it finds in a file.
@Suite(
    "A search on a server", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct ServerSearchTests {
    private let server: ServerSchema

    init() throws { server = try ServerSchema() }

    private func ids(_ filter: Predicate, of store: Store, _ model: String = "Book") throws -> [String] {
        try store.ids(model, where: filter, of: store.readerBeside())
    }

    @Test("finds words, phrases, patterns and whole values as in a file")
    func matches() async throws {
        let store = try server.opened(SearchTests.schema)
        let titles = SearchTests.titles.map { (id: $0.id, title: $0.title.replacing("\u{0}", with: " ")) }
        for (id, title) in titles {
            try await store.create(
                "Book",
                [
                    "id": .text(id), "title": .text(title), "tags": #"["red wine","Blue"]"#, "color": "RED",
                    "value": #"["x"]"#, "published": "2020-01-01",
                ])
        }
        for (field, condition, expected) in SearchTests.matches {
            let found = try ids(.field(field, .search(condition)), of: store)
            #expect(found == expected.split(separator: " ").map(String.init), "\(field) \(condition)")
            let others = try ids(.not(.field(field, .search(condition))), of: store)
            #expect(others == titles.map(\.id).filter { !found.contains($0) }, "not \(field) \(condition)")
        }
        try store.close()
    }

    @Test("agrees with a plain evaluation: filter, sort, pages, total and aggregates")
    func agrees() async throws {
        var random = SeededRandom(test: "ServerSearchTests")
        for _ in 0..<Fuzz.rounds(ordinarily: 3) {
            let store = try ServerSchema().opened(SearchTests.schema)
            try await SearchTests.agree(store, try store.readerBeside(), using: &random)
            try store.close()
        }
    }

    @Test("sees what was changed and deleted, also of a synced model, and what is undone never was")
    func upkeep() async throws {
        let store = try server.opened(SearchTests.schema)
        func ids(_ word: String) throws -> [String] { try self.ids(.field("title", .search(.match(word))), of: store) }
        try await store.create("Book", ["id": "1", "title": "quick fox"])
        try await store.update("Book", key: ["1"], ["title": "slow snail"])
        #expect(try ids("fox").isEmpty && ids("snail") == ["1"])
        try await store.update("Book", key: ["1"], ["pages": .integer(3)])
        #expect(try ids("snail") == ["1"])
        try await store.update("Book", key: ["1"], ["title": .null])
        #expect(try ids("snail").isEmpty)
        struct Undone: Error {}
        let creation = RecordChange.create(
            in: try store.table("Book"), [.init("id", "9"), .init("title", "ghost")], returning: [])
        await #expect(throws: Undone.self) {
            try await store.writer.write(turn: .models, key: nil) { session in
                _ = try session.apply(creation) { _ throws(StoreError) in }
                throw Undone()
            }
        }
        #expect(try ids("ghost").isEmpty)
        let deletion = RecordChange.delete(from: try store.table("Book"), key: ["1"], returning: [])
        _ = try await store.writer.write(turn: .models, key: nil) { session throws(StoreError) in
            try session.apply(deletion) { _ throws(StoreError) in }
        }
        #expect(try server.number("SELECT count(*) FROM \"_homeport_search_Book\"") == 0)
        try store.close()
    }

    @Test("of a model that becomes searchable has the records that are there, and again after every change")
    func migration() async throws {
        func open(_ fields: String, searchable: Bool = true) throws -> Store {
            try server.opened("type Note @model \(searchable ? "@searchable" : "") { id: ID! \(fields) }")
        }
        func ids(_ field: String, _ word: String, of store: Store) throws -> [String] {
            try self.ids(.field(field, .search(.match(word))), of: store, "Note")
        }
        let plain = try open("a: String b: String", searchable: false)
        // More than one piece of a walk.
        for number in 0..<StoreLimits.walkPieceRows + 2 {
            try await plain.create(
                "Note", ["id": .text("\(number)"), "a": "hello", "b": number == 7 ? "world" : .null])
        }
        try plain.close()
        let searchable = try open("a: String b: String")
        #expect(try ids("b", "world", of: searchable) == ["7"])
        #expect(try ids("a", "hello", of: searchable).count == StoreLimits.walkPieceRows + 2)
        try searchable.close()
        let wider = try open("a: String b: String c: [String]")
        try await wider.update("Note", key: ["1"], ["c": #"["deep"]"#])
        #expect(try ids("c", "deep", of: wider) == ["1"] && ids("b", "world", of: wider) == ["7"])
        try wider.close()
        try open("a: String b: String c: [String]", searchable: false).close()
        #expect(
            try server.number(
                "SELECT count(*) FROM pg_tables WHERE tablename LIKE '\\_homeport\\_search%' AND schemaname = '\(server.name)'"
            )
                == 0)
    }

    @Test("leaves out what PostgreSQL has no room for in a list of words, and keeps the rest")
    func limits() async throws {
        let store = try server.opened("type Note @model @searchable { id: ID! a: String }")
        let long = String(repeating: "w", count: 2_047)
        let many = String(repeating: "x ", count: 17_000)
        try await store.create("Note", ["id": "1", "a": .text("first \(long) second")])
        try await store.create("Note", ["id": "2", "a": .text("\(many)last end")])
        func ids(_ condition: SearchCondition) throws -> [String] {
            try self.ids(.field("a", .search(condition)), of: store, "Note")
        }
        #expect(try ids(.match("second")) == ["1"] && ids(.match(long)) == [])
        #expect(try ids(.match("last")) == ["2"] && ids(.matchPhrase("last end")) == [])
        #expect(try ids(.matchPhrase("x x")) == ["2"])
        try store.close()
    }

    @Test(
        "refuses a text with more words than PostgreSQL keeps of one, and expressions that it does not take, without a word of the server"
    )
    func refusals() async throws {
        let store = try server.opened("type Note @model @searchable { id: ID! a: String }")
        let words = SQLText(
            """
            SELECT CAST(CAST(string_agg(repeat('w', 1000) || n, ' ') AS tsvector) AS text)
            FROM generate_series(1, 1100) AS n
            """)
        let reader = try Reader(of: .server(server.place))
        let tooLong = #expect(throws: StoreError.self) { try reader.connection.value(words) }
        #expect(tooLong?.kind == .tooLarge && tooLong?.message.hasPrefix("database ") == true)
        #expect(tooLong?.told == "A value is too long to be searched or sorted by")
        for regexp in ["a{256}", "(ab){1,300}", "a("] {
            let refused = #expect(throws: StoreError.self) {
                try self.ids(.field("a", .search(.regexp(regexp))), of: store, "Note")
            }
            #expect(refused?.kind == .invalidValue && refused?.told.contains("egular expression") == true)
        }
        #expect(try self.ids(.field("a", .search(.regexp("a{255}"))), of: store, "Note") == [])
        try await store.create("Note", ["id": "2", "a": "b"])
        #expect(try self.ids(.field("a", .search(.match("b"))), of: store, "Note") == ["2"])
        try store.close()
    }

    @Test("reads Lucene's regular expressions as a file does", arguments: SearchTests.patterns)
    func reads(regexp: String, matching: [String], others: [String]) throws {
        let connection = try server.server.app()
        defer { connection.close() }
        let pattern = try ServerPattern.expression(lucene: regexp)
        for (text, isWanted) in matching.map({ ($0, true) }) + others.map({ ($0, false) }) {
            let answer = try connection.answer("SELECT $1 ~ $2", [.text, .text], [.text(text), .text(pattern)])
            #expect(try answer[0].bool(0) == isWanted, "\(text) \(pattern)")
        }
    }
}
