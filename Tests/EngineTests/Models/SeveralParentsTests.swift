import Access
import JSON
import Store
import Testing

@testable import Engine

/// What a relation shows under a record does not depend on the records beside it.
@Suite("Relations of several parents at once")
struct SeveralParentsTests {
    private static let schema = """
        type Member @model @auth(rules: [{allow: private}]) {
          username: String! @primaryKey
          team: String! @index(name: "byTeam", sortKeyFields: ["rank"], queryField: "membersByTeam")
          rank: Int!
          orders: [Order] @hasMany(indexName: "byUser", fields: ["username"])
          card: Card @hasOne(fields: ["username"])
          notes: [Note] @hasMany(indexName: "byMember", fields: ["username"])
        }
        type Order @model @auth(rules: [{allow: owner, ownerField: "username", identityClaim: "username"}]) {
          id: ID! username: String! @index(name: "byUser", sortKeyFields: ["secret"]) secret: String!
          member: Member @belongsTo(fields: ["username"])
        }
        type Card @model @auth(rules: [{allow: owner, ownerField: "username", identityClaim: "username"}]) {
          username: String! @primaryKey secret: String!
        }
        type Note @model @auth(rules: [{allow: owner}]) {
          id: ID! username: String! @index(name: "byMember") secret: String! owner: String
        }
        """

    private static let names = ["alice", "bob", "carol"]
    private static let administrator = Identity.iam(.administrator)

    private static func caller(_ name: String) -> Identity { .userPool(username: name, sub: "sub-\(name)") }

    /// Members with two orders, a card and two notes each. Every second note is owned in the longer form.
    private static func engine(
        order: [String], change: (inout EngineSettings) -> Void = { _ in }
    ) async throws -> TestEngine {
        let engine = try TestEngine(
            schema,
            project: {
                $0.defaultMode = .userPools
                $0.additionalModes = [.iam]
            }, change: change)
        for (rank, name) in order.enumerated() {
            let text = JSONValue.string(name)
            try await engine.create(
                "Member", [JSONObject([("username", text), ("team", "t"), ("rank", .integer(Int64(rank)))])],
                as: administrator)
            try await engine.create(
                "Card", [JSONObject([("username", text), ("secret", .string("\(name)-card"))])], as: administrator)
            for number in 0..<2 {
                let id = JSONValue.string("\(name)-\(number)")
                try await engine.create(
                    "Order",
                    [JSONObject([("id", id), ("username", text), ("secret", .string("\(name)-order\(number)"))])],
                    as: administrator)
                let owner = number == 0 ? name : "sub-\(name)::\(name)"
                try await engine.create(
                    "Note",
                    [
                        JSONObject([
                            ("id", id), ("username", text), ("secret", .string("\(name)-note\(number)")),
                            ("owner", .string(owner)),
                        ])
                    ], as: administrator)
            }
        }
        return engine
    }

    static let selections = [
        "orders { items { secret } }", "card { secret }", "notes { items { secret } }",
        "orders { items { secret } } card { secret } notes { items { secret } }",
        "card { secret } c: card { secret } o: orders(limit: 1) { items { secret } } orders { items { secret } }",
        "orders { items { secret member { card { secret } orders { items { secret } } } } }",
        "orders(sortDirection: DESC) { items { secret } nextToken }",
        #"orders(filter: {secret: {contains: "order"}}) { items { secret } } notes(limit: 1) { items { secret } }"#,
    ]

    static let orders = [
        ["bob", "alice", "carol"], ["alice", "bob", "carol"], ["alice", "carol", "bob"], ["carol", "bob", "alice"],
    ]

