import JSON
import TestSupport

/// A random request for records, and what it reaches.
struct LeakQuestion {
    let query: String
    var variables = JSONObject()
    let model: String
    /// `get`, `list`, `search`, `create`, `update` or `delete`.
    let operation: String
    /// The models that relations lead to.
    let reached: Set<String>
    /// The record that a mutation is about.
    var target: String?
    var isMutation: Bool { target != nil }

    /// Everything that the caller says, and so knows.
    var text: String { query + String(decoding: JSONWriter.bytes(of: .object(variables)), as: UTF8.self) }

    // MARK: Selections

    private struct Selection {
        var text: String
        var reached: Set<String> = []
    }

    private static let leaves = ["id", "__typename", "createdAt", "upID"] + LeakSchema.secrets + LeakSchema.compared

    private static func selection(_ model: String, depth: Int, using random: inout SeededRandom) -> Selection {
        var selection = Selection(text: "")
        for (number, leaf) in leaves.enumerated() where Bool.random(using: &random) {
            let alias = Int.random(in: 0..<5, using: &random) == 0 ? "x\(number): " : ""
            selection.text += " \(alias)\(leaf)"
        }
        selection.text += " s0"
        if Bool.random(using: &random) { selection.text += " crate { c1 x: c0 } crates { c0 y: c1 }" }
        guard depth > 0 else { return selection }
        if Bool.random(using: &random) {
            let up = self.selection(LeakSchema.previous(model), depth: depth - 1, using: &random)
            selection.text += " up {\(up.text)}"
            selection.reached.formUnion(up.reached.union([LeakSchema.previous(model)]))
        }
        if Bool.random(using: &random) {
            let next = LeakSchema.next(model)
            let items = self.selection(next, depth: depth - 1, using: &random)
            let filter = Bool.random(using: &random) ? "(filter: {s1: {attributeExists: true}}, limit: 3)" : ""
            selection.text += " downs\(filter) { nextToken items {\(items.text)} }"
            selection.reached.formUnion(items.reached.union([next]))
        }
        // By a key that is an owner: under each record of a list it is somebody else's.
        if Bool.random(using: &random) {
            let next = LeakSchema.next(model)
            let items = self.selection(next, depth: depth - 1, using: &random)
            let limit = Bool.random(using: &random) ? "(limit: 2)" : ""
            selection.text += " alike\(limit) { nextToken items {\(items.text)} }"
            selection.reached.formUnion(items.reached.union([next]))
        }
        return selection
    }

    // MARK: Questions

