import CSQLite
import Foundation
import JSON
import TestSupport
import Testing

@testable import Store

/// Databases that lie over a copy, which none of them changes.
@Suite("Databases over a copy")
struct LayersTests {
    private static let schema = "type Post @model @searchable { id: ID! title: String }"
    private static let things = RoomTables(
        of: "things", turn: .queues, versions: [[RoomStatement("CREATE TABLE _homeport_things (name TEXT)")]])
    private let folder = TestFolder()

    /// A copy of a database with some records.
    private func copy(_ name: String, records: Int, word: String = "word") async throws -> String {
        let path = folder.file(name)
        let store = try Store.opened(Self.schema)
        try await store.writer.write(turn: .models, key: nil) { session in
            for number in 0..<records { try Self.put("\(number)", "\(word) \(number)", in: store, session) }
        }
        try await store.copy(to: path)
        try store.close()
        return path
    }

    private static func put(_ id: String, _ title: String, in store: Store, _ session: WriteSession) throws {
        let change = RecordChange.create(
            in: try store.table("Post"), [.init("id", .text(id)), .init("title", .text(title))], if: .always,
            returning: [])
        _ = try session.apply(change) { _ throws(StoreError) in }
    }

    /// The bytes of memory that a database takes: holes take none.
    private func ownBytes(_ store: Store) -> Int {
        var sum = 0
        for suffix in ["", "-wal"] {
            var status = stat()
            if stat(store.path + suffix, &status) == 0 { sum += Int(status.st_blocks) * 512 }
        }
        return sum
    }

    private func count(_ store: Store) throws -> Int {
        try store.reader().count(of: try store.table("Post"), where: .always)
    }

    private func isWhole(_ store: Store) throws -> Bool {
        try store.reader().connection.value(SQLText("PRAGMA integrity_check")) == .text("ok")
    }

