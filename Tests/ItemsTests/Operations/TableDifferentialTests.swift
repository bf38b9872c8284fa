import Blueprint
import JSON
import TestSupport
import Testing

@testable import Items

@Suite("Random calls to tables, answered twice")
struct TableDifferentialTests {
    private static let schema = """
        type Word @model { p: ID! @primaryKey(sortKeyFields: ["s"]) s: String! g: String @index(name: "byG", sortKeyFields: ["l"])
          l: Int h: String @index(name: "byH") x: String y: Float z: [String] w: Boolean }
        type Line @model { p: ID! @primaryKey(sortKeyFields: ["s"]) s: Float! g: String @index(name: "byG", sortKeyFields: ["l"])
          l: Float h: String @index(name: "byH") x: String y: Int z: AWSJSON w: Boolean }
        """

    /// What a table is like, and what its attributes are made of.
    private static let plain = RandomTable(
        name: "Things", sort: .number, indexSort: .number, hasH: false, typeName: nil,
        kinds: ["x": [.text, .number, .set, .null], "y": [.number, .map], "z": [.list, .null], "w": [.bool]])
    private static let word = RandomTable(
        name: "Word-x-NONE", sort: .text, indexSort: .integer, hasH: true, typeName: "Word",
        kinds: ["x": [.text, .null], "y": [.float, .null], "z": [.texts, .null], "w": [.bool, .null]])
    private static let line = RandomTable(
        name: "Line-x-NONE", sort: .float, indexSort: .float, hasH: true, typeName: "Line",
        kinds: ["x": [.text, .null], "y": [.integer, .null], "z": [.list, .map], "w": [.bool]])

    @Test("say what a plain judge says", arguments: ["Things", "Word-x-NONE", "Line-x-NONE"])
    func calls(_ name: String) async throws {
        let tables = try TestTables(schema: Self.schema)
        let (blueprint, store) = (tables.blueprint, tables.store)
        tables.service.serve {
            blueprint.models.compactMap { model in
                store.layout.table(of: model).flatMap {
                    ModelTable(
                        $0, of: model.name, named: "\(model.name)-x-NONE", clock: store.changeClock)
                }
            }
        }
        try await tables.makeTable()
        let kind = try #require([Self.plain, Self.word, Self.line].first { $0.name == name })
        var calls = RandomCalls(kind, SeededRandom(test: "TableDifferentialTests"))
        var answered = 0
        for _ in 0..<Fuzz.rounds(ordinarily: 300) {
            let call = calls.next()
            switch call {
            case .write(let operation, let body, let expected):
                let (status, json) = await tables.call(operation, body)
                let outcome: JSONValue? = status == 200 ? .some(json["Attributes"] ?? .null) : .none
                answered += status == 200 ? 1 : 0
                #expect(
                    outcome.map { PlainItems.canonical(["M": $0]) } == expected.map { PlainItems.canonical(["M": $0]) },
                    "\(operation) \(body): \(JSONWriter.text(of: json))")
            case .read(let operation, let body, let limit, let expected, let sort):
                let found = try await Self.all(operation, body, limit, in: tables)
                #expect(
                    found.map { PlainItems.canonical(["M": $0]) }.sorted()
                        == expected.map { PlainItems.canonical(["M": $0]) }.sorted(), "\(operation) \(body)")
                guard let sort else { continue }
                let keys = found.map { $0[sort.name] }
                let isOrdered = zip(keys, keys.dropFirst()).allSatisfy { one, other in
                    PlainItems.order(one, other).map { sort.isForward ? $0 <= 0 : $0 >= 0 } ?? true
                }
                #expect(isOrdered, "\(operation) \(body): \(keys)")
            }
        }
        #expect(answered > 0)
    }

    /// The items of all pages.
    private static func all(
        _ operation: String, _ body: String, _ limit: Int?, in tables: TestTables
    ) async throws -> [JSONValue] {
        guard operation != "GetItem" else { return [try await tables.done(operation, body)["Item"]].compactMap(\.self) }
        var found: [JSONValue] = []
        var start = ""
        for _ in 0..<200 {
            let page = try await tables.done(operation, "\(body.dropLast())\(start)}")
            let items = try #require(page["Items"]?.array)
            #expect(items.count == Int(page["Count"]?.integer ?? -1), "\(operation) \(body)")
            if let limit { #expect(Int(page["ScannedCount"]?.integer ?? -1) <= limit, "\(operation) \(body)") }
            found += items
            guard let last = page["LastEvaluatedKey"] else { return found }
            start = #", "ExclusiveStartKey": \#(JSONWriter.text(of: last))"#
        }
        Issue.record("the pages do not end: \(operation) \(body)")
        return found
    }
}
