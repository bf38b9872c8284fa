import Blueprint
import JSON
import Store
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// Pages end by their bytes, as DynamoDB's do, and what follows is found by their token.
@Suite("A page with so many bytes")
struct PageBytesTests {
    private static let schema = """
        type Blog @model @auth(rules: [{allow: public}]) {
          id: ID! name: String posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
        }
        type Post @model @auth(rules: [{allow: public}]) {
          id: ID! text: String! number: Int
          blogID: ID @index(name: "byBlog", queryField: "postsByBlog", sortKeyFields: ["number"])
          blog: Blog @belongsTo(fields: ["blogID"])
        }
        """
    private static let blog = "b"
    private static let pageBytes = 1_000
    /// What a record has around its text.
    private static let overhead = 60

    private static func engine(isSynced: Bool = false) throws -> TestEngine {
        try TestEngine(
            schema, project: { if isSynced { $0.conflictStrategy = .automerge } },
            change: { $0.limits.pageBytesMax = pageBytes })
    }

    /// Posts of several widths; answers their ids, in the order of their numbers, and the longest text.
    private static func fill(
        _ engine: TestEngine, _ widths: [Int], using random: inout SeededRandom
    ) async throws -> [String] {
        try await engine.create("Blog", [JSONObject([("id", .string(blog))])])
        var posts: [(number: Int64, id: String)] = []
        for (place, width) in widths.enumerated() {
            // Numbers twice: what is sorted alike is told apart by its row.
            let number = Int64.random(in: 0..<10, using: &random)
            posts.append((number, "p\(place)"))
            try await engine.create(
                "Post",
                [
                    JSONObject([
                        ("id", .string("p\(place)")), ("text", .string(String(repeating: "x", count: width))),
                        ("number", .integer(number)), ("blogID", .string(blog)),
                    ])
                ])
        }
        return posts.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
            .map(\.element.id)
    }

    /// A way to ask for all posts: where the pages are, and whether they come in the order of their numbers.
    struct Way: Sendable, CustomTestStringConvertible {
        let field: String
        var path: [String] = ["page"]
        var isSynced = false
        var isByNumber = false
        var isTurned = false
        var testDescription: String { field }

        func document(_ selection: String) -> String {
            let page = field.split(separator: "*")
            return "query ($t: String, $n: Int) { \(page[0])\(selection)\(page.dropFirst().first ?? "") }"
        }
    }

    static let ways = [
        Way(field: "page: listPosts(limit: $n, nextToken: $t) { * }"),
        Way(field: "page: listPosts(limit: $n, nextToken: $t, filter: {text: {ne: \"y\"}}) { * }"),
        Way(field: "page: postsByBlog(blogID: \"b\", limit: $n, nextToken: $t) { * }", isByNumber: true),
        Way(
            field: "page: postsByBlog(blogID: \"b\", sortDirection: DESC, limit: $n, nextToken: $t) { * }",
            isByNumber: true, isTurned: true),
        Way(
            field: "page: postsByBlog(blogID: \"b\", number: {ge: 0}, limit: $n, nextToken: $t) { * }",
            isByNumber: true),
        Way(
            field: "getBlog(id: \"b\") { page: posts(limit: $n, nextToken: $t) { * } }", path: ["getBlog", "page"],
            isByNumber: true),
        Way(
            field: "getBlog(id: \"b\") { page: posts(sortDirection: DESC, limit: $n, nextToken: $t) { * } }",
            path: ["getBlog", "page"], isByNumber: true, isTurned: true),
        Way(field: "page: syncPosts(limit: $n, nextToken: $t) { * }", isSynced: true),
        Way(
            field: "page: syncPosts(limit: $n, nextToken: $t, filter: {and: [{blogID: {eq: \"b\"}}]}) { * }",
            isSynced: true, isByNumber: true),
        // Of the log of changes, which has the blog's posts as they were made.
        Way(field: "page: syncPosts(limit: $n, nextToken: $t, lastSync: 1) { * }", isSynced: true),
    ]

