import Access
import JSON
import PostgresSupport
import Testing

@testable import Engine
@testable import Store

@Suite("A read that takes long")
struct LongReadTests {
    private static let schema = """
        type Post @model @searchable @auth(rules: [{allow: public}, {allow: private}]) {
          id: ID! text: String
          score: Int @function(name: "score")
          secret: String @auth(rules: [{allow: private}])
          blogID: ID @index(name: "byBlog", queryField: "postsByBlog")
        }
        type Blog @model @auth(rules: [{allow: public}]) {
          id: ID! posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
        }
        type Query { blog: Blog @function(name: "blog") }
        """

    private static func outside() -> FakeOutside {
        FakeOutside { request throws(OutsideError) in
            let body = request.url.hasSuffix("blog") ? #"{"id":"b"}"# : "7"
            return OutsideResponse(status: 200, fields: [], body: Array(body.utf8))
        }
    }

    private static let functions = ["score": "http://f/score", "blog": "http://f/blog"]

    private static func engine() async throws -> TestEngine {
        let engine = try TestEngine(
            schema, outside: outside(), functions: functions,
            project: {
                $0.conflictStrategy = .automerge
                $0.additionalModes = [.userPools]
            })
        try await engine.create("Blog", [JSONObject([("id", "b")])])
        for start in stride(from: 0, to: 1_000, by: 200) {
            try await engine.create(
                "Post",
                (start..<start + 200).map { JSONObject([("id", .string("\($0)")), ("text", "t"), ("blogID", "b")]) })
        }
        return engine
    }

    static let documents = [
        "{ __typename listPosts(limit: 1000) { items { id text } nextToken } b: __typename }",
        #"{ listPosts(limit: 1000, filter: {text: {contains: "x"}}) { items { id } } }"#,
        #"{ postsByBlog(blogID: "b", limit: 1000) { items { id } } }"#,
        #"{ getBlog(id: "b") { posts(limit: 1000) { items { id secret } } } }"#,
        "{ listPosts(limit: 300) { items { id score } } getBlog(id: \"b\") { id } }",
        "{ searchPosts(limit: 1000) { items { id } total } }",
        "{ syncPosts(limit: 1000) { items { id _version } } }",
        "{ blog { id posts(limit: 1000) { items { id score } } } }",
        "{ \((0..<50).map { "a\($0): listPosts(limit: 1000) { items { id } }" }.joined(separator: " ")) }",
    ]

