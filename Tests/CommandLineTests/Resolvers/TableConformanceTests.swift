import JSON
import TestSupport
import Testing

/// Every operation of tables against a plain evaluator, in random order, through the real program.
@Suite("Tables of handlers beside a plain one", .onItsOwnThread)
struct TableConformanceTests {
    @Test("answer as the plain one does, whatever came before")
    func follows() throws {
        var random = SeededRandom(test: "TableConformanceTests")
        let tables = try TableHandlerTests.Tables()
        var plain = PlainTable()
        for number in 0..<Fuzz.rounds(ordinarily: 400) {
            let round = plain.next(&random)
            let told = try tables.ask(round.request, of: "onThings")
            // A scan has no order of its own, and neither have items of one key of an index.
            let hasNoOrder = round.request["operation"] == "Scan" || round.request["index"] != nil
            #expect(
                told.error["type"]?.string == round.error
                    && Self.sorted(told.result, hasNoOrder) == Self.sorted(round.result, hasNoOrder),
                "round \(number): \(JSONWriter.text(of: round.request)) gave \(told), wanted \(round.result) \(round.error ?? "")"
            )
        }
    }

    /// The same with members in the order of their names, and items without an order in that of their text.
    private static func sorted(_ value: JSONValue, _ hasNoOrder: Bool) -> JSONValue {
        switch value {
        case .object(let object):
            return .object(
                JSONObject(
                    object.map { member -> (String, JSONValue) in
                        let value = sorted(member.value, hasNoOrder)
                        return (member.key, value)
                    }.sorted { $0.0 < $1.0 }))
        case .array(let elements):
            let elements = elements.map { sorted($0, hasNoOrder) }
            return .array(
                hasNoOrder ? elements.sorted { JSONWriter.text(of: $0) < JSONWriter.text(of: $1) } : elements)
        default: return value
        }
    }
}
