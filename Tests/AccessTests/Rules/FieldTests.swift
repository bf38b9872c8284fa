import JSON
import Testing

@testable import Access

@Suite("Fields and relations")
struct FieldTests {
    @Test("a field is checked when a reader of the record may not read it")
    func restricted() throws {
        let test = try TestPolicy(
            """
            type Employee @model @auth(rules: [{allow: private}]) {
              id: ID!
              name: String
              ssn: String @auth(rules: [
                {allow: groups, groups: ["Admin"]}, {allow: private, operations: [create, update, delete]}])
            }
            type Off @model(subscriptions: {level: off}) @auth(rules: [{allow: private}]) {
              name: String ssn: String @auth(rules: [{allow: groups, groups: ["Admin"]}])
            }
            """)
        let ssn = try #require(test.policy.field(type: "Employee", field: "ssn"))
        #expect(ssn.decision(for: test.policy.caller(Callers.bob)) == .deny)
        #expect(ssn.decision(for: test.policy.caller(Callers.apiKey)) == .deny)
        #expect(ssn.decision(for: test.policy.caller(Callers.alice)) == .allow)
        #expect(ssn.decision(for: test.policy.caller(Callers.administrator)) == .allow)
        #expect(ssn.nullIn == .all)
        #expect(test.policy.field(type: "Employee", field: "name") == nil)
        #expect(try #require(test.policy.field(type: "Off", field: "ssn")).nullIn == [])
    }

    @Test("an owner rule on a field compares with the record that holds it")
    func owned() throws {
        let test = try TestPolicy(
            """
            type Student @model @auth(rules: [{allow: owner}, {allow: private, operations: [read]}]) {
              id: ID! notes: String @auth(rules: [{allow: owner}])
            }
            """)
        let notes = try #require(test.policy.field(type: "Student", field: "notes"))
        #expect(notes.recordFields == ["owner"])
        let decision = notes.decision(for: test.policy.caller(Callers.bob))
        #expect(!decision.admits { _ in "sub-alice::alice" })
        #expect(!decision.admits { _ in nil })
        #expect(decision.admits { _ in "sub-bob::bob" })
    }

    @Test("a reader with list or listen only does not get to read a restricted field either")
    func granularReaders() throws {
        let test = try TestPolicy(
            """
            type List @model @auth(rules: [{allow: public, operations: [list]}]) {
              t: String s: String @auth(rules: [{allow: private}])
            }
            type Listen @model @auth(rules: [{allow: public, operations: [listen]}]) {
              t: String s: String @auth(rules: [{allow: private}])
            }
            """)
        for type in ["List", "Listen"] {
            let field = try #require(test.policy.field(type: type, field: "s"))
            #expect(field.decision(for: test.policy.caller(Callers.apiKey)) == .deny)
            #expect(field.decision(for: test.policy.caller(Callers.bob)) == .allow)
        }
        #expect(test.policy.field(type: "Listen", field: "s")?.nullIn == .all)
    }

