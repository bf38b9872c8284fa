import JSON
import Store

/// The events as whoever tells functions of them sees the table.
struct FileEventQueue: Sendable {
    let store: Store

    private static let readMilliseconds: Int64 = 5_000

    /// Brings a table of an earlier version to this one: what waits there is told before anything is written.
    func bring() async throws {
        let isOld = try await store.readersAside.read(until: Timestamp.monotonicMilliseconds + Self.readMilliseconds) {
            reader throws(StoreError) in
            guard try reader.has(FileTables.all) else { return false }
            let isThere = try reader.has(FileTables.eventFunctions)
            return !isThere
        }
        guard isOld else { return }
        try await store.writer.write(turn: .files, key: nil) { session in try session.bring(FileTables.eventFunctions) }
    }

    /// Those whose time has come, no two of one key.
    func due(at now: Int64, max: Int) async throws -> [FileEvent] {
        try await store.readersAside.read(until: Timestamp.monotonicMilliseconds + Self.readMilliseconds) {
            reader throws(StoreError) in
            var events: [FileEvent] = []
            guard try reader.has(FileTables.eventFunctions) else { return events }
            try reader.rows(FileEventRows.due, [.integer(now), .integer(Int64(max))]) { row throws(StoreError) in
                events.append(FileEvent(row))
                return true
            }
            return events
        }
    }

    /// When the next one is due behind a time; nil: none is.
    func nextDue(after now: Int64) async throws -> Int64? {
        try await store.readersAside.read(until: Timestamp.monotonicMilliseconds + Self.readMilliseconds) {
            reader throws(StoreError) in
            var due: Int64?
            guard try reader.has(FileTables.eventFunctions) else { return due }
            try reader.rows(FileEventRows.nextDue, [.integer(now), .integer(FileEventRows.never)]) {
                row throws(StoreError) in
                if !row.isNull(0) { due = row.integer(0) }
                return false
            }
            return due
        }
    }

    /// Takes an event out; the next one of its key is due. Where another node has taken it out, nothing is changed: that one may be telling the
    /// next one by now.
    func end(_ event: FileEvent) async throws {
        try await store.writer.write(turn: .files, key: nil) { session in
            guard try session.change(FileEventRows.deletion, [.integer(event.number)]) > 0 else { return }
            try session.change(FileEventRows.release, [.text(event.bucket), .text(event.key)])
        }
    }

    func delay(_ event: FileEvent, until time: Int64) async throws {
        try await store.writer.write(turn: .files, key: nil) { session in
            _ = try session.change(FileEventRows.delay, [.integer(time), .integer(event.number)])
        }
    }
}
