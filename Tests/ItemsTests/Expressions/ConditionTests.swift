import Testing

@testable import Items

@Suite("Conditions")
struct ConditionTests {
    static let held = [
        "n = :five", "s = :s", "#s = :s", "b = :b", "t = :t", "nul = :nul", "ss <> :ss", "absent <> :s",
        "absent <> another", "n <> :s",
        "n < :ten", "n <= :five", "n >= :five", "n > :one", ":one < n", "s > :he", "b >= :b", "n BETWEEN :one AND :ten",
        "s between :he and :s", ":five BETWEEN n AND :ten", "n IN (:one, :five)", "t IN (:t)", "l[0] = :a",
        "l[1] > :one",
        "m.k <> :a", "#m.#k <> :a", "m.deep.els[0].x = :one", "attribute_exists(n)",
        "attribute_exists(m.deep.els[0])",
        "attribute_not_exists(absent)", "attribute_not_exists(m.absent)", "attribute_not_exists(l[3])",
        "attribute_not_exists(s.x)",
        "attribute_type(s, :S)", "NOT attribute_type(n, :S)", "begins_with(s, :he)", "begins_with(s, :e)",
        "begins_with(b, :b1)",
        "contains(s, :he)", "contains(s, :e)", "contains(b, :b1)", "contains(ss, :a)", "contains(ns, :one)",
        "contains(bs, :b1)",
        "contains(l, :a)", "contains(l, :nul)", "NOT contains(n, :five)", "NOT contains(absent, :a)", "size(s) = :five",
        "size(ss) > :one",
        "size(blank) < :one", "size(m) < size(l)", "size(:s) = n", "NOT size(n) > :one", "NOT absent = :a",
        "NOT n < :one AND t = :t",
        "n = :one OR n = :five AND t = :t", "(n = :one OR n = :five) AND t = :t", "( n = :five )", "(n) = (:five)",
        "NOT (n = :one OR s = :a)", "NOT NOT n = :five", "n=:five And Not n<:one oR t=:t", "\tn\r\n=\n:five",
        "size <> :one",
        "s > blank", "NOT n < :s", "NOT n BETWEEN :he AND :s", "#dotted <> :a",
    ]

    @Test("conditions hold", arguments: held)
    func holding(_ text: String) throws {
        #expect(try ExpressionSample.condition(text).holds(for: ExpressionSample.item))
        #expect(try !Condition.not(ExpressionSample.condition(text)).holds(for: ExpressionSample.item))
    }

    @Test("of no item there are no attributes")
    func nothing() throws {
        #expect(try ExpressionSample.condition("attribute_not_exists(id)").holds(for: nil))
        #expect(try ExpressionSample.condition("n <> :one AND NOT n = :one").holds(for: nil))
        #expect(try !ExpressionSample.condition("attribute_exists(id) OR n < :one").holds(for: nil))
    }

    @Test("a text counts as many characters as Java's")
    func characters() {
        #expect(ItemValue.string("äß🙂").partCount == 4)
        #expect(ItemValue.bool(true).partCount == nil)
    }

    @Test("a condition knows the attributes that it looks at")
    func attributes() throws {
        let text = "n = :one AND (size(m.k) > l[0] OR NOT contains(s, :a)) OR n IN (t, :t) OR attribute_exists(b)"
        #expect(try ExpressionSample.condition(text).attributes == ["n", "m", "l", "s", "n", "t", "b"])
    }

    @Test("bytes are found wherever they stand")
    func search() {
        for text in ["", "a", "aab", "aaab", "abab", "xaabaab"] {
            for part in ["", "a", "b", "ab", "aab", "aabaab", "c", "ba"] {
                let isThere = part.isEmpty || text.contains(part)
                #expect(ByteSearch(part.utf8).isFound(in: text.utf8) == isThere, "\(text) \(part)")
            }
        }
    }
}
