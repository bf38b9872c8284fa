import Access
import JSON
import PostgresSupport
import Store
import Synchronization
import Testing

@testable import Engine

@Suite("A sync query")
struct SyncQueryTests {
    private static let task = """
        type Task @model @auth(rules: [{allow: public}]) {
          id: ID! list: String @index(name: "byList", queryField: "tasksByList", sortKeyFields: ["at"]) at: Int
          done: Boolean
        }
        type Other @model @auth(rules: [{allow: public}]) { id: ID! }
        """

    private static func engine(
        _ schema: String = task, _ change: (inout EngineSettings) -> Void = { _ in }
    ) async throws -> TestEngine {
        try TestEngine(
            schema,
            project: {
                $0.conflictStrategy = .automerge
                $0.additionalModes = [.userPools]
            }, change: change)
    }

    private static func fill(_ engine: TestEngine) async throws {
        try await engine.create(
            "Task",
            (0..<9).map { (number: Int) -> JSONObject in
                let list = JSONValue.string(number % 3 == 0 ? "a" : "b")
                let at = JSONValue.integer(Int64(10 - number))
                return JSONObject([
                    ("id", .string("t\(number)")), ("list", list), ("at", at), ("done", .bool(number > 4)),
                ])
            })
    }

    private static func sync(
        _ engine: TestEngine, _ arguments: JSONObject, as identity: Identity = .apiKey
    ) async throws -> (ids: [String], token: String?, startedAt: Int64?, answer: JSONValue) {
        let answer = try await engine.value(
            "query S($filter: ModelTaskFilterInput, $limit: Int, $nextToken: String, $lastSync: AWSTimestamp) { syncTasks(filter: $filter, limit: $limit, nextToken: $nextToken, lastSync: $lastSync) { nextToken startedAt items { id } } }",
            arguments, as: identity)
        let page = answer[path: "data", "syncTasks"]
        return (
            page?["items"]?.array?.compactMap { $0["id"]?.string } ?? [], page?["nextToken"]?.string,
            page?["startedAt"]?.integer, answer
        )
    }

    private static func all(_ engine: TestEngine, _ arguments: JSONObject) async throws -> [[String]] {
        var arguments = arguments
        var pages: [[String]] = []
        repeat {
            let page = try await sync(engine, arguments)
            pages.append(page.ids)
            arguments["nextToken"] = page.token.map { .string($0) } ?? .null
        } while !(arguments["nextToken"]?.isNull ?? true) && pages.count < 50
        return pages
    }

