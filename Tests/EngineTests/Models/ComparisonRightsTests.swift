import Access
import JSON
import Testing

@testable import Engine

/// What a caller may not read is compared for them nowhere: which records come back would tell it.
@Suite("A field that the caller may not read")
struct ComparisonRightsTests {
    private static let schema = """
        type Box @model @auth(rules: [{allow: private}, {allow: custom}]) {
          id: ID! items: [Item] @hasMany(indexName: "byBox", fields: ["id"])
        }
        type Item @model @searchable @auth(rules: [{allow: private}, {allow: custom}, {allow: owner}]) {
          id: ID! owner: String plain: String text: String
          cat: String
            @index(name: "byCat", sortKeyFields: ["secret"], queryField: "byCat")
            @index(name: "byBoth", sortKeyFields: ["plain", "secret"], queryField: "byBoth")
            @index(name: "byOwn", sortKeyFields: ["own"], queryField: "byOwn")
          secret: String @auth(rules: [{allow: groups, groups: ["Admin"]}, {allow: custom}])
            @index(name: "bySecret", queryField: "bySecret")
          own: String @auth(rules: [{allow: owner}, {allow: custom}])
          pin: Int @auth(rules: [{allow: groups, groups: ["Admin"]}, {allow: custom}])
          boxID: ID @index(name: "byBox", sortKeyFields: ["secret"], queryField: "itemsOfBox")
        }
        type Vault @model(subscriptions: {level: off}) @auth(rules: [{allow: private}, {allow: custom}]) {
          code: String! @primaryKey(sortKeyFields: ["shelf"])
            @auth(rules: [{allow: groups, groups: ["Admin"]}, {allow: custom}])
          shelf: Int! @auth(rules: [{allow: groups, groups: ["Admin"]}, {allow: custom}])
          text: String
        }
        """

    private static let admin = Identity.userPool(username: "root", sub: "sub-root", groups: ["Admin"])
    private static let bob = Identity.userPool(username: "bob", sub: "sub-bob")
    private static let function = Identity.lambda(deniedFields: [])
    private static let denied = Identity.lambda(
        deniedFields: ["Item.secret", "Item.pin", "Item.own", "Vault.code", "Vault.shelf"])

    private static func engine() async throws -> TestEngine {
        let engine = try TestEngine(
            schema,
            project: {
                $0.defaultMode = .userPools
                $0.additionalModes = [.lambda]
            })
        try await engine.create("Box", [JSONObject([("id", "b")])], as: function)
        for (id, secret, owner) in [("1", "alpha", "bob"), ("2", "beta", "ann")] {
            try await engine.create(
                "Item",
                [
                    JSONObject([
                        ("id", .string(id)), ("cat", "c"), ("plain", "p"), ("secret", .string(secret)), ("pin", 7),
                        ("own", .string(secret)), ("boxID", "b"), ("owner", .string(owner)),
                    ])
                ], as: function)
        }
        try await engine.create("Vault", [JSONObject([("code", "x"), ("shelf", 1), ("text", "t")])], as: function)
        return engine
    }

