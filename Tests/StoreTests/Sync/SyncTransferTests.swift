import JSON
import TestSupport
import Testing

@testable import Store

@Suite("An import of synced records")
struct SyncTransferTests {
    private static let schema = "type Post @model { id: ID! title: String }"
    private static let time: Int64 = 1_700_000_000_000

    private static func opened(_ folder: TestFolder, _ settings: SyncSettings) throws -> Store {
        try Store(
            .file(folder.database), for: blueprint(schema, synced: true), sync: settings, nowMilliseconds: 1
        ) { Issue.record("the writer stopped: \($0)") }
    }

    private static func load(
        _ lines: [String], into store: Store, _ folder: TestFolder, isLenient: Bool = false, replaces: Bool = false
    ) throws -> Int {
        let path = try folder.write(lines.map { "\($0)\n" }.joined(), to: "in-\(lines.hashValue).jsonl")
        let options = RecordImport.Options(
            now: .init(text: "2020-01-01T00:00:00.000Z", milliseconds: 77), isLenient: isLenient, replaces: replaces)
        return try RecordImport(into: store, of: blueprint(schema, synced: true), options).run(file: path).createdCount
    }

    private static func rows(_ store: Store, _ table: TableLayout, since moment: Int64? = nil) throws -> [String] {
        var after: ListQuery.Position?
        if let moment, let log = ChangeLog(of: try store.table("Post")) {
            after = try store.reader().position(in: log, since: moment)
        }
        let fields = ["id", "title", "_version", "_deleted", "_lastChangedAt"]
        return try store.values(ListQuery(table, fields: fields, limit: 100, after: after)).rows.map { row in
            row.map { value in
                switch value {
                case .integer(let integer): "\(integer)"
                case .text(let text): text
                default: "-"
                }
            }.joined(separator: " ")
        }
    }

    @Test(
        "keeps what a line says of versions, fills in what it does not say, and is a change", arguments: [false, true])
    func versions(isLenient: Bool) throws {
        let folder = TestFolder()
        var settings = SyncSettings()
        settings.now = { Self.time }
        let store = try Self.opened(folder, settings)
        let lines = [
            #"{"type":"Post","record":{"id":"1","title":"a","_version":4,"_deleted":true,"_lastChangedAt":5}}"#,
            #"{"type":"Post","record":{"id":"2","title":"b"}}"#,
            #"{"type":"Post","record":{"id":"3","_version":null,"_lastChangedAt":null}}"#,
        ]
        #expect(try Self.load(lines, into: store, folder, isLenient: isLenient) == 3)
        let table = try store.table("Post")
        let log = try #require(ChangeLog(of: table))
        let all = ["1 a 4 1 5", "2 b 1 - 77", "3 - 1 - 77"]
        #expect(try Self.rows(store, table) == all)
        #expect(try Self.rows(store, log.images, since: Self.time) == all)
        // Those that are there already are none.
        #expect(try Self.load(lines + [""], into: store, folder, isLenient: isLenient) == 0)
        #expect(try Self.rows(store, log.images, since: 1).count == 3)
        let replaced = [
            #"{"type":"Post","record":{"id":"1","title":"c"}}"#,
            #"{"type":"Post","record":{"id":"2","title":"d","_version":9,"_lastChangedAt":6}}"#,
        ]
        #expect(try Self.load(replaced, into: store, folder, isLenient: isLenient, replaces: true) == 2)
        let newer = ["1 c 5 - 77", "2 d 9 - 6"]
        #expect(try Self.rows(store, table) == newer + all.suffix(1))
        #expect(try Self.rows(store, log.images, since: 1) == all + newer)
        try store.close()
    }

    @Test("that another process makes is not missed by a sync that begins while it is under way")
    func beside() async throws {
        let folder = TestFolder()
        let server = try Self.opened(folder, SyncSettings())
        let other = try Self.opened(folder, .ofImport)
        let table = try server.table("Post")
        let log = try #require(ChangeLog(of: table))
        _ = try Self.load([#"{"type":"Post","record":{"id":"1","_lastChangedAt":5}}"#], into: other, folder)
        // It may have begun up to so long after the stamp, without seeing the record.
        let startedAt = server.changeClock.beginSync()
        let change = VersionedChange(
            .create(in: table, [.init("id", "2")], returning: []), in: log)
        let clock = server.changeClock
        let outcome = try await server.writer.write(turn: .all, key: nil) { session throws(StoreError) in
            try session.apply(change, at: clock) { _ throws(StoreError) in }
        }
        #expect(outcome == .made)
        let images = try Self.rows(server, log.images, since: startedAt)
        #expect(images.map { $0.prefix(1) } == ["1", "2"])
        try other.close()
        try server.close()
    }
}
