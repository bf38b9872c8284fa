import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Store

@Suite("The log of changes")
struct ChangeLogTests {
    private static let schema = "type Post @model { id: ID! title: String likes: Int }"

    /// A clock that a test sets.
    final class HandClock: Sendable {
        let time = Mutex<Int64>(1_000_000)

        var settings: SyncSettings {
            var settings = SyncSettings()
            settings.now = { [self] in time.withLock { $0 } }
            return settings
        }

        func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    }

    private struct Book {
        let store: Store
        let clock: HandClock
        let log: ChangeLog

        init(
            at location: Store.Location = .memory, clock: HandClock = HandClock(),
            change: (inout SyncSettings) -> Void = { _ in }
        ) throws {
            self.clock = clock
            var settings = clock.settings
            change(&settings)
            store = try Store(
                location, for: blueprint(ChangeLogTests.schema, synced: true), sync: settings, nowMilliseconds: 1
            ) { Issue.record("the writer stopped: \($0)") }
            log = try #require(ChangeLog(of: store.table("Post")))
        }

        func create(_ id: String) async throws -> VersionedChange.Outcome {
            try await apply(.init(.create(in: log.table, [.init("id", .text(id))], returning: []), in: log))
        }

        func update(_ id: String, _ title: String, of version: Int64) async throws -> VersionedChange.Outcome {
            let change = RecordChange.update(
                in: log.table, key: [.text(id)], [.init("title", .text(title))], returning: [])
            return try await apply(.init(change, in: log, of: version))
        }

        func delete(_ id: String, of version: Int64) async throws -> VersionedChange.Outcome {
            try await apply(
                .init(.delete(from: log.table, key: [.text(id)], returning: []), in: log, of: version))
        }

        private func apply(_ change: VersionedChange) async throws -> VersionedChange.Outcome {
            try await store.writer.write(turn: .all, key: nil) { [clock = store.changeClock] session in
                try session.apply(change, at: clock) { _ throws(StoreError) in }
            }
        }

        /// The records, or images since a moment: id, version and whether deleted. Nil when the log is not whole.
        func rows(since moment: Int64? = nil) throws -> [String]? {
            let reader = try store.reader()
            var after: ListQuery.Position?
            if let moment {
                guard let position = try reader.position(in: log, since: moment) else { return nil }
                after = position
            }
            var rows: [String] = []
            let query = ListQuery(
                moment == nil ? log.table : log.images, fields: ["id", "_version", "_deleted"], limit: 1_000,
                after: after)
            _ = try reader.list(query) { row throws(StoreError) in
                rows.append("\(row.text(0))/\(row.integer(1))\(row.boolean(2) ? " deleted" : "")")
            }
            return rows
        }
    }

    @Test("has an image of a record after each change, oldest first, and the table has the last one")
    func images() async throws {
        let book = try Book()
        #expect(try await book.create("1") == .made)
        #expect(try await book.create("1") == .refused)
        book.clock.advance(5)
        #expect(try await book.update("1", "a", of: 1) == .made)
        #expect(try await book.update("1", "b", of: 1) == .stale(version: 2, isDeleted: false))
        #expect(try await book.update("2", "b", of: 1) == .missing)
        #expect(try await book.create("2") == .made)
        #expect(try await book.delete("1", of: 2) == .made)
        #expect(try await book.delete("1", of: 2) == .stale(version: 3, isDeleted: true))
        #expect(try book.rows() == ["1/3 deleted", "2/1"])
        #expect(try book.rows(since: 1_000_000) == ["1/1", "1/2", "2/1", "1/3 deleted"])
        #expect(try book.rows(since: 1_000_001) == ["1/2", "2/1", "1/3 deleted"])
        #expect(try book.rows(since: 1_000_005) == ["1/2", "2/1", "1/3 deleted"])
        #expect(try book.rows(since: 1_000_006) == [])
        try book.store.close()
    }

    @Test("loses what is too old a bounded number at a time, and says so")
    func removal() async throws {
        let book = try Book { $0.logMilliseconds = 100 }
        for number in 0..<StoreLimits.changesPerRemoval * 2 {
            _ = try await book.create("\(number)")
            book.clock.advance(3)
        }
        let images = try book.rows(since: 1_000_000 + 300)
        #expect(images?.count == StoreLimits.changesPerRemoval * 2 - 100)
        #expect(try book.rows(since: 1_000_000) == nil)
        #expect(try book.rows()?.count == StoreLimits.changesPerRemoval * 2)
        try book.store.close()
    }

