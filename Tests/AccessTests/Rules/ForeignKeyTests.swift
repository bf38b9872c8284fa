import JSON
import Testing

@testable import Access

/// A foreign key says what a relation leads to: who may not write the relation may not move a record by its key.
@Suite("A foreign key that a relation adds")
struct ForeignKeyTests {
    private static let some = #"{allow: private, operations: [create, read, update]}"#
    private static let admins = #"{allow: groups, groups: ["Admin"]}"#

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let schema: String
        var model = "Part"
        let key: String
        let isWritable: Bool
        var testDescription: String { name }
    }

    /// The key of a relation of the model itself is written by whoever may write that; `rule` stands on
    /// its field, and `box` is the field on the other side.
    private static func part(_ relation: String, _ rule: String = "", box: String = "") -> String {
        """
        type Part @model @auth(rules: [\(admins)]) {
          id: ID! @auth(rules: [\(admins), \(some)])
          title: String @auth(rules: [\(admins), \(some)])
          \(relation)\(rule)
        }
        type Box @model @auth(rules: [\(admins)]) {
          id: ID! @auth(rules: [\(admins), \(some)]) size: Int @auth(rules: [\(admins), \(some)]) weight: Int
          \(box)
        }
        """
    }

    private static let open = " @auth(rules: [\(admins), \(some)])"

    static let rows = [
        Row(
            name: "of a belongsTo that is not theirs",
            schema: part("box: Box @belongsTo", box: "parts: [Part] @hasMany"), key: "boxPartsId", isWritable: false),
        Row(
            name: "of a belongsTo that is not theirs, although its other side is",
            schema: part("box: Box @belongsTo", box: "parts: [Part] @hasMany\(open)"), key: "boxPartsId",
            isWritable: false),
        Row(
            name: "of a belongsTo that is theirs",
            schema: part("box: Box @belongsTo", open, box: "parts: [Part] @hasMany"), key: "boxPartsId",
            isWritable: true),
        Row(
            name: "of a hasOne that is not theirs", schema: part("box: Box @hasOne"), key: "partBoxId",
            isWritable: false),
        Row(
            name: "of a hasOne that is theirs", schema: part("box: Box @hasOne", open), key: "partBoxId",
            isWritable: true),
        Row(
            name: "of a hasMany on the other side that is not theirs",
            schema: part("boxes: [Box] @hasMany"), model: "Box", key: "partBoxesId", isWritable: false),
        Row(
            name: "of a hasMany on the other side that is theirs",
            schema: part("boxes: [Box] @hasMany", open), model: "Box", key: "partBoxesId", isWritable: true),
    ]

    @Test("is written by whoever may write the relation", arguments: rows)
    func keys(row: Row) throws {
        let test = try TestPolicy(row.schema)
        let field = row.model == "Part" ? "title" : "size"
        let model = try test.model(row.model)
        #expect(try #require(test.blueprint.model(named: row.model)).keyFields.map(\.name).contains(row.key))
        let value: JSONValue = row.model == "Part" ? "t" : 1
        let members: [(String, JSONValue)] = [("id", "1"), (field, value), (row.key, "2")]
        let input = JSONObject(members)
        let carol = test.policy.caller(Callers.carol)
        #expect(
            model.update.decision(for: carol, input: input) { _ in nil }
                == (row.isWritable ? .allow : .denyFields([row.key])))
        #expect(
            model.create.outcome(for: carol, input: input)
                == (row.isWritable ? .allow(filling: JSONObject()) : .denyFields([row.key])))
        // Who may write everything may write the key.
        let alice = test.policy.caller(Callers.alice)
        #expect(model.update.decision(for: alice, input: input) { _ in nil } == .allow)
    }
}
