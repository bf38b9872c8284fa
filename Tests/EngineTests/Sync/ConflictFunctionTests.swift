import Access
import Blueprint
import JSON
import Synchronization
import Testing

@testable import Engine

@Suite("A function that decides about conflicts")
struct ConflictFunctionTests {
    private static let schema = """
        type Note @model @auth(rules: [{allow: public}]) { id: ID! content: String rating: Int }
        """

    /// All questions share the time of the operation, however busy the machine is.
    private static func takeTime(_ settings: inout EngineSettings) {
        settings.limits.milliseconds = 600_000
        settings.limits.mutationMilliseconds = 600_000
    }

    private static func engine(_ outside: FakeOutside) async throws -> TestEngine {
        let engine = try TestEngine(
            schema, outside: outside, project: { $0.conflictStrategy = .lambda(url: "http://127.0.0.1:1/decide") },
            change: takeTime)
        try await engine.create("Note", [JSONObject([("id", "1"), ("content", "server"), ("rating", 3)])])
        return engine
    }

    /// What it answers, what comes of an update and of a deletion, each with a wrong version, and the content then.
    static let rows: [(answer: String, update: String?, delete: String?, content: String)] = [
        (
            #"{"action":"REJECT"}"#, "ConflictUnhandled", "ConflictUnhandled",
            #"{"content":"server","rating":3,"_version":1}"#
        ),
        (
            #"{"action":"RESOLVE","item":{"id":"9","content":"both","_version":77,"_deleted":true}}"#, nil,
            "ConflictError", #"{"content":"both","rating":null,"_version":2}"#
        ),
        (#"{"action":"REMOVE"}"#, "ConflictError", nil, #"{"content":"server","rating":3,"_version":2}"#),
        (#"{"action":"RESOLVE"}"#, "ConflictError", "ConflictError", #"{"content":"server","rating":3,"_version":1}"#),
        ("[]", "ConflictError", "ConflictError", #"{"content":"server","rating":3,"_version":1}"#),
        ("no JSON", "ConflictError", "ConflictError", #"{"content":"server","rating":3,"_version":1}"#),
    ]

    @Test("is obeyed", arguments: rows)
    func decision(_ row: (answer: String, update: String?, delete: String?, content: String)) async throws {
        let outside = FakeOutside(row.answer)
        let engine = try await Self.engine(outside)
        let update = try await engine.value(
            #"mutation { updateNote(input: {id: "1", content: "client", _version: 5}) { id } }"#)
        #expect(update.errorTypes == (row.update.map { [$0] } ?? []), "\(update)")
        let delete = try await engine.value(#"mutation { deleteNote(input: {id: "1", _version: 5}) { id _deleted } }"#)
        #expect(delete.errorTypes == (row.delete.map { [$0] } ?? []), "\(delete)")
        let record = try await engine.value(#"{ getNote(id: "1") { content rating _version } }"#)
        #expect(record[path: "data", "getNote"]?.text == row.content)
        #expect(outside.requests.count == 2)
    }

    @Test("is told of both records, the arguments and the caller")
    func payload() async throws {
        let outside = FakeOutside(#"{"action":"REJECT"}"#)
        let engine = try await Self.engine(outside)
        _ = try await engine.value(
            #"mutation { updateNote(input: {id: "1", content: "client", rating: null, _version: 5}) { id } }"#)
        let payload = try #require(outside.payloads.first)
        #expect(payload[path: "newItem", "content"] == "client")
        #expect(payload[path: "newItem", "rating"] == nil)
        #expect(payload[path: "newItem", "_version"] == nil)
        #expect(payload[path: "existingItem", "content"] == "server")
        #expect(payload[path: "existingItem", "_version"] == 1)
        #expect(payload[path: "existingItem", "_deleted"] == nil)
        #expect(
            payload["arguments"]?.text == #"{"input":{"id":"1","content":"client","rating":null,"_version":5}}"#)
        #expect(
            payload["resolver"]?.text
                == #"{"tableName":"Note-table","awsRegion":"us-east-1","parentType":"Mutation","field":"updateNote"}"#)
        #expect(payload["identity"] == .null)
        #expect(outside.requests.first?.url == "http://127.0.0.1:1/decide")
    }

    @Test("is not asked where the version is right, and those behind it see what came of it")
    func order() async throws {
        let outside = FakeOutside(#"{"action":"RESOLVE","item":{"content":"both"}}"#)
        let engine = try await Self.engine(outside)
        let answer = try await engine.text(
            #"mutation { a: updateNote(input: {id: "1", content: "x", _version: 1}) { _version } b: updateNote(input: {id: "1", content: "y", _version: 1}) { content _version } c: updateNote(input: {id: "1", rating: 4, _version: 3}) { content rating _version } }"#
        )
        #expect(
            answer
                == #"{"data":{"a":{"_version":2},"b":{"content":"both","_version":3},"c":{"content":"both","rating":4,"_version":4}}}"#
        )
        #expect(outside.requests.count == 1)
    }

    @Test("is asked again when others were faster, and not for ever")
    func races() async throws {
        let racer = Racer()
        let engine = try TestEngine(
            Self.schema, outside: racer, project: { $0.conflictStrategy = .lambda(url: "http://127.0.0.1:1/decide") },
            change: Self.takeTime)
        try await engine.create("Note", [JSONObject([("id", "1"), ("content", "server")])])
        racer.change.withLock { change in
            let engine = engine.engine
            change = { version in
                // On the writer's thread, before the decision is: as anybody's mutation would be.
                let query = #"mutation { updateNote(input: {id: "1", rating: 1, _version: \#(version)}) { id } }"#
                let body = JSONWriter.bytes(of: .object(JSONObject([("query", .string(query))])))
                guard case .pending(let pending) = engine.answer(body, from: Requester(.apiKey), on: EngineShard())
                else { return }
                _ = await pending.response()
            }
        }
        let answer = try await engine.value(
            #"mutation { updateNote(input: {id: "1", content: "client"}) { id } }"#)
        #expect(answer.errorTypes == ["MaxConflicts"])
        #expect(racer.count.withLock { $0 } == FunctionLimits.conflictQuestionsMax)
        racer.change.withLock { $0 = nil }
    }

    /// Decides for the client, after somebody else has changed the record once more.
    private final class Racer: OutsideService {
        let change = Mutex<(@Sendable (Int64) async -> Void)?>(nil)
        let count = Mutex(0)

        func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
            count.withLock { $0 += 1 }
            let payload = (try? JSONReader.value(of: request.body)) ?? .null
            let version = payload["existingItem"]?["_version"]?.integer ?? 0
            await change.withLock { $0 }?(version)
            return OutsideResponse(status: 200, body: Array(#"{"action":"RESOLVE","item":{"content":"c"}}"#.utf8))
        }
    }
}
