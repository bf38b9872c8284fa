import Foundation
import Testing

@testable import Store

@Suite("The room ahead in the log")
struct LogSpaceTests {
    private static let schema = "type Post @model { id: ID! title: String! }"

    private func create(_ numbers: Range<Int>, in store: Store, bytes: Int = 10) async throws {
        for number in numbers {
            let title = String(repeating: "t", count: bytes)
            _ = try await store.create("Post", ["id": .text("\(number)"), "title": .text(title)])
        }
    }

    @Test("commits seldom make the log's file longer, and what it has room for stays within the limit")
    func growth() async throws {
        let folder = TestFolder()
        let store = try Store.opened(Self.schema, at: .file(folder.database))
        var sizes: Set<Int> = []
        for number in 0..<600 {
            try await create(number..<number + 1, in: store, bytes: 3_000)
            sizes.insert(try TestFile.size(of: folder.database + "-wal"))
        }
        #expect(sizes.count <= 60)
        let pages = StoreLimits.logPagesMax + StoreLimits.logPagesBeyond
        #expect(try #require(sizes.max()) <= 32 + pages * (24 + 4_096))
        try store.close()
        #expect(folder.names == ["data.sqlite"])
    }

    @Test(
        "a log with room in it, left behind by a process that died, gives back all that was committed",
        arguments: [1, 20, 300])
    func recovery(count: Int) async throws {
        let (folder, copy) = (TestFolder(), TestFolder())
        let store = try Store.opened(Self.schema, at: .file(folder.database))
        try await create(0..<count, in: store)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: copy.database + suffix)
        }
        try store.close()
        let again = try Store.opened(Self.schema, at: .file(copy.database))
        #expect(try again.ids("Post", where: .always).count == count)
        try await create(count..<count + 1, in: again)
        try again.close()
    }

    @Test("a database in memory has no log to make room in")
    func memory() async throws {
        let store = try Store.opened(Self.schema)
        try await create(0..<50, in: store)
        #expect(try store.ids("Post", where: .always).count == 50)
        try store.close()
    }
}