    @Test("keeps a tombstone for its time; without one the record is gone at once and its deletion is told")
    func tombstones() async throws {
        let book = try Book { $0.tombstoneMilliseconds = 1_000 }
        _ = try await book.create("dead")
        _ = try await book.delete("dead", of: 1)
        book.clock.advance(500)
        for number in 0..<StoreLimits.changesPerRemoval { _ = try await book.create("a\(number)") }
        #expect(try book.rows()?.first == "dead/2 deleted")
        book.clock.advance(600)
        for number in 0..<StoreLimits.changesPerRemoval { _ = try await book.create("b\(number)") }
        #expect(try book.rows()?.first == "a0/1")
        try book.store.close()

        let brief = try Book { $0.tombstoneMilliseconds = 0 }
        _ = try await brief.create("1")
        _ = try await brief.delete("1", of: 1)
        #expect(try brief.rows() == [])
        #expect(try brief.rows(since: 1) == ["1/1", "1/2 deleted"])
        try brief.store.close()
    }

    @Test("of a group that is not committed yet is asked for again by the next sync")
    func openGroup() async throws {
        let book = try Book()
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (isRunning, isStamped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let change = VersionedChange(
            .create(in: book.log.table, [.init("id", "1")], returning: []), in: book.log)
        let clock = book.store.changeClock
        let writer = book.store.writer
        let done = DispatchSemaphore(value: 0)
        // While the first group runs, the next one gathers.
        writer.submit(
            turn: .all, key: nil,
            { _ in
                isRunning.signal()
                first.wait()
            }, answer: { _ in })
        await Self.wait(isRunning)
        writer.submit(
            turn: .all, key: nil,
            { session throws(StoreError) in _ = try session.apply(change, at: clock) { _ throws(StoreError) in } },
            answer: { _ in })
        writer.submit(
            turn: .all, key: nil,
            { _ in
                isStamped.signal()
                second.wait()
            }, answer: { _ in done.signal() })
        first.signal()
        await Self.wait(isStamped)
        // The change has its stamp and is not to be seen: a sync that begins much later must not end behind it.
        book.clock.advance(50)
        let startedAt = clock.beginSync()
        #expect(try book.rows() == [])
        second.signal()
        await Self.wait(done)
        #expect(startedAt == 1_000_000)
        #expect(try book.rows(since: startedAt) == ["1/1"])
        // Group ends are told behind the answers, on the writer's thread.
        try await writer.write(turn: .all, key: nil) { _ in }
        try await writer.write(turn: .all, key: nil) { _ in }
        #expect(clock.beginSync() == 1_000_050)
        try book.store.close()
    }

    private static func wait(_ semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    @Test("never goes back, whatever the system's clock does, also when the file is opened again")
    func backwards() async throws {
        let folder = TestFolder()
        let clock = HandClock()
        let book = try Book(at: .file(folder.database), clock: clock)
        _ = try await book.create("1")
        clock.advance(-500)
        _ = try await book.create("2")
        #expect(book.store.changeClock.beginSync() == 1_000_000)
        try book.store.close()
        let again = try Book(at: .file(folder.database), clock: clock)
        _ = try await again.create("3")
        #expect(try again.rows(since: 1_000_000) == ["1/1", "2/1", "3/1"])
        try again.store.close()
    }

    @Test("begins when a model becomes synced, goes when it no longer is, and what was deleted stays deleted")
    func migration() async throws {
        let folder = TestFolder()
        let plain = try Store.opened(Self.schema, at: .file(folder.database))
        try await plain.create("Post", ["id": "1", "title": "a"])
        try await plain.create("Post", ["id": "2", "title": "b"])
        try plain.close()

        let clock = HandClock()
        let book = try Book(at: .file(folder.database), clock: clock)
        #expect(try book.rows() == ["1/1", "2/1"])
        // What was there before is in no log: who asks for it gets everything.
        #expect(try book.rows(since: 1) == nil)
        #expect(try book.rows(since: 2) == [])
        #expect(try await book.delete("1", of: 1) == .made)
        try book.store.close()

        let other = Self.schema.replacing("likes: Int", with: "likes: Int more: String")
        let changed = try Store.opened(other, at: .file(folder.database), synced: true)
        let log = try #require(ChangeLog(of: changed.table("Post")))
        #expect(try changed.reader().position(in: log, since: 1_000_000) == nil)
        #expect(try changed.reader().position(in: log, since: 1_000_001) != nil)
        try changed.close()

        let back = try Store.opened(Self.schema, at: .file(folder.database))
        let rows = try back.values(ListQuery(try back.table("Post"), fields: ["id", "title"], limit: 10)).rows
        #expect(rows == [["2", "b"]])
        try back.close()
        _ = try Book(at: .file(folder.database), clock: clock).store.close()
    }

    /// Of each tombstone, or of each record, whether it is one.
    private static func tombstones(_ book: Book, areAll: Bool = false) throws -> [Bool] {
        var found: [Bool] = []
        let query = ListQuery(book.log.table, fields: ["_deleted"], limit: 10_000)
        _ = try book.store.reader().list(query) { row throws(StoreError) in
            if areAll || row.boolean(0) { found.append(row.boolean(0)) }
        }
        return found
    }

    private static func sweep(_ book: Book) async throws {
        let sweep = try #require(LogSweep(of: book.store))
        await withCheckedContinuation { continuation in sweep.run { continuation.resume() } }
    }

    @Test("loses by time what nobody writes to, and the key of a record whose tombstone went is free")
    func sweeps() async throws {
        let book = try Book {
            $0.tombstoneMilliseconds = 1_000
            $0.logMilliseconds = 500
        }
        for id in ["live", "dead", "later"] { _ = try await book.create(id) }
        _ = try await book.delete("dead", of: 1)
        book.clock.advance(900)
        _ = try await book.delete("later", of: 1)
        try await Self.sweep(book)
        #expect(try book.rows() == ["live/1", "dead/2 deleted", "later/2 deleted"])
        // The images that are too old are gone, and it is known that they are.
        #expect(try book.rows(since: 1_000_000) == nil)
        #expect(try book.rows(since: 1_000_001) == ["later/2 deleted"])
        book.clock.advance(100)
        try await Self.sweep(book)
        #expect(try book.rows()?.count == 3)
        book.clock.advance(1)
        try await Self.sweep(book)
        #expect(try book.rows() == ["live/1", "later/2 deleted"])
        #expect(try await book.create("dead") == .made)
        book.clock.advance(10_000)
        try await Self.sweep(book)
        #expect(try book.rows() == ["live/1", "dead/1"])
        try book.store.close()
    }

    @Test("does so after a restart, however many records there are, a bounded number at a time")
    func sweepsMany() async throws {
        let folder = TestFolder()
        let clock = HandClock()
        let place = Store.Location.file(folder.database)
        let count = StoreLimits.removedChangesMax * 5
        let first = try Book(at: place, clock: clock) { $0.tombstoneMilliseconds = 1_000 }
        try await first.store.writer.write(turn: .all, key: nil) {
            [log = first.log, clock = first.store.changeClock] (session: WriteSession) in
            for number in 0..<count {
                let id = StoredValue.text("\(number)")
                _ = try session.apply(
                    .init(.create(in: log.table, [.init("id", id)], returning: []), in: log), at: clock
                ) { _ throws(StoreError) in }
                guard number % 2 == 0 else { continue }
                _ = try session.apply(
                    .init(.delete(from: log.table, key: [id], returning: []), in: log, of: 1), at: clock
                ) { _ throws(StoreError) in }
            }
        }
        try first.store.close()
        clock.advance(10_000)
        let second = try Book(at: place, clock: clock) { $0.tombstoneMilliseconds = 1_000 }
        let hasMore = try await second.store.writer.write(turn: .all, key: nil) {
            [log = second.log, clock = second.store.changeClock] (session: WriteSession) in
            try session.sweep(log, at: clock.settings.now(), clock.settings)
        }
        #expect(hasMore)
        #expect(try Self.tombstones(second).count == count / 2 - StoreLimits.removedChangesMax)
        try await Self.sweep(second)
        let rows = try Self.tombstones(second, areAll: true)
        #expect(rows.count == count / 2 && !rows.contains(true))
        try second.store.close()
    }
}
