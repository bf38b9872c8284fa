import Foundation
import Synchronization
import TestSupport
import Testing

/// A server that is killed loses nothing of what it has said is done.
@Suite("A killed server", .serialized)
struct KillTests {
    private static let clientCount = 6

    /// HOMEPORT_KILLS, or few.
    private static var killCount: Int { ProcessInfo.processInfo.environment["HOMEPORT_KILLS"].flatMap(Int.init) ?? 3 }

    /// What the clients were told.
    private final class Acknowledged: Sendable {
        private let state = Mutex<[String: String]>([:])
        var all: [String: String] { state.withLock { $0 } }

        /// Answers how many there are.
        func note(_ id: String, _ name: String?) -> Int {
            state.withLock { names in
                names[id] = name
                return names.count
            }
        }
    }

    @Test("has every record that it acknowledged when it starts again")
    func keeps() async throws {
        var random = SeededRandom(test: "KillTests")
        let folder = TemporaryFolder()
        let acknowledged = Acknowledged()
        for kill in 0...Self.killCount {
            let server = try await BlockingThread.run {
                Unchecked(try HomeportProcess(in: folder))
            }
            let port = server.value.port
            let found = try await BlockingThread.run { try OperationClient(port: port).todos() }
            // One that was not acknowledged may be there too, and one may be further than was acknowledged.
            for (id, name) in acknowledged.all {
                let step = found[id].flatMap { Int($0) } ?? -1
                #expect(step >= Int(name) ?? 0, "after kill \(kill): \(id) is \(found[id] ?? "gone"), was \(name)")
            }
            guard kill < Self.killCount else {
                #expect(acknowledged.all.count >= Self.killCount)
                server.value.signal(SIGTERM)
                break
            }
            let goal = acknowledged.all.count + Int.random(in: 1...120, using: &random)
            // Often at once: what is said too early is lost within the next flush.
            let length = Duration.microseconds(
                Bool.random(using: &random) ? 0 : Int.random(in: 1...3_000, using: &random))
            let identifier = server.value.identifier
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<Self.clientCount {
                    group.addTask {
                        try await BlockingThread.run {
                            Self.write("k\(kill)-\(client)", to: port, acknowledged, goal) {
                                // The moment within a commit is anybody's guess.
                                pause(length, because: "the moment of a kill is random")
                                Foundation.kill(identifier, SIGKILL)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            _ = server.value.exitStatus()
        }
    }

    /// Makes and changes records until the connection ends; whoever reaches the goal ends it.
    private static func write(
        _ name: String, to port: UInt16, _ acknowledged: Acknowledged, _ goal: Int, atGoal end: () -> Void
    ) {
        guard let client = try? OperationClient(port: port) else { return }
        let create = "mutation ($i: CreateTodoInput!) { createTodo(input: $i) { id } }"
        let update = "mutation ($i: UpdateTodoInput!) { updateTodo(input: $i) { id } }"
        for number in 0..<100_000 {
            let id = "\(name)-\(number)"
            for (step, query) in [create, update].enumerated() {
                let input = ["i": ["id": id, "name": "\(step)"]]
                guard (try? client.data(query, input)) != nil else { return }
                if acknowledged.note(id, "\(step)") >= goal { end() }
            }
        }
    }
}

/// Carries what one thread uses after another, never two at once.
struct Unchecked<Value>: @unchecked Sendable {
    // Safe where the test waits for one thread before it goes on with the value.
    let value: Value
    init(_ value: Value) { self.value = value }
}
