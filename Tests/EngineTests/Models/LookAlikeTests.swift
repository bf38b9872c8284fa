import Access
import JSON
import TestSupport
import Testing

@testable import Engine

@Suite("Somebody with a name that looks like another's, asking on the same loop")
struct LookAlikeTests {
    private static let schema = """
        type Note @model @auth(rules: [{allow: owner, identityClaim: "username"}]) { id: ID! owner: String text: String }
        type Mail @model @auth(rules: [{allow: owner, ownerField: "email", identityClaim: "username"}]) {
          email: String! @primaryKey(sortKeyFields: ["num"]) num: Int! text: String
          by: String @index(name: "byBy", queryField: "mailsBy")
        }
        """

    private static func user(_ name: String) -> Identity { .userPool(username: name, sub: "sub") }

    private static func ids(_ value: JSONValue?) -> [String]? {
        value?["items"]?.array?.compactMap { $0["id"]?.string ?? $0["text"]?.string }
    }

    @Test("gets their own list and never the other's page, whoever asks first", arguments: LookAlikes.all)
    func pages(_ pair: LookAlikes) async throws {
        let engine = try TestEngine(Self.schema, project: { $0.defaultMode = .userPools })
        for name in [pair.one, pair.other] {
            try await engine.create(
                "Note", [JSONObject([("id", .string(name)), ("text", .string(name))])], as: Self.user(name))
        }
        for name in [pair.one, pair.other, pair.one] {
            let list = try await engine.value("{ listNotes { items { id } } }", as: Self.user(name))
            #expect(Self.ids(list["data"]?["listNotes"]) == [name], "\(list.text)")
        }
        // The same arguments but for one that looks alike.
        for name in [pair.one, pair.other] {
            let list = try await engine.value(
                "query Q($t: String) { listNotes(filter: {text: {eq: $t}}) { items { id } } }",
                JSONObject([("t", .string(pair.one))]), as: Self.user(name))
            #expect(Self.ids(list["data"]?["listNotes"]) == (name == pair.one ? [name] : []), "\(list.text)")
        }
    }

    @Test("changes and deletes nothing of theirs, and reads nothing by their key", arguments: LookAlikes.all)
    func records(_ pair: LookAlikes) async throws {
        let engine = try TestEngine(Self.schema, project: { $0.defaultMode = .userPools })
        let (owner, other) = (Self.user(pair.one), Self.user(pair.other))
        try await engine.create("Note", [JSONObject([("id", "n"), ("owner", .string(pair.one))])], as: owner)
        try await engine.create(
            "Mail", [JSONObject([("email", .string(pair.one)), ("num", 1), ("text", "t"), ("by", "b")])], as: owner)
        let none = JSONObject()
        let key = JSONObject([("k", .string(pair.one))])
        let asked: [(String, JSONObject)] = [
            (#"mutation { x: updateNote(input: {id: "n", text: "t"}) { id } }"#, none),
            (#"mutation { x: deleteNote(input: {id: "n"}) { id } }"#, none),
            (#"mutation M($k: String) { x: createNote(input: {owner: $k}) { id } }"#, key),
            (#"{ x: getNote(id: "n") { id } }"#, none),
            (#"query Q($k: String!) { x: getMail(email: $k, num: 1) { text } }"#, key),
            (#"query Q($k: String!) { x: listMail(email: $k) { items { text } } }"#, key),
            (#"mutation M($k: String!) { x: updateMail(input: {email: $k, num: 1, text: "s"}) { text } }"#, key),
            (#"mutation M($k: String!) { x: deleteMail(input: {email: $k, num: 1}) { text } }"#, key),
        ]
        for (document, variables) in asked {
            let response = try await engine.value(document, variables, as: other)
            #expect(response["data"]?["x"] == .null, "\(document) \(response.text)")
            #expect(response.messages.allSatisfy { $0.hasPrefix("Not Authorized to access") }, "\(response.text)")
        }
        let index = try await engine.value(#"{ x: mailsBy(by: "b") { items { text } } }"#, as: other)
        #expect(Self.ids(index["data"]?["x"]) == [], "\(index.text)")
        // The owner can do all of it.
        for (document, variables) in asked.filter({ !$0.0.contains("delete") }) {
            let response = try await engine.value(document, variables, as: owner)
            #expect(response["errors"] == nil, "\(document) \(response.text)")
        }
    }

    @Test("AUTOMERGE keeps a text that was only written otherwise", arguments: LookAlikes.all)
    func automerge(_ pair: LookAlikes) throws {
        func object(_ key: String, _ value: JSONValue) -> JSONValue { .object(JSONObject([(key, value)])) }
        let merged = Automerge.merged(object(pair.one, 1), object(pair.other, .string(pair.other)))
        #expect(merged.object?.count == 2)
        #expect(merged != object(pair.one, 1))
        #expect(Automerge.merged(.array([.string(pair.one)]), .array([.string(pair.other)])).array?.count == 2)
    }
}
