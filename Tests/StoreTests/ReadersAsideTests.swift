import Dispatch
import JSON
import Synchronization
import TestSupport
import Testing

@testable import Store

@Suite("Reads beside the loops")
struct ReadersAsideTests {
    private static let endless = SQLText(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")

    private func kind(_ task: Task<Void, any Error>) async -> StoreError.Kind? {
        do { try await task.value } catch { return (error as? StoreError)?.kind }
        return nil
    }

    @Test("run a few at a time, wait a few at a time, and are refused beyond")
    func bounds() async throws {
        let folder = TestFolder()
        let store = try Store.opened(WriterTests.schema, at: .file(folder.database))
        let readers = ReadersAside(path: store.path, threadsMax: 1, waitingMax: 1)
        let begun = DispatchSemaphore(value: 0)
        let released = DispatchSemaphore(value: 0)
        let first = Task {
            try await readers.read(until: .max) { _ throws(StoreError) in
                begun.signal()
                released.wait()
            }
        }
        try await BlockingThread.run { begun.wait() }
        let second = Task { try await readers.read(until: .max) { _ throws(StoreError) in } }
        try await eventually("two reads are there") { readers.count >= 2 }
        let third = Task { try await readers.read(until: .max) { _ throws(StoreError) in } }
        #expect(await kind(third) == .overloaded)
        // One that waits leaves its place when nobody waits for it.
        second.cancel()
        #expect(await kind(second) == .interrupted)
        #expect(readers.count == 1)
        let fourth = Task { try await readers.read(until: .max) { _ throws(StoreError) in } }
        try await eventually("two reads are there") { readers.count >= 2 }
        released.signal()
        try await first.value
        try await fourth.value
        #expect(readers.threadCount == 1)
        readers.close()
        #expect(readers.threadCount == 0)
        let fifth = Task { try await readers.read(until: .max) { _ throws(StoreError) in } }
        #expect(await kind(fifth) == .stopped)
        try store.close()
    }

    @Test("end within a statement: by their time, when nobody waits, and when the database is closed")
    func ends() async throws {
        let folder = TestFolder()
        let store = try Store.opened(WriterTests.schema, at: .file(folder.database))
        let readers = store.readersAside
        let begun = DispatchSemaphore(value: 0)
        @Sendable func read(until deadline: Int64) -> Task<Void, any Error> {
            Task {
                try await readers.read(until: deadline) { reader throws(StoreError) in
                    begun.signal()
                    _ = try reader.connection.value(Self.endless)
                }
            }
        }
        #expect(await kind(read(until: Timestamp.monotonicMilliseconds + 20)) == .interrupted)
        #expect(await kind(read(until: 0)) == .interrupted)
        let cancelled = read(until: .max)
        try await BlockingThread.run { begun.wait() }
        cancelled.cancel()
        #expect(await kind(cancelled) == .interrupted)
        let closed = read(until: .max)
        try await eventually("a read is there") { readers.count >= 1 }
        try store.close()
        let last = await kind(closed)
        #expect(last == .interrupted || last == .stopped)
        #expect(readers.threadCount == 0)
    }

    @Test("see one state of the data, and the next one sees what was written meanwhile")
    func state() async throws {
        let store = try Store.opened(WriterTests.schema)
        let query = ListQuery(try store.table("Post"), fields: ["id"], limit: 10)
        let begun = DispatchSemaphore(value: 0)
        let written = DispatchSemaphore(value: 0)
        let first = Task {
            try await store.readersAside.read(until: .max) { reader throws(StoreError) in
                let before = try reader.list(query) { _ throws(StoreError) in }.matchCount
                begun.signal()
                written.wait()
                return [before, try reader.list(query) { _ throws(StoreError) in }.matchCount]
            }
        }
        try await BlockingThread.run { begun.wait() }
        try await store.create("Post", ["id": "1", "title": "t"])
        written.signal()
        #expect(try await first.value == [0, 0])
        let after = try await store.readersAside.read(until: .max) { reader throws(StoreError) in
            try reader.list(query) { _ throws(StoreError) in }.matchCount
        }
        #expect(after == 1)
        try store.close()
    }
}
