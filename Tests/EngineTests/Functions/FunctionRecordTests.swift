import Access
import JSON
import TestSupport
import Testing

@testable import Engine

/// Records that no database has given.
@Suite("Records that functions return")
struct FunctionRecordTests {
    private static let protected = """
        type Note @model @auth(rules: [{allow: private}, {allow: owner}]) {
          id: ID! text: String owner: String secret: String @auth(rules: [{allow: owner}])
          team: String key: String @auth(rules: [{allow: groups, groupsField: "team"}])
          staff: String @auth(rules: [{allow: groups, groups: ["Staff"]}])
        }
        type Box { note: Note notes: [Note] }
        type Query {
          one: Note @function(name: "one") @auth(rules: [{allow: private}])
          many: [Note] @function(name: "many") @auth(rules: [{allow: private}])
          box: Box @function(name: "box") @auth(rules: [{allow: private}])
        }
        type Mutation { make: Note @function(name: "one") @auth(rules: [{allow: private}]) }
        """

    static let documents: [(document: String, path: [String], count: Int)] = [
        ("{ x: one ‹› }", [], 1), ("{ x: many ‹› }", [], 2), ("{ x: box { note ‹› } }", ["note"], 1),
        ("{ x: box { notes ‹› } }", ["notes"], 2), ("mutation { x: make ‹› }", [], 1),
    ]

    @Test("show nobody a field whose rule compares a record: there is none to compare", arguments: documents)
    func recordRules(_ row: (document: String, path: [String], count: Int)) async throws {
        let note =
            #"{"id":"1","text":"t","owner":"sub-alice::alice","team":"Staff","secret":"S3CRET","key":"S3CRET","staff":"s"}"#
        let outside = FakeOutside { (request) throws(OutsideError) in
            let text =
                switch request.url.split(separator: "/").last {
                case "one"?: note
                case "many"?: "[\(note),\(note)]"
                default: #"{"note":\#(note),"notes":[\#(note),\#(note)]}"#
                }
            return OutsideResponse(status: 200, fields: [], body: Array(text.utf8))
        }
        let callers: [(Identity, isStaff: Bool)] = [
            (.userPool(username: "alice", sub: "sub-alice"), false),
            (.userPool(username: "alice", sub: "sub-alice", groups: ["Staff"]), true),
            (.userPool(username: "eve", sub: "sub-eve"), false),
        ]
        let engine = try TestEngine(
            Self.protected, outside: outside,
            functions: ["one": "http://f.test/one", "many": "http://f.test/many", "box": "http://f.test/box"],
            project: { $0.defaultMode = .userPools })
        let document = row.document.replacing("‹›", with: "{ id text secret s: secret key staff }")
        for (identity, isStaff) in callers {
            let response = try await engine.value(document, as: identity)
            let value = row.path.reduce(response[path: "data", "x"]) { $0?[$1] }
            let records = value?.array ?? [value ?? .null]
            #expect(records.count == row.count)
            for record in records {
                #expect(
                    record == [
                        "id": "1", "text": "t", "secret": nil, "s": nil, "key": nil, "staff": isStaff ? "s" : nil,
                    ], "\(response.text)")
            }
            #expect(!response.text.contains("S3CRET"))
            #expect(response.errorTypes == Array(repeating: "Unauthorized", count: (isStaff ? 3 : 4) * row.count))
        }
    }

    @Test("lead to what is in the database by then, also what the same operation has just written")
    func afterAMutation() async throws {
        let schema = """
            type Post @model @auth(rules: [{allow: public}]) {
              id: ID! title: String
              blogID: ID @index(name: "byBlog", queryField: "postsByBlog")
              blog: Blog @belongsTo(fields: ["blogID"])
            }
            type Blog @model @auth(rules: [{allow: public}]) {
              id: ID! name: String posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
            }
            type Mutation { publish: Blog @function(name: "publish") }
            """
        let engine = try TestEngine(
            schema, outside: FakeOutside(#"{"id":"b1","name":"n"}"#), functions: ["publish": "http://f.test/p"],
            keepsTurns: true)
        try await engine.create("Blog", [JSONObject([("id", "b1"), ("name", "n")])])
        for number in 1...3 {
            // Reading begins a turn of the loop, which sees one moment of the database.
            let before = try await engine.value(#"{ postsByBlog(blogID: "b1") { items { id } } }"#)
            #expect(before[path: "data", "postsByBlog", "items"]?.array?.count ?? 0 < number)
            let response = try await engine.value(
                """
                mutation {
                  createPost(input: {id: "p\(number)", blogID: "b1", title: "t\(number)"}) { id }
                  publish { posts { items { id title blog { name } } } }
                }
                """)
            let items = response[path: "data", "publish", "posts", "items"]?.array
            #expect(items?.count == number, "\(response.text)")
            #expect(
                items?.last == ["id": .string("p\(number)"), "title": .string("t\(number)"), "blog": ["name": "n"]])
        }
    }
}
