import JSON
import Testing

@testable import Items

@Suite("Updates")
struct UpdateTests {
    /// An update, and the attributes that are changed by it as JSON, or null where there are none.
    static let applied: [(String, String)] = [
        ("SET n = :one", #"{"n":{"N":"1"}}"#), ("SET n = n + :one", #"{"n":{"N":"6"}}"#),
        ("SET n = (n - :ten)", #"{"n":{"N":"-5"}}"#),
        ("SET q = n", #"{"q":{"N":"5"}}"#), ("SET q = if_not_exists(q, :one)", #"{"q":{"N":"1"}}"#),
        ("SET q = if_not_exists(n, :one) + :one", #"{"q":{"N":"6"}}"#),
        ("SET l = list_append(:l, l)", #"{"l":{"L":[{"S":"z"},{"S":"a"},{"N":"2"},{"NULL":true}]}}"#),
        ("SET l[0] = l[1], l[1] = l[0]", #"{"l":{"L":[{"N":"2"},{"S":"a"},{"NULL":true}]}}"#),
        ("SET l[9] = :one, l[5] = :a", #"{"l":{"L":[{"S":"a"},{"N":"2"},{"NULL":true},{"S":"a"},{"N":"1"}]}}"#),
        ("SET l[5] = :a REMOVE l[0], l[2]", #"{"l":{"L":[{"N":"2"},{"S":"a"}]}}"#), ("REMOVE l[9]", "{}"),
        ("REMOVE absent", "{}"),
        ("REMOVE n, s", #"{"n":null,"s":null}"#),
        ("SET m.k = :one", #"{"m":{"M":{"deep":{"M":{"els":{"L":[{"M":{"x":{"N":"1"}}}]}}},"k":{"N":"1"}}}}"#),
        ("REMOVE m.deep.els[0].x, m.k", #"{"m":{"M":{"deep":{"M":{"els":{"L":[{"M":{}}]}}}}}}"#),
        ("REMOVE m.deep.els[0]", #"{"m":{"M":{"deep":{"M":{"els":{"L":[]}}},"k":{"S":"v"}}}}"#),
        ("ADD n :ten", #"{"n":{"N":"15"}}"#), ("ADD q :one", #"{"q":{"N":"1"}}"#),
        ("ADD ss :ss", #"{"ss":{"SS":["a","b","c"]}}"#),
        ("ADD ns :ns, bs :bs", #"{"ns":{"NS":["1","2","3"]}}"#), ("DELETE ss :ss", #"{"ss":{"SS":["a"]}}"#),
        ("DELETE bs :bs, q :ss", #"{"bs":{"BS":["Ag=="]}}"#),
        ("ADD m.q :ss REMOVE m.deep", #"{"m":{"M":{"k":{"S":"v"},"q":{"SS":["b","c"]}}}}"#),
        (
            "SET #dotted = :a, a1 = :a, a2 = :a, a3 = :a, a4 = :a REMOVE n",
            #"{"a.b":{"S":"a"},"a1":{"S":"a"},"a2":{"S":"a"},"a3":{"S":"a"},"a4":{"S":"a"},"n":null}"#
        ),
    ]

    @Test("updates are applied to the item as it was", arguments: applied)
    func apply(_ text: String, _ expected: String) throws {
        let item = ExpressionSample.item
        let updated = try #require(try ExpressionSample.update(text).apply(to: item, key: ["id": .string("x")]))
        var wanted = item
        for member in try #require(JSONReader.value(of: expected).object) {
            wanted[member.key] = member.value.isNull ? nil : try ItemValue(json: member.value)
        }
        #expect(updated == wanted, "\(JSONWriter.text(of: updated.json))")
    }

    static let missing = "The provided expression refers to an attribute that does not exist in the item"
    static let path = "The document path provided in the update expression is invalid for update"
    static let type = "An operand in the update expression has an incorrect data type"

    static let refused: [(String, String)] = [
        ("SET q = absent", missing), ("SET q = l[9]", missing), ("SET q = absent + :one", missing),
        ("SET a = n, q = a", missing),
        ("SET l = list_append(absent, :l)", missing), ("SET n = s + :one", type), ("SET l = list_append(l, s)", type),
        ("ADD s :one", type),
        ("ADD ss :ns", type), ("DELETE ss :ns", type), ("DELETE s :ss", type), ("SET s.x = :one", path),
        ("SET s[0] = :one", path),
        ("SET absent.x = :one", path), ("SET m[0] = :one", path), ("SET l.x = :one", path), ("SET l[9].x = :one", path),
        ("SET l[9] = :m, l[3].x = :one", path),
        ("REMOVE s.x", path),
        ("REMOVE m[0]", path), ("REMOVE absent.x", path), ("SET m.absent.x = :one", path), ("ADD absent.x :one", path),
    ]

    @Test("what does not fit an item is refused", arguments: refused)
    func refuse(_ text: String, _ message: String) throws {
        let update = try ExpressionSample.update(text)
        let error = #expect(throws: ItemError.self) {
            try update.apply(to: ExpressionSample.item, key: ["id": .string("x")])
        }
        #expect(error?.message == message)
    }

    /// An update, and what `UPDATED_OLD` and `UPDATED_NEW` answer of it: of lists and maps the parts to which it leads, and no others.
    static let returned: [(String, String, String)] = [
        ("SET n = :one, q = :one", #"{"n":{"N":"5"}}"#, #"{"n":{"N":"1"},"q":{"N":"1"}}"#),
        ("REMOVE n, absent", #"{"n":{"N":"5"}}"#, "{}"), ("SET l[9] = :a", "{}", "{}"),
        ("SET l[0] = :a", #"{"l":{"L":[{"S":"a"}]}}"#, #"{"l":{"L":[{"S":"a"}]}}"#),
        ("REMOVE l[0]", #"{"l":{"L":[{"S":"a"}]}}"#, #"{"l":{"L":[{"N":"2"}]}}"#),
        ("REMOVE l[2]", #"{"l":{"L":[{"NULL":true}]}}"#, "{}"),
        ("SET m.fresh = :a", "{}", #"{"m":{"M":{"fresh":{"S":"a"}}}}"#),
        (
            "SET m.k = :a, m.deep.els[0].x = :one, l[1] = :one",
            #"{"l":{"L":[{"N":"2"}]},"m":{"M":{"deep":{"M":{"els":{"L":[{"M":{"x":{"N":"1"}}}]}}},"k":{"S":"v"}}}}"#,
            #"{"l":{"L":[{"N":"1"}]},"m":{"M":{"deep":{"M":{"els":{"L":[{"M":{"x":{"N":"1"}}}]}}},"k":{"S":"a"}}}}"#
        ),
        ("DELETE ss :ss", #"{"ss":{"SS":["a","b"]}}"#, #"{"ss":{"SS":["a"]}}"#),
    ]

    @Test("an update says what it has changed, and nothing around that", arguments: returned)
    func touched(_ text: String, _ old: String, _ new: String) throws {
        let update = try ExpressionSample.update(text)
        let updated = try update.apply(to: ExpressionSample.item, key: [:])
        #expect(update.touched(of: ExpressionSample.item).json == (try JSONReader.value(of: old)))
        #expect(update.touched(of: updated).json == (try JSONReader.value(of: new)))
    }

    @Test("an item that is not there begins with its key")
    func nothing() throws {
        let key: Item = ["id": .string("new")]
        let updated = try ExpressionSample.update("SET n = if_not_exists(n, :one) ADD q :one REMOVE x DELETE y :ss")
            .apply(to: nil, key: key)
        #expect(updated == ["id": .string("new"), "n": .number(ItemNumber(1)), "q": .number(ItemNumber(1))])
        #expect(try Update.nothing.apply(to: nil, key: key) == key)
        #expect(try Update(legacy: .object(JSONObject())).apply(to: nil, key: key) == key)
        #expect(throws: ItemError.self) { try ExpressionSample.update("SET n = n + :one").apply(to: nil, key: key) }
        #expect(throws: ItemError.self) {
            try ExpressionSample.update("SET n = :one REMOVE x.y").apply(to: nil, key: key)
        }
    }

    @Test(
        "an item that is not there does not come to be where something is only taken away",
        arguments: ["REMOVE n", "REMOVE n, x.y, l[0]", "DELETE ss :ss", "REMOVE n DELETE ss :ss"])
    func taken(_ text: String) throws {
        #expect(try ExpressionSample.update(text).apply(to: nil, key: ["id": .string("new")]) == nil)
    }

    @Test("a number that becomes an attribute comes into its one form, and one within a map keeps its text")
    func numbers() throws {
        let item = try Item(json: JSONReader.value(of: #"{"m":{"M":{"a":{"N":"1e1"},"b":{"N":"2.0"}}}}"#))
        let updated = try ExpressionSample.update("SET n = m.a, q = m.b + m.a").apply(to: item, key: [:])
        let texts = ["m", "n", "q"].compactMap { updated?[$0].map { JSONWriter.text(of: $0.json) } }
        #expect(texts == [#"{"M":{"a":{"N":"1e1"},"b":{"N":"2.0"}}}"#, #"{"N":"10"}"#, #"{"N":"12"}"#])
    }

    @Test("an update cannot make an item too large, or too deep")
    func limits() throws {
        func set(_ value: ItemValue) throws -> Item? {
            try Update(actions: [.init(path: DocumentPath("v"), change: .set(.value(value)))]).apply(to: nil, key: [:])
        }
        #expect(throws: Never.self) { try set(.binary(Array(repeating: 0, count: ItemLimits.itemBytesMax - 1))) }
        var error = #expect(throws: ItemError.self) {
            try set(.binary(Array(repeating: 0, count: ItemLimits.itemBytesMax)))
        }
        #expect(error?.message == "Item size to update has exceeded the maximum allowed size")
        func deep(_ levels: Int) -> ItemValue { (0..<levels).reduce(.null) { inner, _ in .list([inner]) } }
        #expect(throws: Never.self) { try set(deep(ItemLimits.nestingMax)) }
        error = #expect(throws: ItemError.self) { try set(deep(ItemLimits.nestingMax + 1)) }
        #expect(error?.message.hasPrefix("Nesting Levels have exceeded") == true)
    }
}
