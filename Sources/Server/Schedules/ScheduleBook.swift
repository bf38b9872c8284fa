import JSON
import Schedules
import Store

/// Remembers since when a rate is counted, in the database: a restart does not begin its time anew. A schedule that is gone is
/// forgotten, and counts anew when it comes back.
struct ScheduleBook: Sendable {
    private let store: Store

    init(_ store: Store) { self.store = store }

    static func key(_ target: ScheduledCall.Target, _ schedule: Schedule) -> ByteText {
        switch target {
        case .function(let name): ByteText("function \(name) \(schedule.text)")
        case .stateMachine(let name): ByteText("stateMachine \(name) \(schedule.text)")
        case .rule(let name): ByteText("rule \(name) \(schedule.text)")
        }
    }

    /// The seconds since 1970 from which each is counted: `now` for one that is new.
    func creations(of keys: [ByteText], now: Int64) async throws -> [ByteText: Int64] {
        // Most servers have no rates, and read nothing.
        guard !keys.isEmpty || store.knows(Self.tables) else { return [:] }
        let known = try await read()
        let wanted = Set(keys)
        guard wanted != Set(known.keys) else { return known }
        try await store.writer.write(turn: .settings, key: nil) { session in
            try session.bring(Self.tables)
            for key in known.keys where !wanted.contains(key) { try session.change(Self.removal, [.text(key.string)]) }
            for key in wanted where known[key] == nil {
                try session.change(Self.insertion, [.text(key.string), .integer(now)])
            }
        }
        return try await read()
    }

    private func read() async throws -> [ByteText: Int64] {
        try await store.readersAside.read(until: Timestamp.monotonicMilliseconds + Self.readMilliseconds) {
            reader throws(StoreError) in
            var creations: [ByteText: Int64] = [:]
            guard try reader.has(Self.tables) else { return creations }
            try reader.rows(Self.selection, []) { row throws(StoreError) in
                creations[ByteText(row.text(0))] = row.integer(1)
                return true
            }
            return creations
        }
    }

    private static let readMilliseconds: Int64 = 5_000

    static let tables = RoomTables(
        of: "schedules", turn: .settings,
        versions: [
            [
                RoomStatement(
                    "CREATE TABLE _homeport_schedules (name TEXT PRIMARY KEY, created INTEGER NOT NULL) WITHOUT ROWID")
            ]
        ])
    private static let selection = RoomStatement("SELECT name, created FROM _homeport_schedules")
    private static let insertion = RoomStatement(
        "INSERT INTO _homeport_schedules (name, created) VALUES (?, ?) ON CONFLICT (name) DO NOTHING")
    private static let removal = RoomStatement("DELETE FROM _homeport_schedules WHERE name = ?")
}
