import Access
import Blueprint
import Dispatch
import JSON
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// The same documents over a database in a file and over one on a server, which answer with the same bytes where no error has an id.
@Suite(
    "An engine over a server's database", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct ServerDatabaseTests {
    static let schema = """
        type Blog @model @auth(rules: [{ allow: public }]) {
            id: ID!
            name: String!
            posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
        }
        type Post @model @auth(rules: [{ allow: public }]) {
            id: ID!
            blogID: ID @index(name: "byBlog", sortKeyFields: ["title"], queryField: "postsByBlog")
            blog: Blog @belongsTo(fields: ["blogID"])
            title: String!
            likes: Int
            rating: Float
            isOpen: Boolean
            tags: [String]
            meta: AWSJSON
        }
        """

    /// In their order.
    static let documents = [
        #"mutation { createBlog(input: { id: "b1", name: "One" }) { id name } }"#,
        #"mutation { createBlog(input: { id: "b1", name: "Again" }) { id name } }"#,
        """
        mutation {
            a: createPost(input: { id: "p1", blogID: "b1", title: "B", likes: 3, rating: 1.5, tags: ["x", "é"] }) { title }
            b: createPost(input: { id: "p2", blogID: "b1", title: "a", isOpen: true, meta: "{\\"k\\": [1, 2]}" }) { meta }
            c: createPost(input: { id: "p3", blogID: "b1", title: "C", likes: null }) { likes blog { name } }
            d: createPost(input: { id: "p4", title: "D" }) { blog { name } }
        }
        """,
        #"{ getPost(id: "p1") { id title likes rating isOpen tags meta blog { name posts { items { title } } } } }"#,
        #"{ getPost(id: "none") { id } }"#,
        "{ listPosts { items { id title likes rating isOpen tags meta } nextToken } }",
        "{ listBlogs { items { name posts(limit: 10, sortDirection: DESC) { items { id title blog { id } } } } } }",
        #"{ postsByBlog(blogID: "b1", title: { beginsWith: "B" }) { items { id } } }"#,
        #"{ postsByBlog(blogID: "b1", sortDirection: DESC) { items { id } } }"#,
        #"{ listPosts(filter: { likes: { gt: 2 } }) { items { id } } }"#,
        #"{ listPosts(filter: { not: { likes: { gt: 2 } } }) { items { id } } }"#,
        #"{ listPosts(filter: { likes: { attributeExists: true } }) { items { id } } }"#,
        #"{ listPosts(filter: { likes: { attributeType: _null } }) { items { id } } }"#,
        #"{ listPosts(filter: { tags: { contains: "é" } }) { items { id } } }"#,
        #"{ listPosts(filter: { title: { contains: "B" }, or: [{ isOpen: { eq: true } }] }) { items { id } } }"#,
        #"{ listPosts(filter: { title: { size: { between: [1, 2] } } }) { items { id } } }"#,
        #"mutation { updatePost(input: { id: "p3", likes: 7 }) { id likes title } }"#,
        #"mutation { updatePost(input: { id: "p1", likes: 8 }, condition: { likes: { gt: 5 } }) { id } }"#,
        #"mutation { updatePost(input: { id: "none", likes: 8 }) { id } }"#,
        #"mutation { deletePost(input: { id: "p2" }) { id title } }"#,
        #"mutation { deletePost(input: { id: "p2" }) { id title } }"#,
        "{ listPosts { items { id likes blog { posts { items { id } } } } } }",
    ]

    @Test("creates, reads, lists, updates and deletes as over a file, with relationships and filters")
    func documents() async throws {
        let file = try TestEngine(Self.schema, at: .memory)
        let server = try TestEngine(Self.schema, at: TestDatabase.server())
        try await Self.compare(server, with: file)
        #expect(server.engine.store.readersAside.takenCount > 0)
        // No loop has a connection of its own.
        #expect(throws: StoreError.self) { try server.engine.store.loopReader() }
    }

    /// Asks all documents of two engines.
    static func compare(_ other: TestEngine, with file: TestEngine) async throws {
        for document in documents {
            let (expected, found) = (try await file.text(document), try await other.text(document))
            let (values, others) = (try JSONReader.value(of: expected), try JSONReader.value(of: found))
            guard !values.messages.isEmpty else {
                #expect(found == expected, "\(document)")
                continue
            }
            // Messages of conditions that are not met have an id of their request.
            #expect(
                values["data"] == others["data"] && values.errorTypes == others.errorTypes
                    && values.paths == others.paths, "\(document)")
        }
    }

    @Test("asks for the records of a list, and for those of all nested lists, in one trip each")
    func trips() async throws {
        let server = try TestEngine(Self.schema, at: TestDatabase.server())
        let file = try TestEngine(Self.schema, at: .memory)
        for engine in [server, file] {
            try await engine.create(
                "Blog", (0..<30).map { JSONObject([("id", .string("b\($0)")), ("name", .string("n"))]) })
            try await engine.create(
                "Post",
                (0..<90).map { number in
                    JSONObject([
                        ("id", .string("p\(number)")), ("title", .string("t\(number)")),
                        ("blogID", .string("b\(number % 31)")),
                    ])
                })
        }
        let readers = server.engine.store.readersAside
        let start = readers.tripCount
        let cases: [(document: String, trips: Int64)] = [
            ("{ listPosts { items { id } } }", 1),
            (#"{ getBlog(id: "b1") { name } }"#, 1),
            ("{ listBlogs(limit: 30) { items { id posts(limit: 2) { items { id title } } } } }", 2),
            ("{ listPosts(limit: 90) { items { id blog { name } } } }", 2),
            ("{ listBlogs(limit: 30) { items { posts { items { blog { name posts { items { title } } } } } } } }", 3),
            (
                #"{ a: listPosts(limit: 2) { items { id } } b: getBlog(id: "b2") { name } c: getBlog(id: "none") { id } }"#,
                2
            ),
        ]
        for (document, count) in cases {
            let expected = try await file.text(document)
            let before = readers.tripCount
            #expect(try await server.text(document) == expected, "\(document)")
            // They are counted behind the answer.
            try await eventually("\(count) trips for \(document)") { readers.tripCount - before >= count }
        }
        // Each transaction ends with the beginning of the next one, or by itself.
        let trips = cases.reduce(0) { $0 + $1.trips }
        #expect(readers.tripCount - start <= trips + 2 * Int64(cases.count))
    }

    @Test("updates and deletes of many callers that share a transaction take a trip for all, and end as over a file")
    func together() async throws {
        let schema = """
            type Note @model @auth(rules: [{ allow: owner }, { allow: public, operations: [read] }]) {
                id: ID!
                title: String!
                likes: Int
            }
            """
        let callers = ["ann", "bob"].map { Identity.userPool(username: $0, sub: "sub-\($0)") }
        func asked(_ number: Int) -> String {
            let input = "id: \"n\(number)\""
            return switch number % 5 {
            case 0: "mutation { deleteNote(input: { \(input) }) { id title likes } }"
            case 2:
                "mutation { updateNote(input: { \(input), title: \"no\" }, condition: { likes: { gt: 100 } }) { id } }"
            default:
                "mutation { updateNote(input: { \(input), likes: null, title: \"new\" }) { id title likes owner } }"
            }
        }
        /// The answers to all of them, and the trips that they took.
        func answers(of engine: TestEngine) async throws -> (texts: [Int: String], trips: Int64) {
            for (place, caller) in callers.enumerated() {
                let numbers = (0..<40).filter { $0 % 2 == place }
                try await engine.create(
                    "Note",
                    numbers.map { number in
                        JSONObject([
                            ("id", .string("n\(number)")), ("title", .string("t\(number)")),
                            ("likes", .integer(Int64(number))),
                        ])
                    }, as: caller)
            }
            let writer = engine.engine.store.writer
            let (entered, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let before = Mutex<Int64>(0)
            writer.submit(
                turn: .models, key: nil,
                { session in
                    before.withLock { $0 = session.tripCount }
                    entered.signal()
                    released.wait()
                }, answer: { _ in })
            try await BlockingThread.run { entered.wait() }
            let texts = Mutex<[Int: String]>([:])
            for number in 0..<40 {
                // Some are not their caller's.
                let caller = callers[(number + (number % 7 == 1 ? 1 : 0)) % 2]
                let body = JSONWriter.bytes(of: .object(JSONObject([("query", .string(asked(number)))])))
                guard case .pending(let pending) = engine.engine.answer(body, from: Requester(caller), on: engine.shard)
                else {
                    Issue.record("\(asked(number))")
                    continue
                }
                let written = try #require(pending.written)
                written.begin { bytes in texts.withLock { $0[number] = String(decoding: bytes, as: UTF8.self) } }
            }
            released.signal()
            try await eventually("all are answered") { texts.withLock { $0.count == 40 } }
            let after = try await writer.write(turn: .models, key: nil) { session in session.tripCount }
            return (texts.withLock { $0 }, after - before.withLock { $0 })
        }
        let (file, server) = (
            try TestEngine(schema, at: .memory, project: { $0.additionalModes = [.userPools] }),
            try TestEngine(schema, at: TestDatabase.server(), project: { $0.additionalModes = [.userPools] })
        )
        let (expected, found) = (try await answers(of: file), try await answers(of: server))
        for (number, text) in expected.texts {
            let (values, others) = (
                try JSONReader.value(of: text), try JSONReader.value(of: try #require(found.texts[number]))
            )
            #expect(values["data"] == others["data"], "\(number): \(text)")
            #expect(values.errorTypes == others.errorTypes && values.paths == others.paths)
        }
        let list = "{ listNotes(limit: 100) { items { id title likes owner } } }"
        #expect(try await server.text(list) == file.text(list))
        // The commit before, the turn, the owners of all, all changes, the commit, and the turn of whoever counts.
        #expect(found.trips == 6)
    }

    @Test("pages through more records than a page has, and refuses a text with U+0000")
    func pages() async throws {
        let server = try TestEngine(Self.schema, at: TestDatabase.server())
        try await server.create(
            "Post", (0..<25).map { JSONObject([("id", .string("p\($0)")), ("title", .string("t"))]) })
        var ids: [String] = []
        var token: JSONValue = .null
        repeat {
            let page = try await server.value(
                "query ($t: String) { listPosts(limit: 10, nextToken: $t) { items { id } nextToken } }",
                JSONObject([("t", token)]))
            let list = try #require(page[path: "data", "listPosts"])
            ids += list["items"]?.array?.compactMap { $0["id"]?.string } ?? []
            token = list["nextToken"] ?? .null
        } while token != .null
        #expect(ids == (0..<25).map { "p\($0)" })
        let refused = try await server.value(
            "mutation ($t: String!) { createPost(input: { title: $t }) { id } }", JSONObject([("t", .string("a\u{0}"))])
        )
        #expect(refused.messages.count == 1 && refused[path: "data", "createPost"] == .null, "\(refused)")
        #expect(refused.messages.first?.hasPrefix("One or more parameter values were invalid: A text with") == true)
        let next = try await server.value(#"mutation { createPost(input: { title: "b" }) { title } }"#)
        #expect(next[path: "data", "createPost", "title"]?.string == "b")
    }
}
