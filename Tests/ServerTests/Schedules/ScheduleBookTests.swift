import Blueprint
import JSON
import Schedules
import Store
import TestSupport
import Testing

@testable import Server

@Suite("Since when schedules are counted")
struct ScheduleBookTests {
    private static func store(in folder: TemporaryFolder) throws -> Store {
        let blueprint = try #require(SDLReader.read("type A @model { id: ID! }", settings: Settings()).blueprint)
        return try Store(.file("\(folder.path)/data.sqlite"), for: blueprint, nowMilliseconds: 0) {
            Issue.record("\($0)")
        }
    }

    @Test("a rate is counted from its first start on, after restarts too; one that was gone begins anew")
    func restarts() async throws {
        let folder = TemporaryFolder()
        let hourly = ScheduleBook.key(.function("f"), try Schedule("rate(1 hour)"))
        let machine = ScheduleBook.key(.stateMachine("f"), try Schedule("rate(1 hour)"))
        let steps: [(keys: [ByteText], now: Int64, creations: [ByteText: Int64])] = [
            ([hourly], 100, [hourly: 100]), ([hourly, machine], 200, [hourly: 100, machine: 200]),
            ([hourly, machine], 300, [hourly: 100, machine: 200]), ([machine], 400, [machine: 200]),
            ([hourly, machine], 500, [hourly: 500, machine: 200]), ([], 600, [:]), ([hourly], 700, [hourly: 700]),
        ]
        for step in steps {
            let store = try Self.store(in: folder)
            #expect(try await ScheduleBook(store).creations(of: step.keys, now: step.now) == step.creations)
            try store.close()
        }
    }
}