    @Test("on operations and on types that are no models, only rules that need no record count")
    func operations() throws {
        let test = try TestPolicy(
            """
            type Note { content: String secret: String @auth(rules: [{allow: groups, groups: ["Admin"]}]) }
            type Query {
              mine: String @function(name: "f") @auth(rules: [{allow: owner}])
              mixed: Note @function(name: "f") @auth(rules: [{allow: owner}, {allow: groups, groups: ["Admin"]}])
              key: String @function(name: "f") @auth(rules: [{allow: public}])
              anybody: String @function(name: "f")
            }
            """)
        let rows: [(type: String, field: String, allowed: [String])] = [
            ("Query", "mine", []), ("Query", "mixed", ["alice"]), ("Query", "key", ["apiKey"]),
            ("Note", "secret", ["alice"]),
        ]
        for row in rows {
            let field = try #require(test.policy.field(type: row.type, field: row.field))
            #expect(field.nullIn == [])
            for (name, identity) in Callers.all {
                let isAllowed = name == "administrator" || row.allowed.contains(name)
                #expect(
                    field.decision(for: test.policy.caller(identity)) == (isAllowed ? .allow : .deny),
                    "\(name) \(row.field)")
            }
        }
        #expect(test.policy.field(type: "Query", field: "anybody") == nil)
        #expect(test.policy.field(type: "Note", field: "content") == nil)
    }

    @Test("a relation is judged by the other side's rules, whichever reading operation they give")
    func relations() throws {
        let test = try TestPolicy(
            """
            type User @model @auth(rules: [{allow: private}]) {
              id: ID!
              posts: [Post] @hasMany(references: ["userId"])
              top: Top @hasOne(references: ["userId"])
              closed: Closed @hasOne(references: ["userId"])
            }
            type Post @model @auth(rules: [{allow: owner, operations: [get]}]) {
              id: ID! userId: ID user: User @belongsTo(references: ["userId"])
            }
            type Top @model @auth(rules: [{allow: private, operations: [list]}]) {
              id: ID! userId: ID user: User @belongsTo(references: ["userId"])
            }
            type Closed @model { id: ID! userId: ID user: User @belongsTo(references: ["userId"]) }
            """)
        let user = try test.model("User")
        let bob = test.policy.caller(Callers.bob)
        let key = test.policy.caller(Callers.apiKey)
        let none: (String) -> String? = { _ in nil }
        #expect(try #require(user.relation("closed")).decision(for: bob, source: none) == .deny)
        #expect(try #require(user.relation("posts")).decision(for: key, source: none) == .deny)
        #expect(try #require(user.relation("top")).decision(for: bob, source: none) == .allow)
        let posts = try #require(user.relation("posts"))
        #expect(posts.decision(for: bob, source: none).admits { _ in "bob" })
        #expect(!posts.decision(for: bob, source: none).admits { _ in "alice" })
        #expect(posts.isEmptiedInMutations)
        #expect(posts.sourceFields == [])
        // A sandbox or an open parent is no way around the rules of the other side.
        #expect(try #require(test.model("Closed").relation("user")).decision(for: key, source: none) == .deny)
    }

    @Test("a relation by a key that is the owner field shows the caller's own, never somebody else's")
    func relationByOwner() throws {
        let test = try TestPolicy(
            """
            type Member @model @auth(rules: [{allow: private}]) {
              username: String! @primaryKey
              orders: [Order] @hasMany(indexName: "byUser", fields: ["username"])
              card: Card @hasOne(fields: ["username"])
            }
            type Order @model @auth(rules: [{allow: owner, ownerField: "username", identityClaim: "username"}]) {
              id: ID! username: String! @index(name: "byUser")
            }
            type Card @model @auth(rules: [{allow: owner, ownerField: "username", identityClaim: "username"}]) {
              username: String! @primaryKey
            }
            """)
        let member = try test.model("Member")
        let bob = test.policy.caller(Callers.bob)
        let orders = try #require(member.relation("orders"))
        #expect(orders.sourceFields == ["username"])
        #expect(
            orders.decision(for: bob) { _ in "alice" } == .narrow([.init(field: "username", value: "bob")]))
        #expect(orders.decision(for: bob) { _ in "bob" } == .allow)
        #expect(orders.decision(for: test.policy.caller(Callers.ann)) { _ in "alice" } == .deny)
        let card = try #require(member.relation("card"))
        #expect(!card.decision(for: bob) { _ in "alice" }.admits { _ in "alice" })
        #expect(card.decision(for: bob) { _ in "bob" } == .allow)
    }

    @Test("an owner is shown by what follows the last separator")
    func owners() throws {
        let test = try TestPolicy(
            """
            type Post @model @auth(rules: [
              {allow: owner}, {allow: owner, ownerField: "plain", identityClaim: "username"}
              {allow: owner, ownerField: "editors"}]) { id: ID! editors: [String] }
            """)
        #expect(try test.model("Post").shortenedOwners == ["owner", "editors"])
        #expect(OwnerText.shown("sub::alice") == "alice")
        #expect(OwnerText.shown("alice") == "alice")
        #expect(OwnerText.shown("a::b::c") == "c")
        #expect(OwnerText.shown("a:b") == "a:b")
        #expect(OwnerText.shown("a:::b") == ":b")
        #expect(OwnerText.shown("a::") == "")
        #expect(OwnerText.shown(":") == ":")
        #expect(OwnerText.shown("") == "")
        #expect(OwnerText.shown(["a::b", "c", .null]) == ["b", "c", .null])
        #expect(OwnerText.shown(JSONValue.null) == .null)
    }

    @Test("aggregations show only fields whose values the caller may search")
    func aggregations() throws {
        let test = try TestPolicy(
            """
            type Paper @model @searchable @auth(rules: [{allow: public}, {allow: owner}]) {
              id: ID! content: String secret: String @auth(rules: [{allow: owner}])
            }
            """)
        let search = try test.model("Paper").search
        let key = test.policy.caller(Callers.apiKey)
        let bob = test.policy.caller(Callers.bob)
        #expect(search.aggregation(of: "secret", for: key) == .deny)
        #expect(search.decision(for: key) == .allow)
        #expect(search.aggregation(of: "content", for: key) == .allow)
        #expect(search.aggregation(of: "createdAt", for: key) == .allow)
        #expect(!search.aggregation(of: "secret", for: bob).admits { _ in "alice" })
        #expect(search.aggregation(of: "secret", for: bob).admits { _ in "bob" })
    }

    @Test("aggregations show nothing of a field that an authorizer denies, declared or not")
    func deniedAggregations() throws {
        let test = try TestPolicy(
            """
            type Paper @model @searchable @auth(rules: [{allow: custom}]) {
              id: ID! content: String own: String @auth(rules: [{allow: custom}])
            }
            """)
        let search = try test.model("Paper").search
        for field in ["content", "own", "createdAt"] {
            let denied = test.policy.caller(.lambda(deniedFields: ["Paper.\(field)"]))
            let other = test.policy.caller(.lambda(deniedFields: ["Paper.other"]))
            #expect(search.aggregation(of: field, for: denied) == .deny, "\(field)")
            #expect(search.aggregation(of: field, for: other) == .allow, "\(field)")
            #expect(search.decision(for: denied) == .allow)
        }
    }
}
