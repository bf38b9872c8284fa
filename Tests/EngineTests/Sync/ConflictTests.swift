import Access
import Blueprint
import JSON
import Store
import Testing

@testable import Engine

@Suite("A mutation of a synced model")
struct ConflictTests {
    private static let schema = """
        type Note @model @auth(rules: [{allow: public}]) {
          id: ID! content: String rating: Int price: Float tags: [String] meta: Meta raw: AWSJSON
        }
        type Meta { a: Int b: String c: [Int] }
        """

    /// Requests one after the other, and the whole of each answer.
    struct Course: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let strategy: ConflictStrategy
        let steps: [(query: String, answer: String)]

        init(_ name: String, under strategy: ConflictStrategy = .automerge, _ steps: [(String, String)]) {
            testDescription = name
            self.strategy = strategy
            self.steps = steps
        }
    }

    private static let create = (
        #"mutation { createNote(input: {id: "1", content: "one", tags: ["a"], _version: 9}) { content _version _deleted } }"#,
        #"{"data":{"createNote":{"content":"one","_version":1,"_deleted":null}}}"#
    )
    private static let update = (
        #"mutation { updateNote(input: {id: "1", content: "two", _version: 1}) { content _version } }"#,
        #"{"data":{"updateNote":{"content":"two","_version":2}}}"#
    )
    private static let delete = (
        #"mutation { deleteNote(input: {id: "1", _version: 1}) { content _version _deleted } }"#,
        #"{"data":{"deleteNote":{"content":"one","_version":2,"_deleted":true}}}"#
    )

    private static func conflict(_ field: String, _ data: String) -> String {
        """
        {"data":{"\(field)":null},"errors":[{"path":["\(field)"],"data":\(data),"errorType":"ConflictUnhandled",\
        "errorInfo":null,"locations":[{"line":1,"column":12,"sourceName":null}],\
        "message":"Conflict resolver rejects mutation."}]}
        """
    }

    private static func refused(_ field: String) -> String {
        Scenario.failure(
            field, "The conditional request failed (Service: DynamoDb, Status Code: 400, Request ID: …)",
            "ConditionalCheckFailedException")
    }

    static let courses: [Course] = [
        Course(
            "has versions from 1, whatever a creation says, and a tombstone with everything in it",
            [
                create, update,
                (
                    #"mutation { deleteNote(input: {id: "1", _version: 2}) { content tags _version _deleted } }"#,
                    #"{"data":{"deleteNote":{"content":"two","tags":["a"],"_version":3,"_deleted":true}}}"#
                ),
                (
                    #"{ getNote(id: "1") { _version _deleted } }"#,
                    #"{"data":{"getNote":{"_version":3,"_deleted":true}}}"#
                ),
                (
                    #"{ listNotes(filter: {_deleted: {ne: true}}) { items { id } startedAt } }"#,
                    #"{"data":{"listNotes":{"items":[],"startedAt":null}}}"#
                ),
            ]),
        Course(
            "cannot be made where a record or a tombstone is",
            [
                create,
                (#"mutation { createNote(input: {id: "1", content: "x"}) { id } }"#, refused("createNote")),
                delete,
                (#"mutation { createNote(input: {id: "1", content: "x"}) { id } }"#, refused("createNote")),
            ]),
        Course(
            "of nothing fails, and a deletion of nothing is done already",
            [
                (#"mutation { updateNote(input: {id: "1", _version: 1}) { id } }"#, refused("updateNote")),
                (#"mutation { deleteNote(input: {id: "1", _version: 1}) { id } }"#, #"{"data":{"deleteNote":null}}"#),
            ]),
        Course(
            "is asked for its version first, then for its condition",
            [
                create,
                (
                    #"mutation { updateNote(input: {id: "1", content: "x", _version: 1}, condition: {content: {eq: "no"}}) { id } }"#,
                    refused("updateNote")
                ),
                (
                    #"mutation { deleteNote(input: {id: "1", _version: 3}, condition: {content: {eq: "no"}}) { _version } }"#,
                    conflict("deleteNote", #"{"_version":1}"#)
                ),
                (
                    #"mutation { deleteNote(input: {id: "1", _version: 1}, condition: {content: {eq: "no"}}) { _version } }"#,
                    refused("deleteNote")
                ),
            ]),
        Course(
            "of a tombstone conflicts with a stale version, and succeeds with the right one",
            [
                create, delete,
                (
                    #"mutation { updateNote(input: {id: "1", content: "x", _version: 1}) { content _version _deleted } }"#,
                    conflict("updateNote", #"{"content":"one","_version":2,"_deleted":true}"#)
                ),
                (
                    #"mutation { updateNote(input: {id: "1", content: "x", _version: 2}) { content _version _deleted } }"#,
                    #"{"data":{"updateNote":{"content":"x","_version":3,"_deleted":true}}}"#
                ),
                (
                    #"mutation { deleteNote(input: {id: "1"}) { _version _deleted } }"#,
                    conflict("deleteNote", #"{"_version":3,"_deleted":true}"#)
                ),
                (
                    #"mutation { deleteNote(input: {id: "1", _version: 3}) { _version _deleted } }"#,
                    #"{"data":{"deleteNote":{"_version":4,"_deleted":true}}}"#
                ),
            ]),
        Course(
            "is merged, but not if it deletes",
            [
                create, update,
                (
                    #"mutation { updateNote(input: {id: "1", content: "three", rating: 5, tags: ["a", "b"], meta: {a: 1, c: [1]}, _version: 1}) { content rating tags meta { a b c } _version } }"#,
                    #"{"data":{"updateNote":{"content":"two","rating":5,"tags":["a","a","b"],"meta":{"a":1,"b":null,"c":[1]},"_version":3}}}"#
                ),
                (
                    #"mutation { updateNote(input: {id: "1", rating: null, tags: null, meta: {a: 2, b: "x", c: [2]}}) { rating tags meta { a b c } _version } }"#,
                    #"{"data":{"updateNote":{"rating":5,"tags":["a","a","b"],"meta":{"a":1,"b":"x","c":[1,2]},"_version":4}}}"#
                ),
                (
                    #"mutation { updateNote(input: {id: "1", raw: "{\"x\": [1]}", _version: null}) { raw _version } }"#,
                    #"{"data":{"updateNote":{"raw":"{\"x\":[1]}","_version":5}}}"#
                ),
                (
                    #"mutation { updateNote(input: {id: "1", raw: "{\"x\": [2], \"y\": 1}"}) { raw _version } }"#,
                    #"{"data":{"updateNote":{"raw":"{\"x\":[1,2],\"y\":1}","_version":6}}}"#
                ),
                (
                    #"mutation { updateNote(input: {id: "1", price: 2.5}, condition: {rating: {gt: 9}}) { _version } }"#,
                    refused("updateNote")
                ),
                (
                    #"mutation { deleteNote(input: {id: "1", _version: 5}) { v: _version __typename rating } }"#,
                    conflict("deleteNote", #"{"_version":6,"__typename":"Note","rating":5}"#)
                ),
            ]),
        Course(
            "is rejected with the record as it is selected", under: .optimisticConcurrency,
            [
                create, update,
                (
                    #"mutation { updateNote(input: {id: "1", content: "x"}) { id meta { a } tags _version _deleted } }"#,
                    conflict("updateNote", #"{"id":"1","meta":null,"tags":["a"],"_version":2,"_deleted":null}"#)
                ),
                (
                    #"mutation { updateNote(input: {id: "1", content: "x", _version: 3}) { content } }"#,
                    conflict("updateNote", #"{"content":"two"}"#)
                ),
                (
                    #"{ getNote(id: "1") { content _version } }"#,
                    #"{"data":{"getNote":{"content":"two","_version":2}}}"#
                ),
            ]),
    ]

    @Test("follows its version", arguments: courses)
    func course(_ course: Course) async throws {
        let engine = try TestEngine(Self.schema, project: { $0.conflictStrategy = course.strategy })
        for step in course.steps {
            #expect(Scenario.masked(try await engine.text(step.query)) == step.answer, "\(step.query)")
        }
    }

    @Test("has the strategy of its model, and a join model that of the project")
    func strategies() async throws {
        let schema = """
            type A @model @auth(rules: [{allow: public}]) { id: ID! n: Int bs: [B] @manyToMany(relationName: "AB") }
            type B @model @auth(rules: [{allow: public}]) { id: ID! n: Int as: [A] @manyToMany(relationName: "AB") }
            """
        let engine = try TestEngine(
            schema,
            project: {
                $0.conflictStrategy = .automerge
                $0.conflictStrategies["A"] = .optimisticConcurrency
            })
        let made = try await engine.text(
            #"mutation { createA(input: {id: "a"}) { _version } createB(input: {id: "b"}) { _version } createAB(input: {id: "c", aId: "a", bId: "b"}) { _version } }"#
        )
        #expect(made == #"{"data":{"createA":{"_version":1},"createB":{"_version":1},"createAB":{"_version":1}}}"#)
        let answer = try await engine.value(
            #"mutation { updateA(input: {id: "a", n: 1}) { id } updateB(input: {id: "b", n: 1}) { n _version } updateAB(input: {id: "c"}) { _version } }"#
        )
        #expect(answer["data"]?.text == #"{"updateA":null,"updateB":{"n":1,"_version":2},"updateAB":{"_version":2}}"#)
        #expect(answer.errorTypes == ["ConflictUnhandled"])
    }

    @Test("that conflicts shows nothing that the caller may not read")
    func redaction() async throws {
        let schema = """
            type Doc @model @auth(rules: [{allow: owner}, {allow: private, operations: [update, read]}]) {
              id: ID! title: String secret: String @auth(rules: [{allow: owner}])
            }
            """
        let engine = try TestEngine(
            schema,
            project: {
                $0.additionalModes = [.userPools]
                $0.conflictStrategy = .optimisticConcurrency
            })
        let (alice, bob) = (
            Identity.userPool(username: "alice", sub: "sub-alice"), Identity.userPool(username: "bob", sub: "sub-bob")
        )
        try await engine.create("Doc", [JSONObject([("id", "1"), ("title", "t"), ("secret", "hush")])], as: alice)
        let answer = try await engine.text(
            #"mutation { updateDoc(input: {id: "1", title: "x", _version: 7}) { id title secret } }"#, as: bob)
        #expect(answer.contains("ConflictUnhandled"))
        #expect(!answer.contains("hush"))
    }
}
