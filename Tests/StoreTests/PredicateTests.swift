import Blueprint
import JSON
import TestSupport
import Testing

@testable import Store

@Suite("A filter")
struct PredicateTests {
    static let schema = """
        type Item @model { id: ID! s: String n: Int f: Float b: Boolean l: [String] j: AWSJSON e: Color es: [Color] o: Point }
        enum Color { RED GREEN }
        type Point { x: Int }
        """

    /// What it says of a field that is absent, that holds a null, and that has the value of `values`.
    struct Case: Sendable, CustomTestStringConvertible {
        let field: String
        let condition: Predicate.Condition
        let absent: Bool
        let null: Bool
        let value: Bool

        init(_ field: String, _ condition: Predicate.Condition, _ absent: Bool, _ null: Bool, _ value: Bool) {
            self.field = field
            self.condition = condition
            self.absent = absent
            self.null = null
            self.value = value
        }

        var testDescription: String { "\(field) \(condition)" }
    }

    static let values: KeyValuePairs<String, StoredValue> = [
        "id": "value", "s": "hé\u{0}llo", "n": .integer(10), "f": .real(2.5), "b": .boolean(true),
        "l": "[\"a\",\"b\"]", "j": "{\"k\":1,\"m\":[]}", "e": "RED", "es": "[\"RED\"]", "o": "{\"x\":1}",
    ]

    static let cases: [Case] = [
        Case("s", .equal(.value("hé\u{0}llo")), false, false, true),
        Case("s", .equal(.value("hé")), false, false, false),
        Case("s", .equal(.value(.integer(1))), false, false, false),
        Case("s", .notEqual(.value("x")), true, true, true),
        Case("s", .notEqual(.value("hé\u{0}llo")), true, true, false),
        Case("s", .equal(.null), false, true, false),
        Case("s", .notEqual(.null), true, false, true),
        Case("s", .compare(.less, "i"), false, false, true),
        Case("s", .compare(.greaterOrEqual, "hé\u{0}"), false, false, true),
        Case("s", .compare(.greater, "z"), false, false, false),
        Case("s", .between("h", "i"), false, false, true),
        Case("s", .between("i", "z"), false, false, false),
        Case("s", .beginsWith("hé"), false, false, true),
        Case("s", .beginsWith(""), false, false, true),
        Case("s", .beginsWith("H"), false, false, false),
        Case("s", .contains("llo"), false, false, true),
        Case("s", .contains("LLO"), false, false, false),
        Case("s", .notContains("x"), true, true, true),
        Case("s", .notContains("h"), true, true, false),
        Case("s", .exists(true), false, true, true),
        Case("s", .exists(false), true, false, false),
        Case("s", .hasType(.string), false, false, true),
        Case("s", .hasType(.number), false, false, false),
        Case("s", .hasType(.null), false, true, false),
        Case("s", .hasType(.binary), false, false, false),
        Case("s", .size(.compare(.equal, 7)), false, false, true),
        Case("s", .size(.compare(.notEqual, 7)), false, false, false),
        Case("s", .size(.compare(.notEqual, 6)), false, false, true),
        Case("s", .size(.between(1, 10)), false, false, true),
        Case("s", .isOneOf(["x", "hé\u{0}llo"]), false, false, true),
        Case("s", .isOneOf([]), false, false, false),
        // Between a text and a number there is no order, though SQLite has one.
        Case("s", .compare(.greater, .integer(1)), false, false, false),
        Case("s", .compare(.less, .real(1)), false, false, false),
        Case("s", .between(.integer(0), "z"), false, false, false),
        Case("e", .compare(.greater, .integer(1)), false, false, false),
        Case("l", .compare(.greater, .integer(1)), false, false, false),
        Case("j", .compare(.greater, .integer(1)), false, false, false),
        Case("o", .compare(.greaterOrEqual, .real(1)), false, false, false),
        Case("n", .compare(.less, "a"), false, false, false),
        Case("f", .compare(.less, "a"), false, false, false),
        Case("b", .compare(.lessOrEqual, "1"), false, false, false),
        Case("n", .equal(.value(.integer(10))), false, false, true),
        Case("n", .equal(.value("10")), false, false, false),
        Case("n", .notEqual(.value(.integer(10))), true, true, false),
        Case("n", .compare(.less, .integer(9)), false, false, false),
        Case("n", .compare(.less, .real(10.5)), false, false, true),
        Case("n", .between(.integer(10), .integer(12)), false, false, true),
        Case("n", .hasType(.number), false, false, true),
        Case("n", .size(.compare(.equal, 2)), false, false, false),
        Case("n", .contains("1"), false, false, false),
        Case("f", .compare(.lessOrEqual, .integer(3)), false, false, true),
        Case("f", .equal(.value(.real(2.5))), false, false, true),
        Case("b", .equal(.value(.boolean(true))), false, false, true),
        Case("b", .notEqual(.value(.boolean(true))), true, true, false),
        Case("b", .hasType(.bool), false, false, true),
        Case("l", .contains("a"), false, false, true),
        Case("l", .contains("c"), false, false, false),
        Case("l", .notContains("c"), true, true, true),
        Case("l", .equal(.value("a")), false, false, false),
        Case("l", .notEqual(.value("a")), true, true, true),
        Case("l", .size(.compare(.equal, 2)), false, false, true),
        Case("l", .hasType(.list), false, false, true),
        Case("l", .isOneOf(["x", "b"]), false, false, true),
        Case("l", .beginsWith("["), false, false, false),
        Case("es", .equal(.list(["RED"])), false, false, true),
        Case("es", .equal(.list(["RED", "GREEN"])), false, false, false),
        Case("es", .notEqual(.list(["RED"])), true, true, false),
        Case("es", .notEqual(.list(["GREEN"])), true, true, true),
        Case("es", .contains("RED"), false, false, true),
        Case("e", .equal(.value("RED")), false, false, true),
        Case("j", .equal(.value("{\"k\":1,\"m\":[]}")), false, false, false),
        Case("j", .hasType(.map), false, false, true),
        Case("j", .hasType(.string), false, false, false),
        Case("j", .size(.compare(.equal, 2)), false, false, true),
        Case("j", .contains("k"), false, false, false),
        Case("j", .exists(true), false, true, true),
        Case("o", .hasType(.map), false, false, true),
        Case("missing", .exists(false), true, true, true),
        Case("missing", .notEqual(.value("x")), true, true, true),
        Case("missing", .equal(.null), false, false, false),
    ]

