import Foundation
import TestSupport
import Testing

@testable import Store

@Suite("The connection of an opening")
struct OpenedReaderTests {
    private static let schema = "type Post @model { id: ID! title: String }"

    /// How often this process has a file open.
    private func openCount(of path: String) throws -> Int {
        let wanted = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == wanted
        }
    }

    @Test(
        "is the first loop's reader; the writer opens one with the first mutation",
        .enabled(if: TestFile.exists("/proc/self/fd")))
    func isShared() async throws {
        let folder = TestFolder()
        try Store.opened(Self.schema, at: .file(folder.database)).close()
        let store = try Store.opened(Self.schema, at: .file(folder.database))
        #expect(try openCount(of: folder.database) == 1)
        var first: Reader? = try store.loopReader()
        #expect(try openCount(of: folder.database) == 1)
        #expect(throws: StoreError.self) { try first?.connection.execute("CREATE TABLE other (number INTEGER)") }
        try await store.create("Post", ["id": "1", "title": "a"])
        #expect(try openCount(of: folder.database) == 2)
        #expect(try first?.count(of: store.table("Post"), where: .always) == 1)
        var second: Reader? = try store.loopReader()
        #expect(first !== second)
        #expect(try openCount(of: folder.database) == 3)
        (first, second) = (nil, nil)
        _ = second
        try store.close()
        #expect(try openCount(of: folder.database) == 0)
        #expect(!TestFile.exists(folder.database + "-wal"))
    }

    @Test("leaves nothing beside a file in which nothing was written")
    func leavesNothing() throws {
        let folder = TestFolder()
        for _ in 0..<3 {
            let store = try Store.opened(Self.schema, at: .file(folder.database))
            try store.close()
            #expect(!TestFile.exists(folder.database + "-wal"))
        }
    }

    @Test("is the writer's where the opening has changed the file")
    func isWriters() async throws {
        let folder = TestFolder()
        try Store.opened(Self.schema, at: .file(folder.database)).close()
        let store = try Store.opened(Self.schema + " type Other @model { id: ID! }", at: .file(folder.database))
        #expect(!store.hasKept { $0 })
        try await store.create("Other", ["id": "1"])
        try store.close()
    }

    @Test("tells what the file knows of its folder, until something is written")
    func tellsNotes() async throws {
        let folder = TestFolder()
        let first = try Store.opened(Self.schema, at: .file(folder.database))
        try await first.keep { _ in ["name": [1]] }
        try first.close()
        let second = try Store.opened(Self.schema, at: .file(folder.database))
        #expect(second.hasKept { _ in ["name": [1]] })
        #expect(!second.hasKept { _ in ["name": [2]] })
        try await second.keep { _ in ["name": [2]] }
        #expect(!second.hasKept { _ in ["name": [1]] } && !second.hasKept { _ in ["name": [2]] })
        try second.close()
    }

    @Test("a writer that cannot open its connection fails the mutations that wait, and takes others")
    func fails() async throws {
        let folder = TestFolder()
        let writer = try Writer(
            path: folder.file("none/data.sqlite"), layout: DatabaseLayout(tables: []), rooms: KnownRooms(),
            served: ServedTimes()
        ) { Issue.record("\($0)") }
        for _ in 0..<2 {
            await #expect(throws: StoreError.self) { try await writer.write(turn: .all, key: nil) { _ in } }
        }
        try FileManager.default.createDirectory(atPath: folder.file("none"), withIntermediateDirectories: true)
        _ = try await writer.alone(turn: .all) { session throws(StoreError) in session.isMarkedOpen }
        try writer.close()
    }
}
