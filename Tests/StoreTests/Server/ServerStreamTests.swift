import JSON
import Network
import Postgres
import PostgresSupport
import TestSupport
import Testing

@testable import Store

@Suite(
    "Changes of tables of a server that are taken down",
    .enabled(if: PostgresServer.isInstalled, PostgresServer.absence),
    .serialized)
struct ServerStreamTests {
    private static let schema = """
        type Item @model { id: ID! s: String n: Int f: Float b: Boolean l: [String] j: AWSJSON }
        type Other @model { id: ID! }
        """
    private let server: ServerSchema

    init() throws { server = try ServerSchema() }

    private func keep(_ readers: [String: [String]], in store: Store) async throws {
        let streams = try readers.map { TableStream(try store.table($0.key), readers: $0.value) }
        try await store.writer.write(turn: [.models, .streams, .schema], key: nil) { session in
            try session.keep(streams)
        }
    }

    private func next(in store: Store, max: Int = 100) async throws -> [TableChange] {
        try await TableStreamQueue(store, of: try store.table("Item"), for: "f").next(max: max, bytesMax: .max).changes
    }

    @Test("have the images that a file has, for every kind of value")
    func images() async throws {
        let (file, store) = (try Store.opened(Self.schema), try server.opened(Self.schema))
        var found: [[TableImage?]] = []
        for store in [file, store] {
            try await keep(["Item": ["f"]], in: store)
            try await store.make(
                "Item",
                [
                    .init("id", .text("1")), .init("s", .text("a \"b\" \\ \u{1}\n e\u{301} 🌍")),
                    .init("n", .integer(.max)),
                    .init("f", .real(0.1 + 0.2)), .init("b", .boolean(true)), .init("l", .text(#"["x",null]"#)),
                    .init("j", .null),
                ])
            try await store.update("Item", key: ["1"], ["s": .null, "f": .real(-0.0)])
            // Nothing is another than before.
            try await store.update("Item", key: ["1"], ["s": .null])
            let table = try store.table("Item")
            let changes = try await next(in: store)
            #expect(changes.map(\.number) == [1, 2])
            found.append(
                changes.flatMap { change in
                    [change.old, change.new].map { bytes in bytes.flatMap { TableImage($0, of: table) } }
                })
        }
        #expect(found[0] == found[1] && found[0].count == 4 && found[0][1] != nil)
        for store in [file, store] { try store.close() }
    }

    @Test("are those of the sessions that say so, of the models that they say")
    func sessions() async throws {
        let store = try server.opened(Self.schema)
        try await keep(["Item": ["f"]], in: store)
        try await store.create("Item", ["id": "1"])
        try await store.create("Other", ["id": "1"])
        // An import and a person's program are others.
        let other = try server.opened(Self.schema)
        try await other.create("Item", ["id": "2"])
        try server.run("UPDATE \"Item\" SET s = 'x'")
        #expect(try await next(in: store).map(\.number) == [1])
        // Without readers nothing is kept, whatever was before.
        try await keep([:], in: store)
        try await store.create("Item", ["id": "3"])
        #expect(try server.number("SELECT count(*) FROM _homeport_stream_changes") == 0)
        for store in [store, other] { try store.close() }
    }

    @Test("are taken down by a connection in the place of one that has ended, each once, in the order of the commits")
    func lostConnections() async throws {
        let store = try server.opened(Self.schema)
        try await keep(["Item": ["f"]], in: store)
        try await store.create("Item", ["id": "1"])
        await #expect(throws: StoreError.self) {
            try await store.writer.write(turn: .models, key: nil) { session in
                try session.run(SQLText("SELECT pg_terminate_backend(pg_backend_pid())"))
                return true
            }
        }
        for id in ["2", "3", "4"] { try await store.create("Item", ["id": .text(id)]) }
        #expect(try await next(in: store).map(\.number) == [1, 2, 3, 4])
        try store.close()
    }

    @Test("go on behind a restart where their reader was, and a change of the schema makes the trigger anew")
    func restart() async throws {
        let first = try server.opened(Self.schema)
        try await keep(["Item": ["f"]], in: first)
        for id in ["1", "2", "3"] { try await first.create("Item", ["id": .text(id), "s": "x"]) }
        let queue = TableStreamQueue(first, of: try first.table("Item"), for: "f")
        let part = try await queue.next(max: 2, bytesMax: .max)
        #expect(part.changes.map(\.number) == [1, 2])
        try await queue.advance(to: 2, in: part)
        try first.close()
        // The columns of the records are filled before anybody keeps changes: none of them is one.
        let second = try server.opened(
            "type Item @model { id: ID! s: String n: Float new: String } type Other @model { id: ID! }")
        try await keep(["Item": ["f"]], in: second)
        try await second.create("Item", ["id": "4", "new": "y"])
        let changes = try await next(in: second)
        #expect(changes.map(\.number) == [3, 4])
        let image = try #require(changes.last?.new.flatMap { TableImage($0, of: try? second.table("Item")) })
        #expect(image.values.contains { $0.name == "new" && $0.value == "y" })
        try second.close()
    }

    @Test("are refused where too many wait, and other models go on")
    func limit() async throws {
        let store = try server.opened(Self.schema)
        try await keep(["Item": ["f"]], in: store)
        try await store.create("Item", ["id": "1"])
        try server.run("UPDATE _homeport_streams SET last = \(StoreLimits.streamChangesMax - 1)")
        try await store.create("Item", ["id": "2"])
        let error = await #expect(throws: StoreError.self) { try await store.create("Item", ["id": "3"]) }
        #expect(error?.kind == .tooManyChanges)
        try await store.create("Other", ["id": "1"])
        #expect(try server.number("SELECT count(*) FROM \"Item\"") == 2)
        try store.close()
    }
}

extension TableImage {
    fileprivate init?(_ bytes: [UInt8], of table: TableLayout?) {
        guard let table else { return nil }
        self.init(bytes, of: table)
    }
}
