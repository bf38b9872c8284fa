import JSON
import TestSupport
import Testing

/// Every operation of tables against a plain evaluator, in random order, through the real program.
@Suite("Tables of handlers beside a plain one")
struct TableConformanceTests {
    @Test("answer as the plain one does, whatever came before")
    func follows() throws {
        var random = SeededRandom(test: "TableConformanceTests")
        let tables = try TableHandlerTests.Tables()
        var plain = PlainTable()
        for number in 0..<Fuzz.rounds(ordinarily: 400) {
            let round = plain.next(&random)
            let told = try Self.answer(to: round, tables)
            // A scan has no order of its own, and neither have items of one key of an index.
            let hasNoOrder = round.request["operation"] == "Scan" || round.request["index"] != nil
            #expect(
                told.error["type"]?.string == round.error
                    && Self.sorted(told.result, hasNoOrder) == Self.sorted(round.result, hasNoOrder),
                "round \(number): \(JSONWriter.text(of: round.request)) gave \(told), wanted \(round.result) \(round.error ?? "")"
            )
        }
    }

    /// What is told of a request; of pages, what is told of all of them together.
    private static func answer(
        to round: PlainTable.Round, _ tables: TableHandlerTests.Tables
    ) throws -> (result: JSONValue, error: JSONValue, message: String) {
        guard let pageMax = round.pageMax else { return try tables.ask(round.request, of: "onThings") }
        var request = round.request.object ?? JSONObject()
        request.set("limit", to: .integer(pageMax))
        var items: [JSONValue] = []
        var scanned: Int64 = 0
        repeat {
            let told = try tables.ask(.object(request), of: "onThings")
            guard told.error == .null else { return told }
            let page = told.result["items"]?.array ?? []
            #expect(page.count <= pageMax && (told.result["scannedCount"]?.integer ?? 0) <= pageMax, "\(told)")
            items += page
            scanned += told.result["scannedCount"]?.integer ?? 0
            request.set("nextToken", to: told.result["nextToken"] ?? .null)
        } while request["nextToken"] != .null
        return (["items": .array(items), "nextToken": .null, "scannedCount": .integer(scanned)], .null, "")
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
