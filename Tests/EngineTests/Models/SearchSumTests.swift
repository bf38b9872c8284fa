import Access
import JSON
import Testing

@testable import Engine

@Suite("A sum beside a search")
struct SearchSumTests {
    private static let schema = """
        type Tale @model @searchable @auth(rules: [{allow: private}, {allow: custom}]) {
          owner: String team: String pages: Int
          mine: String @auth(rules: [{allow: owner}])
          ours: String @auth(rules: [{allow: groups, groupsField: "team"}, {allow: groups, groups: ["None"]}])
          forAdmin: String @auth(rules: [{allow: groups, groups: ["Admin"]}])
          forOthers: String @auth(rules: [{allow: public}])
          elsewhere: String @auth(rules: [{allow: owner, identityClaim: "email"}])
        }
        """

    private static let root = Identity.userPool(username: "root", sub: "sub-root", groups: ["Admin", "red"])
    private static let ann = Identity.userPool(username: "ann", sub: "sub-ann")
    private static let eve = Identity.userPool(username: "eve", sub: "sub-eve", groups: ["blue"])

    private static func engine() async throws -> TestEngine {
        let engine = try TestEngine(
            schema,
            project: {
                $0.defaultMode = .apiKey
                $0.additionalModes = [.userPools, .lambda, .iam]
            })
        for (id, owner, team) in [("1", "sub-ann::ann", "red"), ("2", "sub-ann::ann", "blue"), ("3", "root", "red")] {
            let record = JSONObject([
                ("id", .string(id)), ("owner", .string(owner)), ("team", .string(team)), ("pages", 10),
                ("mine", .string("m\(owner == "root" ? "r" : "a")")), ("ours", .string("o\(team)")), ("forAdmin", "f"),
                ("forOthers", "x"), ("elsewhere", "e"),
            ])
            try await engine.create("Tale", [record], as: .iam(.administrator))
        }
        return engine
    }

    /// What a sum says: buckets as `key:count`, a number, `null`, the whole search without anything, or an error.
    private static func said(
        _ kind: String, _ field: String, _ identity: Identity, _ engine: TestEngine
    ) async throws -> String {
        let response = try await engine.value(
            """
            { x: searchTales(aggregates: [{name: "a", type: \(kind), field: \(field)}]) {
              items { id } total
              aggregateItems { name result {
                ... on SearchableAggregateBucketResult { buckets { key doc_count } }
                ... on SearchableAggregateScalarResult { value }
              } }
            } }
            """, as: identity)
        if let message = response.messages.first {
            #expect(response["data"]?["x"] == .null && response.errorTypes == ["Unauthorized"], "\(response.text)")
            return message
        }
        if response["data"]?["x"] == ["items": [], "total": nil, "aggregateItems": []] { return "nothing" }
        let result = response["data"]?["x"]?["aggregateItems"]?[0]?["result"]
        if let value = result?["value"]?.number { return "\(value)" }
        guard let buckets = result?["buckets"]?.array else { return "null" }
        return buckets.map { "\($0["key"]?.string ?? ""):\($0["doc_count"]?.integer ?? 0)" }.joined(separator: " ")
    }

    private static func refused(_ field: String) -> String { "Unauthorized to run aggregation on field: \(field)" }

    static let rows: [(kind: String, field: String, caller: Identity, said: String)] = [
        // Fields that nobody declared, and those of the model's rules.
        ("sum", "pages", ann, "30.0"), ("max", "createdAt", ann, "null"), ("terms", "team", ann, "red:2 blue:1"),
        // Owners are shown as everywhere else.
        ("terms", "owner", eve, "ann:2 root:1"),
        // An owner's are over their own records, a stranger's over none.
        ("terms", "mine", ann, "ma:2"), ("terms", "mine", root, "mr:1"), ("terms", "mine", eve, "null"),
        ("terms", "elsewhere", eve, "null"),
        // Those of groups that records name; who is in no group sees nothing at all.
        ("terms", "ours", root, "ored:2"), ("terms", "ours", eve, "oblue:1"), ("terms", "ours", ann, "nothing"),
        ("terms", "forAdmin", root, "f:3"), ("terms", "forAdmin", eve, refused("forAdmin")),
        ("max", "forAdmin", ann, refused("forAdmin")),
        // No rule of the mode reaches it.
        ("terms", "forOthers", root, refused("forOthers")),
        ("terms", "mine", .lambda(deniedFields: []), refused("mine")),
        // What an authorizer denies.
        ("sum", "pages", .lambda(deniedFields: []), "30.0"),
        ("sum", "pages", .lambda(deniedFields: ["Tale.pages"]), refused("pages")),
        ("terms", "createdAt", .lambda(deniedFields: ["Tale.createdAt"]), refused("createdAt")),
    ]

    @Test(
        "is over what the caller may see, and refused only where no rule of theirs reaches the field", arguments: rows)
    func sums(_ row: (kind: String, field: String, caller: Identity, said: String)) async throws {
        let said = try await Self.said(row.kind, row.field, row.caller, Self.engine())
        #expect(said == row.said, "\(row.kind) of \(row.field) by \(row.caller.name)")
    }
}
