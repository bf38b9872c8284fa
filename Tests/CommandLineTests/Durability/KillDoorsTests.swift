import Foundation
import Synchronization
import TestSupport
import Testing

/// Records that are written through GraphQL and as items at once, by a server that is killed: each write raises a counter and the
/// version, so both tell how many there were.
@Suite("A killed server with two doors", .serialized)
struct KillDoorsTests {
    private static let recordCount = 8
    private static let table = "Note-local-NONE"
    private static let schema = """
        type Note @model @auth(rules: [{ allow: public }]) {
          id: ID! count: Int state: String @index(name: "byState", sortKeyFields: ["count"], queryField: "notesByState") }
        """

    /// HOMEPORT_KILLS, or few; HOMEPORT_WRITERS, or few.
    private static var killCount: Int { environment("HOMEPORT_KILLS") ?? 2 }
    private static var writerCount: Int { environment("HOMEPORT_WRITERS") ?? 8 }

    private static func environment(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init)
    }

    /// The writes of each record: those that were acknowledged, and those that may have been made.
    private final class Tally: Sendable {
        private let counts = Mutex<[String: (sure: Int, possible: Int)]>([:])

        func begin(_ id: String) { counts.withLock { $0[id, default: (0, 0)].possible += 1 } }
        func made(_ id: String) { counts.withLock { $0[id, default: (0, 0)].sure += 1 } }
        func refused(_ id: String) { counts.withLock { $0[id, default: (0, 0)].possible -= 1 } }
        func of(_ id: String) -> (sure: Int, possible: Int) { counts.withLock { $0[id] ?? (0, 0) } }
        var sum: Int { counts.withLock { $0.values.reduce(0) { $0 + $1.sure } } }
    }

    @Test("loses no write of either, and its versions and indexes agree")
    func agrees() async throws {
        var random = SeededRandom(test: "KillDoorsTests")
        let folder = TemporaryFolder()
        let tally = Tally()
        for kill in 0...Self.killCount {
            let server = try await BlockingThread.run {
                Unchecked(
                    try HomeportProcess(
                        environment: ["HOMEPORT_FEATURES_CONFLICT_DETECTION": "OPTIMISTIC_CONCURRENCY"],
                        schema: Self.schema, in: folder))
            }
            if kill == 0 { try await BlockingThread.run { try Self.make(server.value) } }
            try await BlockingThread.run { try Self.check(server.value, tally, kill) }
            guard kill < Self.killCount else {
                #expect(tally.sum > Self.recordCount)
                server.value.signal(SIGTERM)
                break
            }
            let length = Duration.microseconds(Int.random(in: 100_000...600_000, using: &random))
            let identifier = server.value.identifier
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<Self.writerCount {
                    group.addTask {
                        try await BlockingThread.run {
                            writer.isMultiple(of: 2)
                                ? Self.writeByGraphQL(server.value, tally, writer)
                                : Self.writeAsItems(server.value, tally, writer)
                        }
                    }
                }
                group.addTask {
                    try await BlockingThread.run {
                        // The moment within a commit is anybody's guess.
                        pause(length, because: "the moment of a kill is random")
                        try eventually("more was written than there are records") { tally.sum > Self.recordCount }
                        Foundation.kill(identifier, SIGKILL)
                    }
                }
                try await group.waitForAll()
            }
            _ = server.value.exitStatus()
        }
    }

    private static func make(_ server: HomeportProcess) throws {
        let client = try OperationClient(port: server.port)
        for number in 0..<recordCount {
            _ = try client.data("mutation { createNote(input: {id: \"n\(number)\", count: 0, state: \"s0\"}) { id } }")
        }
    }

    // MARK: Writers

    /// Raises counters of the versions that it has read, until the connection ends.
    private static func writeByGraphQL(_ server: HomeportProcess, _ tally: Tally, _ writer: Int) {
        guard let client = try? OperationClient(port: server.port) else { return }
        for number in 0..<100_000 {
            let id = "n\((number + writer) % recordCount)"
            guard let data = try? client.data("{ getNote(id: \"\(id)\") { count _version } }"),
                let note = data["getNote"] as? [String: Any], let count = note["count"] as? Int,
                let version = note["_version"] as? Int
            else { return }
            let input = "{id: \"\(id)\", count: \(count + 1), state: \"s\((count + 1) % 3)\", _version: \(version)}"
            tally.begin(id)
            guard let answer = try? client.answer(to: "mutation { updateNote(input: \(input)) { id } }") else { return }
            if answer.contains("errors") { tally.refused(id) } else { tally.made(id) }
        }
    }

    /// Raises counters under the condition that they are what was read.
    private static func writeAsItems(_ server: HomeportProcess, _ tally: Tally, _ writer: Int) {
        for number in 0..<100_000 {
            let id = "n\((number + writer) % recordCount)"
            let key = #""TableName": "\#(table)", "Key": {"id": {"S": "\#(id)"}}"#
            guard let item = try? call("GetItem", "{\(key)}", server)["Item"] as? [String: [String: Any]],
                let count = (item["count"]?["N"] as? String).flatMap(Int.init)
            else { return }
            let update =
                ##"{\##(key), "UpdateExpression": "SET #c = #c + :one, #s = :s", "ConditionExpression": "#c = :c", "ExpressionAttributeNames": {"#c": "count", "#s": "state"}, "ExpressionAttributeValues": {":one": {"N": "1"}, ":c": {"N": "\##(count)"}, ":s": {"S": "s\##((count + 1) % 3)"}}}"##
            tally.begin(id)
            guard let answer = try? SignedCall.item("UpdateItem", update, to: server).answer(from: server) else {
                return
            }
            if answer.status == 200 { tally.made(id) } else { tally.refused(id) }
        }
    }

    private static func call(_ operation: String, _ body: String, _ server: HomeportProcess) throws -> [String: Any] {
        let answer = try SignedCall.item(operation, body, to: server).answer(from: server)
        try #require(answer.status == 200, "\(operation): \(answer.body)")
        return try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any] ?? [:]
    }

    // MARK: What there is

    private static func check(_ server: HomeportProcess, _ tally: Tally, _ kill: Int) throws {
        let items =
            try call("Scan", #"{"TableName": "\#(table)"}"#, server)["Items"] as? [[String: [String: Any]]] ?? []
        #expect(items.count == recordCount, "after kill \(kill)")
        var states: [String: Set<String>] = [:]
        for item in items {
            let id = item["id"]?["S"] as? String ?? ""
            let count = (item["count"]?["N"] as? String).flatMap(Int.init) ?? -1
            let (sure, possible) = tally.of(id)
            #expect(
                count >= sure && count <= possible, "after kill \(kill): \(id) has \(count) of \(sure) to \(possible)")
            #expect(item["_version"]?["N"] as? String == "\(count + 1)", "after kill \(kill): \(id)")
            #expect(item["state"]?["S"] as? String == "s\(count % 3)", "after kill \(kill): \(id)")
            states["s\(count % 3)", default: []].insert("\(id) \(count)")
        }
        let client = try OperationClient(port: server.port)
        for state in ["s0", "s1", "s2"] {
            let query =
                ##"{"TableName": "\##(table)", "IndexName": "byState", "KeyConditionExpression": "#s = :s", "ExpressionAttributeNames": {"#s": "state"}, "ExpressionAttributeValues": {":s": {"S": "\##(state)"}}}"##
            let found = try call("Query", query, server)["Items"] as? [[String: [String: Any]]] ?? []
            let asItems = Set(found.map { "\($0["id"]?["S"] ?? "") \($0["count"]?["N"] ?? "")" })
            #expect(asItems == states[state] ?? [], "after kill \(kill): \(state)")
            let page = try client.data("{ notesByState(state: \"\(state)\", limit: 100) { items { id count } } }")
            let notes = (page["notesByState"] as? [String: Any])?["items"] as? [[String: Any]] ?? []
            #expect(
                Set(notes.map { "\($0["id"] ?? "") \($0["count"] ?? "")" }) == states[state] ?? [],
                "after kill \(kill): \(state)")
        }
    }
}