    /// Documents that compare a field, with that field.
    static let rows: [(document: String, field: String)] = [
        (#"{ x: byCat(cat: "c", secret: {beginsWith: "al"}) { items { id } } }"#, "Item.secret"),
        (#"{ x: byCat(cat: "c", secret: {eq: "alpha"}) { items { id } } }"#, "Item.secret"),
        (#"{ x: byCat(cat: "c", secret: {gt: "a"}) { nextToken } }"#, "Item.secret"),
        (
            #"{ x: byCat(cat: "c", secret: {between: ["a", "b"]}, sortDirection: DESC) { items { id } } }"#,
            "Item.secret"
        ),
        (
            #"{ x: byBoth(cat: "c", plainSecret: {beginsWith: {plain: "p", secret: "al"}}) { items { id } } }"#,
            "Item.secret"
        ),
        (
            #"{ x: byBoth(cat: "c", plainSecret: {between: [{plain: "p"}, {plain: "p", secret: "b"}]}) { items { id } } }"#,
            "Item.secret"
        ),
        (#"{ x: bySecret(secret: "alpha") { items { id } } }"#, "Item.secret"),
        (#"{ x: getBox(id: "b") { items(secret: {beginsWith: "al"}) { items { id } } } }"#, "Item.secret"),
        (#"{ x: getBox(id: "b") { items(filter: {pin: {gt: 1}}) { items { id } } } }"#, "Item.pin"),
        (#"{ x: getVault(code: "x", shelf: 1) { text } }"#, "Vault.code"),
        (#"{ x: listVaults(code: "x") { items { text } } }"#, "Vault.code"),
        (#"{ x: listVaults(code: "x", shelf: {gt: 0}) { items { text } } }"#, "Vault.code"),
        (#"{ x: listVaults(filter: {shelf: {gt: 0}}) { items { text } } }"#, "Vault.shelf"),
        (#"{ x: listItems(filter: {or: [{not: {secret: {eq: "x"}}}]}) { items { id } } }"#, "Item.secret"),
        (#"{ x: searchItems(filter: {secret: {wildcard: "a*"}}) { items { id } } }"#, "Item.secret"),
        (#"{ x: searchItems(sort: [{field: pin, direction: asc}]) { items { id } } }"#, "Item.pin"),
        (
            #"mutation { x: updateItem(input: {id: "1", text: "q"}, condition: {pin: {gt: 1}}) { id } }"#,
            "Item.pin"
        ),
    ]

    @Test("is compared for nobody else, whatever asks for it", arguments: rows)
    func compares(_ row: (document: String, field: String)) async throws {
        let engine = try await Self.engine()
        let parts = row.field.split(separator: ".").map(String.init)
        let message = "Not Authorized to access \(parts[1]) on type \(parts[0])"
        // First those who may, so that what a loop keeps of their answers is there.
        for identity in row.document.contains("mutation") ? [] : [Self.admin, Self.function] {
            let response = try await engine.value(row.document, as: identity)
            #expect(response["errors"] == nil, "\(response.text)")
        }
        for identity in [Self.bob, Self.denied] {
            let response = try await engine.value(row.document, as: identity)
            #expect(response.messages == [message], "\(identity.name): \(response.text)")
            let value = response["data"]?["x"]
            #expect(value == .null || value?["items"] == .null, "\(response.text)")
        }
    }

    @Test("stands in the way of nothing that does not compare it")
    func rest() async throws {
        let engine = try await Self.engine()
        let documents = [
            #"{ x: byCat(cat: "c") { items { id } } }"#,
            #"{ x: byCat(cat: "c", secret: {}, sortDirection: DESC) { items { id } } }"#,
            #"{ x: byBoth(cat: "c", plainSecret: {beginsWith: {plain: "p"}}) { items { id } } }"#,
            #"{ x: getBox(id: "b") { items { items { id } } } }"#,
            #"{ x: listVaults { items { text } } }"#,
            #"{ x: listItems(filter: {plain: {eq: "p"}}) { items { id } } }"#,
            #"{ x: searchItems(sort: [{field: plain, direction: asc}]) { items { id } total } }"#,
        ]
        for document in documents {
            for identity in [Self.bob, Self.denied, Self.admin] {
                let response = try await engine.value(document, as: identity)
                #expect(response["errors"] == nil, "\(document) \(response.text)")
            }
        }
    }

    @Test("is compared in the records in which they may read it")
    func own() async throws {
        let engine = try await Self.engine()
        for document in [
            #"{ x: byOwn(cat: "c", own: {ge: "a"}) { items { id } } }"#,
            #"{ x: listItems(filter: {own: {ge: "a"}}) { items { id } } }"#,
        ] {
            // The page is kept from one caller to the next, and its records are not.
            for (identity, ids) in [(Self.function, ["1", "2"]), (Self.bob, ["1"]), (Self.admin, [])] {
                let response = try await engine.value(document, as: identity)
                let found = response[path: "data", "x", "items"]?.array?.compactMap { $0["id"]?.string }
                #expect(found ?? [] == ids, "\(document) \(identity.name): \(response.text)")
            }
        }
    }
}
