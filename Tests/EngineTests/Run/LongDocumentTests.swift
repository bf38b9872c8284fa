import Access
import GraphQL
import JSON
import PostgresSupport
import Synchronization
import Testing

@testable import Engine

@Suite("A document that takes long to prepare")
struct LongDocumentTests {
    private static let schema = """
        type Post @model @auth(rules: [{allow: public}, {allow: owner}]) {
          id: ID! text: String
          blogID: ID @index(name: "byBlog", queryField: "postsByBlog")
          blog: Blog @belongsTo(fields: ["blogID"])
          secret: String @auth(rules: [{allow: owner}])
        }
        type Blog @model @auth(rules: [{allow: public}]) {
          id: ID! posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
        }
        """

    private static func engine(_ change: @escaping (inout EngineSettings) -> Void = { _ in }) async throws -> TestEngine
    {
        let engine = try TestEngine(schema, project: { $0.additionalModes = [.userPools] }, change: change)
        try await engine.create("Blog", [JSONObject([("id", "b")])])
        try await engine.create("Post", [JSONObject([("id", "p"), ("text", "t"), ("blogID", "b")])])
        return engine
    }

    private static func answer(
        _ document: String, name: String? = nil, _ engine: TestEngine, as identity: Identity = .apiKey
    ) -> Engine.Answer {
        var body = JSONObject([("query", .string(document))])
        if let name { body["operationName"] = .string(name) }
        return engine.engine.answer(JSONWriter.bytes(of: .object(body)), from: Requester(identity), on: engine.shard)
    }

    /// What a client would be told, and whether something had to be prepared beside the loop for it.
    private static func told(_ answer: Engine.Answer, wasAside: Bool = false) async -> (text: String, wasAside: Bool) {
        switch answer {
        case .response(let bytes): (String(decoding: bytes, as: UTF8.self), wasAside)
        case .invalid(let bytes): ("invalid " + String(decoding: bytes, as: UTF8.self), wasAside)
        case .pending(let pending): (String(decoding: await pending.response(), as: UTF8.self), wasAside)
        case .refused(let error): ("refused \(error.errorType): \(error.message)", wasAside)
        case .unauthorized(let message, _): ("unauthorized \(message)", wasAside)
        case .preparing(let preparation): await told(preparation.answer(), wasAside: true)
        }
    }

    static let documents: [(document: String, name: String?)] = [
        ("{ getPost(id: \"p\") { id text secret blog { posts { items { id } } } } }", nil),
        ("query A { __typename } query B { getBlog(id: \"b\") { id } }", "B"),
        ("query A { __typename } query B { getBlog(id: \"b\") { id } }", "C"),
        ("query A { __typename } query B { getBlog(id: \"b\") { id } }", nil),
        ("query ($input: GetPostInput!) { getPost(input: $input) { id } }", nil),
        ("mutation { updatePost(input: {id: \"p\", text: \"t\"}) { id text } }", nil),
        ("mutation { nothing }", nil),
        ("subscription { onCreatePost { id } }", nil), ("{ nothing }", nil), ("{", nil), ("", nil),
        ("query ($x: Int!) { getPost(id: $x) { id } }", nil),
        ("{ __schema { queryType { name } } }", nil),
    ]

    @Test("is prepared beside its loop, and answered as it would have been there", arguments: documents.indices)
    func same(_ index: Int) async throws {
        let (document, name) = Self.documents[index]
        let usual = try await Self.engine()
        let hurried = try await Self.engine { $0.limits.turnDocumentBytesMax = -1 }
        let onLoop = await Self.told(Self.answer(document, name: name, usual))
        let aside = await Self.told(Self.answer(document, name: name, hurried))
        #expect(!onLoop.wasAside && aside.wasAside)
        #expect(onLoop.text == aside.text)
        // From then on it is kept, as those are.
        let again = await Self.told(Self.answer(document, name: name, hurried))
        let isNoOperation = onLoop.text.hasPrefix("refused")
        #expect(again.text == aside.text && again.wasAside == isNoOperation)
    }

    @Test("is one of many bytes, or of many fields when its fragments are written out, or of many that overlap")
    func kinds() async throws {
        let engine = try await Self.engine()
        let fields = { (count: Int) in (0..<count).map { "a\($0): id" }.joined(separator: " ") }
        let doubling = { (count: Int) in
            (0..<count).map {
                "fragment F\($0) on Post { x: blog { posts { items { ...F\($0 + 1) } } } y: blog { posts { items { ...F\($0 + 1) } } } } "
            }
            .joined() + "fragment F\(count) on Post { id }"
        }
        let overlap = { (count: Int) in
            (0..<count).map {
                "fragment F\($0) on Post { blog { posts { items { ...F\($0 + 1) ...G\($0 + 1) } } } } fragment G\($0) on Post { blog { posts { items { ...G\($0 + 1) ...F\($0 + 1) } } } } "
            }
            .joined() + "fragment F\(count) on Post { id } fragment G\(count) on Post { id }"
        }
        let rows: [(name: String, document: String, isAside: Bool)] = [
            ("a usual one", "{ getPost(id: 1) { \(fields(100)) } }", false),
            ("many bytes", "{ getPost(id: \"\(String(repeating: "x", count: 9_000))\") { id } }", true),
            ("many fields", "{ getPost(id: 1) { \(fields(990)) } }", true),
            ("few fragments", "{ getPost(id: 1) { ...F0 } } " + doubling(3), false),
            ("fragments that double", "{ getPost(id: 1) { ...F0 } } " + doubling(9), true),
            ("fragments that overlap", "{ getPost(id: 1) { ...F0 ...G0 } } " + overlap(9), true),
        ]
        for row in rows {
            let told = await Self.told(Self.answer(row.document, engine))
            #expect(told.wasAside == row.isAside, "\(row.name)")
            #expect(told.text == #"{"data":{"getPost":null}}"#, "\(row.name)")
        }
    }