    @Test("tells absent fields, nulls and values apart, also when it is negated")
    func nullSemantics() async throws {
        let store = try Store.opened(Self.schema)
        try await store.create("Item", ["id": "absent"])
        try await store.create("Item", Self.values)
        try await store.create(
            "Item",
            [
                "id": "null", "s": .null, "n": .null, "f": .null, "b": .null, "l": .null, "j": .null, "e": .null,
                "es": .null, "o": .null,
            ])
        for test in Self.cases {
            let expected = [("absent", test.absent), ("value", test.value), ("null", test.null)]
            let predicate = Predicate.field(test.field, test.condition)
            let matches = expected.filter(\.1).map(\.0)
            #expect(try store.ids("Item", where: predicate) == matches, "\(test)")
            let others = expected.filter { !$0.1 }.map(\.0)
            #expect(try store.ids("Item", where: .not(predicate)) == others, "not \(test)")
            #expect(try store.ids("Item", where: .not(.not(.all([predicate])))) == matches, "not not \(test)")
        }
        try store.close()
    }

    @Test("sees a null that was taken away or written over as gone")
    func updates() async throws {
        let store = try Store.opened(Self.schema)
        try await store.create("Item", ["id": "1", "s": .null, "n": .null, "e": .null])
        try await store.update("Item", key: ["1"], ["s": .null, "n": .integer(1)])
        #expect(try store.ids("Item", where: .field("s", .exists(false))) == ["1"])
        #expect(try store.ids("Item", where: .field("n", .equal(.null))).isEmpty)
        #expect(try store.ids("Item", where: .field("e", .equal(.null))) == ["1"])
        try await store.update("Item", key: ["1"], ["e": "RED"])
        #expect(try store.ids("Item", where: .field("e", .hasType(.null))).isEmpty)
        try store.close()
    }

