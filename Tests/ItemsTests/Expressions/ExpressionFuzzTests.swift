import JSON
import TestSupport
import Testing

@testable import Items

@Suite("Random expressions, read")
struct ExpressionFuzzTests {
    private static let pieces = [
        "n", "l[0]", "m.k", "#s", "#m", ":one", ":a", ":l", ":ss", "(", ")", "((", "))", ",", ".", "[", "]", "[0]", "=",
        "<>", "<", ">=",
        "+", "-", "AND", "OR", "NOT", "BETWEEN", "IN", "SET", "REMOVE", "ADD", "DELETE", "size(", "contains(",
        "attribute_exists(",
        "begins_with(", "if_not_exists(", "list_append(", "attribute_type(", "foo(", "0", "01", "99999999999", "#", ":",
        "é", "🙂", "\u{0}",
        "'", "\"", "name", "_x", "  ", "\n",
    ]

    @Test("no row of words and signs traps")
    func rows() throws {
        var random = SeededRandom(test: "ExpressionFuzzTests")
        for _ in 0..<Fuzz.rounds(ordinarily: 2_000) {
            let count = Int.random(in: 1...40, using: &random)
            let text = (0..<count).compactMap { _ in Self.pieces.randomElement(using: &random) }
                .joined(separator: Bool.random(using: &random) ? " " : "")
            try read(text)
        }
    }

    private func mayRefuse(_ text: String, _ body: (inout Substitutions) throws(ItemError) -> Void) throws {
        var substitutions = try ExpressionSample.substitutions()
        do throws(ItemError) {
            try body(&substitutions)
        } catch {
            #expect(error.type == "ValidationException" && !error.message.isEmpty, "\(text)")
        }
    }

    /// Reads a text as each kind of expression, and asks an item by what comes of it.
    private func read(_ text: String) throws {
        let item = ExpressionSample.item
        try mayRefuse(text) { substitutions throws(ItemError) in
            _ = try substitutions.condition(text).holds(for: item)
        }
        try mayRefuse(text) { substitutions throws(ItemError) in
            _ = try substitutions.keyCondition(text).range(
                partitions: [KeyCondition.Key(name: "n", kind: .number)],
                sorts: [KeyCondition.Key(name: "s", kind: .string)])
        }
        try mayRefuse(text) { substitutions throws(ItemError) in
            _ = try substitutions.projection(text).project(item)
        }
        try mayRefuse(text) { substitutions throws(ItemError) in
            _ = try substitutions.update(text).apply(to: item, key: [:])
        }
    }

    static let hostile: [String] = [
        String(repeating: "(", count: 4_096), String(repeating: "NOT ", count: 1_024),
        String(repeating: "size(", count: 819),
        String(repeating: "a(", count: 2_048), "SET n = " + String(repeating: "(", count: 4_000),
        String(repeating: ")", count: 4_096),
        "n" + String(repeating: "[0]", count: 1_365), "n" + String(repeating: ".n", count: 2_047),
        String(repeating: "n,", count: 2_048) + "n",
        String(repeating: "n=:a OR ", count: 511) + "n=:a", String(repeating: "(n=:a OR ", count: 455),
        "n IN (" + String(repeating: ":a,", count: 1_300),
        String(repeating: "SET n=:a ", count: 455), String(repeating: "🙂", count: 1_024),
        String(repeating: "x", count: 1 << 20),
        "SET " + (0..<400).map { "a\($0)=:a" }.joined(separator: ","),
        "REMOVE " + (0..<600).map { "l[\($0)]" }.joined(separator: ","),
        String(repeating: "NOT (", count: 299) + "n=:a" + String(repeating: ")", count: 299),
    ]

    @Test("hostile texts take no time")
    func time() throws {
        let time = try processorTime { for text in Self.hostile { try read(text) } }
        #expect(time < .seconds(20))
    }

    @Test("large items are changed and searched in one go")
    func large() throws {
        let time = try processorTime {
            var item: Item = ["l": .list(Array(repeating: .null, count: 100_000))]
            let removed = (0..<400).map { "l[\($0 * 100)]" }.joined(separator: ",")
            item = try #require(try ExpressionSample.update("REMOVE \(removed)").apply(to: item, key: [:]))
            #expect(item["l"]?.partCount == 99_600)
            let half = String(repeating: "a", count: 200_000)
            let texts: Item = ["s": .string(half + half), "x": .string(half + "b")]
            #expect(!Condition.contains(.path(DocumentPath("s")), .path(DocumentPath("x"))).holds(for: texts))
            var many = Item((0..<60_000).map { ("\($0)", .null) })
            let changes = (0..<500).map { "a\($0)=:a" }.joined(separator: ",")
            many = try #require(try ExpressionSample.update("SET \(changes)").apply(to: many, key: [:]))
            #expect(many.count == 60_500)
        }
        #expect(time < .seconds(20))
    }
}
