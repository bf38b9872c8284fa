import JSON
import TestSupport
import Testing

@testable import Engine

/// Queries that run until they lack no answer, as over a server, with a file that has all answers at once: what differs is the runs alone.
@Suite("An engine whose queries run again")
struct ReplayedReadTests {
    @Test("answers with the bytes of one whose queries run once")
    func documents() async throws {
        let file = try TestEngine(ServerDatabaseTests.schema, at: .memory)
        let replayed = try TestEngine(ServerDatabaseTests.schema, at: .replayed)
        try await ServerDatabaseTests.compare(replayed, with: file)
        #expect(replayed.engine.store.readersAside.takenCount > 0)
    }

    @Test("answers alike, whatever the schema, the records, the filter, the order and the changes are")
    func random() async throws {
        try await EngineDifferenceTests.compare(rounds: max(1, Fuzz.rounds(ordinarily: 3_000) / 1_000)) { .replayed }
    }

    @Test("runs once more for each level of records that are asked for behind others")
    func runs() async throws {
        let replayed = try TestEngine(ServerDatabaseTests.schema, at: .replayed)
        let file = try TestEngine(ServerDatabaseTests.schema, at: .memory)
        for engine in [replayed, file] {
            try await engine.create(
                "Blog", (0..<9).map { JSONObject([("id", .string("b\($0)")), ("name", .string("n"))]) })
            try await engine.create(
                "Post",
                (0..<27).map { number in
                    JSONObject([
                        ("id", .string("p\(number)")), ("title", .string("t\(number)")),
                        ("blogID", .string("b\(number % 10)")),
                    ])
                })
        }
        let readers = replayed.engine.store.readersAside
        for (document, count) in [
            ("{ listPosts { items { id } } }", 1), ("{ listPosts { items { id blog { name } } } }", 2),
            ("{ listBlogs { items { posts { items { blog { name posts { items { title } } } } } } } }", 4),
            (
                #"{ a: listPosts(limit: 2) { items { id } } b: getBlog(id: "b2") { name } c: getBlog(id: "no") { id } }"#,
                2
            ),
        ] as [(String, Int64)] {
            let before = readers.tripCount
            #expect(try await replayed.text(document) == file.text(document), "\(document)")
            // They are counted behind the answer.
            try await eventually("\(readers.tripCount - before) of \(count) trips for \(document)") {
                readers.tripCount - before == count
            }
        }
    }
}