    @Test("sees what JSON holds, not its text")
    func json() async throws {
        let store = try Store.opened(Self.schema)
        for (id, json) in ["text": "\"abc\"", "number": "5", "list": "[\"abc\",1]", "true": "true"] {
            try await store.create("Item", ["id": .text(id), "j": .text(json)])
        }
        func ids(_ condition: Predicate.Condition) throws -> Set<String> {
            Set(try store.ids("Item", where: .field("j", condition)))
        }
        #expect(try ids(.equal(.value("abc"))) == ["text"])
        #expect(try ids(.contains("abc")) == ["list", "text"])
        #expect(try ids(.contains("b")) == ["text"])
        #expect(try ids(.hasType(.number)) == ["number"])
        #expect(try ids(.hasType(.bool)) == ["true"])
        #expect(try ids(.size(.compare(.equal, 2))) == ["list"])
        #expect(try ids(.size(.compare(.equal, 3))) == ["text"])
        try store.close()
    }

    @Test("is refused when it is too deep or too long, and works up to there")
    func limits() throws {
        let store = try Store.opened(Self.schema)
        var deep = Predicate.field("s", .exists(true))
        for _ in 0..<StoreLimits.filterDepthMax { deep = .not(deep) }
        #expect(try store.ids("Item", where: deep).isEmpty)
        #expect { try store.ids("Item", where: .not(deep)) } throws: { ($0 as? StoreError)?.kind == .tooLarge }
        let many = Array(repeating: Predicate.field("s", .equal(.value("x"))), count: StoreLimits.filterConditionsMax)
        #expect(try store.ids("Item", where: .any(many)).isEmpty)
        #expect(try store.ids("Item", where: .not(.all(many))).isEmpty)
        #expect { try store.ids("Item", where: .any(many + many)) } throws: { ($0 as? StoreError)?.kind == .tooLarge }
        // Each of several values is looked for.
        let values = (0..<StoreLimits.filterConditionsMax - 1).map { StoredValue.text("\($0)") }
        #expect(try store.ids("Item", where: .field("s", .isOneOf(values))).isEmpty)
        #expect {
            try store.ids("Item", where: .field("s", .isOneOf(values + ["x"])))
        } throws: {
            ($0 as? StoreError)?.kind == .tooLarge
        }
        try store.close()
    }

    @Test("finds what a plain evaluation finds, for random records and filters")
    func random() async throws {
        var random = SeededRandom(test: "PredicateTests")
        let store = try Store.opened(Self.schema)
        let table = try store.table("Item")
        var records: [PlainRecord] = []
        for number in 0..<60 { records.append(PlainRecord.random(id: "\(number)", using: &random)) }
        for record in records {
            let change = RecordChange.create(in: table, record.assignments, returning: [])
            _ = try await store.writer.write(turn: .all, key: nil) { session throws(StoreError) in
                try session.apply(change) { _ throws(StoreError) in }
            }
        }
        let reader = try store.reader()
        for _ in 0..<Fuzz.rounds(ordinarily: 1_500) {
            let predicate = PlainRecord.randomPredicate(depth: 3, using: &random)
            let expected = records.filter { $0.meets(predicate) }.map(\.id)
            let query = ListQuery(table, fields: ["id"], filter: predicate, limit: 100, semantics: .filled)
            let found = try store.values(query, of: reader).rows.map { row in row[0] }
            #expect(found == expected.map { .text($0) }, "\(predicate)")
            if found != expected.map({ .text($0) }) { break }
        }
        try store.close()
    }

    static let prefixEnds: [(prefix: String, end: String?)] = [
        ("a", "b"), ("a~", "a\u{7F}"), ("a\u{7F}", "a\u{80}"), ("é", "ê"), ("x\u{D7FF}", "x\u{E000}"),
        ("a\u{10FFFF}", "b"), ("\u{10FFFF}\u{10FFFF}", nil), ("", nil),
    ]

    @Test("the texts with a prefix end where no text of it can be", arguments: prefixEnds)
    func prefixEnd(_ row: (prefix: String, end: String?)) {
        #expect(row.prefix.endOfPrefix == row.end)
    }
}
