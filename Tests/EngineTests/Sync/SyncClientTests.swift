import Access
import JSON
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// Clients that know nothing but what syncs tell them, against the records that the server has.
@Suite("A client that syncs")
struct SyncClientTests {
    private static let schema =
        "type Note @model @auth(rules: [{allow: public}]) { id: ID! content: String rating: Int }"
    private static let fields = "id content rating _version _deleted _lastChangedAt"
    private static let logMilliseconds: Int64 = 40

    /// A clock that stands still most of the time, and jumps now and then.
    private final class SlowClock: Sendable {
        let time = Mutex<Int64>(1_700_000_000_000)

        var settings: SyncSettings {
            var settings = SyncSettings()
            settings.logMilliseconds = SyncClientTests.logMilliseconds
            settings.now = { [self] in time.withLock { $0 } }
            return settings
        }
    }

    /// What a client keeps: records by id, as Swift merges them (the higher version stays) and as JS does (the later).
    private struct Client {
        var byVersion: [String: JSONValue] = [:]
        var byOrder: [String: JSONValue] = [:]
        var lastSync: Int64 = 0
        /// The sync that goes on.
        var token: String?
        var startedAt: Int64?

        mutating func take(_ page: JSONValue) {
            for item in page["items"]?.array ?? [] {
                guard let id = item["id"]?.string, let version = item["_version"]?.integer else { continue }
                byOrder[id] = item
                if (byVersion[id]?["_version"]?.integer ?? 0) <= version { byVersion[id] = item }
            }
            if let startedAt { #expect(page["startedAt"]?.integer == startedAt) }
            startedAt = page["startedAt"]?.integer
            token = page["nextToken"]?.string
            guard token == nil else { return }
            lastSync = startedAt ?? 0
            startedAt = nil
        }
    }

    /// Mutations whose answers nobody waits for before the next step.
    private final class Waiting: Sendable {
        private let tasks = Mutex<[Task<Void, Never>]>([])

        func add(_ pending: PendingAnswer) {
            guard let written = pending.written else {
                Issue.record("the mutation waits for something else")
                return
            }
            let task = Task {
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    written.begin { _ in continuation.resume() }
                }
            }
            tasks.withLock { $0.append(task) }
        }

        func finish() async {
            let begun = tasks.withLock { tasks -> [Task<Void, Never>] in
                defer { tasks = [] }
                return tasks
            }
            for task in begun { await task.value }
        }
    }

    private static func mutation(_ random: inout SeededRandom) -> String {
        let id = "n\(Int.random(in: 0..<6, using: &random))"
        let rating = Int.random(in: 0..<100, using: &random)
        let version = Int.random(in: 1...4, using: &random)
        return switch Int.random(in: 0..<8, using: &random) {
        case 0...1: "mutation { createNote(input: {id: \"\(id)\", rating: \(rating)}) { id } }"
        // Without a version it is merged, and always a change.
        case 2...5: "mutation { updateNote(input: {id: \"\(id)\", content: \"c\(rating)\"}) { id } }"
        case 6: "mutation { updateNote(input: {id: \"\(id)\", rating: \(rating), _version: \(version)}) { id } }"
        default: "mutation { deleteNote(input: {id: \"\(id)\", _version: \(version)}) { id } }"
        }
    }

    private static func page(_ client: Client, limit: Int, _ engine: TestEngine) async throws -> JSONValue {
        let variables = JSONObject([
            ("limit", .integer(Int64(limit))), ("nextToken", client.token.map { .string($0) } ?? .null),
            ("lastSync", .integer(client.lastSync)),
        ])
        let answer = try await engine.value(
            "query S($limit: Int, $nextToken: String, $lastSync: AWSTimestamp) { syncNotes(limit: $limit, nextToken: $nextToken, lastSync: $lastSync) { items { \(fields) } nextToken startedAt } }",
            variables)
        // Also where the log that a token is of has lost what was to follow.
        #expect(answer.messages == [])
        return try #require(answer[path: "data", "syncNotes"])
    }

    @Test("ends with the server's records, whenever it asks and whatever is changed meanwhile")
    func equality() async throws {
        var random = SeededRandom(test: "SyncClientTests")
        for round in 0..<Fuzz.rounds(ordinarily: 8) {
            let clock = SlowClock()
            let engine = try TestEngine(
                Self.schema, sync: clock.settings, project: { $0.conflictStrategy = .automerge },
                change: { $0.semantics = round % 2 == 0 ? .appsync : .filled })
            try await Self.check([engine], clock, steps: 300, &random)
        }
    }

    @Test(
        "ends with the records of several servers over one database, whichever of them it asks and whichever changes them",
        .enabled(if: PostgresServer.isInstalled, PostgresServer.absence))
    func nodes() async throws {
        var random = SeededRandom(test: "SyncClientTests.nodes")
        for round in 0..<Fuzz.rounds(ordinarily: 4) {
            let location = try TestDatabase.server()
            var settings = SyncSettings()
            // By the database's clock: some syncs come in time for the log, some do not.
            if round % 2 == 0 { settings.logMilliseconds = Self.logMilliseconds }
            var engines: [TestEngine] = []
            var nodes: [Nodes] = []
            for _ in 0..<3 {
                let engine = try TestEngine(
                    Self.schema, sync: settings, at: location, project: { $0.conflictStrategy = .automerge },
                    change: { $0.semantics = round % 2 == 0 ? .appsync : .filled })
                engines.append(engine)
                nodes.append(try await Nodes.join(engine.engine.store, address: "", version: "1") { _ in })
            }
            try await Self.check(engines, SlowClock(), steps: 250, &random)
            for node in nodes { await node.end() }
        }
    }

    /// Changes records and syncs clients at random, each time by one of the engines, and compares what clients end with.
    private static func check(
        _ engines: [TestEngine], _ clock: SlowClock, steps: Int, _ random: inout SeededRandom
    ) async throws {
        func any(_ random: inout SeededRandom) -> TestEngine {
            engines[Int.random(in: 0..<engines.count, using: &random)]
        }
        var clients = [Client(), Client(), Client()]
        let waiting = Waiting()
        for _ in 0..<steps {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...4:
                let body = JSONWriter.bytes(
                    of: .object(JSONObject([("query", .string(Self.mutation(&random)))])))
                let engine = any(&random)
                let answer = engine.engine.answer(body, from: Requester(.apiKey), on: engine.shard)
                if case .pending(let pending) = answer { waiting.add(pending) }
                if Bool.random(using: &random) { await waiting.finish() }
            case 5:
                let step = Bool.random(using: &random) ? 1 : Int64.random(in: 0...30, using: &random)
                clock.time.withLock { $0 += step }
            default:
                let number = Int.random(in: 0..<clients.count, using: &random)
                // A sync may take longer than the log lasts.
                let page = try await Self.page(
                    clients[number], limit: Int.random(in: 1...5, using: &random), any(&random))
                clients[number].take(page)
            }
        }
        await waiting.finish()
        let all = try await any(&random).value("{ listNotes(limit: 1000) { items { \(Self.fields) } } }")
        var records: [String: JSONValue] = [:]
        for item in all[path: "data", "listNotes", "items"]?.array ?? [] {
            records[try #require(item["id"]?.string)] = item
        }
        for var client in clients {
            // A sync that is half done sees the rest of it only: what came meanwhile is in the next.
            for _ in 0..<3 {
                repeat {
                    client.take(try await Self.page(client, limit: 3, any(&random)))
                } while client.token != nil
            }
            #expect(client.byVersion == records)
            #expect(client.byOrder == records)
        }
    }
}
