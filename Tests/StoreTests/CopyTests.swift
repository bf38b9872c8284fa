import Foundation
import JSON
import TestSupport
import Testing

@testable import Store

/// The database goes back to copies of itself.
@Suite("Copies of the database")
struct CopyTests {
    private static let schema = "type Post @model @searchable { id: ID! title: String }"

    /// A room that counts on a table of its own.
    private struct Room: CopiedRoom {
        static let tables = RoomTables(
            of: "test", turn: .all,
            versions: [
                [
                    RoomStatement(
                        "CREATE TABLE _homeport_test (number INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL) STRICT"
                    )
                ]
            ])
        static let insertion = RoomStatement("INSERT INTO _homeport_test (text) VALUES (?)")
        static let selection = RoomStatement("SELECT number, text FROM _homeport_test ORDER BY number")

        func complete(_ copy: WriteSession, isEmptied: Bool, over live: WriteSession) throws(StoreError) {
            if try live.has(Self.tables) { try copy.bring(Self.tables) }
        }
    }

    private func rows(_ store: Store) throws -> [String] {
        var rows: [String] = []
        try store.reader().rows(Room.selection, []) { row throws(StoreError) in
            rows.append("\(row.integer(0)) \(row.text(1))")
            return true
        }
        return rows
    }

    private func add(_ text: String, to store: Store) async throws {
        try await store.writer.write(turn: .all, key: nil) { session in
            try session.bring(Room.tables)
            try session.change(Room.insertion, [.text(text)])
        }
    }

    private func found(_ word: String, in store: Store) throws -> Int {
        let table = try store.table("Post")
        let index = try #require(table.searchIndex)
        let count = SQLText("SELECT count(*) FROM \"\(index.name)\" WHERE \"\(index.name)\" MATCH ?")
        guard case .integer(let number)? = try store.reader().connection.value(count, [.text("title:\(word)")]) else {
            return -1
        }
        return Int(number)
    }