    @Test("have all of it, change it for themselves alone, and take the memory that they change")
    func apart() async throws {
        let path = try await copy("copy", records: 5_000)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.count > 100 * 4_096)
        let stores = [try Store.opened(Self.schema, at: .layered), try Store.opened(Self.schema, at: .layered)]
        let readers = try stores.map { try $0.reader() }
        for store in stores { try await store.restore(path, []) }
        for store in stores { #expect(ownBytes(store) < 20 * 4_096, "\(ownBytes(store))") }
        try await stores[0].create("Post", ["id": .text("own"), "title": .text("own")])
        try await stores[1].update("Post", key: [.text("7")], ["title": .text("changed")])
        #expect(try count(stores[0]) == 5_001)
        #expect(try count(stores[1]) == 5_000)
        // Those who were there before see it too.
        for (store, reader) in zip(stores, readers) {
            #expect(try reader.count(of: try store.table("Post"), where: .always) >= 5_000)
            #expect(try isWhole(store) && ownBytes(store) < 40 * 4_096, "\(ownBytes(store))")
        }
        // Back to the copy, again and again.
        for _ in 0..<3 {
            try await stores[0].restore(path, [])
            #expect(try count(stores[0]) == 5_000)
            try await stores[0].create("Post", ["id": .text("own"), "title": .text("own")])
        }
        #expect(ownBytes(stores[0]) < 40 * 4_096)
        let paths = stores.map(\.path)
        for store in stores { try store.close() }
        for path in paths { #expect(!TestFile.exists((path as NSString).deletingLastPathComponent)) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        #expect(!TestFile.exists("\(path)-open") && !TestFile.exists("\(path)-open-layers"))
    }

    @Test("are restored in one transaction while somebody reads, who goes on to see what was before")
    func readers() async throws {
        let path = try await copy("copy", records: 300)
        let store = try Store.opened(Self.schema, at: .layered)
        try await store.create("Post", ["id": .text("before"), "title": .text("before")])
        let reader = try store.reader()
        let table = try store.table("Post")
        try reader.beginTurn()
        #expect(try reader.count(of: table, where: .always) == 1)
        try await store.restore(path, [])
        #expect(try reader.count(of: table, where: .always) == 1)
        #expect(try count(store) == 300)
        try reader.endTurn()
        #expect(try reader.count(of: table, where: .always) == 300)
        // Where nobody reads, the pages are those of the copy again.
        try await store.restore(path, [])
        #expect(try reader.count(of: table, where: .always) == 300 && isWhole(store))
        #expect(ownBytes(store) < 20 * 4_096, "\(ownBytes(store))")
        try store.close()
    }

    @Test("are seen whole by connections of others, which follow them to another copy")
    func others() async throws {
        let (first, second) = (try await copy("1", records: 900), try await copy("2", records: 40, word: "other"))
        let store = try Store.opened(Self.schema, at: .layered)
        let other = try Connection.open(path: store.path, mode: .reader)
        let selection = SQLText("SELECT count(*) FROM \"Post\"")
        for (path, expected) in [(first, 900), (second, 40), (first, 900)] as [(String, Int64)] {
            try await store.restore(path, [])
            #expect(try other.value(selection) == .integer(expected))
            try await store.create("Post", ["id": .text("own"), "title": .text("own")])
            #expect(try other.value(selection) == .integer(expected + 1))
        }
        // The owner of the copies may remove them.
        for path in [first, second] { try FileManager.default.removeItem(atPath: path) }
        #expect(try count(store) == 901)
        try store.close()
    }

    @Test("are seen whole by connections that have read nothing between two copies")
    func between() async throws {
        let paths = [try await copy("1", records: 900), try await copy("2", records: 900, word: "other")]
        let store = try Store.opened(Self.schema, at: .layered)
        let readers = [try store.reader(), try store.reader()]
        let titles = SQLText("SELECT min(title) || max(title) || count(*) FROM \"Post\"")
        for round in 0..<8 {
            try await store.restore(paths[round % 2], [])
            let expected = round % 2 == 0 ? "word 0word 99900" : "other 0other 99900"
            for reader in round % 4 < 2 ? readers : readers.reversed() {
                #expect(try reader.connection.value(titles) == .text(expected), "round \(round)")
                #expect(try reader.connection.value(SQLText("PRAGMA integrity_check")) == .text("ok"))
            }
            for number in 0..<round {
                try await store.create("Post", ["id": .text("own \(number)"), "title": .text("own")])
            }
        }
        try store.close()
    }

    @Test("with random changes are as a database of its own is")
    func random() async throws {
        var random = SeededRandom(test: "LayersTests")
        let path = try await copy("copy", records: 400)
        let (layered, plain) = (try Store.opened(Self.schema, at: .layered), try Store.opened(Self.schema))
        for store in [layered, plain] { try await store.restore(path, []) }
        for round in 0..<300 {
            let (action, id) = (Int.random(in: 0..<40, using: &random), "\(Int.random(in: 0..<600, using: &random))")
            let title = String(repeating: "t\(round) ", count: Int.random(in: 1..<900, using: &random))
            for store in [layered, plain] {
                switch action {
                case 0: try await store.restore(path, [])
                case 1:
                    _ = try await store.writer.alone(turn: .all) { session throws(StoreError) in
                        try session.checkpoint([SQLITE_CHECKPOINT_PASSIVE, SQLITE_CHECKPOINT_TRUNCATE][round % 2])
                    }
                case 2:
                    // The file gets shorter, and longer again.
                    try await store.writer.alone(turn: .all) { session throws(StoreError) in
                        try session.run(SQLText("DELETE FROM \"Post\" WHERE _homeport_row % 2 = 0"))
                        try session.run(SQLText("VACUUM"))
                        try session.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
                    }
                case 3..<20: _ = try? await store.create("Post", ["id": .text(id), "title": .text(title)])
                default: _ = try? await store.update("Post", key: [.text(id)], ["title": .text(title)])
                }
            }
            guard action < 3 || round % 50 == 0 else { continue }
            let rows = SQLText("SELECT group_concat(id || length(title) || substr(title, 1, 9)) FROM \"Post\"")
            let found = try [layered, plain].map { try $0.reader().connection.value(rows) }
            let isWhole = try isWhole(layered)
            #expect(found[0] == found[1] && isWhole, "round \(round)")
        }
        for store in [layered, plain] { try store.close() }
    }

    @Test("cannot be opened where the copy is another file")
    func replaced() async throws {
        let path = try await copy("copy", records: 300)
        let store = try Store.opened(Self.schema, at: .layered)
        try await store.restore(path, [])
        let reader = try store.reader()
        let map = try #require(LayerMap(of: store.path))
        let base = try #require(map.basePath)
        try FileManager.default.removeItem(atPath: base)
        #expect(throws: StoreError.self) { _ = try Connection.open(path: store.path, mode: .reader) }
        try Data(repeating: 0, count: 8_192).write(to: URL(fileURLWithPath: base))
        #expect(throws: StoreError.self) { _ = try Connection.open(path: store.path, mode: .reader) }
        // Whoever has it open goes on with what it was.
        #expect(try reader.count(of: try store.table("Post"), where: .always) == 300)
        try store.close()
    }

    @Test("a copy is made once for a moment, and again when something has changed, whoever has changed it")
    func moments() async throws {
        let database = folder.database
        let store = try Store.opened(Self.schema, at: .file(database))
        try await store.create("Post", ["id": .text("1"), "title": .text("first")])
        var number = 0
        func isWritten(_ known: DataMoment?) async throws -> (moment: DataMoment, isWritten: Bool) {
            number += 1
            return try await store.copy(to: folder.file("\(number)"), unlessUnchangedSince: known) {}
        }
        let first = try await isWritten(nil)
        #expect(first.isWritten && TestFile.exists(folder.file("1")))
        #expect(try await !isWritten(first.moment).isWritten && !TestFile.exists(folder.file("2")))
        try await store.create("Post", ["id": .text("2"), "title": .text("second")])
        let second = try await isWritten(first.moment)
        #expect(second.isWritten)
        try await store.restore(folder.file("1"), [])
        let third = try await isWritten(second.moment)
        #expect(third.isWritten)
        let other = try Connection.open(path: database, mode: .writer)
        try other.run(SQLText("DELETE FROM \"Post\""))
        #expect(try await isWritten(third.moment).isWritten)
        try store.close()
    }

    @Test("begin as a copy, as long as no room has tables in them")
    func begun() async throws {
        let path = try await copy("copy", records: 500)
        let (new, old) = (try Store.opened(Self.schema, at: .layered), try Store.opened(Self.schema, at: .layered))
        let reader = try new.reader()
        #expect(try reader.count(of: try new.table("Post"), where: .always) == 0)
        let key = try SettingsTable.value(.cursorKey, in: reader.connection)
        #expect(try await new.begin(as: path) {})
        #expect(try count(new) == 500 && isWhole(new) && ownBytes(new) < 20 * 4_096)
        #expect(try reader.count(of: try new.table("Post"), where: .always) == 500)
        #expect(try SettingsTable.value(.cursorKey, in: reader.connection) == key && key != nil)
        try await new.create("Post", ["id": .text("own"), "title": .text("own")])
        #expect(try count(new) == 501)
        try await new.restore(path, [])
        #expect(try count(new) == 500 && isWhole(new))

        try await old.writer.write(turn: .queues, key: nil) { session in try session.bring(Self.things) }
        #expect(try await !old.begin(as: path) { Issue.record("nothing was taken") } && count(old) == 0)
        #expect(try await !Store.opened(Self.schema).begin(as: path) {})
        for store in [new, old] { try store.close() }
    }

    @Test("know the rooms that a copy has tables of")
    func rooms() async throws {
        let source = try Store.opened(Self.schema)
        try await source.writer.write(turn: .queues, key: nil) { session in try session.bring(Self.things) }
        try await source.copy(to: folder.file("copy"))
        try source.close()
        let stores = [try Store.opened(Self.schema, at: .layered), try Store.opened(Self.schema, at: .layered)]
        for store in stores { #expect(!store.knows(Self.things)) }
        try await stores[0].restore(folder.file("copy"), [])
        #expect(try await stores[1].begin(as: folder.file("copy")) {})
        for store in stores {
            #expect(store.knows(Self.things))
            try store.close()
        }
    }

    @Test("give back the memory of the log's index in which nothing is")
    func indexMemory() async throws {
        let store = try Store.opened(Self.schema, at: .layered)
        let path = try await copy("copy", records: 500)
        #expect(try await store.begin(as: path) {})
        func bytes() -> Int {
            var status = stat()
            return stat("\(store.path)-shm", &status) == 0 ? Int(status.st_blocks) * 512 : 0
        }
        let reader = try store.reader()
        let former = bytes()
        try await store.giveMemoryBack()
        #expect(bytes() < former && bytes() > 0, "\(former) \(bytes())")
        try await store.create("Post", ["id": .text("own"), "title": .text("own")])
        #expect(try reader.count(of: try store.table("Post"), where: .always) == 501)
        #expect(try count(store) == 501 && isWhole(store))
        try store.close()
    }

    @Test("a file is a base where it has whole pages, and not too many")
    func bases() throws {
        let path = folder.file("base")
        func base(_ size: [UInt8], count: Int) throws -> DatabaseBase? {
            var bytes = [UInt8](repeating: 0, count: count)
            if count > 17 { (bytes[16], bytes[17]) = (size[0], size[1]) }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return DatabaseBase(path)
        }
        #expect(try base([0x10, 0], count: 8_192)?.pageBytes == 4_096)
        #expect(try base([0, 1], count: 65_536)?.pageBytes == 65_536)
        #expect(try base([0x10, 0], count: 8_193)?.pageBytes == 0)
        #expect(try base([0x10, 1], count: 8_192)?.pageBytes == 0)
        #expect(try base([1, 0], count: 8_192)?.pageBytes == 0)
        #expect(try base([0x10, 0], count: 99) == nil && DatabaseBase(folder.file("none")) == nil)
        let small = try #require(try base([2, 0], count: 512 * 4))
        #expect(LayerMap.takes(small, at: "/a") && !LayerMap.takes(small, at: "a"))
        #expect(!LayerMap.takes(small, at: "/" + String(repeating: "a", count: 4_032)))
        #expect(truncate(path, off_t(512 * (StoreLimits.layeredPagesMax + 1))) == 0)
        let long = try #require(DatabaseBase(path))
        #expect(long.pageBytes == 512 && !LayerMap.takes(long, at: "/a") && !Store.isShareable(path))
    }
}