    static func random(_ library: LeakLibrary, using random: inout SeededRandom) -> LeakQuestion {
        let model = LeakSchema.names[Int.random(in: 0..<3, using: &random)]
        let ids = library.records.filter { $0.model == model }
        let record = ids.randomElement(using: &random)
        let selection = selection(model, depth: 3, using: &random)
        func question(
            _ query: String, _ operation: String, target: String? = nil, _ variables: JSONObject = JSONObject()
        ) -> LeakQuestion {
            LeakQuestion(
                query: query, variables: variables, model: model, operation: operation, reached: selection.reached,
                target: target)
        }
        let filter = filter(library, model, using: &random)
        let limit = Bool.random(using: &random) ? ", limit: \(Int.random(in: 1...9, using: &random))" : ""
        let items = "{ nextToken items {\(selection.text)} }"
        let id = record?.id ?? "none"
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: return question("{ get\(model)(id: \"\(id)\") {\(selection.text)} }", "get")
        case 2, 3, 4: return question("{ list\(model)s(filter: \(filter)\(limit)) \(items) }", "list")
        case 5 where Bool.random(using: &random):
            let owner = record?.text("owner") ?? "sub-alice::alice"
            return question("{ \(model.lowercased())sByOwner(owner: \"\(owner)\"\(limit)) \(items) }", "list")
        case 5:
            let up = record?.text("upID") ?? "none"
            let order = Bool.random(using: &random) ? ", sortDirection: DESC" : ""
            return question("{ \(model.lowercased())sByUp(upID: \"\(up)\"\(order)\(limit)) \(items) }", "list")
        case 6, 7: return search(model, limit, items, question, using: &random)
        case 8:
            // Changes: of a text, of the owner, under a condition; what comes back is random, too.
            let field =
                ["s0", "s1", "s2", "many", "owner", "owner", "editors", "team"].randomElement(using: &random) ?? "s0"
            let mark = library.mark()
            let value: JSONValue =
                switch field {
                // Whoever asks may be the one whom it names, and the record nobody's.
                case "owner":
                    .string(["alice", "sub-alice::alice", "bob", "carol"].randomElement(using: &random) ?? "")
                case "editors": [.string(["alice", "bob", "sub-carol::carol"].randomElement(using: &random) ?? "")]
                case "team": .string(["Admin", "Dev"].randomElement(using: &random) ?? "")
                case "many": [.string(mark)]
                default: .string(mark)
                }
            let condition = Bool.random(using: &random) ? ", condition: \(filter)" : ""
            return question(
                "mutation ($i: Update\(model)Input!) { update\(model)(input: $i\(condition)) { __typename \(selection.text)} }",
                "update", target: id, JSONObject([("i", .object(JSONObject([("id", .string(id)), (field, value)])))]))
        default:
            if Int.random(in: 0..<3, using: &random) == 0 {
                return question(
                    "mutation ($i: Delete\(model)Input!) { delete\(model)(input: $i) { __typename \(selection.text)} }",
                    "delete", target: id, JSONObject([("i", .object(JSONObject([("id", .string(id))])))]))
            }
            let above = library.records.filter { $0.model == LeakSchema.previous(model) }.randomElement(using: &random)
            let new = library.newRecord(model, under: above?.id ?? "none", using: &random)
            return question(
                "mutation ($i: Create\(model)Input!) { create\(model)(input: $i) { __typename \(selection.text)} }",
                "create", target: new.id, JSONObject([("i", .object(LeakLibrary.input(new)))]))
        }
    }

    private static func search(
        _ model: String, _ limit: String, _ items: String,
        _ question: (String, String, String?, JSONObject) -> LeakQuestion, using random: inout SeededRandom
    ) -> LeakQuestion {
        let fields = LeakSchema.secrets.filter { $0 != "many" && $0 != "packed" }
        let field = fields[Int.random(in: 0..<fields.count, using: &random)]
        let other = fields[Int.random(in: 0..<fields.count, using: &random)]
        var arguments = "sort: [{field: \(other), direction: asc}]\(limit)"
        switch Int.random(in: 0..<3, using: &random) {
        case 0: arguments += ", filter: {\(field): {wildcard: \"mk*\"}}"
        case 1: arguments += ", filter: {or: [{\(field): {exists: true}}, {\(other): {gte: \"mk\"}}]}"
        default: break
        }
        var tail = " total"
        if Bool.random(using: &random) {
            arguments += ", aggregates: [{name: \"a\", type: terms, field: \(field)}]"
            tail += """
                 aggregateItems { name result { __typename ... on SearchableAggregateBucketResult { buckets { key doc_count } } } }
                """
        }
        return question(
            "{ search\(model)s(\(arguments)) { \(items.dropFirst().dropLast())\(tail) } }", "search", nil, JSONObject())
    }

    /// Filters ask for fields that the caller may not read, by values that may be somebody else's.
    private static func filter(_ library: LeakLibrary, _ model: String, using random: inout SeededRandom) -> String {
        let record = library.records.filter { $0.model == model }.randomElement(using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return "{s0: {beginsWith: \"mk\"}}"
        case 1: return "{or: [{s1: {attributeExists: false}}, {not: {s2: {contains: \"1\"}}}]}"
        case 2: return "{many: {contains: \"\(record?.marks("many").first ?? "x")\"}}"
        case 3 where Bool.random(using: &random): return "{s1: {ge: \"\(record?.text("s1") ?? "mk")\"}}"
        case 3: return "{and: [{s2: {ne: \"x\"}}, {owner: {ne: \"nobody\"}}]}"
        default: return "{}"
        }
    }
}