    @Test("is refused for good when it is too complex to be served at all")
    func tooComplex() async throws {
        let engine = try await Self.engine()
        let fragments = (0..<40).map {
            "fragment F\($0) on Post { x: blog { posts { items { ...F\($0 + 1) } } } y: blog { posts { items { ...F\($0 + 1) } } } } "
        }
        let bombs = [
            "{ getPost(id: 1) { ...F0 } }", "mutation { createPost(input: {}) { id ...F0 @skip(if: true) } }",
            "query ($no: Boolean = false) { getPost(id: 1) { ...F0 @include(if: $no) } }",
        ]
        for bomb in bombs {
            let told = await Self.told(Self.answer("\(bomb) \(fragments.joined()) fragment F40 on Post { id }", engine))
            #expect(told.text.hasPrefix("invalid "))
            #expect(told.text.contains("selects more than 20000 fields when every fragment is written out"))
        }
    }

    @Test("another operation of it is planned beside the loop as well, and each is planned once")
    func operations() async throws {
        let plans = Mutex<[String]>([])
        let engine = try await Self.engine { settings in
            settings.limits.turnDocumentBytesMax = -1
            settings.trace = { text in plans.withLock { $0.append(text) } }
        }
        plans.withLock { $0 = [] }
        let document = "query A { __typename } query B { getBlog(id: \"b\") { id } }"
        for (name, isAside) in [("A", true), ("B", true), ("A", false), ("B", false)] {
            #expect(await Self.told(Self.answer(document, name: name, engine)).wasAside == isAside, "\(name)")
        }
        #expect(plans.withLock { $0 } == ["planned query introspection", "planned query getBlog"])
    }

    @Test(
        "is answered beside the loop too where it asks about the schema: nothing looks at the time meanwhile",
        .enabled(if: TestDatabase.isLocal, TestDatabase.needsFile))
    func introspection() async throws {
        for (bytesMax, isAside) in [(8 << 10, false), (-1, true)] {
            let engine = try await Self.engine { $0.limits.turnDocumentBytesMax = bytesMax }
            for _ in 0..<2 {
                let told = await Self.told(Self.answer("{ __schema { queryType { name } } }", engine))
                #expect(told.text == #"{"data":{"__schema":{"queryType":{"name":"Query"}}}}"#)
            }
            // The second request may come before the thread of the first one waits for the next.
            #expect((engine.engine.store.readersAside.threadCount > 0) == isAside)
        }
    }

    @Test("shows each who waits for it what they may see")
    func callers() async throws {
        let engine = try await Self.engine { $0.limits.turnDocumentBytesMax = -1 }
        let ann = Identity.userPool(username: "ann", sub: "sub-ann")
        let document = "{ getPost(id: \"p\") { id } getBlog(id: \"b\") { id } }"
        // All of them are asked before the first is answered.
        let asked = [Identity.apiKey, ann, .apiKey, ann].map { (identity: $0, Self.answer(document, engine, as: $0)) }
        var texts: [String] = []
        for (_, answer) in asked { texts.append(await Self.told(answer).text) }
        #expect(texts[0] == #"{"data":{"getPost":{"id":"p"},"getBlog":{"id":"b"}}}"#)
        #expect(texts[2] == texts[0] && texts[1] == texts[3])
        #expect(texts[1].contains("Not Authorized to access getBlog on type Query"))
    }

    @Test("is refused, and said to be, when too many are being prepared")
    func throttled() async throws {
        let engine = try await Self.engine { $0.limits.longDocumentsWaitingMax = 0 }
        let note = OperationNote()
        let document = "{ getPost(id: \"\(String(repeating: "x", count: 9_000))\") { id } }"
        let body = JSONWriter.bytes(of: ["query": .string(document)])
        let told = await Self.told(
            engine.engine.answer(body, from: Requester(.apiKey, note: note), on: engine.shard))
        let answer = try JSONReader.value(of: Array(told.text.utf8))
        #expect(answer.errorTypes == ["ThrottlingException"])
        #expect(answer.messages == ["Too many long documents are being prepared. Try again later."])
        #expect(note.errorCount == 1)
        // A short one is none of them.
        #expect(await Self.told(Self.answer("{ getBlog(id: \"b\") { id } }", engine)).text.contains("\"b\""))
    }
}