    @Test("ends behind the record with which it has them, and its token goes on with the next one", arguments: ways)
    func tokens(_ way: Way) async throws {
        var random = SeededRandom(test: "PageBytesTests")
        for round in 0..<Fuzz.rounds(ordinarily: 6) {
            let widths = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                Int.random(in: 0...(Int.random(in: 0..<8, using: &random) == 0 ? 2_000 : 300), using: &random)
            }
            let appsync = try Self.engine(isSynced: way.isSynced)
            let byNumber = try await Self.fill(appsync, widths, using: &random)
            let filled = try TestEngine(sharing: appsync) {
                $0.limits.pageBytesMax = Self.pageBytes
                $0.semantics = .filled
            }
            let expected =
                !way.isByNumber ? widths.indices.map { "p\($0)" } : way.isTurned ? byNumber.reversed() : byNumber
            let selections = [
                "items { id text } nextToken", "nextToken items { id text }",
                "items { id text } again: items { number id } nextToken",
                "items { blog { posts { items { text } } } id text } nextToken",
            ]
            let limit = Bool.random(using: &random) ? 1_000 : Int64.random(in: 1...12, using: &random)
            let engine = round % 2 == 0 ? appsync : filled
            let selection = selections[round % selections.count]
            var (ids, token, pages): ([String], JSONValue, Int) = ([], .null, 0)
            repeat {
                let response = try await engine.value(
                    way.document(selection), JSONObject([("t", token), ("n", .integer(limit))]))
                try #require(response.messages == [], "\(response)")
                let page = try #require(way.path.reduce(response["data"]) { $0?[$1] })
                let items = try #require(page["items"]?.array)
                #expect((page["again"]?.array ?? items).map { $0["id"] } == items.map { $0["id"] })
                // All but the last of a page are less than it may have.
                let own = items.map { ($0["text"]?.string?.utf8.count ?? 0) }
                #expect(own.dropLast().reduce(0, +) < Self.pageBytes)
                #expect(items.count <= limit)
                let most = own.reduce(0, +) + own.count * Self.overhead
                if most < Self.pageBytes, items.count < limit {
                    #expect(page["nextToken"]?.string == nil, "a page that has room ends early: \(own)")
                }
                ids += items.compactMap { $0["id"]?.string }
                token = page["nextToken"] ?? .null
                pages += 1
            } while !token.isNull && pages < 100
            #expect(ids == expected, "\(way.field) \(selection) \(widths) by \(limit)")
        }
    }

    @Test("is a megabyte if nothing else is said, and has more records than that only by its last")
    func ordinarily() async throws {
        let engine = try TestEngine(Self.schema, project: { $0.conflictStrategy = .automerge })
        let text = String(repeating: "t", count: 40_000)
        for place in 0..<60 {
            try await engine.create("Post", [JSONObject([("id", .string("p\(place)")), ("text", .string(text))])])
        }
        for field in ["listPosts(limit: 1000, nextToken: $t)", "syncPosts(limit: 1000, nextToken: $t)"] {
            var (token, counts): (JSONValue, [Int]) = (.null, [])
            repeat {
                let bytes = try await engine.bytes(
                    "query ($t: String) { page: \(field) { items { id text } nextToken } }", JSONObject([("t", token)]))
                // What eight clients have that ask for this at once is eight times as much, whatever the table holds.
                #expect(bytes.count < EngineLimits().pageBytesMax + text.utf8.count + 1_000)
                let page = try #require(try JSONReader.value(of: bytes)[path: "data", "page"])
                counts.append(page["items"]?.array?.count ?? 0)
                token = page["nextToken"] ?? .null
            } while !token.isNull && counts.count < 10
            #expect(counts == [27, 27, 6])
        }
    }

    @Test("does not count what is read of other records, and ends each page within by itself")
    func related() async throws {
        let engine = try Self.engine()
        let text = String(repeating: "t", count: 300)
        for blog in 0..<10 {
            try await engine.create("Blog", [JSONObject([("id", .string("b\(blog)"))])])
            for post in 0..<8 {
                try await engine.create(
                    "Post",
                    [
                        JSONObject([
                            ("id", .string("p\(blog).\(post)")), ("text", .string(text)),
                            ("number", .integer(Int64(post))),
                            ("blogID", .string("b\(blog)")),
                        ])
                    ])
            }
        }
        let response = try await engine.value(
            "{ listBlogs { items { id posts { items { id text blog { posts { nextToken } } } nextToken } } nextToken } }"
        )
        let page = try #require(response[path: "data", "listBlogs"])
        #expect(page["nextToken"] == .null)
        let blogs = try #require(page["items"]?.array)
        #expect(blogs.compactMap { $0["id"]?.string } == (0..<10).map { "b\($0)" })
        for blog in blogs {
            #expect(blog[path: "posts", "items"]?.array?.count == 4)
            let id = try #require(blog["id"]?.string)
            let rest = try await engine.value(
                "query ($t: String) { getBlog(id: \"\(id)\") { posts(nextToken: $t) { items { id } nextToken } } }",
                JSONObject([("t", try #require(blog[path: "posts", "nextToken"]))]))
            let ids = rest[path: "data", "getBlog", "posts", "items"]?.array?.compactMap { $0["id"]?.string }
            #expect(ids == (4..<8).map { "p\(id.dropFirst()).\($0)" })
        }
    }

    @Test("that one record has alone is a page, and one with more than a response may have is refused")
    func oneRecord() async throws {
        let engine = try Self.engine()
        for (id, width) in [("a", 10), ("b", 5_000), ("c", 10)] {
            try await engine.create(
                "Post", [JSONObject([("id", .string(id)), ("text", .string(String(repeating: "x", count: width)))])])
        }
        let first = try await engine.value("{ listPosts(limit: 2) { items { id text } nextToken } }")
        #expect(first[path: "data", "listPosts", "items"]?.array?.count == 2)
        let token = try #require(first[path: "data", "listPosts", "nextToken"])
        let second = try await engine.value(
            "query ($t: String) { listPosts(nextToken: $t) { items { id } nextToken } }", JSONObject([("t", token)]))
        #expect(second[path: "data", "listPosts"]?.text == #"{"items":[{"id":"c"}],"nextToken":null}"#)
        let narrow = try TestEngine(sharing: engine) { $0.limits.responseBytesMax = 4_000 }
        let refused = try await narrow.value("{ listPosts { items { id text } } }")
        #expect(refused.errorTypes == ["ResponseTooLarge"])
    }

    private final class Clock: Sendable {
        private let time = Mutex<Int64>(1_700_000_000_000)
        var now: Int64 { time.withLock { $0 } }

        func move(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    }

    @Test("of a delta whose log was thinned or begun anew is followed by all records, by the same token")
    func thinnedLog() async throws {
        let clock = Clock()
        var settings = SyncSettings()
        settings.logMilliseconds = 1_000
        settings.now = { clock.now }
        let engine = try TestEngine(
            Self.schema, sync: settings, project: { $0.conflictStrategy = .automerge })
        for place in 0..<3 {
            try await engine.create("Post", [JSONObject([("id", .string("p\(place)")), ("text", "one")])])
            clock.move(by: 1)
        }
        func sync(_ arguments: JSONObject) async throws -> JSONValue {
            let response = try await engine.value(
                "query ($t: String, $s: AWSTimestamp) { syncPosts(limit: 1, nextToken: $t, lastSync: $s) { items { id text } nextToken startedAt } }",
                arguments)
            try #require(response.messages == [])
            return try #require(response[path: "data", "syncPosts"])
        }
        let start = try #require(try await sync(JSONObject())["startedAt"])
        clock.move(by: 1)
        for place in 0..<3 {
            _ = try await engine.value(
                "mutation { updatePost(input: {id: \"p\(place)\", text: \"two\", _version: 1}) { id } }")
            clock.move(by: 1)
        }
        let first = try await sync(JSONObject([("s", start)]))
        #expect(first["items"]?.text == #"[{"id":"p0","text":"two"}]"#)
        clock.move(by: 5_000)
        try await engine.create("Post", [JSONObject([("id", "p3"), ("text", "two")])])
        let sweep = try #require(LogSweep(of: engine.engine.store))
        await withCheckedContinuation { done in sweep.run { done.resume() } }
        var (token, found): (JSONValue, [String]) = (first["nextToken"] ?? .null, [])
        repeat {
            let page = try await sync(JSONObject([("s", start), ("t", token)]))
            #expect(page["startedAt"] == first["startedAt"])
            found += page["items"]?.array?.map(\.text) ?? []
            token = page["nextToken"] ?? .null
        } while !token.isNull && found.count < 10
        #expect(found == (0...3).map { #"{"id":"p\#($0)","text":"two"}"# })
    }
}