    @Test("a record of a list shows what it shows when it is asked for alone", arguments: selections)
    func eachAsIfAlone(selection: String) async throws {
        for order in Self.orders {
            let engine = try await Self.engine(order: order)
            for name in Self.names + ["dave"] {
                let caller = Self.caller(name)
                var alone: [String: JSONValue] = [:]
                for member in order {
                    // Nothing is kept from one to the next.
                    let single = try TestEngine(sharing: engine) { _ in }
                    let response = try await single.value(
                        "{ getMember(username: \"\(member)\") { username \(selection) } }", as: caller)
                    alone[member] = Self.withoutTokens(response[path: "data", "getMember"] ?? .null)
                    for other in Self.names where other != name {
                        #expect(!response.text.contains("\(other)-"), "\(name) sees \(response.text)")
                    }
                }
                let lists = [
                    "{ page: listMembers { items { username \(selection) } } }",
                    "{ page: membersByTeam(team: \"t\", sortDirection: DESC) { items { username \(selection) } } }",
                ]
                for list in lists {
                    let response = try await engine.value(list, as: caller)
                    let items = response[path: "data", "page", "items"]?.array ?? []
                    #expect(items.count == order.count)
                    for item in items {
                        let member = item["username"]?.string ?? ""
                        #expect(
                            Self.withoutTokens(item) == alone[member],
                            "\(name) under \(member) of \(order): \(response.text)")
                    }
                    for other in Self.names where other != name {
                        #expect(!response.text.contains("\(other)-"), "\(name) sees \(response.text)")
                    }
                }
            }
        }
    }

    /// A token is made anew each time, and is good under its parent only.
    private static func withoutTokens(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { member in
                        let isToken = member.key == "nextToken" && !member.value.isNull
                        return (member.key, isToken ? "…" : withoutTokens(member.value))
                    }))
        case .array(let elements): .array(elements.map(withoutTokens))
        default: value
        }
    }

    @Test(
        "a token goes on under the record that it was made for, and under no other",
        arguments: ListQuery.Semantics.allCases)
    func tokens(semantics: ListQuery.Semantics) async throws {
        let document = """
            query Q($t: String) { listMembers { items { username notes(limit: 1, nextToken: $t) { nextToken items { secret } } } } }
            """
        for order in Self.orders {
            let engine = try await Self.engine(order: order) { $0.semantics = semantics }
            let caller = Self.administrator
            let first = try await engine.value(document, as: caller)
            for (number, item) in (first[path: "data", "listMembers", "items"]?.array ?? []).enumerated() {
                let token = try #require(item[path: "notes", "nextToken"])
                let response = try await engine.value(document, JSONObject([("t", token)]), as: caller)
                let items = response[path: "data", "listMembers", "items"]?.array ?? []
                #expect(items.count == 3)
                for (place, other) in items.enumerated() {
                    let secrets = other[path: "notes", "items"]?.array?.map { $0["secret"]?.string }
                    #expect(secrets == (place == number ? ["\(order[place])-note1"] : nil), "\(response.text)")
                }
                #expect(response.messages == Array(repeating: "Invalid pagination token given.", count: 2))
            }
        }
    }

    @Test("a token of one relation is none for another of the same record")
    func otherRelations() async throws {
        let engine = try await Self.engine(order: ["alice", "bob"])
        func ask(_ relation: String, token: JSONValue) async throws -> JSONValue {
            try await engine.value(
                "query Q($t: String) { getMember(username: \"alice\") { r: \(relation)(limit: 1, nextToken: $t) { nextToken items { secret } } } }",
                JSONObject([("t", token)]), as: Self.administrator)
        }
        let relations = ["orders", "notes"]
        for relation in relations {
            let first = try await ask(relation, token: .null)
            let token = try #require(first[path: "data", "getMember", "r", "nextToken"])
            for other in relations {
                let response = try await ask(other, token: token)
                let isSame = other == relation
                #expect(
                    response.messages == (isSame ? [] : ["Invalid pagination token given."]), "\(other) \(relation)")
                #expect((response[path: "data", "getMember", "r"] == .null) != isSame)
            }
        }
    }

    @Test("a relation to one record knows whose that is, whatever is selected of it")
    func ownRecords() async throws {
        let schema = """
            type Page @model @auth(rules: [{allow: private}]) {
              id: ID! noteID: ID note: Note @hasOne(fields: ["noteID"])
              diary: Diary @hasOne(references: ["pageID"])
            }
            type Note @model @auth(rules: [{allow: owner}, {allow: owner, ownerField: "editors"}]) {
              id: ID! secret: String owner: String editors: [String]
            }
            type Diary @model @auth(rules: [{allow: groups, groupsField: "team"}]) {
              id: ID! secret: String team: String pageID: ID page: Page @belongsTo(references: ["pageID"])
            }
            """
        let engine = try TestEngine(schema, project: { $0.defaultMode = .userPools })
        let records: [(id: String, owner: JSONValue, editors: JSONValue, team: JSONValue)] = [
            ("1", "sub-bob::bob", .null, "Red"), ("2", "alice", ["zoe", "bob"], "Blue"), ("3", "alice", [], .null),
            ("4", .null, .null, "Red"),
        ]
        for (id, owner, editors, team) in records {
            let key = JSONValue.string(id)
            try await engine.create(
                "Note",
                [JSONObject([("id", key), ("secret", "s"), ("owner", owner), ("editors", editors)])],
                as: Self.administrator)
            try await engine.create("Page", [JSONObject([("id", key), ("noteID", key)])], as: Self.administrator)
            try await engine.create(
                "Diary", [JSONObject([("id", key), ("secret", "d"), ("team", team), ("pageID", key)])],
                as: Self.administrator)
        }
        let bob = Identity.userPool(username: "bob", sub: "sub-bob", groups: ["Red"])
        let response = try await engine.value(
            "{ listPages { items { id note { secret } diary { secret } } } }", as: bob)
        for item in response[path: "data", "listPages", "items"]?.array ?? [] {
            let id = item["id"]?.string ?? ""
            #expect(item["note"] == (["1", "2"].contains(id) ? ["secret": "s"] : .null), "\(response.text)")
            #expect(item["diary"] == (["1", "4"].contains(id) ? ["secret": "d"] : .null), "\(response.text)")
        }
        #expect(response.errorTypes == Array(repeating: "Unauthorized", count: 4))
    }

    @Test("a part of a key finds no record, and takes nothing from the record that has it")
    func partsOfKeys() async throws {
        let engine = try TestEngine(
            """
            input AMPLIFY { globalAuthRule: AuthRule = {allow: public} }
            type A @model { id: ID! n: Int b: B @hasOne(fields: ["id"]) }
            type B @model { k: ID! @primaryKey(sortKeyFields: ["s"]) s: ID! aId: ID c: C @belongsTo(fields: ["aId"]) }
            type C @model { k: ID! @primaryKey(sortKeyFields: ["s", "t"]) s: ID! t: ID! bs: [B] @hasMany }
            """)
        let a = #"{"data":{"createA":{"id":"1","b":null}}}"#
        #expect(try await engine.text(#"mutation { createA(input: {id: "1"}) { id b { s } } }"#) == a)
        _ = try await engine.text(#"mutation { createB(input: {k: "1", s: "x", aId: "1"}) { k } }"#)
        _ = try await engine.text(#"mutation { createC(input: {k: "1", s: "x", t: "y"}) { k } }"#)
        let found = try await engine.text(#"{ getA(id: "1") { id b { s } } }"#)
        #expect(found == #"{"data":{"getA":{"id":"1","b":null}}}"#)
        #expect(
            try await engine.text("{ listBS { items { k c { t } } } }")
                == #"{"data":{"listBS":{"items":[{"k":"1","c":null}]}}}"#)
        #expect(
            try await engine.text(#"mutation { deleteB(input: {k: "1", s: "x"}) { k c { t } } }"#)
                == #"{"data":{"deleteB":{"k":"1","c":null}}}"#)
    }
}
