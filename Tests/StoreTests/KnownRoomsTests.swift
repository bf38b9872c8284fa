import TestSupport
import Testing

@testable import Store

@Suite("Rooms with tables")
struct KnownRoomsTests {
    private static let tables = RoomTables(
        of: "test", turn: .all,
        versions: [[RoomStatement("CREATE TABLE _homeport_test (number INTEGER PRIMARY KEY) STRICT")]])
    private static let others = RoomTables(of: "test of others", turn: .all, versions: [])

    @Test("are known from when they have some, and by who opens the file next")
    func known() async throws {
        let folder = TestFolder()
        let schema = "type Post @model { id: ID! }"
        func open() throws -> Store { try Store.opened(schema, at: .file(folder.database)) }
        let first = try open()
        #expect(!first.knows(Self.tables))
        try await first.writer.write(turn: .all, key: nil) { session in try session.bring(Self.tables) }
        #expect(first.knows(Self.tables) && !first.knows(Self.others))
        let changed = try await first.changed(to: try blueprint(schema), nowMilliseconds: 0)
        #expect(changed.knows(Self.tables))
        try first.close()
        let second = try open()
        #expect(second.knows(Self.tables) && !second.knows(Self.others))
        try second.close()
    }
}
