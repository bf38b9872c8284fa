import Foundation
import TestSupport
import Testing

/// A server that is killed while clients sync leaves no record without its entry in the log of changes, and no entry
/// without its record.
@Suite("A killed server with synced models", .serialized)
struct KillSyncTests {
    private static let clientCount = 4
    private static let schema =
        "type Note @model @auth(rules: [{ allow: public }]) { id: ID! content: String }"

    /// HOMEPORT_KILLS, or few.
    private static var killCount: Int { ProcessInfo.processInfo.environment["HOMEPORT_KILLS"].flatMap(Int.init) ?? 2 }

    @Test("has the same in its records and in its log of changes")
    func agrees() async throws {
        var random = SeededRandom(test: "KillSyncTests")
        let folder = TemporaryFolder()
        for kill in 0...Self.killCount {
            let server = try await BlockingThread.run {
                Unchecked(
                    try HomeportProcess(
                        environment: ["HOMEPORT_FEATURES_CONFLICT_DETECTION": "AUTOMERGE"], schema: Self.schema,
                        in: folder))
            }
            let port = server.value.port
            let (records, images) = try await BlockingThread.run {
                (try Self.notes(port, lastSync: 0), try Self.notes(port, lastSync: 1))
            }
            #expect(records == images, "after kill \(kill)")
            guard kill < Self.killCount else {
                #expect(!records.isEmpty)
                server.value.signal(SIGTERM)
                break
            }
            let length = Duration.microseconds(Int.random(in: 20_000...200_000, using: &random))
            let identifier = server.value.identifier
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<Self.clientCount {
                    group.addTask { try await BlockingThread.run { Self.write("k\(kill)-\(client)", to: port) } }
                }
                group.addTask {
                    try await BlockingThread.run {
                        // The moment within a commit is anybody's guess.
                        pause(length, because: "the moment of a kill is random")
                        try eventually("a record is there") { try !Self.notes(port, lastSync: 0).isEmpty }
                        Foundation.kill(identifier, SIGKILL)
                    }
                }
                try await group.waitForAll()
            }
            _ = server.value.exitStatus()
        }
    }

    /// Makes, changes and deletes records until the connection ends.
    private static func write(_ name: String, to port: UInt16) {
        guard let client = try? OperationClient(port: port) else { return }
        for number in 0..<100_000 {
            let id = "\(name)-\(number)"
            let steps = [
                "mutation { createNote(input: {id: \"\(id)\", content: \"a\"}) { id } }",
                "mutation { updateNote(input: {id: \"\(id)\", content: \"b\", _version: 1}) { id } }",
                "mutation { deleteNote(input: {id: \"\(id)\", _version: 2}) { id } }",
            ]
            for step in steps.prefix(1 + number % 3) {
                guard (try? client.data(step)) != nil else { return }
            }
        }
    }

    /// What a client of all pages of a sync ends with: versions and contents by id.
    private static func notes(_ port: UInt16, lastSync: Int) throws -> [String: String] {
        let client = try OperationClient(port: port)
        var found: [String: String] = [:]
        var token: Any = NSNull()
        while true {
            let data = try client.data(
                "query ($t: String, $l: AWSTimestamp) { syncNotes(limit: 1000, nextToken: $t, lastSync: $l) { nextToken items { id content _version _deleted _lastChangedAt } } }",
                ["t": token, "l": lastSync == 0 ? 0 : Int(Date().timeIntervalSince1970 * 1_000) - 20 * 60_000])
            let page = data["syncNotes"] as? [String: Any]
            for item in page?["items"] as? [[String: Any]] ?? [] {
                let values = ["content", "_version", "_deleted", "_lastChangedAt"].map { "\(item[$0] ?? "")" }
                found[item["id"] as? String ?? ""] = values.joined(separator: " ")
            }
            guard let next = page?["nextToken"] as? String else { return found }
            token = next
        }
    }
}