    /// A filter, and the pages of two rows that it has.
    static let filters: [(filter: String, pages: [[String]])] = [
        // Rows are counted before the filter.
        (#"{"done":{"eq":true}}"#, [[], [], ["t5"], ["t6", "t7"], ["t8"]]),
        // By the index: its own order, and only rows of that key are counted.
        (#"{"and":[{"list":{"eq":"a"}}]}"#, [["t6", "t3"], ["t0"]]),
        (#"{"and":[{"list":{"eq":"a"}},{"at":{"ge":5}}]}"#, [["t3", "t0"], []]),
        (#"{"and":[{"list":{"eq":"a"}},{"at":{"between":[4,7]}},{"done":{"eq":true}}]}"#, [["t6"], []]),
        (#"{"and":[{"list":{"eq":"a"}},{"done":{"eq":false}}]}"#, [["t3"], ["t0"]]),
        // Not by the index, and the same records.
        (#"{"and":[{"done":{"eq":false}},{"list":{"eq":"a"}}]}"#, [["t0"], ["t3"], [], [], []]),
        (#"{"and":[{"list":{"eq":"a"}}],"done":{"eq":true}}"#, [[], [], [], ["t6"], []]),
        (#"{"or":[{"list":{"eq":"a"}}]}"#, [["t0"], ["t3"], [], ["t6"], []]),
        (#"{"and":[{"list":{"beginsWith":"a"}}]}"#, [["t0"], ["t3"], [], ["t6"], []]),
        (#"{"and":[{"list":{"eq":"a","ne":"b"}}]}"#, [["t0"], ["t3"], [], ["t6"], []]),
        (#"{"and":[]}"#, [["t0", "t1"], ["t2", "t3"], ["t4", "t5"], ["t6", "t7"], ["t8"]]),
    ]

    @Test("reads by a key if the filter begins with one, and finds the same records", arguments: filters)
    func filter(_ row: (filter: String, pages: [[String]])) async throws {
        let engine = try await Self.engine()
        try await Self.fill(engine)
        let filter = try JSONReader.value(of: row.filter)
        #expect(try await Self.all(engine, JSONObject([("filter", filter), ("limit", 2)])) == row.pages)
        let filled = try TestEngine(sharing: engine) { $0.semantics = .filled }
        let pages = try await Self.all(filled, JSONObject([("filter", filter), ("limit", 100)]))
        #expect(pages == [row.pages.flatMap(\.self)])
        // The log has an image of each.
        let delta = try await Self.all(engine, JSONObject([("filter", filter), ("limit", 100), ("lastSync", 1)]))
        #expect(Set(delta.joined()) == Set(row.pages.joined()))
    }

    @Test("takes its own tokens only, with the time of their sync in them")
    func tokens() async throws {
        let engine = try await Self.engine()
        try await Self.fill(engine)
        let first = try await Self.sync(engine, JSONObject([("limit", 4)]))
        let token = JSONValue.string(try #require(first.token))
        let second = try await Self.sync(engine, JSONObject([("limit", 3), ("nextToken", token), ("lastSync", 0)]))
        #expect(second.ids == ["t4", "t5", "t6"])
        #expect(second.startedAt == first.startedAt)
        let other = try await Self.sync(
            engine, JSONObject([("nextToken", token), ("filter", try JSONReader.value(of: #"{"done":{"eq":true}}"#))]))
        #expect(other.answer.messages == ["Invalid pagination token given."])
        let list = try await engine.value(
            "query L($t: String) { listTasks(nextToken: $t) { items { id } } syncOthers(nextToken: $t) { items { id } } }",
            JSONObject([("t", token)]))
        #expect(list.messages == Array(repeating: "Invalid pagination token given.", count: 2))
        let lists = try await engine.value("{ listTasks(limit: 2) { nextToken } }")
        let listToken = try #require(lists[path: "data", "listTasks", "nextToken"])
        #expect(try await Self.sync(engine, JSONObject([("nextToken", listToken)])).answer.messages.count == 1)
        for limit in [0, -1] {
            let answer = try await Self.sync(engine, JSONObject([("limit", .integer(Int64(limit)))])).answer
            #expect(answer.messages.count == 1)
        }
    }

    @Test("has a hundred rows to a page, and never more than a thousand")
    func limits() async throws {
        let engine = try await Self.engine()
        for start in stride(from: 0, to: 1_100, by: 100) {
            try await engine.create("Other", (start..<start + 100).map { JSONObject([("id", .string("\($0)"))]) })
        }
        let answer = try await engine.value(
            "{ a: syncOthers { items { id } nextToken } b: syncOthers(limit: 5000) { items { id } nextToken } }")
        #expect(answer[path: "data", "a", "items"]?.array?.count == Int(Execution.syncLimitOrdinarily))
        #expect(answer[path: "data", "b", "items"]?.array?.count == EngineLimits().syncPageMax)
        #expect(answer[path: "data", "b", "nextToken"]?.string != nil)
    }

    @Test("shows a caller their own records, of changes too, and by a key only where that is theirs")
    func owners() async throws {
        let schema = """
            type Task @model @auth(rules: [{allow: owner}]) {
              id: ID! owner: String @index(name: "byOwner", queryField: "tasksByOwner") text: String
            }
            """
        let engine = try await Self.engine(schema)
        let (alice, bob) = (
            Identity.userPool(username: "alice", sub: "sub-alice"), Identity.userPool(username: "bob", sub: "sub-bob")
        )
        for (number, identity) in [alice, bob, alice, bob].enumerated() {
            try await engine.create("Task", [JSONObject([("id", .string("\(number)"))])], as: identity)
        }
        for arguments in [JSONObject(), JSONObject([("lastSync", 1)])] {
            #expect(try await Self.sync(engine, arguments, as: alice).ids == ["0", "2"])
            #expect(try await Self.sync(engine, arguments, as: bob).ids == ["1", "3"])
        }
        let filter = try JSONReader.value(of: #"{"and":[{"owner":{"eq":"sub-alice::alice"}}]}"#)
        let asked = JSONObject([("filter", filter), ("limit", 3)])
        #expect(try await Self.sync(engine, asked, as: alice).ids == ["0", "2"])
        #expect(try await Self.sync(engine, asked, as: bob).ids == [])
        #expect(try await Self.sync(engine, asked, as: .apiKey).answer.errorTypes == ["Unauthorized"])
    }

    @Test(
        "sees what was changed before it began, also in a turn that began to read before that",
        .enabled(if: TestDatabase.isLocal, TestDatabase.needsFile))
    func turn() async throws {
        // However busy the machine is, nothing goes on beside the loop.
        let engine = try await Self.engine { $0.limits.turnMilliseconds = 3_600_000 }
        // Its turn never ends by itself.
        let shard = EngineShard(atEndOfTurn: { _ in })
        defer { shard.close() }
        func answer(_ query: String) -> JSONValue {
            let body = JSONWriter.bytes(of: .object(JSONObject([("query", .string(query))])))
            guard case .response(let bytes) = engine.engine.answer(body, from: Requester(.apiKey), on: shard) else {
                return .null
            }
            return (try? JSONReader.value(of: bytes)) ?? .null
        }
        #expect(answer("{ listTasks { items { id } } }").text == #"{"data":{"listTasks":{"items":[]}}}"#)
        try await engine.create("Task", [JSONObject([("id", "1")])])
        #expect(answer("{ syncTasks { items { id } } }").text == #"{"data":{"syncTasks":{"items":[{"id":"1"}]}}}"#)
    }
}
