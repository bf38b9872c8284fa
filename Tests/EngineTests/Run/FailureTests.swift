import Access
import JSON
import PostgresSupport
import Synchronization
import Testing

@testable import Engine
@testable import Store

@Suite("What clients are not told")
struct FailureTests {
    private static let schema = """
        type Post @model @searchable @auth(rules: [{allow: public}]) {
          id: ID! title: String
          blogID: ID @index(name: "byBlog", queryField: "postsByBlog")
        }
        type Blog @model @auth(rules: [{allow: public}]) {
          id: ID! posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
          topID: ID top: Post @hasOne(fields: ["topID"])
        }
        """

    static let documents = [
        "{ listPosts { items { id } } }", #"{ getPost(id: "p") { id } }"#,
        #"{ postsByBlog(blogID: "b") { items { id } } }"#, #"{ getBlog(id: "b") { posts { items { id } } } }"#,
        #"{ getBlog(id: "b") { top { id } } }"#, "{ searchPosts { items { id } total } }",
        #"mutation { createPost(input: {title: "t"}) { id } }"#,
        #"mutation { updatePost(input: {id: "p"}) { id } }"#, #"mutation { deletePost(input: {id: "p"}) { id } }"#,
    ]

    @Test("the database's own words are for the log: a client learns that it failed", arguments: documents)
    func database(document: String) async throws {
        let told = Mutex<[String]>([])
        let engine = try TestEngine(
            Self.schema, change: { $0.report = { line in told.withLock { $0.append(line) } } })
        try await engine.create("Blog", [JSONObject([("id", "b"), ("topID", "p")])])
        try await engine.engine.store.writer.write(turn: .all, key: nil) { session in
            try session.connection.execute(#"ALTER TABLE "Post" RENAME TO "sunk""#)
        }
        let response = try await engine.value(document)
        #expect(response.messages == ["The database failed; the server's log says why."], "\(response.text)")
        #expect(response.errorTypes == ["InternalFailure"])
        for word in ["table", "SQL", "sunk", ".sqlite", "main"] { #expect(!response.text.contains(word)) }
        #expect(
            told.withLock { $0.contains { $0.contains(TestDatabase.isOnServer ? "does not exist" : "no such table") } })
        try await engine.engine.store.writer.write(turn: .all, key: nil) { session in
            try session.connection.execute(#"ALTER TABLE "sunk" RENAME TO "Post""#)
        }
    }

    @Test("reasons of a denial name claims and records: they are answered only to whom they may be told")
    func reasons() async throws {
        let schema = """
            type Post @model @auth(rules: [{allow: owner}]) { id: ID! text: String owner: String }
            type Other @model @auth(rules: [{allow: private, provider: iam}]) { id: ID! }
            """
        let engine = try TestEngine(
            schema,
            project: {
                $0.defaultMode = .userPools
                $0.additionalModes = [.iam]
            })
        try await engine.create(
            "Post", [JSONObject([("id", "p"), ("owner", "sub-zoe::zoe")])], as: .iam(.administrator))
        let eve = Identity.userPool(username: "eve", sub: "sub-eve")
        let guest = Identity.iam(.unauthenticated, identityID: "us-east-1:2")
        let rows: [(document: String, identity: Identity)] = [
            (#"{ getPost(id: "p") { id } }"#, eve), (#"mutation { deletePost(input: {id: "p"}) { id } }"#, eve),
            (#"mutation { updatePost(input: {id: "p", text: "x"}) { id } }"#, eve),
            (#"{ listOthers { items { id } } }"#, guest),
        ]
        for (document, identity) in rows {
            for isAnswered in [false, true] {
                let lines = Mutex<[String]>([])
                let explanation = Explanation(isAnswered: isAnswered) { new in lines.withLock { $0 += new } }
                let body = JSONWriter.bytes(of: ["query": .string(document)])
                let answer = engine.engine.answer(
                    body, from: Requester(identity, explanation: explanation), on: engine.shard)
                let text: String
                switch answer {
                case .response(let bytes), .invalid(let bytes): text = String(decoding: bytes, as: UTF8.self)
                case .pending(let pending): text = String(decoding: await pending.response(), as: UTF8.self)
                case .unauthorized(let message, let extensions): text = message + (extensions?.text ?? "")
                case .refused(let error): text = error.message
                case .preparing: text = "to be prepared"
                }
                #expect(text.contains("authorization") == isAnswered, "\(text)")
                #expect(text.contains("zoe") == (isAnswered && identity === eve), "\(text)")
                #expect(!lines.withLock { $0 }.isEmpty)
            }
        }
    }
}
