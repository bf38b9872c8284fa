import Foundation
import Testing

@testable import Store

/// What lies in the folder of a database, for whom, and what one file of it is worth by itself.
@Suite("The files of a database")
struct DatabaseFilesTests {
    private static let schema = "type Post @model { id: ID! title: String }"

    /// What was done with it before it was closed.
    enum Use: String, CaseIterable, Sendable {
        case nothing
        case reading
        case writing
        case deleting
    }

    @Test("are one when it is closed, and that one holds all", arguments: Use.allCases, [false, true])
    func wholeFile(use: Use, isOpenedAside: Bool) async throws {
        let (folder, copy) = (TestFolder(), TestFolder())
        // Also a file that is there already is left whole.
        for round in 0..<2 {
            let store: Store
            if isOpenedAside {
                let opening = StoreOpening(.file(folder.database))
                opening.expect(try blueprint(Self.schema))
                store = try opening.store(for: blueprint(Self.schema), nowMilliseconds: 0) { Issue.record("\($0)") }
            } else {
                store = try Store.opened(Self.schema, at: .file(folder.database))
            }
            if use != .nothing { #expect(try store.ids("Post", where: .always).count == (use == .writing ? round : 0)) }
            if use == .writing || use == .deleting {
                try await store.create("Post", ["id": .text("\(round)"), "title": "t"])
            }
            if use == .deleting {
                let deletion = RecordChange.delete(
                    from: try store.table("Post"), key: [.text("\(round)")], returning: ["id"])
                let isDone = try await store.writer.write(turn: .all, key: nil) {
                    try $0.apply(deletion) { _ throws(StoreError) in }
                }
                #expect(isDone)
            }
            try store.close()
            #expect(folder.names == ["data.sqlite"], "\(use), round \(round)")
        }
        try FileManager.default.copyItem(atPath: folder.database, toPath: copy.database)
        let connection = try Connection.open(path: copy.database, mode: .reader)
        let count = try connection.value(SQLText("SELECT count(*) FROM \"Post\""))
        #expect(count == .integer(use == .writing ? 2 : 0))
    }

    @Test("are for the eyes of their owner, and so is a copy that is made before a change")
    func modes() async throws {
        let folder = TestFolder()
        let store = try Store.opened(Self.schema, at: .file(folder.database))
        try await store.create("Post", ["id": "1", "title": "t"])
        #expect(folder.names == ["data.sqlite", "data.sqlite-shm", "data.sqlite-wal"])
        for name in folder.names { #expect(folder.mode(of: name) == 0o600, "\(name)") }
        try store.close()
        let changed = try Store(
            .file(folder.database), for: blueprint("type Post @model { id: ID! }"), forcing: ["Post.title"],
            nowMilliseconds: 0
        ) { Issue.record("\($0)") }
        try changed.close()
        #expect(folder.names == ["data.sqlite", "data.sqlite.backup-1"])
        for name in folder.names { #expect(folder.mode(of: name) == 0o600, "\(name)") }
    }
}