    @Test("have records, words of searches and tables of rooms, and what is numbered goes on")
    func restores() async throws {
        let folder = TestFolder()
        let store = try Store.opened(Self.schema)
        let reader = try store.reader()
        let copies = (empty: folder.file("empty"), one: folder.file("one"))
        try await store.copy(to: copies.empty)
        try await store.create("Post", ["id": .text("1"), "title": .text("first")])
        try await add("a", to: store)
        try await store.copy(to: copies.one)
        try await store.create("Post", ["id": .text("2"), "title": .text("second")])
        try await store.update("Post", key: [.text("1")], ["title": .text("changed")])
        try await add("b", to: store)
        #expect(store.writer.restoreCount == 0)
        try await store.restore(copies.one, [Room()])
        #expect(store.writer.restoreCount == 1)
        #expect(try store.ids("Post", where: .always) == ["1"])
        #expect(
            try found("first", in: store) == 1 && found("second", in: store) == 0 && found("changed", in: store) == 0)
        #expect(try rows(store) == ["1 a"])
        try await add("c", to: store)
        #expect(try rows(store) == ["1 a", "3 c"])
        // A table that was made after the copy is there all the same, and the words go on.
        try await store.restore(copies.empty, [Room()])
        #expect(try store.ids("Post", where: .always) == [] && rows(store) == [] && found("first", in: store) == 0)
        try await store.create("Post", ["id": .text("3"), "title": .text("third")])
        try await add("d", to: store)
        #expect(try found("third", in: store) == 1 && rows(store) == ["4 d"])
        // The same reader as ever, and the same copy once more.
        #expect(
            try store.values(
                ListQuery(try store.table("Post"), fields: ["id"], filter: .always, limit: 9, semantics: .filled),
                of: reader
            ).rows == [[.text("3")]])
        try await store.restore(copies.one, [Room()])
        #expect(try store.ids("Post", where: .always) == ["1"])
        try store.close()
    }

    @Test("are emptied of everything but the tables")
    func empties() async throws {
        let folder = TestFolder()
        let database = folder.database
        let store = try Store.opened(Self.schema, at: .file(database))
        let secret = store.secret(for: "test")
        for number in 0..<50 {
            try await store.create("Post", ["id": .text("\(number)"), "title": .text("word \(number)")])
        }
        try await add("a", to: store)
        try await store.copy(to: folder.file("copy"))
        try await store.empty(folder.file("copy"), [Room()])
        #expect(try store.ids("Post", where: .always).count == 50)
        try await store.restore(folder.file("copy"), [Room()])
        #expect(try store.ids("Post", where: .always) == [] && rows(store) == [] && found("word", in: store) == 0)
        try await store.create("Post", ["id": .text("1"), "title": .text("again")])
        try store.close()
        // It opens as ever, with its own key.
        let again = try Store.opened(Self.schema, at: .file(database))
        #expect(!again.wasUnclean && again.secret(for: "test") == secret)
        #expect(try again.ids("Post", where: .always) == ["1"])
        try again.close()
    }

    @Test("make syncs read everything anew, and stamps go on")
    func syncs() async throws {
        let folder = TestFolder()
        let clock = ChangeLogTests.HandClock()
        let store = try Store(
            .memory, for: blueprint("type Post @model { id: ID! title: String }", synced: true), sync: clock.settings,
            nowMilliseconds: 1
        ) { Issue.record("the writer stopped: \($0)") }
        let log = try #require(ChangeLog(of: store.table("Post")))
        func create(_ id: String) async throws {
            let change = RecordChange.create(in: log.table, [.init("id", .text(id))], returning: [])
            _ = try await store.writer.write(turn: .all, key: nil) { [clock = store.changeClock] session in
                try session.apply(VersionedChange(change, in: log), at: clock) { _ throws(StoreError) in }
            }
        }
        try await create("1")
        try await store.copy(to: folder.file("copy"))
        clock.advance(10)
        try await create("2")
        clock.advance(10)
        let moment = store.changeClock.beginSync()
        #expect(try store.reader().position(in: log, since: moment) != nil)
        clock.advance(10)
        try await store.restore(folder.file("copy"), [])
        #expect(try store.reader().position(in: log, since: moment) == nil)
        clock.advance(10)
        // Until the writer has ended the group of the restore, a sync begins with its stamp: one behind the next change does not.
        try await create("3")
        let later = store.changeClock.beginSync()
        #expect(later > moment)
        #expect(try store.reader().position(in: log, since: later) != nil)
        try store.close()
    }

    @Test("of another schema are refused, and change nothing")
    func schemas() async throws {
        let folder = TestFolder()
        let store = try Store.opened(Self.schema)
        try await store.copy(to: folder.file("copy"))
        let changed = try await store.changed(
            to: try blueprint("type Post @model @searchable { id: ID! title: String note: String }"), nowMilliseconds: 2
        )
        try await changed.create("Post", ["id": .text("1")])
        await #expect(throws: StoreError.self) { try await changed.restore(folder.file("copy"), []) }
        await #expect(throws: StoreError.self) { try await changed.empty(folder.file("copy"), []) }
        #expect(try changed.ids("Post", where: .always) == ["1"])
        try await changed.create("Post", ["id": .text("2")])
        try store.close()
    }

    @Test("leave what is told of changes in order")
    func streams() async throws {
        let folder = TestFolder()
        let store = try Store.opened("type Post @model { id: ID! }")
        let stream = TableStream(try store.table("Post"), readers: ["f"])
        try await store.writer.write(turn: .all, key: nil) { session in try session.keep([stream]) }
        let queue = TableStreamQueue(store, of: stream.table, for: "f")
        try await store.create("Post", ["id": .text("1")])
        try await store.copy(to: folder.file("copy"))
        try await store.create("Post", ["id": .text("2")])
        let before = try await queue.next(max: 10, bytesMax: 1 << 20)
        #expect(before.changes.map(\.number) == [1, 2])
        try await store.restore(folder.file("copy"), [])
        // What was read before says nothing of what is there now.
        try await queue.advance(to: 2, in: before)
        let after = try await queue.next(max: 10, bytesMax: 1 << 20)
        #expect(after.changes.map(\.number) == [1])
        try await queue.advance(to: 1, in: after)
        try await store.create("Post", ["id": .text("3")])
        #expect(try await queue.next(max: 10, bytesMax: 1 << 20).changes.map(\.number) == [2])
        try await store.copy(to: folder.file("copy"))
        try await store.empty(folder.file("copy"), [])
        try await store.restore(folder.file("copy"), [])
        #expect(try await queue.next(max: 10, bytesMax: 1 << 20).changes.isEmpty)
        try await store.create("Post", ["id": .text("4")])
        #expect(try await queue.next(max: 10, bytesMax: 1 << 20).changes.map(\.number) == [1])
        try store.close()
    }
}