    @Test("goes on beside its loop, and gives the answer that it would have given there", arguments: documents)
    func aside(document: String) async throws {
        let patient = try await Self.engine()
        let whole = try await patient.text(document)
        let hurried = try TestEngine(sharing: patient, outside: Self.outside(), functions: Self.functions) {
            $0.limits.turnMilliseconds = 0
            $0.limits.turnMillisecondsMin = 0
            $0.limits.milliseconds = 3_600_000
        }
        for _ in 0..<3 { #expect(try await hurried.text(document) == whole) }
        #expect(patient.engine.store.readersAside.takenCount > 0)
        // The loop is as good as before.
        #expect(try await hurried.text(#"{ getBlog(id: "b") { id } }"#) == #"{"data":{"getBlog":{"id":"b"}}}"#)
    }

    @Test("counts the statements of the run that answers, and not those of the one that was given up")
    func statements() async throws {
        let patient = try await Self.engine()
        let hurried = try TestEngine(sharing: patient) {
            $0.limits.turnMilliseconds = 0
            $0.limits.turnMillisecondsMin = 0
        }
        let query = "{ listPosts(limit: 1000) { items { id } } }"
        func statements(_ engine: TestEngine) async throws -> [Int] {
            let body = JSONWriter.bytes(of: ["query": .string(query)])
            let note = OperationNote()
            let story = OperationStory(of: body)
            note.story = story
            _ = try await engine.bytes(
                of: engine.engine.answer(body, from: Requester(.apiKey, note: note), on: engine.shard))
            return story.statements.statements.map(\.count)
        }
        #expect(try await statements(hurried) == statements(patient))
    }

    @Test(
        "begins beside its loop for a long request, and goes on there with a long response",
        .enabled(if: TestDatabase.isLocal, TestDatabase.needsFile),
        arguments: [true, false])
    func long(isRequest: Bool) async throws {
        let usual = try await Self.engine()
        let document =
            "query ($x: String) { \((0..<50).map { "a\($0): listPosts(limit: 1000, filter: {text: {ne: $x}}) { items { id } }" }.joined(separator: " ")) }"
        let variables = JSONObject([("x", .string(String(repeating: "x", count: 1_000)))])
        let whole = try await usual.text(document, variables)
        func threads(_ change: @escaping (inout EngineLimits) -> Void) async throws -> Int {
            let other = try await Self.engine()
            let engine = try TestEngine(sharing: other) {
                $0.limits.milliseconds = 7_200_000
                $0.limits.turnMilliseconds = 3_600_000
                change(&$0.limits)
            }
            #expect(try await engine.text(document, variables) == whole)
            return other.engine.store.readersAside.threadCount
        }
        if isRequest {
            #expect(try await threads { $0.turnRequestBytesMax = 4_000 } == 1)
            #expect(try await threads { $0.turnRequestBytesMax = 40_000 } == 0)
        } else {
            #expect(try await threads { $0.turnBytesMax = 100_000 } == 1)
            #expect(try await threads { $0.turnBytesMax = whole.utf8.count } == 0)
        }
    }

    @Test("ends when nobody waits for it any more, and others are read then")
    func cancellation() async throws {
        let engine = try await Self.engine()
        let hurried = try TestEngine(sharing: engine) {
            $0.limits.turnMilliseconds = 0
            $0.limits.turnMillisecondsMin = 0
            $0.limits.milliseconds = 3_600_000
        }
        let lists = (0..<500).map {
            #"a\#($0): listPosts(limit: 1000, filter: {text: {contains: "x"}}) { items { id } }"#
        }
        let body = JSONWriter.bytes(of: ["query": .string("{ \(lists.joined(separator: " ")) }")])
        // It is long to prepare, too.
        guard
            case .preparing(let preparation) = hurried.engine.answer(body, from: Requester(.apiKey), on: hurried.shard),
            case .pending(let pending) = await preparation.answer()
        else {
            Issue.record("it was answered on the loop")
            return
        }
        #expect(pending.isRead)
        let task = Task { await pending.response() }
        task.cancel()
        let answer = try JSONReader.value(of: await task.value)
        // Once where it had not begun, otherwise for each field that was still to be read.
        #expect(Set(answer.errorTypes) == ["ExecutionTimeout"])
        #expect(engine.engine.store.readersAside.count <= 1)
    }

    @Test("is refused when too many run and wait, with an error that says so")
    func refusal() async throws {
        let engine = try await Self.engine()
        let failure = engine.engine.context().failure(StoreError(.overloaded, "x"), isRead: true)
        #expect(failure.type == "ThrottlingException")
        #expect(failure.message == "Too many long reads are running. Try again later.")
    }
}

@Suite("The time of what an operation calls")
struct CallTimeTests {
    private static let schema = "type Query { one: Int @function(name: \"one\") }"

    private static func document(_ count: Int) -> String {
        "{ \((0..<count).map { "a\($0): one" }.joined(separator: " ")) }"
    }

    @Test("is not spent on calls that wait behind others which got no answer")
    func hanging() async throws {
        let outside = FakeOutside(.timedOut(milliseconds: 5))
        let engine = try TestEngine(
            Self.schema, outside: outside, functions: ["one": "http://f/one"], change: { $0.limits.callsMax = 4 })
        let answer = try await engine.value(Self.document(300))
        #expect(answer.errorTypes == Array(repeating: "ExecutionTimeout", count: 300))
        #expect(outside.requests.count <= 8)
        // Another operation asks anew.
        _ = try await engine.value(Self.document(1))
        #expect(outside.requests.count <= 9)
    }

    @Test(
        "is that of the operation, whatever one call may take",
        .enabled(if: TestDatabase.isLocal, TestDatabase.needsFile))
    func operation() async throws {
        let outside = FakeOutside("1")
        let engine = try TestEngine(
            Self.schema, outside: outside, functions: ["one": "http://f/one"],
            change: {
                $0.limits.milliseconds = 600_000
                $0.limits.callMilliseconds = 900_000
            })
        #expect(try await engine.value(Self.document(10))[path: "data", "a9"] == 1)
        #expect(outside.requests.allSatisfy { (1...600_000).contains($0.timeoutMilliseconds) })
        let late = try TestEngine(sharing: engine, outside: outside, functions: ["one": "http://f/one"]) {
            $0.limits.milliseconds = 0
        }
        #expect(try await late.value(Self.document(3)).errorTypes == Array(repeating: "ExecutionTimeout", count: 3))
        #expect(outside.requests.count == 10)
    }
}
